import type { Guarantee, Release, Study } from 'private-moments';
import {
  amount,
  attacker,
  bestGuess,
  difference,
  isByGdp,
  stepsOf,
  strength,
} from '../../package/src/report/guarantee.js';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { PmDirectionMap } from './direction-map.js';
import { releasedDirections } from './directions.js';
import { disclosure, disclosureStyles } from './disclosure.js';
import { exactBytes, exactBytesStyles } from './exact-bytes.js';
import { count, plural, significant } from './format.js';
import type { PmHeatMap } from './heat-map.js';
import { down } from './icons.js';
import { arithmetic, lawOf } from './mechanism.js';
import { noisyCount } from './packed.js';
import { save } from './save.js';
import { unitName } from './study-view.js';
import { styles } from './styles.js';

/** Directions of this law are a basis, drawn at random, of what they span. */
const UNORDERED = 'matrix-bingham';

/**
 * One release, whole: its size, its numbers, what it tells about one row, its exact bytes, and the
 * ways to take it along. Needs `study`, `release` and the `name` to save it under. What is in the slot
 * `budget` stands beside what the release tells.
 */
export class PmWhatLeaves extends LitElement {
  static override properties = {
    study: { attribute: false },
    release: { attribute: false },
    name: {},
    text: { state: true },
    table: { state: true },
  };

  static override styles = [
    styles,
    disclosureStyles,
    exactBytesStyles,
    css`
      .panel {
        padding: 32px;
        border: 1px solid var(--_line-2);
        border-radius: 10px;
      }

      header {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-start;
        justify-content: space-between;
        gap: 12px 24px;
        padding-bottom: 24px;
        border-bottom: 1px solid var(--_line);
      }

      header p {
        margin-top: 6px;
        color: var(--_ink-2);
      }

      .size {
        color: var(--_ink-3);
        font-size: 15px;
        line-height: 44px;
      }

      .size strong {
        margin-right: 2px;
        color: var(--_ink);
        font-size: 40px;
        font-weight: 600;
        letter-spacing: -0.022em;
      }

      .body {
        display: grid;
        grid-template-columns: minmax(0, 440px) minmax(0, 1fr);
        gap: 72px;
        padding: 32px 0 28px;
      }

      .body.wide {
        grid-template-columns: minmax(0, 584px) minmax(0, 1fr);
        gap: 48px;
      }

      figcaption {
        margin-top: 16px;
        text-wrap: pretty;
      }

      .words p {
        margin-top: 6px;
        color: var(--_ink-2);
        text-wrap: pretty;
      }

      pm-guess-bar {
        margin: 20px 0 20px;
      }

      .formula {
        color: var(--_ink);
        font-size: 17px;
      }

      .disclosed p,
      .disclosed li {
        margin-top: 0;
        font-size: 14px;
        line-height: 22px;
        color: var(--_ink-2);
      }

      .disclosed .formula {
        font-size: 16px;
        line-height: 26px;
        color: var(--_ink);
      }

      .disclosed li + li {
        margin-top: 8px;
      }

      .disclosed p + p,
      .disclosed p + ul {
        margin-top: 10px;
      }

      .bullets li {
        position: relative;
        padding-left: 16px;
      }

      .bullets li::before {
        content: '';
        position: absolute;
        top: 10px;
        left: 2px;
        width: 4px;
        height: 4px;
        border-radius: 2px;
        background: var(--_ink-3);
      }

      .disclosed .parts {
        margin: 4px 0 16px;
        max-width: 440px;
      }

      .parts th {
        font-weight: 400;
        color: var(--_ink-2);
      }

      .parts strong {
        font-weight: 600;
      }

      .numbers-table {
        max-height: 420px;
        margin-bottom: 28px;
        overflow: auto;
      }

      .exact .disclosed {
        padding-left: 0;
      }

      footer {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 16px 24px;
        margin-top: 28px;
      }

      footer p {
        color: var(--_ink-3);
        font-size: 14px;
        line-height: 20px;
      }

      @media (max-width: 999px) {
        .body,
        .body.wide {
          grid-template-columns: minmax(0, 1fr);
          gap: 40px;
        }
      }

      @media (max-width: 759px) {
        .panel {
          padding: 28px 0 0;
          border: 0;
          border-top: 2px solid var(--_accent);
          border-radius: 0;
        }

        header {
          display: block;
          padding-bottom: 16px;
        }

        .size {
          margin-top: 8px;
        }

        .size strong {
          font-size: 32px;
        }

        .body {
          padding-top: 24px;
        }

        footer .actions {
          display: grid;
          grid-template-columns: 1fr 1fr;
          width: 100%;
        }

        footer .primary {
          grid-column: 1 / -1;
        }

        pm-copy-button::part(button) {
          width: 100%;
        }

        pm-copy-button:last-child {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  declare study: Study | undefined;
  declare release: Release | undefined;
  declare name: string;
  declare text: string;
  declare table: boolean;

  #reading: Promise<void> | undefined;

  constructor() {
    super();
    this.study = undefined;
    this.release = undefined;
    this.name = 'release.json';
    this.text = '';
    this.table = false;
  }

  /** The heading, for focus after the release is made. */
  get heading(): HTMLElement | null {
    return this.renderRoot.querySelector('h2');
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('release')) return;
    this.table = false;
    this.text = '';
    this.#reading = this.#read(this.release);
  }

  /** Complete when the bytes are read and shown. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await this.#reading;
    return super.getUpdateComplete();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { study, release } = this;
    if (study === undefined || release === undefined || this.text === '') return nothing;
    const dimension = study.features.length;
    const size = new Blob([this.text]).size;
    return html`<section class="panel" part="panel" aria-labelledby="what-leaves">
      <header>
        <div>
          <h2 id="what-leaves" tabindex="-1">What leaves this computer</h2>
          <p>This, and nothing else. It has not left yet.</p>
        </div>
        <p class="size"><strong>${count(size)}</strong> bytes</p>
      </header>
      <div class="body ${dimension > 8 ? 'wide' : ''}">
        ${this.#figure(study, release)}
        <div class="words">${this.#words(study, release)}</div>
      </div>
      ${this.table ? this.#table() : nothing}
      <div class="exact">
        ${disclosure('The exact bytes', exactBytes(this.text), { aside: 'line breaks added' })}
      </div>
      <footer>
        <div class="actions">
          <button class="button primary" type="button" @click=${this.#download}>
            ${down} Download release
          </button>
          <pm-copy-button .text=${this.text}></pm-copy-button>
          ${
            canShare(release, this.name)
              ? html`<button class="button" type="button" @click=${this.#share}>Share</button>`
              : nothing
          }
        </div>
        <p>This page does not send it. Send it yourself, and keep a copy.</p>
      </footer>
    </section>`;
  }

  #figure(study: Study, release: Release): TemplateResult {
    return html`<figure>
      ${release.content === 'moments' ? this.#sums(study, release) : this.#directions(study, release)}
    </figure>`;
  }

  #sums(study: Study, { values, noise, rows, clipping }: Release): TemplateResult {
    const scaled = Float64Array.from(values, (value) => value * noise.unit);
    const numbers = noisyCount(study.features.length, rows !== null);
    return html`<pm-heat-map
        .names=${study.features.map((feature) => feature.name)}
        .values=${scaled}
        ?show-rows=${rows === null}
      ></pm-heat-map>
      <figcaption>
        ${count(numbers)} noisy numbers: sums of products of two columns, and the plain sums. Every
        column runs from −1 to 1 between its bounds, and the noise has standard deviation
        ${significant(noise.sdOffDiagonal)}${
          noise.sdDiagonal === noise.sdOffDiagonal
            ? nothing
            : html`, on the diagonal ${significant(noise.sdDiagonal)}`
        }.
        ${
          noise.mean === 0
            ? nothing
            : html`On the diagonal it also adds ${significant(noise.mean)} on average, which the
              analysis takes off.`
        }
        ${
          clipping === undefined
            ? nothing
            : html`The file also holds ${plural(clipping.counts.length, 'noisy count')} of long
              rows. By them, rows count up to a length of
              ${significant(study.rowNorm * 2 ** (-clipping.level / 2), 3)} of the
              ${significant(study.rowNorm, 3)} that the study allows.`
        }
        ${study.features.length <= 48 ? this.#asTable() : nothing}
      </figcaption>`;
  }

  #directions(study: Study, release: Release): TemplateResult {
    const features = study.features.length;
    const directions = releasedDirections(release, features);
    const valued = directions.every(({ value }) => value !== null);
    return html`<pm-direction-map
        .names=${study.features.map((feature) => feature.name)}
        .directions=${directions}
      ></pm-direction-map>
      <figcaption>
        ${plural(directions.length, 'direction')} along which the rows spread most, each of
        ${plural(features, 'number')}${
          valued
            ? html`, and how much they spread along each: the sum of their squares, with noise`
            : nothing
        }.
        Every column runs from −1 to 1 between its bounds; the directions start at the middle.
        ${
          release.noise.distribution === UNORDERED && directions.length > 1
            ? 'They come in no order: what counts is what they span.'
            : nothing
        }
        ${features <= 48 && directions.length <= 48 ? this.#asTable() : nothing}
      </figcaption>`;
  }

  #asTable(): TemplateResult {
    return html`<button
      class="link"
      type="button"
      aria-expanded=${this.table ? 'true' : 'false'}
      @click=${() => {
        this.table = !this.table;
      }}
    >
      ${this.table ? 'Hide the table' : 'See as a table'}
    </button>`;
  }

  #table(): TemplateResult {
    const map = this.renderRoot.querySelector<PmHeatMap | PmDirectionMap>(
      'pm-heat-map, pm-direction-map',
    );
    return html`<div
      class="numbers-table"
      tabindex="0"
      role="region"
      aria-label="The noisy numbers"
    >
      ${map?.table() ?? nothing}
    </div>`;
  }

  #words(study: Study, release: Release): TemplateResult {
    const { guarantee } = release;
    const guess = bestGuess(guarantee);
    return html`<h3>What it tells about ${unitName(study)}</h3>
      <p>
        ${amount(guess)} ${attacker(study, 'yours')} With this file, their best guess is right
        ${Math.round(guess)} times in 100. A coin is right 50 times.
      </p>
      <pm-guess-bar guess=${guess}></pm-guess-bar>
      ${disclosure(`The exact definition: ${strength(guarantee)}`, definition(release))}
      ${disclosure('What it does not protect', limits(release))}
      <slot name="budget"></slot>`;
  }

  async #read(release: Release | undefined): Promise<void> {
    const text = (await release?.toBlob().text()) ?? '';
    if (release === this.release) this.text = text;
  }

  readonly #share = async (): Promise<void> => {
    if (this.release === undefined) return;
    // Whoever closes the sheet without sharing has changed their mind, which is no failure.
    await navigator.share({ files: [asFile(this.release, this.name)] }).catch(() => undefined);
  };

  readonly #download = (): void => {
    if (this.release !== undefined) save(this.release.toBlob(), this.name);
  };
}

function asFile(release: Release, name: string): File {
  return new File([release.toBlob()], name, { type: 'application/json' });
}

/** Whether this browser hands such a file to other programs. */
function canShare(release: Release, name: string): boolean {
  const { navigator } = globalThis as { navigator: Partial<Navigator> };
  return navigator.canShare?.({ files: [asFile(release, name)] }) ?? false;
}

function definition(release: Release): TemplateResult {
  const { guarantee, rows } = release;
  const size = rows === null || guarantee.unit === 'participant' ? '' : ` of ${count(rows)} rows`;
  return html`<p>
      For any two data sets${size} ${difference(guarantee)}, and any set of files <i>S</i>:
    </p>
    <p class="formula">
      P(file in <i>S</i>) ≤ <i>e</i><sup>ε</sup> · P′(file in <i>S</i>)${
        guarantee.delta === 0 ? nothing : ' + δ'
      }
    </p>
    <p>
      ${lawOf(release.mechanism)} ${arithmetic(release)}
      ${
        isByGdp(guarantee)
          ? html`The same file keeps ${significant(guarantee.gdp ?? 0, 3)}-Gaussian differential
            privacy, which is where the guess comes from.`
          : 'The guess follows from this definition.'
      }
    </p>
    ${partsOf(guarantee)}
    <p>It assumes:</p>
    <ul class="bullets">
      ${guarantee.assumes.map((assumption) => html`<li>${assumption}</li>`)}
    </ul>`;
}

/** Of a file made in several steps: what each costs, and what they cost together. */
function partsOf(guarantee: Guarantee): TemplateResult | typeof nothing {
  const { parts } = guarantee;
  if (parts === undefined) return nothing;
  return html`<p>The file is made in steps. What each costs by itself:</p>
    <table class="parts">
      <tbody>
        ${stepsOf(parts).map(
          ({ what, times, cost }) =>
            html`<tr>
              <th scope="row">${what}${times}</th>
              <td class="right">${cost}</td>
            </tr>`,
        )}
        <tr>
          <th scope="row">together</th>
          <td class="right"><strong>${strength(guarantee)}</strong></td>
        </tr>
      </tbody>
    </table>`;
}

function limits({ guarantee, rows }: Release): TemplateResult {
  const rowsShow = rows !== null && guarantee.unit === 'row';
  return html`<ul class="bullets">
    ${
      rowsShow
        ? html`<li>The number of rows, ${count(rows)}. It is in the file as it is.</li>`
        : nothing
    }
    <li>That you took part. The file names its study.</li>
    <li>
      What the study finds out about everyone. A pattern that holds for people in general holds for
      the people in your file.
    </li>
    <li>
      A second file from the same rows. Each file counts, and their ε add up. Sending the same file
      again costs nothing.
    </li>
  </ul>`;
}
