import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { numberIn, textOf } from '../controls/input-values.js';
import { selectField, textField, type DesignerForm } from './designer-form.js';
import {
  clippingsOf,
  emptyColumn,
  freshKey,
  inserted,
  listIn,
  presentClipping,
  type Draft,
  type DraftColumn,
} from './draft.js';
import { disclosure } from '../controls/disclosure.js';
import { fieldError } from '../controls/field.js';
import { arrowDown, arrowUp, plus } from '../look/icons.js';
import { bound } from 'private-moments/words';
import { pastedColumns, pastedInWords, withPasted } from './pasted-columns.js';
import { viewMark } from './views-editor.js';
import { weightObstacle } from './weights.js';

type Text =
  | 'name'
  | 'label'
  | 'min'
  | 'max'
  | 'levels'
  | 'levelLabels'
  | 'unit'
  | 'deviation'
  | 'weight'
  | 'description';

/** The fields of a row, in the order in which they stand. */
const FIELDS: readonly Text[] = [
  'name',
  'label',
  'min',
  'max',
  'levels',
  'levelLabels',
  'unit',
  'deviation',
  'weight',
  'description',
];
/** Fields that may stay empty, so that an empty one does not take the focus. */
const ASIDE: readonly Text[] = ['levelLabels', 'deviation', 'weight', 'description'];

/**
 * The study's columns, one row each, as participants will read them. One row at a time is open for
 * editing: Enter closes it, Escape puts back what it held when it was opened.
 */
export class ColumnsEditor {
  readonly #host: Pick<ReactiveControllerHost, 'requestUpdate'>;
  /** The open row; `before` is undefined for a column just added. */
  #open: { key: number; before: DraftColumn | undefined } | undefined;
  /** Why pasted cells were refused, until the next change. */
  #refusal = '';
  /** Whether the weight of the open row is shown. */
  #isWeightOpen = false;

  constructor(host: Pick<ReactiveControllerHost, 'requestUpdate'>) {
    this.#host = host;
  }

  /** Closes the open row, or opens the only column of an empty draft. */
  reset({ columns }: Draft): void {
    const [first] = columns;
    this.#refusal = '';
    this.#open =
      columns.length === 1 && first?.name === '' ? { key: first.key, before: first } : undefined;
  }

  /** Opens the row that a field is in, if it is in one. */
  show(field: string, { columns }: Draft): void {
    const key = Number(/^columns\.(\d+)\.(?!view$|edit$)/.exec(field)?.[1]);
    const before = columns.find((column) => column.key === key);
    if (field.endsWith('.weight') && !this.#isWeightOpen) {
      this.#isWeightOpen = true;
      this.#host.requestUpdate();
    }
    if (before === undefined || this.#open?.key === key) return;
    this.#open = { key, before };
    this.#host.requestUpdate();
  }

  render(form: DesignerForm, undo: unknown): TemplateResult {
    const { columns, views } = form.draft;
    return html`<div
      class="columns ${views.length === 0 ? 'flat' : ''}"
      role="group"
      aria-label="Columns"
      @paste=${(event: ClipboardEvent) => {
        this.#paste(form, event);
      }}
    >
      <ul>
        ${repeat(
          columns,
          ({ key }) => key,
          (column, index) =>
            column.key === this.#open?.key
              ? this.#openRow(form, column, index)
              : this.#row(form, column, index),
        )}
      </ul>
      ${this.#refusal === '' ? nothing : fieldError('pasted', this.#refusal)} ${undo}
      <button
        class="link add"
        id="add-column"
        type="button"
        @click=${() => {
          this.#add(form);
        }}
      >
        ${plus} Add a column
      </button>
      <p class="hint">
        Or paste cells from a spreadsheet into a name: names alone, or a table with the headings
        name, meaning, unit, min and max.
      </p>
      ${fieldError('columns', form.error('columns'))}
    </div>`;
  }

  #row(form: DesignerForm, column: DraftColumn, index: number): TemplateResult {
    const { key, label, unit, type } = column;
    const named = nameOf(column, index);
    const problems = FIELDS.flatMap((part) => form.error(`columns.${key}.${part}`) ?? []);
    return html`<li>
      <div class="column">
        <p class="says">
          <span class="name">${named}</span>
          <span class="label">${label}</span>
        </p>
        <p class="range">
          <span>${rangeOf(column)}</span>
          <span class="label">${type === 'number' ? unit : 'category'}</span>
          ${type === 'number' && column.weight.trim() !== '' ? html`<span class="label">weight ${column.weight.trim()}</span>` : nothing}
        </p>
        ${viewSelect(form, column, `View of ${named}`)}
        <button
          class="link edit"
          id="columns.${key}.edit"
          type="button"
          aria-label="Edit ${named}"
          @click=${() => {
            this.#open = { key, before: column };
            this.#host.requestUpdate();
            form.focus(`columns.${key}.${firstEmpty(column)}`);
          }}
        >
          Edit
        </button>
      </div>
      ${problems.length === 0 ? nothing : fieldError(`columns.${key}`, problems.join(' '))}
      ${cautionsOf(column, form.draft).map((words) => html`<p class="hint caution">${words}</p>`)}
    </li>`;
  }

  #openRow(form: DesignerForm, column: DraftColumn, index: number): TemplateResult {
    const { key, type } = column;
    const named = nameOf(column, index);
    const set = (patch: Partial<DraftColumn>): void => {
      form.change({
        columns: form.draft.columns.map((each) =>
          each.key === key ? { ...each, ...patch } : each,
        ),
      });
    };
    const input = (
      part: Text,
      label: string,
      more: { kind?: string; inputmode?: 'decimal'; placeholder?: string } = {},
    ): TemplateResult =>
      textField(form, {
        id: `columns.${key}.${part}`,
        label,
        value: column[part],
        set: (typed) => {
          set({ [part]: typed });
        },
        ...more,
      });
    return html`<li class="open">
      <div
        role="group"
        aria-label=${column.name.trim() === '' ? named : `Column ${named}`}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            this.#restore(form);
          } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
            event.preventDefault();
            this.#close(form);
          }
        }}
      >
        <div class="parts">
          <div class="part">${input('name', 'Name')}</div>
          <div class="part wide">${input('label', 'Meaning')}</div>
          ${
            type === 'number'
              ? html`<div class="part">
                    ${input('min', 'Lowest', { kind: 'number', inputmode: 'decimal' })}
                  </div>
                  <div class="part">
                    ${input('max', 'Highest', { kind: 'number', inputmode: 'decimal' })}
                  </div>
                  <div class="part">${input('unit', 'Unit')}</div>`
              : html`<div class="part levels">
                    ${input('levels', 'Levels, separated by commas', { placeholder: 'one, two, three' })}
                  </div>
                  <div class="part levels">
                    ${input('levelLabels', 'Names of levels, optional', { placeholder: '1 = female, 2 = male' })}
                  </div>`
          }
          <div class="part kind">
            ${selectField(form, {
              id: `columns.${key}.type`,
              label: 'Kind',
              options: [
                { value: 'number', words: 'number' },
                { value: 'category', words: 'category' },
              ],
              present: type,
              set: (chosen) => {
                set({ type: chosen as DraftColumn['type'] });
              },
            })}
          </div>
          ${form.draft.views.length === 0 ? nothing : html`<div class="part kind">${viewField(form, column)}</div>`}
          ${
            type === 'number'
              ? html`<div class="part">
                  ${input('deviation', 'Usual spread, optional', { kind: 'number', inputmode: 'decimal' })}
                </div>`
              : nothing
          }
          <div class="part note">${input('description', 'Note for participants, optional')}</div>
        </div>
        ${type === 'number' ? this.#weight(form, column, input) : nothing}
        <div class="foot">
          <p class="hint">
            ${
              type === 'number'
                ? 'Values outside move to the nearest limit. Take limits and the usual spread (standard deviation) from a textbook, never from the data. The spread is for the forecast only.'
                : 'Each level becomes a column of zeros and ones. Other values count as missing.'
            }
          </p>
          <div class="foot-buttons">
            ${moveButton(form, index, -1, named)} ${moveButton(form, index, 1, named)}
            <button
              class="link"
              type="button"
              aria-label="Remove ${named}"
              @click=${() => {
                this.#remove(form, column, index);
              }}
            >
              Remove
            </button>
            <button
              class="button small"
              type="button"
              @click=${() => {
                this.#close(form);
              }}
            >
              Done
            </button>
          </div>
        </div>
      </div>
    </li>`;
  }

  /** The weight of an open number column, or why it cannot have one. */
  #weight(
    form: DesignerForm,
    { key, weight }: DraftColumn,
    input: (
      part: Text,
      label: string,
      more: { kind?: string; inputmode?: 'decimal' },
    ) => TemplateResult,
  ): TemplateResult {
    const { draft } = form;
    const obstacle = weightObstacle(draft, presentClipping(draft));
    const id = `columns.${key}.weight`;
    const content = html`${
      obstacle === undefined || weight.trim() !== ''
        ? html`<div class="weight">
            ${input('weight', 'Weight, 1 if empty', { kind: 'number', inputmode: 'decimal' })}
            <p class="hint">
              Columns with a larger weight get less noise, and all others more. Weights are public.
            </p>
          </div>`
        : nothing
    }
    ${
      obstacle === undefined
        ? nothing
        : html`<p class="hint">
            ${obstacle}
            ${
              clippingsOf(draft).includes('fixed') && weightObstacle(draft, 'fixed') === undefined
                ? html`<button
                    class="link"
                    type="button"
                    @click=${() => {
                      form.change({ clipping: 'fixed' });
                      form.say('Every row now has the same limit.');
                      form.focus(id);
                    }}
                  >
                    Use the same limit for every row
                  </button>`
                : nothing
            }
          </p>`
    }`;
    return disclosure('Weight', content, {
      aside: weight.trim() === '' ? '1' : weight.trim(),
      open: this.#isWeightOpen || weight.trim() !== '',
      toggled: (open) => {
        this.#isWeightOpen = open;
      },
    });
  }

  /** Makes columns of a block of cells pasted where names are typed, or beside all fields. */
  #paste(form: DesignerForm, event: ClipboardEvent): void {
    const { target } = event;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isField && !/^columns\.\d+\.name$/.test(target.id)) return;
    const pasted = pastedColumns(event.clipboardData?.getData('text/plain') ?? '');
    if (pasted === undefined) return;
    event.preventDefault();
    if ('problem' in pasted) {
      this.#refusal = pasted.problem;
      form.say(pasted.problem);
      this.#host.requestUpdate();
      return;
    }
    this.#refusal = '';
    const { columns, views } = form.draft;
    const filled = withPasted(form.draft, pasted.columns);
    form.change(filled);
    form.offerUndo({
      where: 'columns',
      words: pastedInWords(pasted),
      restore: (draft) => ({ ...draft, columns, views }),
      // Opens the row that cells were pasted into.
      focus: isField ? target.id : 'add-column',
    });
    const names = pasted.columns.map(({ name }) => name);
    const next = filled.columns.find(
      (column) => names.includes(column.name) && isUnlimited(column),
    );
    this.#open = next === undefined ? undefined : { key: next.key, before: next };
    form.focus(next === undefined ? 'add-column' : `columns.${next.key}.${firstEmpty(next)}`);
  }

  #add(form: DesignerForm): void {
    this.#refusal = '';
    const { columns } = form.draft;
    const key = freshKey(columns);
    this.#leave(form);
    this.#open = { key, before: undefined };
    form.change({ columns: [...columns, emptyColumn(key)] });
    form.focus(`columns.${key}.name`);
  }

  /** From now on, the open row shows its errors. */
  #leave(form: DesignerForm): string[] {
    const key = this.#open?.key;
    if (key === undefined) return [];
    const fields = FIELDS.map((part) => `columns.${key}.${part}`);
    for (const field of fields) form.leave(field);
    return fields;
  }

  /** Closes the row, unless a field in it is wrong. */
  #close(form: DesignerForm): void {
    const key = this.#open?.key;
    const wrong = this.#leave(form).find((field) => form.isWrong(field));
    if (wrong !== undefined) {
      form.focus(wrong);
      return;
    }
    this.#open = undefined;
    this.#host.requestUpdate();
    form.focus(`columns.${key ?? 0}.edit`);
  }

  /** Puts back what the row held when it was opened, and removes a column that was added then. */
  #restore(form: DesignerForm): void {
    if (this.#open === undefined) return;
    const { key, before } = this.#open;
    const { columns } = form.draft;
    const place = columns.findIndex((column) => column.key === key);
    const dropped = columns[place];
    this.#open = undefined;
    form.change({
      columns: columns.flatMap((each) => (each.key === key ? (before ?? []) : each)),
    });
    form.focus(before === undefined ? 'add-column' : `columns.${key}.edit`);
    if (dropped === undefined || isSame(dropped, before ?? emptyColumn(key))) return;
    const named = nameOf(dropped, place);
    if (before === undefined) this.#offer(form, dropped, place, `${named} is removed.`);
    else {
      form.offerUndo({
        where: 'columns',
        words: `The changes of ${named} are dropped.`,
        restore: (draft) => ({
          ...draft,
          columns: draft.columns.map((each) => (each.key === key ? dropped : each)),
        }),
        focus: `columns.${key}.edit`,
      });
    }
  }

  #remove(form: DesignerForm, column: DraftColumn, index: number): void {
    const { columns } = form.draft;
    this.#open = undefined;
    form.change({ columns: columns.filter((each) => each.key !== column.key) });
    this.#offer(form, column, index, `${nameOf(column, index)} is removed.`);
    form.focus('undo');
  }

  /** Offers to put a removed column back in its place. */
  #offer(form: DesignerForm, column: DraftColumn, place: number, words: string): void {
    form.offerUndo({
      where: 'columns',
      words,
      restore: (draft) => {
        const { columns, views } = draft;
        // Its key may be another column's by now, and its view may be gone.
        const isTaken = columns.some(({ key }) => key === column.key);
        const key = isTaken ? freshKey(columns) : column.key;
        const view = views.some((each) => each.key === column.view) ? column.view : 0;
        return { ...draft, columns: inserted(columns, place, { ...column, key, view }) };
      },
      focus: `columns.${column.key}.edit`,
    });
  }
}

function isSame(one: DraftColumn, other: DraftColumn): boolean {
  return JSON.stringify(one) === JSON.stringify({ ...one, ...other });
}

function nameOf({ name }: DraftColumn, index: number): string {
  return name.trim() === '' ? `Column ${index + 1}` : name.trim();
}

/** The limits of a number, or the levels of a category. */
function rangeOf({ type, min, max, levels }: DraftColumn): string {
  if (type === 'category') {
    const all = listIn(levels);
    const text = all.join(', ');
    return all.length === 0 ? 'no levels' : text.length <= 40 ? text : `${all.length} levels`;
  }
  const shown = (text: string): string => {
    const value = numberIn(text);
    return Number.isFinite(value) ? bound(value) : '?';
  };
  return min.trim() === '' && max.trim() === '' ? 'no limits' : `${shown(min)} to ${shown(max)}`;
}

function isUnlimited({ type, min, max }: DraftColumn): boolean {
  return type === 'number' && (min.trim() === '' || max.trim() === '');
}

function firstEmpty(column: DraftColumn): Text {
  const { type } = column;
  const others: readonly Text[] =
    type === 'number' ? ['levels', 'levelLabels'] : ['min', 'max', 'unit'];
  const empty = FIELDS.find(
    (part) => !others.includes(part) && !ASIDE.includes(part) && column[part].trim() === '',
  );
  return empty ?? 'name';
}

function viewOptions({ views }: Draft): { value: string; words: string }[] {
  const named = views.map(({ key, name }, index) => ({
    value: String(key),
    words: name.trim() === '' ? `View ${index + 1}` : name,
  }));
  return [{ value: '0', words: 'no view' }, ...named];
}

function setView(form: DesignerForm, key: number, view: number): void {
  form.change({
    columns: form.draft.columns.map((each) => (each.key === key ? { ...each, view } : each)),
  });
}

function viewField(form: DesignerForm, { key, view }: DraftColumn): TemplateResult {
  return selectField(form, {
    id: `columns.${key}.view`,
    label: 'View',
    options: viewOptions(form.draft),
    present: String(view),
    set: (chosen) => {
      setView(form, key, Number(chosen));
    },
  });
}

/** The view of a closed row: text with its mark until it is used. */
function viewSelect(form: DesignerForm, { key, view }: DraftColumn, label: string): unknown {
  const { views } = form.draft;
  if (views.length === 0) return nothing;
  return html`<span class="in-view">
    ${viewMark(form.draft, view)}
    <select
      id="columns.${key}.view"
      class=${view === 0 ? 'none' : ''}
      aria-label=${label}
      @change=${(event: Event) => {
        setView(form, key, Number(textOf(event)));
      }}
    >
      ${viewOptions(form.draft).map(
        ({ value, words }) =>
          html`<option value=${value} .selected=${value === String(view)}>${words}</option>`,
      )}
    </select>
  </span>`;
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

/** What is allowed, but probably not meant. */
export function cautionsOf({ type, levels, view }: DraftColumn, { views }: Draft): string[] {
  return [
    ...(type === 'category' && listIn(levels).length === 2
      ? ['Only two levels: a number from 0 to 1 holds the same in one column.']
      : []),
    ...(views.length > 0 && view === 0 ? ['In no view, so no pair uses it.'] : []),
  ];
}
