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
    ['Rows counted', counts && counts.rows - counts.dropped],
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

interface Useless {
  title: string;
  body: TemplateResult;
  /** A release can be made all the same: where their number is private, it must not show that rows count. */
  isOffered: boolean;
}

/** Why nothing of a file would be in the result, in words; undefined where something is. */
export function uselessWords(study: Study, counts: LocalCounts): Useless | undefined {
  const reason = reasonOf(study, counts);
  if (reason === undefined) return undefined;
  const { title, body } = reason;
  if (study.neighbours === 'replace-one' || study.missing === 'error') {
    return { title, body, isOffered: false };
  }
  return {
    title,
    body: html`${body} You can still make a release: noise alone, which nobody can tell from that of
    a file with rows.`,
    isOffered: true,
  };
}

function reasonOf(
  { missing }: Study,
  counts: LocalCounts,
): { title: string; body: TemplateResult } | undefined {
  if (counts.rows === 0) {
    return { title: 'This file has no rows.', body: html`It has a header and nothing below it.` };
  }
  const incomplete = counts.centred + counts.dropped;
  const empty = counts.columns.filter((column) => column.missing === counts.rows);
  if (empty.length > 0) {
    return {
      title: `No row has a usable value of ${empty.length === 1 ? 'this column' : 'these columns'}.`,
      body: html`${names(empty.map(({ name }) => name))}: missing in all
      ${plural(counts.rows, 'row')}. Match another column of your file above, or mend the file:
      numbers are written with a decimal point, and levels as the study writes them.`,
    };
  }
  if (incomplete === counts.rows) {
    return {
      title: 'No row has all columns.',
      body: html`Each of the ${plural(counts.rows, 'row')} has a missing cell, so that nothing of
      them would be in the result. Match other columns of your file above, or choose another file.`,
    };
  }
  if (missing === 'error' && incomplete > 0) {
    return {
      title: 'This study takes no rows with a missing cell.',
      body: html`${plural(incomplete, 'row has one', 'rows have one')}. Mend or remove them in your
      file, then choose it again.`,
    };
  }
  return undefined;
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
