import { css, html, nothing, svg, type TemplateResult } from 'lit';
import type { Known } from './comparer.js';
import { holdingOf, lessInWords, noteOf, type Contender } from './compared-mechanisms.js';
import { fixed, significant } from 'private-moments/words';
import { formula } from './mechanism-words.js';

export type Column = 'mechanism' | 'promise' | 'numerics' | 'error' | 'time';

export interface Order {
  by: Column;
  isDescending: boolean;
}

/** A row of the table: a mechanism and its results at the present choice. */
export interface Row {
  contender: Contender;
  at: Known | undefined;
  /** Index of its colour in the figures; undefined if it is not drawn. */
  slot: number | undefined;
}

export interface Choice {
  components: number;
  /** The error of answering 0. */
  zero: number;
  /** Address of a page on every mechanism, or nothing. */
  page: string;
}

const HEADS: readonly [Column, string][] = [
  ['mechanism', 'Mechanism'],
  ['promise', 'Promise'],
  ['numerics', 'Numerics'],
  ['error', 'Error'],
  ['time', 'Time'],
];

/** The sort key of a row in a column; unknown values come last. */
function keyOf({ contender, at }: Row, by: Column): number | string {
  switch (by) {
    case 'mechanism':
      return contender.title.toLowerCase();
    case 'promise':
      return contender.promise;
    case 'numerics':
      return contender.numerics;
    case 'error':
      return at?.error ?? NaN;
    case 'time':
      return at?.seconds ?? NaN;
  }
}

export function sorted(rows: readonly Row[], { by, isDescending }: Order): Row[] {
  const isUnknown = (key: number | string): boolean => Number.isNaN(key);
  return [...rows].sort((a, b) => {
    const [left, right] = [keyOf(a, by), keyOf(b, by)];
    if (isUnknown(left) || isUnknown(right))
      return Number(isUnknown(left)) - Number(isUnknown(right));
    const first =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : String(left).localeCompare(String(right), 'en');
    return isDescending ? -first : first;
  });
}

/** The table of all mechanisms, those of studies before published forms, each group sorted by `order`. */
export function comparisonTable(
  rows: readonly Row[],
  order: Order,
  choice: Choice,
  sort: (by: Column) => void,
): TemplateResult {
  const largest = Math.max(
    ...rows.flatMap(({ at }) => (at === undefined || Number.isNaN(at.error) ? [] : [at.error])),
  );
  const group = (isPublished: boolean, title: string): TemplateResult =>
    html`<tbody role="rowgroup">
      <tr role="row" class="group">
        <th scope="rowgroup" role="rowheader" aria-colspan="6" colspan="6">${title}</th>
      </tr>
      ${rows
        .filter(({ contender }) => contender.isPublished === isPublished)
        .map((row) => tableRow(row, choice, largest))}
    </tbody>`;
  return html`<table class="comparison" role="table">
    <thead role="rowgroup">
      <tr role="row">
        ${HEADS.map(([by, title]) => head(by, title, order, sort))}
        <th scope="col" role="columnheader">Note</th>
      </tr>
    </thead>
    ${group(false, 'In a study')} ${group(true, 'As published, for comparison only')}
  </table>`;
}

function head(by: Column, title: string, order: Order, sort: (by: Column) => void): TemplateResult {
  const direction = order.by !== by ? 'none' : order.isDescending ? 'descending' : 'ascending';
  return html`<th
    scope="col"
    role="columnheader"
    class=${by === 'time' ? 'right' : ''}
    aria-sort=${direction}
  >
    <button
      class="sort"
      type="button"
      @click=${() => {
        sort(by);
      }}
    >
      ${title}<span class="arrow" aria-hidden="true"
        >${direction === 'none' ? '' : direction === 'ascending' ? '↑' : '↓'}</span
      >
    </button>
  </th>`;
}

function tableRow(row: Row, choice: Choice, largest: number): TemplateResult {
  const { contender, at, slot } = row;
  const { title, source, numerics, mechanism } = contender;
  const name =
    choice.page === '' ? title : html`<a href="${choice.page}#${mechanism.name}">${title}</a>`;
  return html`<tr role="row" class=${slot === undefined ? '' : `slot-${slot}`}>
    <th scope="row" role="rowheader">
      ${name}${source === '' ? nothing : html`<span class="source">${source}</span>`}
    </th>
    <td role="cell" class="promise" data-label="Promise">${promise(row)}</td>
    <td role="cell" class="numerics" data-label="Numerics">${numerics}</td>
    <td role="cell" class="size">${error(at, choice.zero, largest)}</td>
    <td role="cell" class="time right" data-label="Time">${time(at)}</td>
    <td role="cell" class="note">${note(row, choice)}</td>
  </tr>`;
}

function promise({ contender, at }: Row): unknown {
  const holding = holdingOf(contender, at);
  if (holding === 'none') return html`<span class="tag bad">none</span>`;
  if (holding === 'yes' || at === undefined) return contender.promise;
  const { proved, claimed } = lessInWords(at);
  return html`<span class="tag warn">${proved}, not ${claimed}</span>`;
}

function note(row: Row, choice: Choice): unknown {
  const { note: tag } = row.contender;
  const text = noteOf(row.contender, row.at, choice.components);
  if (!tag.startsWith('default')) return formula(text);
  const rest = text.slice(tag.length).replace(/^; /, '');
  return html`<span class="tag">${tag}</span> ${formula(rest)}`;
}

function error(at: Known | undefined, zero: number, largest: number): TemplateResult {
  const isKnown = at !== undefined && !Number.isNaN(at.error);
  const width = isKnown ? Math.max(0.5, 100 * (at.error / largest)) : 0;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="length" width=${fixed(width, 2)} height="8"></rect>
      ${
        !isKnown || zero > largest
          ? nothing
          : svg`<rect class="zero" x=${fixed(100 * (zero / largest) - 0.4, 2)} y="-4" width="0.8" height="16"></rect>`
      }
    </svg>
    <span class="number ${isKnown ? '' : 'faint'}"
      >${isKnown ? inDigits(at.error) : at === undefined ? '…' : '–'}</span
    >`;
}

/** Three decimals for values of at least 0.1, two significant digits for smaller ones. */
export function inDigits(value: number): string {
  return value >= 0.1 ? fixed(value, 3) : significant(value, 2);
}

function time(at: Known | undefined): string {
  if (at === undefined) return '…';
  if (!(at.runs > 0)) return '–';
  const ms = at.seconds * 1000;
  return ms < 0.01
    ? '<0.01 ms'
    : ms < 1000
      ? `${significant(ms, 2)} ms`
      : `${significant(ms / 1000, 2)} s`;
}

export const comparisonTableStyles = css`
  .comparison th,
  .comparison td {
    vertical-align: baseline;
  }

  .comparison .sort {
    padding: 0;
    border: 0;
    border-radius: 2px;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }

  .comparison .sort:hover {
    color: var(--_ink);
  }

  .comparison [aria-sort='ascending'] .sort,
  .comparison [aria-sort='descending'] .sort {
    color: var(--_ink);
    font-weight: 600;
  }

  .comparison .arrow {
    display: inline-block;
    width: 16px;
    text-align: center;
  }

  .comparison .group th {
    padding-top: 24px;
    color: var(--_ink-3);
    font-size: 13px;
    font-weight: 400;
  }

  .comparison tbody th a {
    color: inherit;
    text-decoration-color: var(--_line-2);
  }

  .comparison tbody th a:hover {
    color: var(--_accent-2);
    text-decoration-color: currentcolor;
  }

  .comparison .source {
    display: block;
    color: var(--_ink-3);
    font-size: 13px;
    font-weight: 400;
  }

  .comparison td.size {
    width: 286px;
    white-space: nowrap;
  }

  .comparison td.time {
    white-space: nowrap;
  }

  .comparison .bar {
    display: inline-block;
    width: 190px;
    height: 8px;
    overflow: visible;
  }

  .comparison .bar .length {
    fill: var(--_own, var(--_line-2));
  }

  .comparison .bar .zero {
    fill: var(--_ink);
  }

  .comparison .number {
    display: inline-block;
    width: 72px;
    text-align: right;
  }

  .comparison .faint {
    color: var(--_ink-3);
  }

  .comparison .note {
    max-width: 320px;
    color: var(--_ink-2);
    text-wrap: pretty;
  }

  .comparison sup {
    font-size: 0.75em;
    line-height: 0;
  }

  @media (forced-colors: active) {
    .comparison .bar .length,
    .comparison .bar .zero {
      fill: CanvasText;
    }
  }

  @media (max-width: 1099px) {
    .comparison tbody th {
      min-width: 160px;
    }

    .comparison .bar {
      width: 60px;
    }

    .comparison td.size {
      width: 148px;
    }
  }

  /* In a narrow window, the table becomes a list: name and number, then the bar, then the rest. */
  @media (max-width: 759px) {
    .comparison,
    .comparison thead,
    .comparison tbody {
      display: block;
    }

    .comparison thead tr {
      display: flex;
      flex-wrap: wrap;
      column-gap: 12px;
      border-bottom: 1px solid var(--_line-2);
    }

    .comparison thead th {
      padding: 0;
      border: 0;
    }

    .comparison thead th:last-child {
      display: none;
    }

    .comparison .sort {
      min-height: 44px;
    }

    .comparison .arrow {
      width: auto;
    }

    .comparison tbody tr {
      display: flex;
      flex-wrap: wrap;
      column-gap: 16px;
      align-items: baseline;
      padding: 14px 0;
      border-bottom: 1px solid var(--_line);
    }

    .comparison tbody th,
    .comparison tbody td {
      padding: 0;
      border: 0;
    }

    .comparison tbody .group {
      padding: 24px 0 8px;
    }

    .comparison tbody .group th {
      padding: 0;
    }

    .comparison tbody th {
      flex: 1 0 0;
      min-width: 0;
    }

    .comparison td.size {
      display: contents;
    }

    .comparison .bar {
      order: 2;
      width: 100%;
      margin: 6px 0 4px;
    }

    .comparison .number {
      order: 1;
      width: auto;
      margin: 0;
    }

    .comparison .promise,
    .comparison .numerics,
    .comparison .time {
      order: 3;
      color: var(--_ink-2);
      font-size: 13px;
    }

    .comparison .note {
      order: 4;
      flex: 1 0 100%;
      max-width: none;
      font-size: 13px;
    }
  }
`;
