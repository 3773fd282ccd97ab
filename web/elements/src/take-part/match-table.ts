import type { Column, LocalColumnCounts, LocalCounts, Study } from 'private-moments';
import { css, html, nothing, type TemplateResult } from 'lit';
import { count } from 'private-moments/words';
import type { Matching } from './matching.js';
import { columnBounds, labelledName } from '../session/study-view.js';

/** Above this share, missing or outside values suggest a wrong column or a wrong unit. */
export const SUSPICIOUS = 0.2;

interface MatchTable {
  study: Study;
  header: readonly string[];
  matching: Matching;
  /** Undefined while a column is unmatched or the file is being read again. */
  counts: LocalCounts | undefined;
  /** Whether the file names its columns; else none can be missing by name. */
  hasNames: boolean;
  /** Whether the matching is final. */
  isFixed: boolean;
  onMatch: (column: string, from: string | undefined) => void;
}

/** One row per column of the study, unmatched ones first. */
export function matchTable({
  study,
  header,
  matching,
  counts,
  hasNames,
  isFixed,
  onMatch,
}: MatchTable): TemplateResult {
  const byName = new Map(counts?.columns.map((column) => [column.name, column]));
  const unmatched = study.columns.filter((column) => matching[column.name] === undefined);
  const matched = study.columns.filter((column) => matching[column.name] !== undefined);
  return html`<table class="match">
    <thead>
      <tr>
        <th scope="col">Column in the study</th>
        <th scope="col">Column in your file</th>
        <th scope="col" class="right">Public bounds</th>
        <th scope="col" class="right">Outside bounds</th>
        <th scope="col" class="right">Missing</th>
      </tr>
    </thead>
    <tbody>
      ${[...unmatched, ...matched].map((column) => {
        const found = byName.get(column.name);
        const from = matching[column.name];
        return html`<tr class=${from === undefined ? 'unmatched' : ''}>
          <th scope="row">${labelledName(column)} ${oddity(column, found, counts)}</th>
          <td class="from">
            ${
              from === undefined && hasNames
                ? html`<span class="tag warn">not found</span>`
                : nothing
            }
            <span class="select"
              ><select
                aria-label="Column in your file for ${column.name}"
                ?disabled=${isFixed}
                @change=${(event: Event) => {
                  const { value } = event.target as HTMLSelectElement;
                  onMatch(column.name, value === '' ? undefined : value);
                }}
              >
                <option value="" .selected=${from === undefined}>Choose a column</option>
                ${header.map(
                  (name) => html`<option value=${name} .selected=${name === from}>${name}</option>`,
                )}
              </select></span
            >
          </td>
          <td class="right bounds">${columnBounds(column)}</td>
          <td
            class="right outside ${column.type === 'category' ? 'none' : ''}"
            data-label="outside"
          >
            ${found === undefined || column.type === 'category' ? '–' : count(found.outside)}
          </td>
          <td class="right missing" data-label="missing">
            ${found === undefined ? '–' : count(found.missing)}
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** A question about a column whose values look wrong. */
function oddity(
  column: Column,
  found: LocalColumnCounts | undefined,
  counts: LocalCounts | undefined,
): TemplateResult | typeof nothing {
  if (found === undefined || counts === undefined) return nothing;
  const { missing, outside, unreadable } = found;
  const { rows } = counts;
  if (unreadable > 0) {
    const held = column.type === 'number' ? 'words' : 'no allowed value';
    const question = unreadable > rows * SUSPICIOUS ? ' Right column?' : '';
    return html`<span class="tag warn"
      >${count(unreadable)} of ${count(rows)} cells hold ${held}.${question}</span
    >`;
  }
  if (missing > rows * SUSPICIOUS) {
    return html`<span class="tag warn">${shareOf(missing, rows)} missing. Right column?</span>`;
  }
  if (outside > rows * SUSPICIOUS) {
    return html`<span class="tag warn"
      >${shareOf(outside, rows - missing)} outside ${columnBounds(column)}. Same unit?</span
    >`;
  }
  return nothing;
}

/** "All 6,000 values are", or "1,830 of 6,000 values are". */
function shareOf(part: number, all: number): string {
  return part === all
    ? `All ${count(all)} values are`
    : `${count(part)} of ${count(all)} values are`;
}

export const matchTableStyles = css`
  .match th:first-child {
    width: 26%;
  }

  /* Column names can be long, and those in the file longer still. */
  .match tbody th,
  .match .bounds {
    overflow-wrap: anywhere;
  }

  .match tbody th .tag {
    display: block;
    width: fit-content;
    max-width: 100%;
    white-space: normal;
  }

  .match td {
    padding-top: 6px;
    padding-bottom: 6px;
  }

  .from .tag {
    margin-right: 8px;
  }

  .select {
    position: relative;
    display: inline-block;
    max-width: 100%;
    vertical-align: middle;
  }

  .select::after {
    content: '';
    position: absolute;
    top: calc(50% - 5px);
    right: 4px;
    width: 6px;
    height: 6px;
    border: solid var(--_ink-2);
    border-width: 0 1.5px 1.5px 0;
    transform: rotate(45deg);
    pointer-events: none;
  }

  .select::before {
    content: '';
    position: absolute;
    inset: auto 0 calc(50% - 14px);
    border-bottom: 1px solid var(--_line-2);
    pointer-events: none;
  }

  .select:hover::before {
    border-bottom-color: var(--_ink);
  }

  .select:has(:disabled)::before,
  .select:has(:disabled)::after {
    content: none;
  }

  select:disabled {
    color: inherit;
    opacity: 1;
    cursor: default;
  }

  select {
    max-width: 220px;
    min-height: 28px;
    padding: 0 22px 0 0;
    border: 0;
    border-radius: 2px;
    appearance: none;
    background: none;
    field-sizing: content;
    text-overflow: ellipsis;
    cursor: pointer;
  }

  option {
    background: var(--_bg);
    color: var(--_ink);
  }

  @media (pointer: coarse) {
    select {
      min-height: 44px;
    }
  }

  @media (max-width: 759px) {
    .match,
    .match tbody {
      display: block;
    }

    .match thead {
      display: none;
    }

    .match tbody {
      border-top: 1px solid var(--_line-2);
    }

    .match tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
      gap: 0 12px;
      align-items: center;
      padding: 10px 0;
      border-bottom: 1px solid var(--_line);
    }

    .match th:first-child,
    .match td {
      width: auto;
      padding: 0;
      border: 0;
    }

    .match tbody th {
      grid-area: 1 / 1;
    }

    .match .bounds {
      grid-area: 1 / 2 / 2 / -1;
    }

    .match .from {
      grid-area: 2 / 1 / 3 / -1;
    }

    .match .outside,
    .match .missing {
      grid-row: 3;
      white-space: nowrap;
    }

    .match .outside {
      text-align: left;
    }

    .match .none {
      visibility: hidden;
    }

    .match .unmatched .outside,
    .match .unmatched .missing {
      display: none;
    }

    .match .outside,
    .match .missing {
      color: var(--_ink-3);
      font-size: 13px;
    }

    .match [data-label]::before {
      content: attr(data-label) ' ';
    }

    .match select {
      max-width: 100%;
      min-height: 44px;
    }
  }
`;
