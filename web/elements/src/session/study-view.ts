import type { Column, Guarantee, MechanismInfo, Study } from 'private-moments';
import { css, html, nothing, svg, type TemplateResult } from 'lit';
import {
  bestGuess,
  bound,
  capitalised,
  changeInWords,
  countWord,
  list,
  namedLevels,
  probability,
  roundedUp,
  strength,
  timesInHundred,
} from 'private-moments/words';
import { whatIsSeen } from './session-words.js';
import { viewNames } from './view-order.js';
import { disclosure } from '../controls/disclosure.js';
import { givesDirections, optionsOf, whatComesOut, whatElseLeaves } from '../base/mechanism.js';

/**
 * The study in plain words: who asks (or else what is asked), what is read, what is protected, and how
 * strongly. `guarantee` is optional, and so is whether each person has one row.
 */
export function studyFacts(
  study: Study,
  guarantee?: Guarantee,
  onePerson?: boolean,
): TemplateResult {
  const columns = study.columns.length;
  return html`<dl class="facts" part="study">
    <div>
      ${
        study.organizer === undefined
          ? html`<dt>What is asked</dt>
              <dd>${question(study)}</dd>`
          : html`<dt>Who asks</dt>
              <dd>${study.organizer}</dd>`
      }
    </div>
    <div>
      <dt>What is read</dt>
      <dd>
        ${countWord(columns)} ${columns === 1 ? 'column' : 'columns'}. All others in your file are
        ignored.
      </dd>
    </div>
    <div>
      <dt>What is protected</dt>
      <dd>${protectedUnit(study, onePerson)}</dd>
    </div>
    <div>
      <dt>How strongly</dt>
      <dd>${strengthScale(study.privacy.epsilon)} ${odds(study, guarantee, onePerson)}</dd>
    </div>
  </dl>`;
}

/**
 * Everything in the study, with its fingerprint, for readers who want to check. `mechanism` is the
 * registry's description, if it is loaded.
 */
export function studyDetails(study: Study, mechanism?: MechanismInfo): TemplateResult {
  const rows: (readonly [string, unknown])[] = [
    ...(study.organizer === undefined ? [] : ([['What is asked', question(study)]] as const)),
    ...(study.contact === undefined
      ? []
      : ([['Send releases and questions to', study.contact]] as const)),
    ['Neighbours', capitalised(changeInWords(study))],
    ['Privacy', strength(study.privacy)],
    [
      'What leaves',
      study.federation.mode === 'split'
        ? `${whatComesOut(study)}, masked, in one file with ${list(whatElseLeaves(study))}, and what unmasks their sum in another`
        : `${givesDirections(study) ? '' : 'Noisy numbers: '}${whatComesOut(study)}, in one file with ${list(whatElseLeaves(study))}`,
    ],
    ['Mechanism', mechanismWords(study, mechanism)],
    ['Rows with a gap', missingRule(study)],
    ['Longest row', longestRow(study)],
    ['Fingerprint (SHA-256)', html`<span class="mono fingerprint">${study.id}</span>`],
  ];
  return disclosure(
    'Study details and fingerprint',
    html`<table class="columns">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">View</th>
            <th scope="col" class="right">Public bounds</th>
          </tr>
        </thead>
        <tbody>
          ${study.columns.map(
            (column) =>
              html`<tr>
                <th scope="row">${labelledName(column)}</th>
                <td>${viewOf(study, column.name) ?? '–'}</td>
                <td class="right">${columnBounds(column)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <dl class="terms">
        ${rows.map(
          ([term, meaning]) =>
            html`<div>
              <dt>${term}</dt>
              <dd>${meaning}</dd>
            </div>`,
        )}
      </dl>`,
  );
}

/** The name of a column with what it holds, if the study says. */
export function labelledName({ name, label }: Column): TemplateResult | string {
  return label === undefined ? name : html`${name} <span class="help">${label}</span>`;
}

/** Bounds of a number column, or the levels of a category. */
export function columnBounds(column: Column): string {
  if (column.type === 'number') return `${bound(column.min)} to ${bound(column.max)}`;
  const levels = namedLevels(column).join(', ');
  return levels.length <= 48 ? levels : `${column.levels.length} levels`;
}

/** The unit of privacy in a sentence: "one row", "one person" if each has one row, or "one participant". */
export function unitName(study: Study, onePerson = false): string {
  if (study.unit === 'participant') return 'one participant';
  return onePerson ? 'one person' : 'one row';
}

function question(study: Study): unknown {
  if (givesDirections(study)) return 'In which directions these columns vary most.';
  const views = viewNames(study);
  if (views.length === 0) return 'How these columns vary together.';
  return html`How ${list(views)} move together.`;
}

function protectedUnit(study: Study, onePerson = false): string {
  if (study.unit === 'participant') return 'Your whole file, as one.';
  const each = onePerson ? 'Each person in your file' : 'Each row of your file';
  return study.neighbours === 'replace-one' ? `${each}.` : `${each}, and how many there are.`;
}

/** "Gaussian (gaussian), rotation invariant. Adds Gaussian noise to every second moment. ..." */
function mechanismWords({ mechanism }: Study, info: MechanismInfo | undefined): string {
  const name = info === undefined ? mechanism.name : `${info.title} (${mechanism.name})`;
  const called = [name, ...optionsOf(mechanism)].join(', ');
  return info === undefined ? called : `${called}. ${info.summary}`;
}

function longestRow({ columns, rowNorm, clipping }: Study): string {
  if (clipping === 'centred') {
    return 'Each file sets its own limit. It first estimates the mean and spread of each column, with noise, and measures rows from there: noise grows with the square of the length';
  }
  const stated = columns.flatMap((column) =>
    column.type === 'number' && column.centre !== undefined && column.spread !== undefined
      ? [`${column.name} ${bound(column.centre)} (${bound(column.spread)})`]
      : [],
  );
  if (stated.length > 0) {
    return `${bound(rowNorm)}; longer rows are scaled down to it. Rows are measured from a public centre of each column, in units of a public spread: ${stated.join(', ')}`;
  }
  const longest = `${bound(rowNorm)} in scaled units; longer rows are scaled down to it`;
  return clipping === 'fixed'
    ? longest
    : `${longest}. Each file may choose a shorter length, by a noisy count of its long rows: noise grows with the square of the length`;
}

/** What a row with a gap counts as under the rule `centre`. */
export function centreInWords({ clipping, columns }: Pick<Study, 'clipping' | 'columns'>): string {
  if (clipping === 'centred') return 'the noisy average of each column';
  return columns.some((column) => column.type === 'number' && column.centre !== undefined)
    ? 'the stated centre of each column'
    : 'the middle of all bounds';
}

function missingRule(study: Study): string {
  const rules = {
    centre: `Count as exactly average (${centreInWords(study)})`,
    drop: 'Are left out',
    error: 'Are refused',
    pairwise:
      'Their other cells are used; each file says, with noise, how many rows have each pair of columns',
    mean: 'A missing cell gets the noisy average of its column; each file says, with noise, how many cells each column lacks',
  };
  return rules[study.missing];
}

function viewOf(study: Study, column: string): string | undefined {
  return Object.entries(study.views ?? {}).find(([, members]) => members.includes(column))?.[0];
}

/** How often the best guess is right, which follows from the study alone, and δ. */
function odds(
  study: Study,
  guarantee: Guarantee | undefined,
  onePerson: boolean | undefined,
): TemplateResult {
  const { epsilon } = study.privacy;
  const beyond =
    epsilon > STRENGTHS.weakest
      ? 'Weaker than this scale shows. '
      : epsilon < STRENGTHS.strongest
        ? 'Stronger than this scale shows. '
        : '';
  const { delta } = guarantee ?? study.privacy;
  return html`<p class="odds ${beyond === '' ? '' : 'beyond'}">
    ${beyond}δ = ${delta === 0 ? '0' : probability(roundedUp(delta, 3))}.
    ${
      guarantee === undefined
        ? nothing
        : `With ${whatIsSeen(study)}, ${guess(study, onePerson)} is right at most ${timesInHundred(bestGuess(guarantee))} times in 100. A coin gets 50.`
    }
  </p>`;
}

/** Which guesses are counted: nothing tells the two possibilities apart beforehand. */
function guess({ unit, neighbours }: Study, onePerson: boolean | undefined): string {
  const row = onePerson === true ? 'one person’s row' : 'one row';
  const about = unit === 'row' ? row : 'your file';
  if (neighbours === 'replace-one') {
    return `a guess between two equally likely versions of ${about}`;
  }
  return unit === 'row'
    ? `a guess whether ${about} is in your file, at even odds,`
    : 'a guess whether your file counted or an empty one, at even odds,';
}

const STRENGTHS = { strongest: 0.1, weakest: 10 };

/** Epsilon on a log scale, with an arrow past the end if it is out of range. */
function strengthScale(epsilon: number): TemplateResult {
  const at = Math.log(epsilon / STRENGTHS.strongest);
  const share = at / Math.log(STRENGTHS.weakest / STRENGTHS.strongest);
  const beyond = share > 1 ? 'right' : share < 0 ? 'left' : undefined;
  const [from, to] = [beyond === 'left' ? 28.5 : 4.5, beyond === 'right' ? 171.5 : 195.5];
  const x = beyond === 'left' ? 4 : beyond === 'right' ? 196 : 4 + share * 192;
  const anchor = share < 0.1 ? 'start' : share > 0.9 ? 'end' : 'middle';
  const words = share > 0.34 && share < 0.66;
  const scale = `on a scale from ${STRENGTHS.strongest}, stronger, to ${STRENGTHS.weakest}, weaker`;
  const written = strength({ epsilon, delta: 0 });
  return html`<svg
    class="strength"
    width="200"
    height="44"
    role="img"
    aria-label="${written.replace('ε =', 'epsilon')}, ${beyond === undefined ? '' : 'beyond the end, '}${scale}"
  >
    <path class="axis" d="M${from} 8v8M${from} 12H${to}M${to} 8v8"></path>
    ${
      beyond === undefined
        ? svg`<circle class="knob" cx=${x} cy="12" r="6"></circle>`
        : svg`<path class="axis past" d=${beyond === 'right' ? 'M176 12h12' : 'M24 12h-12'}></path>
            <path class="knob" d=${beyond === 'right' ? 'M200 12l-12 -7v14z' : 'M0 12l12 -7v14z'}></path>`
    }
    ${words || share >= 0.66 ? svg`<text x="0" y="36">stronger</text>` : nothing}
    ${words || share <= 0.34 ? svg`<text x="200" y="36" text-anchor="end">weaker</text>` : nothing}
    <text
      class="epsilon"
      x=${beyond === undefined ? x : beyond === 'right' ? 200 : 0}
      y="36"
      text-anchor=${anchor}
    >
      ${written}
    </text>
  </svg>`;
}

export const studyStyles = css`
  .facts {
    display: grid;
    /* The last column holds a scale, which is 200 pixels wide. */
    grid-template-columns: repeat(3, minmax(0, 1fr)) minmax(200px, 1fr);
    gap: 24px;
    margin-top: 32px;
    padding: 20px 0 24px;
    border-top: 1px solid var(--_line);
  }

  .facts dt {
    color: var(--_ink-3);
    font-size: 13px;
    line-height: 20px;
  }

  .facts dd {
    margin-top: 4px;
    font-size: 15px;
    line-height: 23px;
    overflow-wrap: anywhere;
    text-wrap: pretty;
  }

  .columns th,
  .columns td {
    overflow-wrap: anywhere;
  }

  /* Otherwise long lists of levels would squeeze the names to one letter. */
  .columns :is(th, td):not(.right) {
    min-width: 7em;
  }

  .strength {
    overflow: visible;
  }

  .strength .axis {
    stroke: var(--_line-2);
  }

  .strength .past {
    stroke-dasharray: 3 3;
  }

  .strength .knob {
    fill: var(--_accent);
  }

  .strength .epsilon {
    fill: var(--_ink);
    font-weight: 600;
    font-size: 13px;
  }

  /* Leaves room for the computed text, which comes a moment later. */
  .odds {
    min-height: 100px;
    margin-top: 4px;
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 20px;
    text-wrap: pretty;
  }

  .odds.beyond {
    min-height: 140px;
  }

  .terms {
    display: grid;
    gap: 8px;
    margin-top: 20px;
    font-size: 14px;
    line-height: 20px;
  }

  .terms > div {
    display: grid;
    grid-template-columns: 200px minmax(0, 1fr);
    gap: 16px;
  }

  .terms dt {
    color: var(--_ink-3);
  }

  .fingerprint {
    overflow-wrap: anywhere;
  }

  @media (max-width: 999px) {
    .facts {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  @media (max-width: 759px) {
    .facts {
      display: block;
      margin-top: 24px;
      padding: 0;
    }

    .facts > div {
      padding: 12px 0 14px;
    }

    .odds {
      min-height: 40px;
    }

    .odds.beyond {
      min-height: 100px;
    }

    .facts > div + div {
      border-top: 1px solid var(--_line);
    }

    .terms > div {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
  }
`;
