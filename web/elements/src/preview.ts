import type { LocalCounts, Study } from 'private-moments';
import { html, type TemplateResult } from 'lit';
import { count, plural } from './format.js';

/** Column names, set apart from the words around them. */
export function names(all: readonly string[]): unknown {
  return all.map((name, i) => html`${i === 0 ? '' : ', '}<span class="name">${name}</span>`);
}

/** The counts of a file; dashes while the file is being read again. */
export function previewNumbers(counts: LocalCounts | undefined): TemplateResult {
  const outside = counts?.columns.reduce((sum, column) => sum + column.outside, 0);
  const numbers: [string, number | undefined][] = [
    ['Rows used', counts && counts.rows - counts.dropped],
    ['Rows left out', counts?.dropped],
    ['Rows with a missing cell', counts && counts.centred + counts.dropped],
    ['Values outside bounds', outside],
  ];
  return html`<dl class="numbers" part="numbers">
    ${numbers.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value === undefined ? '–' : count(value)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** What becomes of rows and values that do not fit. */
export function previewWords(study: Study, counts: LocalCounts): string {
  const rules = {
    centre: 'A row with a missing cell counts as the centre of the bounds.',
    drop: 'A row with a missing cell is left out.',
    error: 'This study takes no rows with a missing cell.',
  };
  const shortened =
    counts.shortened === 0
      ? ''
      : `${plural(counts.shortened, 'row is', 'rows are')} longer than the study allows and ${counts.shortened === 1 ? 'is' : 'are'} shortened. `;
  return `Values outside the bounds are moved to the nearest bound. ${rules[study.missing]} ${shortened}These counts stay here.`;
}
