import type { CsvDecimal, LocalCounts, Study } from 'private-moments';
import { html, nothing, type TemplateResult } from 'lit';
import { count, list, plural } from 'private-moments/words';
import { notice } from '../controls/notice.js';
import type { CsvSample } from './file/csv-sample.js';
import { undecided, type FoundDecimal, type Place } from './file/csv-writing.js';
import type { Matching } from './matching.js';
import { withMinus } from './file/missing-codes.js';

const DELIMITER_WORDS: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
  ',': 'commas',
};

/** How a file is written, as far as it was found or chosen. */
interface Written {
  sample: CsvSample | undefined;
  found: FoundDecimal | undefined;
  chosen: CsvDecimal | undefined;
  hasNames: boolean | undefined;
  isOldText: boolean;
}

type Another = (kind: '' | 'primary' | 'small') => TemplateResult | typeof nothing;

/** Asks whether the first line of a file holds names. Nothing of it is quoted: it may be a person's row. */
export function namesQuestion(
  file: File,
  onNames: (hasNames: boolean) => void,
  another: TemplateResult | typeof nothing,
): TemplateResult {
  return notice({
    kind: 'warn',
    title: 'Does the first line name the columns?',
    body: html`The first line of ${file.name} holds numbers and none of the study’s column names. If
    it is already a row of data, you match the columns by their position.`,
    actions: html`<button
        class="button"
        type="button"
        @click=${() => {
          onNames(false);
        }}
      >
        It is data
      </button>
      <button
        class="button"
        type="button"
        @click=${() => {
          onNames(true);
        }}
      >
        It holds names
      </button>
      ${another}`,
  });
}

/** Asks what the commas in numbers mean, or says how to make a file of one kind. */
export function decimalQuestion(
  file: File,
  found: Exclude<FoundDecimal, { decimal: CsvDecimal }>,
  onDecimal: (decimal: CsvDecimal) => void,
  another: Another,
): TemplateResult {
  if (found.unclear === 'both') {
    return notice({
      kind: 'bad',
      title: `${file.name} mixes decimal commas and decimal points.`,
      body: html`The number in ${at(found.comma)} has a comma, that in ${at(found.point)} a point.
      Write all numbers in one way, without thousands separators, and save the file again.`,
      actions: another('primary'),
    });
  }
  return notice({
    kind: 'warn',
    title: 'What do the commas in numbers mean?',
    body: html`Every number with a comma has three digits after it, from ${at(found.comma)} on:
    1,234 could be a little over one, or more than a thousand. If commas separate thousands, save
    the file again without them.`,
    actions: html`<button
        class="button"
        type="button"
        @click=${() => {
          onDecimal(',');
        }}
      >
        Commas are decimal marks
      </button>
      ${another('')}`,
  });
}

function at({ row, column }: Place): TemplateResult {
  return html`row ${count(row)} of <span class="name">${column}</span>`;
}

/** How the file was read, if not as a plain CSV file; the decimal mark can be changed. */
export function writingWords(
  { sample, found, chosen, hasNames, isOldText }: Written,
  onDecimal: (decimal: CsvDecimal) => void,
  onOldText: (isOldText: boolean) => void,
): TemplateResult | typeof nothing {
  if (sample === undefined || found === undefined) return nothing;
  const decimal = chosen ?? ('decimal' in found ? found.decimal : '.');
  const parts = [
    ...(hasNames === false ? ['no names in the first line'] : []),
    ...(sample.delimiter === ','
      ? []
      : [`cells separated by ${DELIMITER_WORDS[sample.delimiter] ?? ''}`]),
    ...(isOldText || sample.encoding === 'windows-1252'
      ? ['the letters of an older Excel (Windows-1252)']
      : sample.encoding === 'utf-16le'
        ? ['the letters of Excel’s Unicode text (UTF-16)']
        : []),
    ...(decimal === ',' ? ['numbers with a decimal comma (1,5 is one and a half)'] : []),
  ];
  if (parts.length === 0) return nothing;
  return html`<p class="help" data-writing>
    Read with ${list(parts)}.
    ${
      decimal === ','
        ? html`<button
            class="link"
            type="button"
            @click=${() => {
              onDecimal('.');
            }}
          >
            Read with a decimal point
          </button>`
        : nothing
    }
    ${
      isOldText
        ? html`<button
            class="link"
            type="button"
            @click=${() => {
              onOldText(false);
            }}
          >
            Read as UTF-8
          </button>`
        : nothing
    }
  </p>`;
}

/** Asks whether numbers outside a column's range, which are common codes, mean that a value is missing. */
export function codeQuestions({
  counts,
  decided,
  onCode,
  onNoCode,
}: {
  counts: LocalCounts;
  decided: readonly string[];
  onCode: (code: string) => void;
  onNoCode: (code: string) => void;
}): TemplateResult[] {
  return undecided(counts, decided).map(
    ({ code, columns }) =>
      html`<div class="above">
        ${notice({
          kind: 'warn',
          title: `Does ${withMinus(code)} mean “not measured”?`,
          body: html`It stands in ${list(columns)}, outside the allowed range. Left as a number, it
          counts as the nearest allowed value.`,
          actions: html`<button
              class="button"
              type="button"
              @click=${() => {
                onCode(code);
              }}
            >
              Yes, ${withMinus(code)} is missing
            </button>
            <button
              class="button"
              type="button"
              @click=${() => {
                onNoCode(code);
              }}
            >
              No, it is a value
            </button>`,
        })}
      </div>`,
  );
}

/** Asks which column is which in a file without names. */
export function positionsQuestion({
  study,
  state: { header, matching },
  onInOrder,
}: {
  study: Study;
  state: { header: readonly string[]; matching: Matching };
  onInOrder: () => void;
}): TemplateResult {
  const columns = study.columns.length;
  const left = study.columns.filter(({ name }) => matching[name] === undefined).length;
  return notice({
    kind: 'warn',
    title: 'Which column is which?',
    body: html`Your file has ${plural(header.length, 'column')} without names, and the study asks
    for ${count(columns)}. Choose a position for each below; ${count(left)} left. Check them twice:
    the file has no names to check them against.`,
    actions:
      header.length === columns
        ? html`<button class="button" type="button" @click=${onInOrder}>
            Same order as in the study
          </button>`
        : undefined,
  });
}
