import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Study } from 'private-moments';
import {
  capitalised,
  count,
  countWord,
  missingInWords,
  plural,
  significant,
} from 'private-moments/words';
import { cross, tick } from '../look/icons.js';
import type { IndexDetail } from '../contract/elements.js';
import { countOf, isUsed, type CheckName, type Entry } from './release-entries.js';
import { segmentStyles } from './result-styles.js';
import { paperStyles } from '../look/printing.js';
import { styles } from '../look/styles.js';

const CHECKS: [CheckName, string][] = [
  ['intact', 'Intact'],
  ['study', 'Same study'],
  ['once', 'Only once'],
];

/** Above this number, files are shown in pages, those left out first. */
const PAGE = 25;

type Which = 'all' | 'used' | 'out';

interface Numbered {
  entry: Entry;
  /** Its index among all entries. */
  index: number;
}

/**
 * One row per file with its checks; without the study, only the first check is made. Many files are
 * shown in pages, those left out first, and can be searched by name. `folded` shows only files that are
 * left out. Emits `pm-remove` with `{ index }`.
 */
export class PmReleaseTable extends LitElement {
  static override properties = {
    entries: { attribute: false },
    studyKnown: { type: Boolean, attribute: 'study-known' },
    folded: { type: Boolean, reflect: true },
    which: { state: true },
    page: { state: true },
    query: { state: true },
  };

  static override styles = [
    styles,
    segmentStyles,
    paperStyles,
    css`
      .finder {
        display: flex;
        flex-wrap: wrap;
        gap: 12px 16px;
        margin-bottom: 16px;
      }

      .finder input {
        width: 240px;
        min-height: 34px;
        font-size: 14px;
      }

      .pager {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 8px 24px;
        min-height: 44px;
        margin-top: 12px;
      }

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

      .saved {
        white-space: nowrap;
      }

      .verdict .help {
        margin-top: 4px;
        overflow-wrap: anywhere;
      }

      .releases tbody th {
        min-width: 180px;
        overflow-wrap: anywhere;
      }

      .unit {
        margin-top: 8px;
      }

      @media print {
        .finder,
        .pager {
          display: none;
        }
      }

      .icon {
        width: 32px;
        height: 32px;
        margin-right: -8px;
      }

      @media (pointer: coarse) {
        .icon {
          width: 44px;
          height: 44px;
        }
      }

      @media (max-width: 759px) {
        .finder input {
          width: 100%;
          min-height: 44px;
        }

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

        .releases tbody th {
          min-width: 0;
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
    `,
  ];

  declare entries: readonly Entry[];
  declare studyKnown: boolean;
  /** Whether only the files that are left out are shown. */
  declare folded: boolean;
  declare which: Which;
  declare page: number;
  declare query: string;

  constructor() {
    super();
    this.entries = [];
    this.studyKnown = false;
    this.folded = false;
    this.which = 'all';
    this.page = 0;
    this.query = '';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('entries')) return;
    if (!this.#isLong) {
      this.which = 'all';
      this.query = '';
    }
    if (this.which === 'out' && this.entries.every(isIn)) this.which = 'all';
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.folded) return this.#leftOut();
    const found = this.#isLong ? this.#found() : this.entries.map(numbered);
    const last = Math.max(0, Math.ceil(found.length / PAGE) - 1);
    const page = Math.min(this.page, last);
    const shown = this.#isLong ? found.slice(page * PAGE, (page + 1) * PAGE) : found;
    return html`${this.#isLong ? this.#finder() : nothing} ${this.#table(shown)}
    ${this.#isLong ? this.#pager(found.length, page, last) : nothing}`;
  }

  #leftOut(): TemplateResult | typeof nothing {
    const out = this.entries.map(numbered).filter(({ entry }) => !isIn(entry));
    if (out.length === 0) return nothing;
    const more =
      out.length > PAGE
        ? html`<p class="help unit">
            ${count(PAGE)} of ${count(out.length)} files that are left out. The list of all files
            has the others.
          </p>`
        : nothing;
    return html`${this.#table(out.slice(0, PAGE))} ${more}`;
  }

  get #isLong(): boolean {
    return this.entries.length > PAGE;
  }

  /** The entries that match the filter and the search, those left out first. */
  #found(): Numbered[] {
    const { which } = this;
    const query = this.query.trim().toLowerCase();
    const all = this.entries
      .map(numbered)
      .filter(({ entry }) => which === 'all' || isIn(entry) === (which === 'used'))
      .filter(({ entry }) => entry.name.toLowerCase().includes(query));
    return [...all.filter(({ entry }) => !isIn(entry)), ...all.filter(({ entry }) => isIn(entry))];
  }

  #finder(): TemplateResult {
    const used = this.entries.filter(isIn).length;
    const parts: [Which, string][] = [
      ['all', `All ${count(this.entries.length)}`],
      ['used', `Used ${count(used)}`],
      ['out', `Left out ${count(this.entries.length - used)}`],
    ];
    return html`<div class="finder">
      ${
        used === this.entries.length
          ? nothing
          : html`<div class="segments" role="group" aria-label="Files shown">
              ${parts.map(
                ([part, label]) =>
                  html`<button
                    type="button"
                    aria-pressed=${part === this.which ? 'true' : 'false'}
                    @click=${() => {
                      this.which = part;
                      this.page = 0;
                    }}
                  >
                    ${label}
                  </button>`,
              )}
            </div>`
      }
      <input
        class="input"
        type="search"
        aria-label="Find a file by name"
        placeholder="Find a file"
        .value=${this.query}
        @input=${(event: Event) => {
          this.query = (event.target as HTMLInputElement).value;
          this.page = 0;
        }}
      />
    </div>`;
  }

  #table(shown: readonly Numbered[]): TemplateResult {
    // Releases of directions do not state their error.
    const noiseKnown = this.entries.every(({ release }) => !isDirections(release));
    const { studyKnown } = this;
    return html`<table class="releases">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" class="right">Rows</th>
            <th scope="col" class="right">Bytes</th>
            <th scope="col" class="right">Saved</th>
            ${CHECKS.map(([, label]) => html`<th scope="col" class="check">${label}</th>`)}
            ${noiseKnown ? html`<th scope="col" class="right">Noise, sd</th>` : nothing}
            <th scope="col"><span class="hidden-visually">Remove</span></th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(({ entry, index }) =>
            releaseRow(entry, { studyKnown, noiseKnown }, () => {
              const detail: IndexDetail = { index };
              this.dispatchEvent(new CustomEvent('pm-remove', { detail }));
            }),
          )}
        </tbody>
      </table>
      ${
        noiseKnown && !this.folded
          ? html`<p class="help unit">
              Noise, sd: of each off-diagonal entry of a file, in the units of that file. With
              private centring each release chooses its own; the report has the noise of all
              together, in the study’s scaled units.
            </p>`
          : nothing
      }`;
  }

  #pager(total: number, page: number, last: number): TemplateResult {
    const first = page * PAGE;
    const words =
      total === 0
        ? 'No file name contains this.'
        : `${count(first + 1)} to ${count(Math.min(total, first + PAGE))} of ${plural(total, 'file')}`;
    const turn = (label: string, to: number, possible: boolean): TemplateResult =>
      html`<button
        class="button small"
        type="button"
        ?disabled=${!possible}
        @click=${() => {
          this.page = to;
        }}
      >
        ${label}
      </button>`;
    return html`<div class="pager">
      <p class="help" role="status">${words}</p>
      ${
        last === 0
          ? nothing
          : html`<div class="actions">
              ${turn('Earlier files', page - 1, page > 0)}
              ${turn('More files', page + 1, page < last)}
            </div>`
      }
    </div>`;
  }
}

function numbered(entry: Entry, index: number): Numbered {
  return { entry, index };
}

function isIn({ refusal }: Entry): boolean {
  return refusal === undefined;
}

/** How many files are used, how many are left out, and how many sites are missing, in sentences. */
export function verdict(entries: readonly Entry[], study: Study): string {
  return [checked(entries), missing(entries, study)].filter(Boolean).join(' ');
}

/** "One of the 10 sites is missing.", where the study says how many it expects. */
function missing(entries: readonly Entry[], { federation: { sites } }: Study): string {
  const releases = entries
    .filter(isUsed)
    .reduce((sum, { release }) => sum + (release === undefined ? 0 : countOf(release)), 0);
  const study = sites === undefined ? {} : { sites };
  const words = releases === 0 ? '' : missingInWords({ releases, study });
  return words === '' ? '' : `${capitalised(words)}.`;
}

function checked(entries: readonly Entry[]): string {
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

function isDirections(release: Entry['release']): boolean {
  return release !== undefined && 'content' in release && release.content === 'components';
}

/** The rows of a file; undefined where participants are counted, null where the number is private. */
export function rowsOf(release: NonNullable<Entry['release']>): number | null | undefined {
  if (release.guarantee.unit !== 'row') return undefined;
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
  const { name, bytes, saved, release, refusal } = entry;
  const rows = release && rowsOf(release);
  const sd = release && release.noise.sdOffDiagonal * Math.sqrt(countOf(release));
  return html`<tr class=${refusal === undefined ? '' : 'out'}>
    <th scope="row">${name}</th>
    ${
      rows === undefined || rows === null
        ? html`<td class="right">–</td>`
        : html`<td class="right rows">${count(rows)}</td>`
    }
    <td class="right wide">${count(bytes)}</td>
    <td class="right wide saved">${dayOf(saved)}</td>
    ${checkCells(entry, { studyKnown, noiseKnown })}
    ${
      noiseKnown && refusal === undefined
        ? html`<td class="right wide">${sd === undefined ? '–' : significant(sd)}</td>`
        : nothing
    }
    <td class="remove">
      <button class="icon" type="button" aria-label="Remove ${name}" @click=${onRemove}>
        ${cross}
      </button>
    </td>
  </tr>`;
}

/** A tick for each check passed; the first check that failed says why and spans the rest of the row. */
function checkCells(
  { refusal }: Entry,
  { studyKnown, noiseKnown }: { studyKnown: boolean; noiseKnown: boolean },
): TemplateResult[] {
  const failed = CHECKS.findIndex(([check]) => check === refusal?.check);
  const passed = refusal === undefined ? CHECKS : CHECKS.slice(0, failed);
  const cells = passed.map(([, label], i) => {
    // In a narrow window, one tick stands for all checks.
    const wide = i + 1 < CHECKS.length ? 'wide' : '';
    return studyKnown || i === 0
      ? html`<td class="check ${wide}">${tick}<span class="hidden-visually">${label}</span></td>`
      : html`<td class="check ${wide}">–</td>`;
  });
  if (refusal === undefined) return cells;
  const tag = refusal.check === 'once' ? 'warn' : 'bad';
  const advice = [refusal.detail, refusal.remedy].filter(Boolean).join(' ');
  const span = CHECKS.length - failed + (noiseKnown ? 1 : 0);
  return [
    ...cells,
    html`<td class="verdict" colspan=${span}>
      <span class="tag ${tag}">${refusal.words}</span>
      ${advice === '' ? nothing : html`<p class="help">${advice}</p>`}
    </td>`,
  ];
}

/** The day, with the year unless it is the current one. */
function dayOf(saved: number): string {
  const year = new Date(saved).getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year }).format(saved);
}
