import { count } from 'private-moments/words';
import { html, nothing, type TemplateResult } from 'lit';
import { textOf } from '../../controls/input-values.js';
import { described } from '../../controls/field.js';
import type { DesignerForm } from '../designer-form.js';
import { spreadOf } from '../draft.js';
import { ROWS_ALLOWED, shareBelow, SPREAD_ALLOWED, type NumberFields } from './number-fields.js';
import { replan, type Axis, type Outlook } from './outlook.js';

/** How many sites and rows are planned, to be edited where they are read. */
export function planSize(form: DesignerForm, fields: NumberFields): TemplateResult {
  const { draft } = form;
  const isRow = draft.unit === 'row';
  const error = form.error('federation.sites');
  const sites = html`<input
    class="inline"
    id="federation.sites"
    aria-label=${isRow ? 'Number of sites' : 'Number of participants'}
    inputmode="numeric"
    autocomplete="off"
    .value=${draft.sites}
    aria-invalid=${error === undefined ? 'false' : 'true'}
    aria-describedby=${described('federation.sites', error) || nothing}
    @input=${(event: Event) => {
      form.edit('federation.sites');
      form.change({ sites: textOf(event) });
    }}
    @blur=${() => {
      form.leave('federation.sites');
    }}
  />`;
  if (!isRow) return html`<p class="size">${sites} participants</p>`;
  const rows = fields.inline({
    id: 'rows',
    label: 'Rows per site (estimate)',
    value: draft.rows,
    allowed: ROWS_ALLOWED,
    set: (value) => {
      form.change({ rows: value, plan: { ...draft.plan, isUnseen: false } });
      return value;
    },
  });
  return html`<p class="size">${sites} sites with about ${rows} rows</p>`;
}

/** The choice of what the chart's horizontal axis is. */
export function axisSwitch(
  { subject, axis: present }: Outlook,
  choose: (axis: Axis) => void,
): TemplateResult {
  const isRow = subject?.draft.unit !== 'participant';
  const axes: readonly (readonly [Axis, string])[] = isRow
    ? [
        ['epsilon', 'ε'],
        ['rows', 'rows per site'],
        ['sites', 'sites'],
      ]
    : [
        ['epsilon', 'ε'],
        ['rows', 'participants'],
      ];
  return html`<fieldset class="segments">
    <legend class="hidden-visually">Forecast along</legend>
    ${axes.map(
      ([axis, name]) =>
        html`<label
          ><input
            type="radio"
            name="axis"
            .checked=${present === axis}
            @change=${() => {
              choose(axis);
            }}
          /><span>${name}</span></label
        >`,
    )}
  </fieldset>`;
}

/** The assumptions that decide the verdict, to be edited where it is read. */
export function assuming(
  form: DesignerForm,
  { plan, planned, last }: Outlook,
  fields: NumberFields,
): TemplateResult {
  const { withinViews, spread } = plan;
  const columns = last?.draft.columns ?? [];
  const own = columns.filter((column) => spreadOf(column) !== undefined).length;
  const within = fields.inline({
    id: 'within',
    label: 'Correlation within a view, at most',
    value: withinViews,
    allowed: shareBelow(1),
    set: (value) => {
      replan(form, { withinViews: value });
      return value;
    },
  });
  const spreads = fields.inline({
    id: 'spread',
    label: 'Standard deviation, share of range',
    value: spread,
    allowed: SPREAD_ALLOWED,
    set: (value) => {
      replan(form, { spread: value });
      return value;
    },
  });
  return html`<p class="assuming">
    Assuming
    ${planned.length === 0 ? nothing : html`correlations of at most ${within} within a view,`}
    spreads (standard deviations) of ${spreads} of the
    range${own === 0 ? nothing : html`, but ${own === 1 ? 'that of one column' : `those of ${count(own)} columns`} as typed`}.
    <span class="label"
      >Wide limits make spreads smaller: lower this then, or type the usual spread of a column in
      its row. Else the forecast promises too much.</span
    >
  </p>`;
}

/** Says that a study came without a plan, until someone has set it or agreed to the usual one. */
export function unseen(form: DesignerForm): TemplateResult | typeof nothing {
  const { unit, plan } = form.draft;
  if (!plan.isUnseen) return nothing;
  const what = unit === 'row' ? 'Rows per site and assumptions' : 'Assumptions';
  return html`<p class="unseen">
    ${what} are not part of a study. These are the defaults: set them.
    <button
      class="link"
      type="button"
      @click=${() => {
        replan(form, {});
        form.focus(unit === 'row' ? 'rows' : 'spread');
      }}
    >
      Keep the defaults
    </button>
  </p>`;
}
