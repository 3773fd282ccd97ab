import type { Clipping, Guarantee, Study } from 'private-moments';
import {
  bestGuess,
  bound,
  capitalised,
  count,
  probability,
  timesInHundred,
} from 'private-moments/words';
import { defaultMechanism } from 'private-moments/internal';
import { css, html, nothing, type TemplateResult } from 'lit';
import { numberIn } from '../controls/input-values.js';
import { draftField, selectField, type DesignerForm } from './designer-form.js';
import type { AdviceInWords } from './designer-protocol.js';
import { deltaInWords, oneIn } from './consent.js';
import { disclosure } from '../controls/disclosure.js';
import {
  clippingsOf,
  defaultClipping,
  NEEDS_COMPONENTS,
  presentClipping,
  type Draft,
} from './draft.js';
import type { Tick } from '../controls/log-slider.js';
import type { ValueDetail } from '../contract/elements.js';
import { whatIsSeen } from '../session/session-words.js';

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

/** Epsilons that others have published, with their sources. */
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

/** What follows from the draft; the study is undefined while the draft is incomplete. */
export interface DraftResults {
  study: Study | undefined;
  advice: AdviceInWords | undefined;
  guarantee: Guarantee | undefined;
}

/** The fields for the strength of the promise, whom it protects, and the mechanism. */
export function privacyEditor(form: DesignerForm, results: DraftResults): TemplateResult {
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
      ${guessInWords(draft, results)}
      ${draft.epsilon >= WEAK ? html`<span class="caution">${caution(draft)}</span>` : nothing}
    </p>
    ${others()}
    <div class="pair">${deltaField(form)} ${unitField(form)}</div>
    <div class="pair">${neighboursField(form)} ${missingField(form)}</div>
    ${mechanismField(form, results.advice)} ${more(form, results)}`;
}

/** From this epsilon on, a caution says that protection is weak. */
const WEAK = 5;

function caution({ epsilon }: Draft): string {
  const beyond = epsilon > 10 ? ', beyond the end of the scale' : '';
  return `This protection is weak${beyond}. The forecast shows what a smaller ε would cost.`;
}

function guessInWords({ unit }: Draft, { study, guarantee }: DraftResults): string {
  const about = unit === 'row' ? 'one row' : 'one participant’s file';
  if (study === undefined || guarantee === undefined)
    return `The smaller ε, the less a release reveals about ${about}.`;
  const guess = timesInHundred(bestGuess(guarantee));
  const seen = study.federation.mode === 'independent' ? 'a release' : whatIsSeen(study);
  return `Someone who knows everything else and sees ${seen} guesses right about ${about} at most ${guess} times in 100. A coin gets 50.`;
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
      They protect different things over different periods, so their numbers are for orientation,
      not a rule.
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
      ? 'None: ε bounds every result. This needs more noise.'
      : `Slack in the bound: ${deltaInWords(draft.delta)}.`;
  const advice = tooLarge ? ` Keep it well below 1 in ${count(rows)}, the number of rows.` : '';
  return selectField(form, {
    id: 'privacy.delta',
    label: 'Chance of a larger leak, δ',
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
    row: ['One row', 'Each row must be a different person.'],
    participant: [
      'A whole participant',
      'Everything in one file together. Each file counts as one row.',
    ],
  });
}

function neighboursField(form: DesignerForm): TemplateResult {
  const { neighbours, unit } = form.draft;
  const choices: Record<Study['neighbours'], readonly [name: string, meaning: string]> =
    unit === 'row'
      ? {
          'replace-one': ['What a row says', 'The number of rows is not hidden.'],
          'add-remove': ['Whether a row is there', 'The number of rows is hidden too.'],
        }
      : {
          'replace-one': ['What a file says', 'That a participant takes part is not hidden.'],
          'add-remove': [
            'Whether a file has rows',
            'Whether it has these rows or none is hidden. That a participant takes part is not.',
          ],
        };
  return choiceField(form, 'neighbours', 'Hide', neighbours, choices);
}

function missingField(form: DesignerForm): TemplateResult {
  const { neighbours, missing } = form.draft;
  const present = missing === '' ? (neighbours === 'replace-one' ? 'centre' : 'drop') : missing;
  return choiceField(form, 'missing', 'Rows with a gap', present, {
    centre: [
      'Count as exactly average',
      'Any missing cell turns the whole row into an average one; correlations shrink.',
    ],
    drop: ['Are left out', 'Only possible if the number of rows is hidden.'],
    error: ['Are refused', 'The whole file is refused until the row is corrected.'],
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

/** The mechanisms that fit the study, with the advice on each. */
function mechanismField(form: DesignerForm, advice: AdviceInWords | undefined): TemplateResult {
  const { mechanism, delta } = form.draft;
  const usual = defaultMechanism(delta);
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
            Recommended: ${title(advice.recommended)}. ${capitalised(inWords(advice.why))}.
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

/** What each way to limit long rows is called, and what it does. */
const CLIPPING_WORDS: Record<Clipping, readonly [name: string, meaning: string]> = {
  centred: [
    'About a private average',
    'Each release first finds a noisy average and spread of its rows, then limits how far a row may lie from it. Rows are read twice.',
  ],
  adaptive: [
    'By a noisy count',
    'Each release chooses a limit by a noisy count of long rows, measured from the middle of the bounds.',
  ],
  fixed: ['The same for every row', 'The row norm below, measured from the middle of the bounds.'],
};

/** How releases limit long rows, with the forecast of each way. */
function clippingField(form: DesignerForm, { study, advice }: DraftResults): TemplateResult {
  const { draft } = form;
  const present = presentClipping(draft);
  const errors = advice?.choices.find(({ mechanism }) => mechanism === study?.mechanism.name);
  const least = errors?.clippings[0]?.error;
  const inWords = (clipping: Clipping): string => {
    const error = errors?.clippings.find((other) => other.clipping === clipping)?.error;
    const ratio = error === undefined || least === undefined ? 1 : error / least;
    const more = ratio < 1.05 ? '' : `, error × ${bound(Number(ratio.toPrecision(2)))}`;
    return `${CLIPPING_WORDS[clipping][0]}${more}`;
  };
  return selectField(form, {
    id: 'clipping',
    label: 'Limit for long rows',
    options: clippingsOf(draft).map((clipping) => ({ value: clipping, words: inWords(clipping) })),
    present,
    set: (chosen) => {
      const clipping = chosen as Clipping;
      // Private centring has no row norm, and with one the default may be another.
      const norm = clipping === 'centred' ? { rowNorm: '' } : {};
      const usual = defaultClipping({ ...draft, ...norm });
      form.change({ ...norm, clipping: clipping === usual ? '' : clipping });
    },
    hint: CLIPPING_WORDS[present][1],
  });
}

function more(form: DesignerForm, results: DraftResults): TemplateResult {
  const { draft } = form;
  const longest = Math.sqrt(draft.columns.length);
  // A row norm in a draft that is then centred must be seen to be removed.
  const needsNorm = presentClipping(draft) !== 'centred' || draft.rowNorm !== '';
  const hasError = form.error('rowNorm') !== undefined || form.error('clipping') !== undefined;
  return disclosure(
    'Longest row',
    html`<div class="longest">
      ${clippingField(form, results)}
      ${
        !needsNorm
          ? nothing
          : draftField(form, {
              of: 'rowNorm',
              label: 'Row norm',
              hint: 'In scaled units, where each column runs from −1 to 1. Longer rows are scaled down to this length; noise grows with its square. If empty, the limit is the square root of the number of columns.',
              kind: 'number',
              inputmode: 'decimal',
              placeholder: bound(Number(longest.toPrecision(3))),
            })
      }
    </div>`,
    { open: hasError },
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

  .longest {
    display: grid;
    gap: 20px;
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
