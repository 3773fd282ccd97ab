import { css, html, nothing, type TemplateResult } from 'lit';
import { count, countWord, significant } from './format.js';
import { cross, tick } from './icons.js';
import { notice } from './notice.js';
import { countOf, type CheckName, type Entry } from './releases.js';

const CHECKS: [CheckName, string][] = [
  ['intact', 'Intact'],
  ['study', 'Same study'],
  ['once', 'Only once'],
];

/** One row per file with its checks. Before the study is known only the first check is made. */
export function releaseTable(
  entries: readonly Entry[],
  studyKnown: boolean,
  onRemove: (index: number) => void,
): TemplateResult {
  // Directions come without a word on their error.
  const noiseKnown = entries.every(({ release }) => !isDirections(release));
  return html`<table class="releases">
    <thead>
      <tr>
        <th scope="col">File</th>
        <th scope="col" class="right">Rows</th>
        <th scope="col" class="right">Bytes</th>
        ${noiseKnown ? html`<th scope="col" class="right">Noise, sd</th>` : nothing}
        ${CHECKS.map(([, label]) => html`<th scope="col" class="check">${label}</th>`)}
        <th scope="col"><span class="hidden-visually">Remove</span></th>
      </tr>
    </thead>
    <tbody>
      ${entries.map((entry, index) =>
        releaseRow(entry, { studyKnown, noiseKnown }, () => {
          onRemove(index);
        }),
      )}
    </tbody>
  </table>`;
}

/** How many are used and how many are not, in a sentence. */
export function verdict(entries: readonly Entry[]): string {
  const out = entries.filter(({ refusal }) => refusal !== undefined).length;
  const used = entries.length - out;
  const subject =
    used === 1
      ? 'One belongs to this study and is'
      : `All ${count(used)} belong to this study and are`;
  const good = used === 0 ? 'None can be used.' : `${subject} intact.`;
  if (out === 0) return good;
  return `${used > 1 ? good.replace('All ', '') : good} ${countWord(out)} more ${out === 1 ? 'was' : 'were'} left out.`;
}

/** Repeats explain themselves in the row; damaged and foreign files need a sentence. */
export function refusals(entries: readonly Entry[]): TemplateResult | typeof nothing {
  const refused = entries.filter(({ refusal }) => refusal !== undefined);
  const explained = refused.filter(({ refusal }) => refusal?.check !== 'once');
  if (explained.length === 0) return nothing;
  const used = entries.length - refused.length;
  const rest = used > 0 ? ` The other ${used === 1 ? 'one is' : `${count(used)} are`} used.` : '';
  return html`<div class="notices">
    ${explained.map(({ name, refusal }) =>
      notice({
        kind: 'bad',
        title: `${name} is left out.`,
        body: `${refusal?.sentence ?? ''} Ask the site to send it again.${rest}`,
      }),
    )}
  </div>`;
}

function isDirections(release: Entry['release']): boolean {
  return release !== undefined && 'content' in release && release.content === 'components';
}

function rowsOf(release: NonNullable<Entry['release']>): number | null {
  if (!('groups' in release)) return release.rows;
  return release.groups.reduce<number | null>(
    (all, { rows }) => (all === null || rows === null ? null : all + rows),
    0,
  );
}

function releaseRow(
  entry: Entry,
  { studyKnown, noiseKnown }: { studyKnown: boolean; noiseKnown: boolean },
  onRemove: () => void,
): TemplateResult {
  const { name, bytes, release, refusal } = entry;
  const rows = release?.guarantee.unit === 'row' ? rowsOf(release) : undefined;
  const sd = release && release.noise.sdOffDiagonal * Math.sqrt(countOf(release));
  return html`<tr class=${refusal === undefined ? '' : 'out'}>
    <th scope="row">${name}</th>
    ${
      rows === undefined || rows === null
        ? html`<td class="right">–</td>`
        : html`<td class="right rows">${count(rows)}</td>`
    }
    <td class="right wide">${count(bytes)}</td>
    ${noiseKnown ? html`<td class="right wide">${sd === undefined ? '–' : significant(sd)}</td>` : nothing}
    ${checkCells(entry, studyKnown)}
    <td class="remove">
      <button class="icon" type="button" aria-label="Remove ${name}" @click=${onRemove}>
        ${cross}
      </button>
    </td>
  </tr>`;
}

/** A tick for each check passed; the first one failed says why and takes the rest of the row. */
function checkCells({ refusal }: Entry, studyKnown: boolean): TemplateResult[] {
  const failed = CHECKS.findIndex(([check]) => check === refusal?.check);
  const passed = refusal === undefined ? CHECKS : CHECKS.slice(0, failed);
  const cells = passed.map(([, label], i) => {
    // In a narrow list one tick stands for all checks.
    const wide = i + 1 < CHECKS.length ? 'wide' : '';
    return studyKnown || i === 0
      ? html`<td class="check ${wide}">${tick}<span class="hidden-visually">${label}</span></td>`
      : html`<td class="check ${wide}">–</td>`;
  });
  if (refusal === undefined) return cells;
  const tag = refusal.check === 'once' ? 'warn' : 'bad';
  const span = CHECKS.length - failed;
  return [
    ...cells,
    html`<td class="verdict" colspan=${span}><span class="tag ${tag}">${refusal.words}</span></td>`,
  ];
}

export const releaseTableStyles = css`
  .releases .check {
    width: 92px;
    text-align: center;
  }

  .releases .check svg {
    margin: 0 auto;
    color: var(--_accent);
  }

  .releases .remove {
    width: 44px;
    padding-block: 0;
    text-align: right;
  }

  .releases .out th,
  .releases .out td {
    color: var(--_ink-3);
  }

  .releases .out th {
    font-weight: 400;
  }

  .releases tbody th {
    overflow-wrap: anywhere;
  }

  .icon {
    display: inline-grid;
    place-items: center;
    width: 32px;
    height: 32px;
    margin-right: -8px;
    border: 0;
    border-radius: 6px;
    background: none;
    color: var(--_ink-3);
    cursor: pointer;
  }

  .icon:hover {
    background: var(--_surface);
    color: var(--_ink);
  }

  .notices {
    display: grid;
    gap: 12px;
    margin-top: 20px;
  }

  @media (pointer: coarse) {
    .icon {
      width: 44px;
      height: 44px;
    }
  }

  @media (max-width: 759px) {
    .releases,
    .releases tbody {
      display: block;
    }

    .releases thead,
    .releases .wide {
      display: none;
    }

    .releases tbody {
      border-top: 1px solid var(--_line-2);
    }

    .releases tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto 20px 44px;
      gap: 0 12px;
      align-items: center;
      min-height: 48px;
      border-bottom: 1px solid var(--_line);
    }

    .releases th,
    .releases td,
    .releases .check {
      width: auto;
      padding: 0;
      border: 0;
    }

    .releases .rows::after {
      content: ' rows';
    }

    .releases .out {
      padding-bottom: 10px;
    }

    .releases .out .verdict {
      grid-column: 1 / -1;
      grid-row: 2;
      text-align: left;
    }

    .releases .out .remove {
      grid-column: 4;
    }

    .releases .verdict .tag {
      white-space: normal;
    }
  }
`;
