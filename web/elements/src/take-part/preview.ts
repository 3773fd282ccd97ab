import type { LocalCounts, Study } from 'private-moments';
import { contentOf, usesPartialRows } from 'private-moments/internal';
import { html, type TemplateResult } from 'lit';
import { count, percent, plural } from 'private-moments/words';
import { centreInWords } from '../session/study-view.js';

/** Column names, styled apart from the text around them. */
export function names(all: readonly string[]): unknown {
  return all.map((name, i) => html`${i === 0 ? '' : ', '}<span class="name">${name}</span>`);
}

/** The counts of a file; dashes while the file is being read again. */
export function previewNumbers(counts: LocalCounts | undefined): TemplateResult {
  const outside = counts?.columns.reduce((sum, column) => sum + column.outside, 0);
  const numbers: [string, number | undefined][] = [
    ['Rows counted', counts && counts.rows - counts.dropped],
    ['Rows left out', counts?.dropped],
    ['Rows with a gap', counts && counts.centred + counts.dropped],
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

interface Unusable {
  title: string;
  body: TemplateResult;
  /** Whether a release is still offered: if the number of rows is private, refusing would reveal it. */
  isOffered: boolean;
}

/** Why a file would add nothing to the result; undefined if it adds something. */
export function unusableWords(study: Study, counts: LocalCounts): Unusable | undefined {
  const reason = reasonOf(study, counts);
  if (reason === undefined) return undefined;
  const { title, body } = reason;
  if (study.neighbours === 'replace-one' || study.missing === 'error') {
    return { title, body, isOffered: false };
  }
  return {
    title,
    body: html`${body} You can still make a release. It would be noise alone, and nobody can tell it
    from the release of a file with rows.`,
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
      ${plural(counts.rows, 'row')}. Match another column of your file above, or correct the file:
      write numbers with a decimal point, and levels exactly as in the study.`,
    };
  }
  if (incomplete === counts.rows) {
    return {
      title: 'Every row has a gap.',
      body: html`Each of the ${plural(counts.rows, 'row')} lacks a usable value in some column, so
      none of them would count. Match other columns of your file above, or choose another file.`,
    };
  }
  if (missing === 'error' && incomplete > 0) {
    return {
      title: 'This study takes only rows without gaps.',
      body: html`${plural(incomplete, 'row has a gap', 'rows have gaps')}. Correct or remove them in
      your file, then choose it again.`,
    };
  }
  return undefined;
}

/** How rows and values that do not fit the study are treated. */
export function previewWords(study: Study, counts: LocalCounts): string {
  const shortened =
    counts.shortened === 0
      ? ''
      : `${plural(counts.shortened, 'unusually extreme row is', 'unusually extreme rows are')} scaled down to the longest that the study allows. `;
  return `Values outside the bounds are moved to the nearest bound. ${gapRule(study, counts)} ${shortened}${whatStays(study)}`;
}

/** Which of the counts shown leave: under replace-one the file states the rows, else at most with noise. */
function whatStays({ unit, neighbours, clipping, ...study }: Study): string {
  if (unit === 'participant') return 'These counts stay on this computer.';
  const lengths =
    clipping === 'fixed' ? '' : ' How many rows have about which length leaves with noise.';
  if (neighbours === 'replace-one') {
    return `All of these but the number of rows counted, which the file states exactly, stay on this computer.${lengths}`;
  }
  if (contentOf(study.mechanism) === 'components') return 'These counts stay on this computer.';
  return `All of these stay on this computer; the number of rows counted leaves only with noise.${lengths}`;
}

/** "Rows with a gap (628, 10%) are left out." */
function gapRule(study: Study, { centred, dropped, rows, columns }: LocalCounts): string {
  if (usesPartialRows(study.missing)) {
    const cells = columns.reduce((sum, { missing }) => sum + missing, 0);
    return cells === 0
      ? 'No row has a gap.'
      : `Rows count with the cells that they have; ${plural(cells, 'cell')} ${cells === 1 ? 'is' : 'are'} missing.`;
  }
  const gaps = centred + dropped;
  if (gaps === 0) return 'No row has a gap.';
  const affected = `Rows with a gap (${count(gaps)}, ${percent(gaps / rows)})`;
  return study.missing === 'centre'
    ? `${affected} count as exactly average (${centreInWords(study)}), which weakens the result.`
    : `${affected} are left out.`;
}
