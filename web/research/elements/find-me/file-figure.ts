import { svg, html, type TemplateResult } from 'lit';
import { divergingStep } from 'private-moments/words';
import type { GameFile } from './find-me-protocol.js';
import { fileInWords } from './find-me-words.js';

/** The features, the constant first, and how they are written in a narrow figure. */
const NAMES = ['count', 'age', 'sleep', 'glucose', 'bmi'] as const;
const SHORT: Partial<Record<string, string>> = { glucose: 'glu.', count: 'rows' };
const LONG: Partial<Record<string, string>> = { count: 'rows' };
const GAP = 2;
/** Room above the row of sums. */
const APART = 8;
/** Noise below this leaves a digit after the point. */
const FINE = 2;
const LEAST_LIMIT = 10;

/**
 * A file as its triangle of sums: the products of the columns, and below them the sums of the columns and
 * the number of rows. Both files of a game have one scale of colours, which `limit` ends.
 */
export function fileFigure(
  title: string,
  { sums, sd }: GameFile,
  isSmall: boolean,
): TemplateResult {
  const [cell, left] = isSmall ? [28, 0] : [44, 60];
  const digits = sd < FINE ? 1 : 0;
  const limit = Math.max(LEAST_LIMIT, 2 * sd);
  const columns = NAMES.slice(1);
  const step = cell + GAP;
  const bottom = columns.length * step + APART;
  const width = left + NAMES.length * step - GAP;
  const height = bottom + cell + 20;
  const at = (i: number, j: number): number => sums[placeOf(i, j)] ?? NaN;
  const box = (value: number, x: number, y: number): TemplateResult => {
    const shade = divergingStep(value, limit);
    return svg`<rect class="step-${shade}" x=${x} y=${y} width=${cell} height=${cell} rx="2"></rect>
      <text class="on-${shade} number" x=${x + cell / 2} y=${y + cell / 2 + 4.5} text-anchor="middle">${written(value, digits)}</text>`;
  };
  return html`<svg
    class=${isSmall ? 'file small' : 'file'}
    width=${width}
    height=${height}
    role="img"
    aria-label=${fileInWords(title, sums, digits)}
  >
    ${columns.map(
      (name, i) =>
        svg`${isSmall ? '' : svg`<text class="row" x=${left - 10} y=${i * step + cell / 2 + 4.5} text-anchor="end">${name}</text>`}
          ${columns.slice(0, i + 1).map((_, j) => box(at(j + 1, i + 1), left + j * step, i * step))}`,
    )}
    ${isSmall ? '' : svg`<text class="row" x=${left - 10} y=${bottom + cell / 2 + 4.5} text-anchor="end">sum</text>`}
    ${[...columns, NAMES[0]].map((name, j) => {
      const x = left + j * step;
      const value = j < columns.length ? at(0, j + 1) : at(0, 0);
      return svg`${box(value, x, bottom)}
        <text x=${x + cell / 2} y=${bottom + cell + 16} text-anchor="middle">${(isSmall ? SHORT : LONG)[name] ?? name}</text>`;
    })}
  </svg>`;
}

/** The place of entry (i, j) with i <= j in a packed upper triangle. */
function placeOf(i: number, j: number): number {
  return i * NAMES.length - (i * (i - 1)) / 2 + (j - i);
}

function written(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−');
}
