import type { Clipping, FederationMode, Study } from 'private-moments';
import { bound, capitalised, count, list, probability } from 'private-moments/words';
import { contentOf, defaultMechanism, MECHANISM_WORDS, MECHANISMS } from 'private-moments/internal';
import { css, html, nothing, type TemplateResult } from 'lit';
import { draftField, selectField, type DesignerForm } from './designer-form.js';
import type { AdviceInWords } from './designer-protocol.js';
import { deltaInWords, oneIn } from './consent.js';
import {
  clippingsOf,
  defaultClipping,
  isDeltaLarge,
  largestDelta,
  listIn,
  NEEDS_COMPONENTS,
  presentClipping,
  protectedOf,
  type Draft,
} from './draft.js';
import type { DraftResults } from './privacy-editor.js';
import { modesEditor } from './sites-editor.js';
import { isWeighted } from './weights.js';

const DELTAS = [0, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];

/** The fields that are folded, or the beginnings of their names. */
const FOLDED = [
  'privacy.delta',
  'unit',
  'neighbours',
  'missing',
  'mechanism',
  'clipping',
  'rowNorm',
  'federation.mode',
  'federation.honest',
  'federation.dropouts',
];

/** Whether a field is among the folded ones. */
export function isFolded(field: string): boolean {
  return FOLDED.some((start) => field.startsWith(start)) || field === 'federation';
}

/** The settings that most studies leave as they are. */
export function advancedSettings(
  form: DesignerForm,
  results: DraftResults & Parameters<typeof modesEditor>[1] & { undo?: unknown },
): TemplateResult {
  return html`<div class="advanced">
    <div class="pair">${unitField(form)} ${neighboursField(form)}</div>
    <div class="pair">${deltaField(form)} ${missingField(form)}</div>
    ${draftField(form, {
      of: 'missingValues',
      label: 'Codes for missing values',
      hint: 'Texts that stand for a missing value at every site, such as -999, NA, separated by commas. Empty cells always do.',
    })}
    ${mechanismField(form, results.advice)} ${results.undo} ${longestRow(form, results)}
    ${modesEditor(form, results)}
  </div>`;
}

const SHARED: Record<FederationMode, string> = {
  independent: '',
  split: 'split between the sites',
  ring: 'shared in a ring',
  correlated: 'correlated between the sites',
};

/** What the folded settings are: "one row protected, δ 1 in 1,000,000, Gaussian noise". */
export function advancedInWords(draft: Draft): string {
  const { unit, neighbours, delta, mechanism, missing, missingValues, rowNorm, mode } = draft;
  const codes = listIn(missingValues);
  return [
    `${unit === 'row' ? 'one row' : 'a whole participant'} protected`,
    ...(neighbours === 'add-remove' ? ['and whether it is there'] : []),
    delta === 0 ? 'no δ' : `δ ${oneIn(delta)}${isDeltaLarge(draft) ? ', which is large' : ''}`,
    mechanismInWords(mechanism === '' ? defaultMechanism(delta) : mechanism),
    ...(SHARED[mode] === '' ? [] : [SHARED[mode]]),
    ...(missing === '' || missing === 'centre' ? [] : [`rows with a gap ${GAPS[missing]}`]),
    ...(codes.length === 0 ? [] : [`${list(codes)} missing`]),
    ...(rowNorm.trim() === '' ? [] : [`row norm ${rowNorm.trim()}`]),
  ].join(', ');
}

function mechanismInWords(name: string): string {
  const known = MECHANISMS.find((other) => other === name);
  if (known === undefined) return name;
  const { title } = MECHANISM_WORDS[known];
  return contentOf({ name: known }) === 'moments' ? `${title} noise` : title;
}

const GAPS = {
  drop: 'left out',
  error: 'refused',
  pairwise: 'counted in pairs of columns',
  mean: 'filled with noisy means',
};

function deltaField(form: DesignerForm): TemplateResult {
  const { draft } = form;
  const all = DELTAS.includes(draft.delta) ? DELTAS : [...DELTAS, draft.delta];
  const meaning =
    draft.delta === 0
      ? 'None: ε bounds every result. This needs more noise.'
      : `Slack in the bound: ${deltaInWords(draft.delta)}.`;
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
    hint: html`${meaning}${isDeltaLarge(draft) ? html` <span class="caution">${largeDelta(draft)}</span>` : nothing}`,
  });
}

/** Why delta is large for this study, and what is usual. */
export function largeDelta(draft: Draft): string {
  const { all } = protectedOf(draft);
  const one = draft.unit === 'row' ? 'row' : 'file';
  return `This is large: publishing one of the ${count(all)} ${one}s at random would have a δ of ${oneIn(1 / all)}. Usual for this study: at most ${oneIn(largestDelta(draft))}.`;
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
    pairwise: [
      'Use the cells that are there',
      'Each pair of columns is averaged over the rows that have both, which files count with noise. No private centring.',
    ],
    mean: [
      'Fill with a noisy mean',
      'Only with private centring. Files say, with noise, how many cells each column lacks, and results are corrected as if gaps were chance.',
    ],
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
    'About a private average (private centring)',
    'Each release first finds a noisy average and spread of its rows, then limits how far a row may lie from it. Rows are read twice.',
  ],
  adaptive: [
    'By a noisy count (adaptive clipping)',
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
      // Named with weights, so that a weight can be emptied and typed again.
      const isNamed = clipping !== usual || isWeighted(draft);
      form.change({ ...norm, clipping: isNamed ? clipping : '' });
    },
    hint: CLIPPING_WORDS[present][1],
  });
}

/** How long rows are limited. */
function longestRow(form: DesignerForm, results: DraftResults): TemplateResult {
  const { draft } = form;
  const longest = results.study?.rowNorm ?? Math.sqrt(draft.columns.length);
  // A row norm in a draft that is then centred must be seen to be removed.
  const needsNorm = presentClipping(draft) !== 'centred' || draft.rowNorm !== '';
  return html`${clippingField(form, results)}
  ${
    !needsNorm
      ? nothing
      : draftField(form, {
          of: 'rowNorm',
          label: 'Row norm',
          hint: isWeighted(draft)
            ? 'In scaled units, where each column runs from minus its weight to its weight. Longer rows are scaled down to this length; noise grows with its square. If empty, no row within the limits is longer.'
            : 'In scaled units, where each column runs from −1 to 1. Longer rows are scaled down to this length; noise grows with its square. If empty, the limit is the square root of the number of columns.',
          kind: 'number',
          inputmode: 'decimal',
          placeholder: bound(Number(longest.toPrecision(3))),
        })
  }`;
}

export const advancedStyles = css`
  .advanced {
    display: grid;
    gap: 24px;
  }

  .advanced .field + .field,
  .advanced .pair,
  .advanced .modes,
  .advanced .honest {
    margin-top: 0;
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
`;
