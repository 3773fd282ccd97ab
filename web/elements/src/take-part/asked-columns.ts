import type { Column, Study } from 'private-moments';
import { bound, countWord } from 'private-moments/words';
import { css, html, nothing, type TemplateResult } from 'lit';
import { down } from '../look/icons.js';
import { columnBounds } from '../session/study-view.js';
import { exampleOf } from '../session/example.js';

/** A longer list scrolls within its box, so that the drop zone below stays near. */
const LONGEST_LIST = 14;

/** The columns to have ready: meaning, unit, allowed values and an example of each, and a CSV template. */
export function askedColumns(study: Study): TemplateResult {
  const { columns } = study;
  const hasMeaning = columns.some(
    ({ label, description }) => label !== undefined || description !== undefined,
  );
  const hasUnit = columns.some(({ unit }) => unit !== undefined);
  const hasNumber = columns.some(({ type }) => type === 'number');
  const isLong = columns.length > LONGEST_LIST;
  return html`<section class="asked" aria-labelledby="asked">
    <div class="asked-top">
      <div>
        <h2 id="asked">
          ${columns.length === 1 ? 'Have this column ready' : `Have these ${countWord(columns.length).toLowerCase()} columns ready`}
        </h2>
        <p class="help">Names may differ: you match them next.</p>
      </div>
      <button
        class="button small"
        type="button"
        @click=${() => {
          void saveTemplate(study);
        }}
      >
        ${down}CSV template
      </button>
    </div>
    <div
      class=${isLong ? 'list long' : 'list'}
      tabindex=${isLong ? '0' : nothing}
      role=${isLong ? 'region' : nothing}
      aria-label=${isLong ? 'Columns of the study' : nothing}
    >
      <table class="${hasMeaning ? 'meanings' : ''}">
        <thead>
          <tr>
            <th scope="col">Column</th>
            ${hasMeaning ? html`<th scope="col">Meaning</th>` : nothing}
            ${hasUnit ? html`<th scope="col">Unit</th>` : nothing}
            <th scope="col" class="right">${hasNumber ? 'Allowed range' : 'Allowed values'}</th>
            <th scope="col" class="right">Example</th>
          </tr>
        </thead>
        <tbody>
          ${columns.map(
            (column) =>
              html`<tr>
                <th scope="row">${column.name}</th>
                ${hasMeaning ? html`<td class="meaning">${meaning(column)}</td>` : nothing}
                ${hasUnit ? html`<td class="unit">${column.unit ?? nothing}</td>` : nothing}
                <td class="right range">${columnBounds(column)}</td>
                <td class="right example">${exampleOf(column)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      hasNumber
        ? html`<p class="label after">
            Values outside the range move to its nearest end. You see how many before anything is
            made.
          </p>`
        : nothing
    }
  </section>`;
}

/** The writer of CSV files is loaded when it is wanted. */
async function saveTemplate(study: Study): Promise<void> {
  const { saveTemplate: save } = await import('../session/template.js');
  save(study);
}

function meaning({ label, description }: Column): TemplateResult | string {
  if (description === undefined) return label ?? '';
  return html`${label} <span class="detail">${description}</span>`;
}

/** The range of a column with its unit: "3 to 11 mmol/L". */
export function rangeWithUnit(column: Column): string {
  if (column.type === 'category') return columnBounds(column);
  const { min, max, unit } = column;
  return `${bound(min)} to ${bound(max)}${unit === undefined ? '' : ` ${unit}`}`;
}

export const askedColumnsStyles = css`
  .asked-top {
    display: flex;
    align-items: flex-end;
    justify-content: space-between;
    gap: 16px 24px;
    margin-bottom: 16px;
  }

  .asked-top .help {
    margin-top: 4px;
  }

  .asked-top .button {
    flex: none;
  }

  .asked .list.long {
    max-height: 620px;
    overflow-y: auto;
  }

  .asked th,
  .asked td {
    vertical-align: baseline;
    overflow-wrap: anywhere;
  }

  .asked tbody th {
    min-width: 7em;
  }

  .asked td {
    padding-top: 8px;
    padding-bottom: 8px;
  }

  .asked .meaning .detail {
    display: inline;
    margin: 0 0 0 8px;
    color: var(--_ink-3);
    font-size: 13px;
  }

  .asked .range {
    white-space: nowrap;
  }

  .asked .example {
    color: var(--_ink-3);
  }

  .asked .after {
    margin-top: 10px;
  }

  @media (max-width: 759px) {
    .asked-top {
      flex-direction: column;
      align-items: stretch;
    }

    .asked table,
    .asked tbody {
      display: block;
    }

    .asked thead {
      display: none;
    }

    .asked tbody {
      border-top: 1px solid var(--_line-2);
    }

    .asked tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto auto;
      padding: 8px 0;
      border-bottom: 1px solid var(--_line);
    }

    .asked tbody th,
    .asked td {
      padding: 0;
      border: 0;
    }

    .asked tbody th {
      grid-area: 1 / 1;
    }

    .asked .range {
      grid-area: 1 / 2;
      margin-left: 12px;
      white-space: normal;
    }

    .asked .unit {
      grid-area: 1 / 3;
    }

    .asked .unit:not(:empty) {
      margin-left: 5px;
    }

    .asked .meaning {
      grid-area: 2 / 1 / 3 / -1;
      color: var(--_ink-2);
    }

    .asked .example {
      display: none;
    }
  }
`;
