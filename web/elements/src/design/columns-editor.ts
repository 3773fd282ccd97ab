import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { textOf } from '../controls/input-values.js';
import type { DesignerForm } from './designer-form.js';
import { emptyColumn, freshKey, type DraftColumn } from './draft.js';
import { described, fieldError } from '../controls/field.js';
import { arrowDown, arrowUp, cross, plus } from '../look/icons.js';

/** The editor for the study's columns, one row each. */
export function columnsEditor(form: DesignerForm): TemplateResult {
  const { columns } = form.draft;
  return html`<div class="columns" role="group" aria-label="Columns">
    <div class="column-head" aria-hidden="true">
      <span>Column</span><span>Kind</span><span class="right">Lowest</span
      ><span class="right">Highest</span>
    </div>
    <ul>
      ${repeat(
        columns,
        ({ key }) => key,
        (column, index) => columnRow(form, column, index),
      )}
    </ul>
    <button
      class="link add"
      id="add-column"
      type="button"
      @click=${() => {
        const key = freshKey(columns);
        form.change({ columns: [...columns, emptyColumn(key)] });
        form.focus(`columns.${key}.name`);
      }}
    >
      ${plus} Add a column
    </button>
    ${fieldError('columns', form.error('columns'))}
  </div>`;
}

function columnRow(form: DesignerForm, column: DraftColumn, index: number): TemplateResult {
  const { columns } = form.draft;
  const { key, type } = column;
  const id = (part: string): string => `columns.${key}.${part}`;
  const named = column.name.trim() === '' ? `Column ${index + 1}` : column.name.trim();
  const set = (patch: Partial<DraftColumn>): void => {
    form.change({
      columns: columns.map((each) => (each.key === key ? { ...each, ...patch } : each)),
    });
  };
  const input = (
    part: 'name' | 'min' | 'max' | 'levels',
    label: string,
    kind = '',
  ): TemplateResult => {
    const error = form.error(id(part)) ?? (part === 'max' ? form.error(id('min')) : undefined);
    return html`<input
      class="text ${kind} ${part}"
      id=${id(part)}
      aria-label=${label}
      autocomplete="off"
      spellcheck="false"
      inputmode=${kind === 'number' ? 'decimal' : nothing}
      placeholder=${part === 'levels' ? 'one, two, three' : nothing}
      .value=${column[part]}
      aria-invalid=${error === undefined ? 'false' : 'true'}
      aria-describedby=${described(`columns.${key}`, error) || nothing}
      @input=${(event: Event) => {
        set({ [part]: textOf(event) });
      }}
      @blur=${() => {
        form.leave(id(part));
      }}
    />`;
  };
  const problems = ['name', 'type', 'min', 'max', 'levels'].flatMap((part) => {
    const error = form.error(id(part));
    return error === undefined ? [] : [error];
  });
  return html`<li>
    <div class="column ${type}">
      ${input('name', `Name of column ${index + 1}`)}
      <select
        id=${id('type')}
        aria-label="Kind of ${named}"
        @change=${(event: Event) => {
          set({ type: textOf(event) as DraftColumn['type'] });
        }}
      >
        <option value="number" ?selected=${type === 'number'}>number</option>
        <option value="category" ?selected=${type === 'category'}>category</option>
      </select>
      ${
        type === 'number'
          ? html`${input('min', `Lowest value of ${named}`, 'number')}
            ${input('max', `Highest value of ${named}`, 'number')}`
          : input('levels', `Levels of ${named}, separated by commas`)
      }
      <div class="row-buttons">
        ${moveButton(form, index, -1, named)} ${moveButton(form, index, 1, named)}
        <button
          class="icon"
          type="button"
          aria-label="Remove ${named}"
          @click=${() => {
            const left = columns.filter((each) => each.key !== key);
            form.change({ columns: left });
            form.say(`${named} is removed.`);
            const next = left[Math.min(index, left.length - 1)];
            form.focus(next === undefined ? 'add-column' : `columns.${next.key}.name`);
          }}
        >
          ${cross}
        </button>
      </div>
    </div>
    ${problems.length === 0 ? nothing : fieldError(`columns.${key}`, problems.join(' '))}
  </li>`;
}

function moveButton(form: DesignerForm, index: number, by: -1 | 1, named: string): TemplateResult {
  const { columns } = form.draft;
  const to = index + by;
  const [column, other] = [columns[index], columns[to]];
  const direction = by < 0 ? 'up' : 'down';
  const id = `columns.${column?.key ?? 0}.${direction}`;
  return html`<button
    class="icon move"
    id=${id}
    type="button"
    aria-label="Move ${named} ${direction}"
    ?disabled=${other === undefined}
    @click=${() => {
      if (column === undefined || other === undefined) return;
      const moved = [...columns];
      [moved[index], moved[to]] = [other, column];
      form.change({ columns: moved });
      form.say(`${named} is now column ${to + 1} of ${columns.length}.`);
      const atEnd = to === 0 || to === columns.length - 1;
      form.focus(atEnd ? `columns.${column.key}.${by < 0 ? 'down' : 'up'}` : id);
    }}
  >
    ${by < 0 ? arrowUp : arrowDown}
  </button>`;
}

/** The editor for views: a table of columns and views with a box to tick in each cell. */
export function viewsEditor(form: DesignerForm): TemplateResult {
  const { columns, views } = form.draft;
  const add = (): void => {
    const keys = views.length === 0 ? [1, 2] : [freshKey(views)];
    form.change({ views: [...views, ...keys.map((key) => ({ key, name: '' }))] });
    form.focus(`views.${keys[0] ?? 1}`);
  };
  return html`<div class="views" role="group" aria-labelledby="views-label">
    <h3 id="views-label">Views</h3>
    <p class="help">
      ${
        views.length === 0
          ? 'Views are groups of columns to relate to each other. Without views, the study shows variance and regressions only.'
          : 'Tick the view of each column. A column belongs to one view or to none.'
      }
    </p>
    ${
      views.length === 0
        ? nothing
        : html`<div class="scroll view-scroll">
            <table class="view-table">
              <thead>
                <tr>
                  <td></td>
                  ${views.map(({ key, name }, index) => {
                    const field = `views.${key}`;
                    const error = form.error(field);
                    return html`<th scope="col">
                      <input
                        class="text"
                        id=${field}
                        aria-label="Name of view ${index + 1}"
                        autocomplete="off"
                        spellcheck="false"
                        placeholder="View ${index + 1}"
                        .value=${name}
                        aria-invalid=${error === undefined ? 'false' : 'true'}
                        aria-describedby=${described(field, error) || nothing}
                        @input=${(event: Event) => {
                          form.change({
                            views: views.map((each) =>
                              each.key === key ? { ...each, name: textOf(event) } : each,
                            ),
                          });
                        }}
                        @blur=${() => {
                          form.leave(field);
                        }}
                      />
                    </th>`;
                  })}
                </tr>
              </thead>
              <tbody>
                ${columns.map(
                  (column, index) =>
                    html`<tr>
                      <th scope="row" class="name">
                        ${column.name.trim() === '' ? `Column ${index + 1}` : column.name}
                      </th>
                      ${views.map(({ key, name }, at) => viewBox(form, column, index, key, name, at))}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
    ${views.map(({ key }) => fieldError(`views.${key}`, form.error(`views.${key}`)))}
    ${fieldError('views', form.error('views'))}
    <div class="view-actions">
      <button class="link add" id="add-view" type="button" @click=${add}>
        ${plus} ${views.length === 0 ? 'Add two views' : 'Add a view'}
      </button>
      ${
        views.length === 0
          ? nothing
          : html`<button
              class="link"
              type="button"
              @click=${() => {
                const left = views.length === 2 ? [] : views.slice(0, -1);
                const keys = left.map(({ key }) => key);
                form.change({
                  views: left,
                  columns: columns.map((each) =>
                    keys.includes(each.view) ? each : { ...each, view: 0 },
                  ),
                });
                form.focus('add-view');
              }}
            >
              ${views.length === 2 ? 'Remove the views' : 'Remove the last view'}
            </button>`
      }
    </div>
  </div>`;
}

function viewBox(
  form: DesignerForm,
  column: DraftColumn,
  index: number,
  key: number,
  name: string,
  at: number,
): TemplateResult {
  const column_ = column.name.trim() === '' ? `column ${index + 1}` : column.name;
  const view = name.trim() === '' ? `view ${at + 1}` : name;
  return html`<td>
    <label class="box">
      <input
        type="checkbox"
        aria-label="${column_} in ${view}"
        .checked=${column.view === key}
        @change=${(event: Event) => {
          const { checked } = event.target as HTMLInputElement;
          form.change({
            columns: form.draft.columns.map((each) =>
              each.key === column.key ? { ...each, view: checked ? key : 0 } : each,
            ),
          });
        }}
      />
    </label>
  </td>`;
}

export const columnsStyles = css`
  .column-head,
  .column {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 106px 68px 68px 84px;
    gap: 6px;
    align-items: center;
  }

  .column.category {
    grid-template-columns: minmax(0, 1fr) 106px 142px 84px;
  }

  .column-head {
    margin-bottom: 6px;
    color: var(--_ink-3);
    font-size: 13px;
    line-height: 20px;
  }

  .column-head span:first-child {
    color: var(--_ink);
    font-size: 14px;
    font-weight: 600;
  }

  .column-head .right {
    padding-right: 10px;
  }

  .columns li + li {
    margin-top: 6px;
  }

  .column input.text {
    padding: 0 9px;
  }

  .column input.text[aria-invalid='true'] {
    padding: 0 8px;
  }

  .column input.name {
    font-weight: 500;
  }

  .column select {
    padding: 0 4px 0 8px;
    font-size: 14px;
  }

  .columns li .error {
    margin: 4px 0 10px;
  }

  .row-buttons {
    display: flex;
    justify-content: flex-end;
  }

  .icon {
    width: 28px;
    height: 40px;
  }

  .icon:disabled {
    background: none;
    color: var(--_line);
    cursor: default;
  }

  .add {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 40px;
    font-size: 14px;
    font-weight: 500;
    text-decoration: none;
  }

  .add:hover {
    text-decoration: underline;
  }

  .views {
    margin-top: 24px;
  }

  .view-scroll {
    margin-top: 12px;
    padding: 2px;
  }

  .view-table {
    width: auto;
    min-width: 100%;
  }

  .view-table thead th {
    min-width: 104px;
    padding: 0 12px 8px 0;
    border-bottom-color: var(--_line-2);
    color: var(--_ink);
  }

  .view-table thead td {
    width: 40%;
    padding: 0;
    border-bottom-color: var(--_line-2);
  }

  .view-table tbody th,
  .view-table tbody td {
    padding: 0 12px 0 0;
    height: 36px;
    border-bottom-color: var(--_line);
  }

  .view-table tbody th {
    overflow-wrap: anywhere;
  }

  .view-table .box {
    display: flex;
    align-items: center;
    height: 36px;
    cursor: pointer;
  }

  .view-actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 24px;
    font-size: 14px;
  }

  @media (pointer: coarse), (max-width: 759px) {
    .column,
    .column.category {
      grid-template-columns: repeat(12, minmax(0, 1fr));
      padding-bottom: 10px;
      border-bottom: 1px solid var(--_line);
    }

    .column-head {
      grid-template-columns: repeat(12, minmax(0, 1fr));
    }

    .column > .name,
    .column-head > :nth-child(1) {
      grid-column: span 7;
    }

    .column > select,
    .column-head > :nth-child(2) {
      grid-column: span 5;
    }

    .column > .min,
    .column > .max,
    .column-head > :nth-child(n + 3) {
      grid-column: span 3;
    }

    .column > .levels {
      grid-column: span 6;
    }

    .row-buttons {
      grid-column: span 6;
    }

    .columns li + li {
      margin-top: 12px;
    }

    .icon {
      width: 44px;
      height: 44px;
    }

    .view-table .box,
    .view-table tbody th,
    .view-table tbody td {
      height: 44px;
    }

    .add {
      min-height: 44px;
    }
  }
`;
