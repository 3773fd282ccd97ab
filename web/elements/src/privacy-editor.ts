import type { Guarantee, Study } from 'private-moments';
import { bestGuess, timesInHundred } from '../../package/src/report/guarantee.js';
import { css, html, nothing, type TemplateResult } from 'lit';
import { numberIn } from './controls.js';
import { draftField, selectField, type DesignerForm } from './designer-form.js';
import type { AdviceInWords } from './designer-protocol.js';
import { deltaInWords, oneIn } from './consent.js';
import { disclosure } from './disclosure.js';
import { NEEDS_COMPONENTS, usualMechanism, type Draft } from './draft.js';
import { bound, capitalised, count, probability } from './format.js';
import type { Tick } from './log-slider.js';
import type { ValueDetail } from './public.js';
import { whatIsSeen } from './session-words.js';

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

/** What is known of the draft: the study only where it is one. */
export interface Known {
  study: Study | undefined;
  advice: AdviceInWords | undefined;
  guarantee: Guarantee | undefined;
}

/** How strong the promise is, whom it protects, and by which mechanism. */
export function privacyEditor(form: DesignerForm, known: Known): TemplateResult {
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
    <p class="hint meaning" role="status">
      ${guessInWords(draft, known)}
      ${draft.epsilon >= WEAK ? html`<span class="caution">${caution(draft)}</span>` : nothing}
    </p>
    ${others()}
    <div class="pair">${deltaField(form)} ${unitField(form)}</div>
    <div class="pair">${neighboursField(form)} ${missingField(form)}</div>
    ${mechanismField(form, known.advice)} ${more(form)}`;
}

/** From here on it is said that the promise is weak. */
const WEAK = 5;

function caution({ epsilon }: Draft): string {
  const beyond = epsilon > 10 ? ', beyond the end of the scale' : '';
  return `This is weak${beyond}: see in the forecast what a smaller ε would cost.`;
}

function guessInWords({ unit }: Draft, { study, guarantee }: Known): string {
  const about = unit === 'row' ? 'one row' : 'one participant’s file';
  if (study === undefined || guarantee === undefined)
    return `The smaller ε, the less a release tells about ${about}.`;
  const guess = timesInHundred(bestGuess(guarantee));
  const seen = study.federation.mode === 'independent' ? 'a release' : whatIsSeen(study);
  return `Someone who knows all the rest guesses right about ${about} at most ${guess} times in 100 with ${seen}. A coin: 50.`;
}

function others(): TemplateResult {
  return html`<div class="others">
    <h3 id="others">What others have chosen</h3>
    <ul aria-labelledby="others">
      ${OTHERS.map(
        ({ epsilon, who, what, source }) =>
          html`<li>
            <span class="right">ε ${epsilon}</span>
            <span><a href=${source} rel="external noreferrer">${who}</a>: ${what}</span>
          </li>`,
      )}
    </ul>
    <p>
      They protect different things for different times, so a number of theirs is a reference, not a
      rule.
      <a href="https://registry.opendp.org/deployments-registry" rel="external noreferrer"
        >More in a public registry</a
      >.
    </p>
  </div>`;
}

function deltaField(form: DesignerForm): TemplateResult {
  const { draft } = form;
  const all = DELTAS.includes(draft.delta) ? DELTAS : [...DELTAS, draft.delta];
  const rows = draft.rows * (draft.unit === 'row' ? numberIn(draft.sites) : 1);
  const tooLarge = draft.delta * rows > 0.1 && Number.isFinite(rows);
  const meaning =
    draft.delta === 0
      ? 'No remainder: ε holds for any result. The noise is larger for it.'
      : `A remainder: ${deltaInWords(draft.delta)}.`;
  const advice = tooLarge ? ` Keep it well under 1 in the ${count(rows)} rows.` : '';
  return selectField(form, {
    id: 'privacy.delta',
    label: 'Remainder, δ',
    options: all.map((delta) => ({
      value: String(delta),
      words: delta === 0 ? '0, none' : [...new Set([probability(delta), oneIn(delta)])].join(', '),
    })),
    present: String(draft.delta),
    set: (chosen) => {
      form.change({ delta: Number(chosen) });
    },
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
  const [replacing, adding] =
    unit === 'row'
      ? [
          'What a row says is hidden. How many rows there are is not.',
          'Whether a row is there at all is hidden, and how many there are.',
        ]
      : [
          'What a file says is hidden. That a participant takes part is not.',
          'Whether a file holds these rows or none is hidden. That a participant takes part is not.',
        ];
  return choiceField(form, 'neighbours', 'Against', neighbours, {
    'replace-one': ['Replacing', replacing],
    'add-remove': ['Adding or removing', adding],
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
  return selectField(form, {
    id,
    label,
    options: Object.entries(choices).map(([value, [words]]) => ({ value, words })),
    present,
    set: (chosen) => {
      form.change({ [id]: chosen });
    },
    hint: choices[present]?.[1],
  });
}

/** The mechanisms that fit, and what the advice says of them. */
function mechanismField(form: DesignerForm, advice: AdviceInWords | undefined): TemplateResult {
  const { mechanism, delta } = form.draft;
  const usual = usualMechanism(delta);
  const present = mechanism === '' ? usual : mechanism;
  const names = advice?.choices.map((choice) => choice.mechanism) ?? [usual];
  const all: string[] = names.some((name) => name === present) ? names : [...names, present];
  const title = (name: string): string => advice?.titles[name] ?? capitalised(name);
  const inWords = (why: string): string =>
    Object.entries(advice?.titles ?? {}).reduce(
      (text, [name, words]) => text.replace(new RegExp(`\\b${name}\\b`, 'g'), words),
      why,
    );
  const id = 'mechanism.name';
  const own = advice?.choices.find((choice) => choice.mechanism === present);
  const set = (name: string): void => {
    form.change({ mechanism: name === usual ? '' : name });
  };
  return html`<div class="mechanism">
    ${selectField(form, {
      id,
      label: 'Mechanism',
      options: all.map((name) => {
        const relative = advice?.choices.find((choice) => choice.mechanism === name)?.relative;
        const error =
          relative === undefined || relative === null || relative < 1.05
            ? ''
            : `, error × ${bound(Number(relative.toPrecision(2)))}`;
        return { value: name, words: `${title(name)}${error}` };
      }),
      present,
      set,
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
                form.leave(id);
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
            ${draftField(form, {
              of: 'components',
              id: 'mechanism.components',
              label: 'Directions to release',
              kind: 'number',
              inputmode: 'numeric',
            })}
          </div>`
        : nothing
    }
  </div>`;
}

function more(form: DesignerForm): TemplateResult {
  const longest = Math.sqrt(form.draft.columns.length);
  return disclosure(
    'Longest row',
    draftField(form, {
      of: 'rowNorm',
      label: 'Row norm',
      hint: 'In scaled units, where each column goes from −1 to 1. Longer rows are shortened to it; noise grows with its square. Empty: no row is longer than the root of the number of columns, and each release may choose a shorter length by a noisy count.',
      kind: 'number',
      inputmode: 'decimal',
      placeholder: bound(Number(longest.toPrecision(3))),
    }),
    { open: form.error('rowNorm') !== undefined },
  );
}

export const privacyStyles = css`
  .meaning {
    min-height: 60px;
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

  .others {
    margin-top: 12px;
    color: var(--_ink-2);
    font-size: 13px;
    line-height: 20px;
  }

  .others h3 {
    color: var(--_ink-3);
    font-size: 13px;
    font-weight: 400;
    line-height: 20px;
  }

  .others p {
    margin-top: 4px;
  }

  .others li {
    display: grid;
    grid-template-columns: 56px minmax(0, 1fr);
    gap: 16px;
    padding: 3px 0;
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
