import type { Guarantee } from 'private-moments';
import { bestGuess } from '../../package/src/report/guarantee.js';
import { css, html, nothing, type TemplateResult } from 'lit';
import { textOf, type DesignerForm } from './designer-form.js';
import type { AdviceInWords } from './designer-protocol.js';
import { deltaInWords } from './consent.js';
import { disclosure } from './disclosure.js';
import { NEEDS_COMPONENTS, numberIn, type Draft } from './draft.js';
import { described, field } from './field.js';
import { bound, capitalised, count, probability } from './format.js';
import type { Tick } from './log-slider.js';
import type { ValueDetail } from './public.js';

const TICKS: readonly Tick[] = [
  { value: 0.1, note: 'stronger' },
  { value: 0.2 },
  { value: 0.5 },
  { value: 1 },
  { value: 2 },
  { value: 5 },
  { value: 10, note: 'weaker' },
];

const DELTAS = [0, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];

/** Promises others have made in public, with where they say so. */
const OTHERS: readonly { epsilon: string; who: string; what: string; source: string }[] = [
  {
    epsilon: '1',
    who: 'Wikimedia Foundation',
    what: 'page views by country, up to 30 of a person’s views a day, 2017 to 2023',
    source:
      'https://analytics.wikimedia.org/published/datasets/country_project_page_historical/00_README.html',
  },
  {
    epsilon: '1.68',
    who: 'Google',
    what: 'search trends of symptoms, a person’s searches of one day',
    source: 'https://arxiv.org/abs/2009.01265',
  },
  {
    epsilon: '9.98',
    who: 'Israel, Ministry of Health',
    what: 'registry of live births of 2014, one birth',
    source: 'https://registry.opendp.org/deployments-registry',
  },
];

/** How strong the promise is, whom it protects, and by which mechanism. */
export function privacyEditor(
  form: DesignerForm,
  known: { advice: AdviceInWords | undefined; guarantee: Guarantee | undefined },
): TemplateResult {
  const { draft } = form;
  return html`<pm-log-slider
      id="privacy.epsilon"
      label="How strong, ε"
      name="epsilon"
      .min=${0.1}
      .max=${10}
      .value=${draft.epsilon}
      .ticks=${TICKS}
      .error=${form.error('privacy.epsilon')}
      @pm-value=${(event: CustomEvent<ValueDetail>) => {
        form.change({ epsilon: event.detail.value });
        form.leave('privacy.epsilon');
      }}
    ></pm-log-slider>
    <p class="hint meaning" role="status">${guessInWords(draft, known.guarantee)}</p>
    ${others()}
    <div class="pair">${deltaField(form)} ${unitField(form)}</div>
    <div class="pair">${neighboursField(form)} ${missingField(form)}</div>
    ${mechanismField(form, known.advice)} ${more(form)}`;
}

function guessInWords({ unit }: Draft, guarantee: Guarantee | undefined): string {
  const about = unit === 'row' ? 'one row' : 'one participant';
  if (guarantee === undefined) return `The smaller ε, the less a release tells about ${about}.`;
  const guess = count(Math.ceil(bestGuess(guarantee)));
  return `Someone who knows all the rest guesses right about ${about} at most ${guess} times in 100 with a release. A coin: 50.`;
}

function others(): TemplateResult {
  return disclosure(
    'What others have chosen',
    html`<ul class="others">
        ${OTHERS.map(
          ({ epsilon, who, what, source }) =>
            html`<li>
              <span class="right">ε ${epsilon}</span>
              <span><a href=${source} rel="external noreferrer">${who}</a>: ${what}</span>
            </li>`,
        )}
      </ul>
      <p>
        They protect different things for different times, so a number of theirs is a reference, not
        a rule.
        <a href="https://registry.opendp.org/deployments-registry" rel="external noreferrer"
          >More in a public registry</a
        >.
      </p>`,
  );
}

function deltaField(form: DesignerForm): TemplateResult {
  const { draft } = form;
  const id = 'privacy.delta';
  const all = DELTAS.includes(draft.delta) ? DELTAS : [...DELTAS, draft.delta];
  const rows = draft.rows * (draft.unit === 'row' ? numberIn(draft.sites) : 1);
  const tooLarge = draft.delta * rows > 0.1 && Number.isFinite(rows);
  const meaning =
    draft.delta === 0
      ? 'No remainder: ε holds without exception. The noise is larger for it.'
      : `The promise of ε has a remainder: ${deltaInWords(draft.delta)}.`;
  const advice = tooLarge ? ` Keep it well under 1 in the ${count(rows)} rows.` : '';
  return field({
    id,
    label: 'Remainder, δ',
    control: html`<select
      id=${id}
      aria-describedby=${described(id, form.error(id), true)}
      aria-invalid=${form.error(id) === undefined ? 'false' : 'true'}
      @change=${(event: Event) => {
        form.change({ delta: Number(textOf(event)) });
        form.leave(id);
      }}
    >
      ${all.map(
        (delta) =>
          html`<option value=${delta} ?selected=${delta === draft.delta}>
            ${delta === 0 ? '0, none' : `${probability(delta)}, 1 in ${count(1 / delta)}`}
          </option>`,
      )}
    </select>`,
    error: form.error(id),
    hint: html`${meaning}${tooLarge ? html`<span class="caution">${advice}</span>` : nothing}`,
  });
}

function unitField(form: DesignerForm): TemplateResult {
  const { unit } = form.draft;
  return choiceField(form, 'unit', 'Protects', unit, {
    row: ['One row', 'Here, one row must be one person.'],
    participant: [
      'A whole participant',
      'All that one file holds, as one. Each file counts as one row.',
    ],
  });
}

function neighboursField(form: DesignerForm): TemplateResult {
  const { neighbours, unit } = form.draft;
  const one = unit === 'row' ? 'row' : 'participant';
  return choiceField(form, 'neighbours', 'Against', neighbours, {
    'replace-one': [
      'Replacing',
      `What a ${one} says is hidden. How many ${one}s there are is not.`,
    ],
    'add-remove': [
      'Adding or removing',
      `Whether a ${one} is there at all is hidden, and how many there are.`,
    ],
  });
}

function missingField(form: DesignerForm): TemplateResult {
  const { neighbours, missing } = form.draft;
  const present = missing === '' ? (neighbours === 'replace-one' ? 'centre' : 'drop') : missing;
  return choiceField(form, 'missing', 'A row with a missing cell', present, {
    centre: ['Counts as the centre', 'It counts as the middle of all bounds.'],
    drop: ['Is left out', 'Only where the number of rows is hidden.'],
    error: ['Is refused', 'The whole file is, until the row is mended.'],
  });
}

function choiceField(
  form: DesignerForm,
  id: 'unit' | 'neighbours' | 'missing',
  label: string,
  present: string,
  choices: Record<string, readonly [name: string, meaning: string]>,
): TemplateResult {
  return field({
    id,
    label,
    control: html`<select
      id=${id}
      aria-describedby=${described(id, form.error(id), true)}
      aria-invalid=${form.error(id) === undefined ? 'false' : 'true'}
      @change=${(event: Event) => {
        form.change({ [id]: textOf(event) });
        form.leave(id);
      }}
    >
      ${Object.entries(choices).map(
        ([value, [name]]) =>
          html`<option value=${value} ?selected=${value === present}>${name}</option>`,
      )}
    </select>`,
    error: form.error(id),
    hint: choices[present]?.[1],
  });
}

/** The mechanisms that fit, and what the advice says of them. */
function mechanismField(form: DesignerForm, advice: AdviceInWords | undefined): TemplateResult {
  const { mechanism, delta, components } = form.draft;
  const usual = delta === 0 ? 'two-sided-wishart' : 'gaussian';
  const present = mechanism === '' ? usual : mechanism;
  const names = advice?.choices.map((choice) => choice.mechanism) ?? [usual];
  const all: string[] = names.some((name) => name === present) ? names : [...names, present];
  const title = (name: string): string => advice?.titles[name] ?? name;
  const inWords = (why: string): string =>
    Object.entries(advice?.titles ?? {}).reduce(
      (text, [name, words]) => text.replace(new RegExp(`\\b${name}\\b`, 'g'), words),
      why,
    );
  const id = 'mechanism.name';
  const own = advice?.choices.find((choice) => choice.mechanism === present);
  const set = (name: string): void => {
    form.change({ mechanism: name === usual ? '' : name });
    form.leave(id);
  };
  return html`<div class="mechanism">
    ${field({
      id,
      label: 'Mechanism',
      control: html`<select
        id=${id}
        aria-describedby=${described(id, form.error(id), true)}
        aria-invalid=${form.error(id) === undefined ? 'false' : 'true'}
        @change=${(event: Event) => {
          set(textOf(event));
        }}
      >
        ${all.map((name) => {
          const relative = advice?.choices.find((choice) => choice.mechanism === name)?.relative;
          const error =
            relative === undefined || relative === null || relative < 1.05
              ? ''
              : `, error × ${bound(Number(relative.toPrecision(2)))}`;
          return html`<option value=${name} ?selected=${name === present}>
            ${title(name)}${error}
          </option>`;
        })}
      </select>`,
      error: form.error(id),
      hint: own === undefined ? ' ' : `${capitalised(inWords(own.why))}.`,
    })}
    ${
      advice === undefined || advice.recommended === present
        ? nothing
        : html`<p class="hint">
            Advised: ${title(advice.recommended)}. ${capitalised(inWords(advice.why))}.
            <button
              class="link"
              type="button"
              @click=${() => {
                set(advice.recommended);
                form.focus(id);
              }}
            >
              Use ${title(advice.recommended)}
            </button>
          </p>`
    }
    ${
      NEEDS_COMPONENTS.includes(present)
        ? html`<div class="components">
            ${field({
              id: 'mechanism.components',
              label: 'Directions to release',
              control: html`<input
                class="text number"
                id="mechanism.components"
                inputmode="numeric"
                autocomplete="off"
                .value=${components}
                aria-invalid=${form.error('mechanism.components') === undefined ? 'false' : 'true'}
                @input=${(event: Event) => {
                  form.change({ components: textOf(event) });
                }}
                @blur=${() => {
                  form.leave('mechanism.components');
                }}
              />`,
              error: form.error('mechanism.components'),
            })}
          </div>`
        : nothing
    }
  </div>`;
}

function more(form: DesignerForm): TemplateResult {
  const id = 'rowNorm';
  const { rowNorm, columns } = form.draft;
  const longest = Math.sqrt(columns.length);
  return disclosure(
    'Longest row',
    field({
      id,
      label: 'Row norm',
      control: html`<input
        class="text number"
        id=${id}
        inputmode="decimal"
        autocomplete="off"
        placeholder=${bound(Number(longest.toPrecision(3)))}
        .value=${rowNorm}
        aria-describedby=${described(id, form.error(id), true)}
        aria-invalid=${form.error(id) === undefined ? 'false' : 'true'}
        @input=${(event: Event) => {
          form.change({ rowNorm: textOf(event) });
        }}
        @blur=${() => {
          form.leave(id);
        }}
      />`,
      error: form.error(id),
      hint: 'In scaled units, where each column goes from −1 to 1. Longer rows are shortened to it; noise grows with its square. Empty: no row is longer than the root of the number of columns, and each release may choose a shorter length by a noisy count.',
    }),
    { open: form.error(id) !== undefined },
  );
}

export const privacyStyles = css`
  .meaning {
    min-height: 40px;
    margin-top: 4px;
  }

  .pair {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 20px 16px;
    margin-top: 24px;
  }

  .caution {
    color: var(--_warn);
  }

  .mechanism {
    margin: 24px 0;
  }

  .mechanism .hint {
    min-height: 40px;
  }

  .mechanism .hint .link {
    min-height: 0;
    font-size: 13px;
  }

  .components {
    max-width: 224px;
    margin-top: 16px;
  }

  .meaning + .disclosure {
    margin-top: 12px;
  }

  .disclosed p {
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 22px;
  }

  .others li {
    display: grid;
    grid-template-columns: 56px minmax(0, 1fr);
    gap: 16px;
    padding: 6px 0;
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 22px;
  }

  .others .right {
    color: var(--_ink);
    font-weight: 600;
  }

  @media (max-width: 459px) {
    .pair {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
