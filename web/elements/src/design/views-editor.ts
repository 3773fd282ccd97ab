import { html, nothing, type TemplateResult } from 'lit';
import { textOf } from '../controls/input-values.js';
import type { DesignerForm } from './designer-form.js';
import { freshKey, inserted, type Draft } from './draft.js';
import { described, fieldError } from '../controls/field.js';
import { cross, plus } from '../look/icons.js';
import { capitalised } from 'private-moments/words';
import { byFirstUse, seriesAt } from '../session/view-order.js';

/** The square in the colour of a view; of a column in no view, an empty one. */
export function viewMark({ views, columns }: Draft, key: number): TemplateResult {
  const place = byFirstUse(
    views.map((view) => view.key),
    columns.map(({ view }) => view),
  ).indexOf(key);
  const series = place < 0 ? 'none' : `series-${seriesAt(place)}`;
  return html`<span class="view-mark ${series}" aria-hidden="true"></span>`;
}

/** The names of the study's views. Which view a column is in, its row says. */
export function viewsEditor(form: DesignerForm, undo: unknown): TemplateResult {
  const { views } = form.draft;
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
          : 'A pair links one view with another. Choose the view of each column in its row. Every site needs the columns of all views for each of its rows.'
      }
    </p>
    ${
      views.length === 0
        ? nothing
        : html`<ul>
            ${views.map(({ key }, index) => viewName(form, key, index))}
          </ul>`
    }
    ${undo} ${fieldError('views', form.error('views'))}
    <button class="link add" id="add-view" type="button" @click=${add}>
      ${plus} ${views.length === 0 ? 'Add two views' : 'Add a view'}
    </button>
  </div>`;
}

function viewName(form: DesignerForm, key: number, index: number): TemplateResult {
  const { views } = form.draft;
  const id = `views.${key}`;
  const error = form.error(id);
  const name = views[index]?.name ?? '';
  const named = name.trim() === '' ? `view ${index + 1}` : `the view ${name.trim()}`;
  return html`<li>
    <div class="view-name">
      ${viewMark(form.draft, key)}
      <input
        class="text"
        id=${id}
        aria-label="Name of view ${index + 1}"
        autocomplete="off"
        placeholder="View ${index + 1}"
        .value=${name}
        aria-invalid=${error === undefined ? 'false' : 'true'}
        aria-describedby=${described(id, error) || nothing}
        @input=${(event: Event) => {
          form.edit(id);
          form.change({
            views: views.map((each) =>
              each.key === key ? { ...each, name: textOf(event) } : each,
            ),
          });
        }}
        @blur=${() => {
          form.leave(id);
        }}
      />
      <button
        class="icon"
        type="button"
        aria-label="Remove ${named}"
        @click=${() => {
          remove(form, key, `${capitalised(named)} is removed.`);
        }}
      >
        ${cross}
      </button>
    </div>
    ${fieldError(id, error)}
  </li>`;
}

function remove(form: DesignerForm, key: number, words: string): void {
  const { views, columns } = form.draft;
  const place = views.findIndex((view) => view.key === key);
  const gone = views[place];
  if (gone === undefined) return;
  const members = columns.filter(({ view }) => view === key).map((column) => column.key);
  form.change({
    views: views.filter((view) => view.key !== key),
    columns: columns.map((each) => (each.view === key ? { ...each, view: 0 } : each)),
  });
  form.leave('views');
  form.offerUndo({
    where: 'views',
    words,
    restore: (draft) => {
      // Its key may be another view's by now.
      const own = draft.views.some((view) => view.key === key) ? freshKey(draft.views) : key;
      return {
        ...draft,
        views: inserted(draft.views, place, { ...gone, key: own }),
        columns: draft.columns.map((each) =>
          members.includes(each.key) && each.view === 0 ? { ...each, view: own } : each,
        ),
      };
    },
    focus: `views.${key}`,
  });
  form.focus('undo');
}
