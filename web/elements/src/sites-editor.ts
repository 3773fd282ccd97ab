import type { FederationMode, Guarantee } from 'private-moments';
import { honestyInWords } from '../../package/src/report/guarantee.js';
import { css, html, nothing, type TemplateResult } from 'lit';
import { textOf, type DesignerForm } from './designer-form.js';
import { honestOf, numberIn } from './draft.js';
import { described, field } from './field.js';
import { bound, count } from './format.js';
import type { Tick } from './log-slider.js';
import type { ValueDetail } from './public.js';

export const MODES: readonly FederationMode[] = ['independent', 'split', 'ring', 'correlated'];

const ASKS: Record<FederationMode, readonly [name: string, asks: string]> = {
  independent: [
    'Independent',
    'Each site sends one file, whenever it likes. No one has to be trusted.',
  ],
  split: [
    'Split',
    'Each site sends once: masked sums to the analyst, what unmasks them to a helper. These two must not put together what they have.',
  ],
  ring: [
    'Ring',
    'Sites meet in one session of 2 to 5 messages through a coordinator. Masks between pairs cancel in the sum.',
  ],
  correlated: [
    'Correlated',
    'As ring, with Gaussian masks as in capeCCA, for comparison. Every site must answer.',
  ],
};

const ROWS: readonly Tick[] = [
  { value: 10 },
  { value: 100 },
  { value: 1000 },
  { value: 10_000 },
  { value: 100_000 },
  { value: 1_000_000 },
];

/** How many take part, how many of them may be dishonest, and how the noise is shared. */
export function sitesEditor(
  form: DesignerForm,
  known: { noise: readonly (number | null)[]; guarantee: Guarantee | undefined },
): TemplateResult {
  const { draft } = form;
  const isRow = draft.unit === 'row';
  return html`${wholeField(
      form,
      'federation.sites',
      isRow ? 'Number of sites' : 'Number of participants',
      draft.sites,
      (sites) => {
        form.change({ sites });
      },
    )}
    ${
      isRow
        ? html`<pm-log-slider
            class="rows"
            label="Rows per site, about"
            name="rows per site"
            .min=${10}
            .max=${1_000_000}
            .value=${draft.rows}
            .ticks=${ROWS}
            .error=${form.error('rows')}
            @pm-value=${(event: CustomEvent<ValueDetail>) => {
              form.change({ rows: event.detail.value });
              form.leave('rows');
            }}
          ></pm-log-slider>`
        : nothing
    }
    <fieldset class="modes">
      <legend>How the noise is shared</legend>
      ${MODES.map((mode, i) => modeChoice(form, mode, known.noise[i]))}
    </fieldset>
    <p class="hint">
      Noise in the sum of all sites, compared with one trusted computer that holds all rows.
    </p>
    ${draft.mode === 'independent' ? nothing : honestField(form, known.guarantee)}`;
}

function modeChoice(
  form: DesignerForm,
  mode: FederationMode,
  noise: number | null | undefined,
): TemplateResult {
  const [name, asks] = ASKS[mode];
  const id = `mode.${mode}`;
  return html`<div class="mode">
    <input
      type="radio"
      name="mode"
      id=${id}
      .checked=${form.draft.mode === mode}
      aria-describedby="${id}.asks"
      @change=${() => {
        form.change({ mode });
        form.leave('federation.mode');
      }}
    />
    <label for=${id}>${name}</label>
    <span class="noise"
      >${typeof noise === 'number' ? `noise × ${bound(Number(noise.toPrecision(3)))}` : nothing}</span
    >
    <p class="hint" id="${id}.asks">${asks}</p>
  </div>`;
}

/** Who colludes, and what is left of the promise if all others do. */
function honestField(form: DesignerForm, guarantee: Guarantee | undefined): TemplateResult {
  const { draft } = form;
  const honest = honestOf(draft);
  const collude = numberIn(draft.sites) - numberIn(honest);
  const rests =
    guarantee?.honest === undefined
      ? ''
      : honestyInWords(guarantee)
          .filter((sentence) => !sentence.startsWith('This holds'))
          .join(' ');
  return html`<div class="honest">
    ${wholeField(
      form,
      'federation.honest',
      'Sites that keep to themselves what they hold, at least',
      honest,
      (typed) => {
        form.change({ honest: typed });
      },
      `${collude >= 0 ? `Up to ${count(collude)} of them may put together what they hold, also with whoever adds up. ` : ''}${rests}`,
    )}
    <p class="hint">
      Take part makes releases that stand by themselves. Sites that share noise run a session from
      code, with <code>private-moments/federation</code>.
    </p>
  </div>`;
}

function wholeField(
  form: DesignerForm,
  id: string,
  label: string,
  value: string,
  set: (typed: string) => void,
  hint?: string,
): TemplateResult {
  return field({
    id,
    label,
    control: html`<input
      class="text number short"
      id=${id}
      inputmode="numeric"
      autocomplete="off"
      .value=${value}
      aria-invalid=${form.error(id) === undefined ? 'false' : 'true'}
      aria-describedby=${described(id, form.error(id), hint !== undefined) || nothing}
      @input=${(event: Event) => {
        set(textOf(event));
      }}
      @blur=${() => {
        form.leave(id);
      }}
    />`,
    error: form.error(id),
    ...(hint === undefined ? {} : { hint }),
  });
}

export const sitesStyles = css`
  input.short {
    width: 112px;
  }

  .rows {
    margin-top: 24px;
  }

  .modes {
    margin-top: 16px;
  }

  .mode {
    display: grid;
    grid-template-columns: 18px minmax(0, 1fr) auto;
    gap: 0 12px;
    align-items: center;
    padding: 12px 0;
    border-bottom: 1px solid var(--_line);
  }

  .mode label {
    font-weight: 600;
    line-height: 24px;
    cursor: pointer;
  }

  .mode .noise {
    min-width: 84px;
    color: var(--_ink-3);
    font-size: 13px;
    text-align: right;
  }

  .mode .hint {
    grid-column: 2 / -1;
    margin-top: 2px;
    font-size: 14px;
  }

  .honest {
    margin-top: 24px;
  }

  code {
    font-family: var(--_font-mono);
    font-size: 12px;
  }
`;
