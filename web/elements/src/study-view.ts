import type { Column, MechanismInfo, Study } from 'private-moments';
import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { disclosure } from './disclosure.js';
import { bound, bytes, countWord, list, plural, probability } from './format.js';
import { givesDirections, optionsOf, whatComesOut } from './mechanism.js';

/** The study in plain words: what is asked, what is read, what is protected, how strongly. */
export function studyFacts(study: Study): TemplateResult {
  const columns = study.columns.length;
  return html`<dl class="facts" part="study">
    <div>
      <dt>What is asked</dt>
      <dd>${question(study)}</dd>
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
      <dd>${protectedUnit(study)}</dd>
    </div>
    <div>
      <dt>How strongly</dt>
      <dd>${strength(study.privacy.epsilon)}</dd>
    </div>
  </dl>`;
}

/**
 * Everything the study says, with its fingerprint; for those who want to check. `mechanism` is what
 * the registry says about it, where that is known.
 */
export function studyDetails(study: Study, mechanism?: MechanismInfo): TemplateResult {
  const { epsilon, delta } = study.privacy;
  const rows: [string, unknown][] = [
    ['Neighbours', neighbours(study)],
    ['Privacy', delta === 0 ? `ε = ${epsilon}` : `ε = ${epsilon}, δ = ${probability(delta)}`],
    ['What leaves', `${whatComesOut(study)} in one file`],
    ['Mechanism', mechanismWords(study, mechanism)],
    ['Rows with a missing cell', missingRule(study)],
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
                <th scope="row">${column.name}</th>
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

/** Bounds of a number column, or the levels of a category. */
export function columnBounds(column: Column): string {
  if (column.type === 'number') return `${bound(column.min)} to ${bound(column.max)}`;
  const levels = column.levels.join(', ');
  return levels.length <= 48 ? levels : `${column.levels.length} levels`;
}

/** What one row stands for in sentences: "one row", or "one participant". */
export function unitName(study: Study): string {
  return study.unit === 'row' ? 'one row' : 'one participant';
}

function question(study: Study): unknown {
  if (givesDirections(study)) return 'In which directions these columns vary most.';
  const views = Object.keys(study.views ?? {});
  if (views.length === 0) return 'How these columns vary together.';
  return html`How ${list(views)} move together.`;
}

function protectedUnit(study: Study): string {
  if (study.unit === 'participant') return 'Your whole file, as one.';
  return study.neighbours === 'replace-one'
    ? 'Each row of your file.'
    : 'Each row of your file, and how many there are.';
}

function neighbours(study: Study): string {
  const unit = study.unit === 'row' ? 'row' : 'participant’s file';
  return study.neighbours === 'replace-one'
    ? `Data sets that differ in one replaced ${unit}`
    : `Data sets of which one has one more ${unit}`;
}

/** "Gaussian (gaussian), rotation invariant. Gaussian noise on every second moment. ..." */
function mechanismWords({ mechanism }: Study, info: MechanismInfo | undefined): string {
  const name = info === undefined ? mechanism.name : `${info.title} (${mechanism.name})`;
  const called = [name, ...optionsOf(mechanism)].join(', ');
  return info === undefined ? called : `${called}. ${info.summary}`;
}

function longestRow({ rowNorm, clipping }: Study): string {
  const longest = `${bound(rowNorm)} in scaled units; longer rows are shortened`;
  return clipping === 'fixed'
    ? longest
    : `${longest}. Each file may choose a shorter length, by a noisy count of its long rows: noise grows with the square of the length`;
}

function missingRule(study: Study): string {
  const rules = {
    centre: 'Count as the centre of the bounds',
    drop: 'Are left out',
    error: 'Are refused',
  };
  return rules[study.missing];
}

function viewOf(study: Study, column: string): string | undefined {
  return Object.entries(study.views ?? {}).find(([, members]) => members.includes(column))?.[0];
}

/** Epsilon on a log scale from 0.1 to 10. */
function strength(epsilon: number): TemplateResult {
  const share = Math.max(0, Math.min(1, (Math.log10(epsilon) + 1) / 2));
  const x = 4 + share * 192;
  const anchor = share < 0.1 ? 'start' : share > 0.9 ? 'end' : 'middle';
  const words = share > 0.34 && share < 0.66;
  return html`<svg
    class="strength"
    width="200"
    height="44"
    role="img"
    aria-label="epsilon ${epsilon}, on a scale from 0.1, stronger, to 10, weaker"
  >
    <path class="axis" d="M4.5 8v8M4 12h192M195.5 8v8"></path>
    <circle class="knob" cx=${x} cy="12" r="6"></circle>
    ${words || share >= 0.66 ? svg`<text x="0" y="36">stronger</text>` : nothing}
    ${words || share <= 0.34 ? svg`<text x="200" y="36" text-anchor="end">weaker</text>` : nothing}
    <text class="epsilon" x=${x} y="36" text-anchor=${anchor}>ε = ${epsilon}</text>
  </svg>`;
}

/** A file's size and row count in one line. */
export function fileFacts(file: File, rows?: number): string {
  return rows === undefined ? bytes(file.size) : `${bytes(file.size)}, ${plural(rows, 'row')}`;
}

export const studyStyles = css`
  .facts {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
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
    text-wrap: pretty;
  }

  .strength {
    overflow: visible;
  }

  .strength .axis {
    stroke: var(--_line-2);
  }

  .strength .knob {
    fill: var(--_accent);
  }

  .strength .epsilon {
    fill: var(--_ink);
    font-weight: 600;
    font-size: 13px;
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

    .facts > div + div {
      border-top: 1px solid var(--_line);
    }

    .terms > div {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
  }
`;
