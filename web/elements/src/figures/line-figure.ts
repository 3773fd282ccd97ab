import { css, svg, type TemplateResult } from 'lit';
import type { Box } from './direct-labels.js';

/** Least distance between two numbers of an axis. */
const ROOM = 12;

/** Styles of figures with labelled lines: the reference line and the present choice. */
export const lineFigureStyles = css`
  svg {
    overflow: visible;
  }

  .line {
    fill: none;
    stroke-width: 2;
    stroke-linejoin: round;
    stroke-linecap: round;
  }

  .reference {
    stroke: var(--_ink);
    stroke-width: 1.5;
    stroke-dasharray: 5 3;
  }

  text.reference-label {
    fill: var(--_ink);
  }

  line.present {
    stroke: var(--_accent);
  }

  text.chosen {
    fill: var(--_accent);
    font-weight: 600;
  }

  text.label {
    font-weight: 600;
  }

  @media (forced-colors: active) {
    svg .line,
    svg .reference {
      stroke: CanvasText;
    }

    svg line.present {
      stroke: Highlight;
    }

    svg text,
    svg text.label,
    svg .label tspan {
      fill: CanvasText;
    }

    svg text.halo {
      stroke: Canvas;
    }
  }
`;

/** The colours of lines of mechanisms. */
export const slotStyles = css`
  .slot-0 {
    --_own: var(--_accent);
  }

  .slot-1 {
    --_own: var(--_series-2);
  }

  .slot-2 {
    --_own: var(--_series-3);
  }

  .slot-3 {
    --_own: var(--_ink-3);
  }

  .slot-4 {
    --_own: var(--_ink);
  }

  .slot-5 {
    --_own: var(--_series-4);
  }

  .slot-6 {
    --_own: var(--_series-5);
  }

  .slot-7 {
    --_own: var(--_series-6);
  }
`;

/** Thin horizontal lines with their numbers to the left, and the baseline. */
export function levels(
  values: readonly number[],
  { left, right, bottom }: Omit<Box, 'top'>,
  y: (value: number) => number,
  show: (value: number) => string,
): TemplateResult {
  return svg`${values.map(
    (value) => svg`<line class="grid" x1=${left} x2=${right} y1=${y(value)} y2=${y(value)}></line>
      <text x=${left - 8} y=${y(value) + 4} text-anchor="end">${show(value)}</text>`,
  )}<line class="baseline" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>`;
}

export interface Across {
  /** The present number, which has priority over all others. */
  present: number;
  /** Numbers shown if there is room, the first with the highest priority. */
  values: readonly number[];
  x: (value: number) => number;
  show: (value: number) => string;
  label: string;
}

/** The numbers and the label of a horizontal axis. */
export function across(
  { present, values, x, show, label }: Across,
  { left, right, bottom }: Omit<Box, 'top'>,
): TemplateResult {
  const shown: { value: number; from: number; to: number }[] = [];
  for (const value of [present, ...values]) {
    const half = (textWidth(show(value), 12, 600) + ROOM) / 2;
    const [from, to] = [x(value) - half, x(value) + half];
    if (shown.every((other) => to <= other.from || from >= other.to)) {
      shown.push({ value, from, to });
    }
  }
  return svg`${shown.map(
    ({ value }) =>
      svg`<line class="baseline" x1=${x(value)} x2=${x(value)} y1=${bottom} y2=${bottom + 5}></line>
        <text class=${value === present ? 'chosen' : ''} x=${x(value)} y=${bottom + 20} text-anchor="middle">${show(value)}</text>`,
  )}<text x=${(left + right) / 2} y=${bottom + 40} text-anchor="middle">${label}</text>`;
}

/** The label of the reference line, above it at the left, and the box it occupies. */
export function referenceLabel(
  words: string,
  left: number,
  y: number,
): { text: TemplateResult; box: Box } {
  return {
    text: svg`<text class="reference-label halo" x=${left + 4} y=${y - 7}>${words}</text>`,
    box: { left, right: left + textWidth(words, 12, 400) + 8, top: y - 20, bottom: y },
  };
}

let canvas: CanvasRenderingContext2D | null | undefined;
let fonts: string | undefined;

/** The page's font families, read once per frame, because each reading recomputes all styles. */
function pageFonts(): string {
  if (fonts === undefined) {
    fonts = getComputedStyle(document.body).fontFamily;
    requestAnimationFrame(() => {
      fonts = undefined;
    });
  }
  return fonts;
}

/** The width of a text in the page's font. */
export function textWidth(text: string, size: number, weight: number): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return text.length * size * 0.6;
  canvas.font = `${weight} ${size}px ${pageFonts()}`;
  return canvas.measureText(text).width;
}
