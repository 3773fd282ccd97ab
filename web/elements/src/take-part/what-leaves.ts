import type { Guarantee, Release, Study } from 'private-moments';
import {
  adaptiveRadius,
  countsGaps,
  releasedFeatures,
  releasedNames,
} from 'private-moments/internal';
import {
  chanceInWords,
  count,
  isByGdp,
  plural,
  roundedUp,
  significant,
  stepsOf,
  strength,
} from 'private-moments/words';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { releasedDirections } from '../figures/directions.js';
import { disclosure, disclosureStyles } from '../controls/disclosure.js';
import { exactBytes, exactBytesStyles } from './exact-bytes.js';
import { down } from '../look/icons.js';
import { panelStyles } from './panel-styles.js';
import { inequality, populationLimit, guaranteeSection } from './guarantee-section.js';
import { arithmetic, lawOf } from '../base/mechanism.js';
import { noisyCount } from '../base/packed.js';
import { save } from '../base/save.js';
import { shareButton } from '../controls/share-button.js';
import { styles } from '../look/styles.js';
import { PmCopyButton } from '../controls/copy-button.js';
import { PmDirectionMap } from '../figures/direction-map.js';
import { PmGuessBar } from '../figures/guess-bar.js';
import { PmHeatMap } from '../figures/heat-map.js';
import { figureLabels, figureNames } from '../session/figure-labels.js';

/** Directions drawn from this distribution are a basis of the space they span, in no order. */
const UNORDERED = 'matrix-bingham';

/**
 * One release in full: its size, its numbers, what it reveals about one row, its exact bytes, and
 * buttons to save or share it. Needs `study`, `release` and the `name` to save it under. The slot
 * `budget` is shown below the guarantee.
 */
export class PmWhatLeaves extends LitElement {
  static readonly parts = {
    'pm-copy-button': PmCopyButton,
    'pm-direction-map': PmDirectionMap,
    'pm-guess-bar': PmGuessBar,
    'pm-heat-map': PmHeatMap,
  };

  static override properties = {
    study: { attribute: false },
    release: { attribute: false },
    name: {},
    guide: {},
    onePerson: { attribute: false },
    text: { state: true },
    table: { state: true },
    isSaved: { state: true },
  };

  static override styles = [
    styles,
    disclosureStyles,
    exactBytesStyles,
    panelStyles,
    css`
      header {
        border-bottom: 1px solid var(--_line);
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

      .disclosed li + li {
        margin-top: 8px;
      }

      .disclosed p + p,
      .disclosed p + ul,
      .disclosed ul + p {
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

      @media (forced-colors: active) {
        .bullets li::before {
          background: CanvasText;
        }
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

      footer {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 16px 24px;
        margin-top: 28px;
      }

      .contact {
        color: var(--_ink);
        overflow-wrap: anywhere;
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
        .size {
          margin-top: 8px;
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
  declare guide: string;
  /** Whether each person has one row, if the participant said so. */
  declare onePerson: boolean | undefined;
  declare text: string;
  declare table: boolean;
  /** Whether the release shown was saved from here. */
  declare isSaved: boolean;

  #reading: Promise<void> | undefined;

  constructor() {
    super();
    this.study = undefined;
    this.release = undefined;
    this.name = 'release.json';
    this.guide = '';
    this.onePerson = undefined;
    this.text = '';
    this.table = false;
    this.isSaved = false;
  }

  /** The heading, for focus after the release is made. */
  get heading(): HTMLElement | null {
    return this.renderRoot.querySelector('h2');
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('release')) return;
    this.table = false;
    this.isSaved = false;
    this.text = '';
    this.#reading = this.#read(this.release);
  }

  /** Resolves once the bytes are read and shown. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await this.#reading;
    return super.getUpdateComplete();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { study, release } = this;
    if (study === undefined || release === undefined || this.text === '') return nothing;
    const dimension = releasedFeatures(study);
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
        ${disclosure('The exact bytes', exactBytes(this.text), {
          open: true,
          aside: 'line breaks added',
        })}
      </div>
      <footer>
        <div class="actions">
          <button class="button primary" type="button" @click=${this.#download}>
            ${down} Download release
          </button>
          <pm-copy-button .text=${this.text}></pm-copy-button>
          ${shareButton(release.toBlob(), this.name, 'application/json')}
        </div>
        <p role="status">
          ${this.isSaved ? `Saved as ${this.name}. ` : ''}This page does not send it.
          ${
            study.contact === undefined
              ? 'Send it to the sender of the study, and keep a copy.'
              : html`Send it to <span class="contact">${study.contact}</span>, and keep a copy.`
          }
        </p>
      </footer>
    </section>`;
  }

  #figure(study: Study, release: Release): TemplateResult {
    return html`<figure>
      ${release.content === 'moments' ? this.#sums(study, release) : this.#directions(study, release)}
    </figure>`;
  }

  #sums(study: Study, { values, noise, rows, clipping, centring }: Release): TemplateResult {
    const scaled = Float64Array.from(values, (value) => value * noise.unit);
    const marks = releasedNames(study).slice(study.features.length);
    const names = [...figureNames(study), ...marks];
    const numbers = noisyCount(names.length, rows !== null);
    return html`<pm-heat-map
        .names=${names}
        .values=${scaled}
        ?show-rows=${rows === null}
      ></pm-heat-map>
      <figcaption>
        ${count(numbers)} noisy numbers: sums of products of two columns, and plain sums.
        ${
          centring === undefined
            ? 'Each column is scaled so that its bounds become −1 and 1.'
            : html`Each column is measured from a centre and in a unit that this file chose from
              ${count(centring.survey.length - Number(rows !== null))} noisy sums and sums of
              squares${countsGaps(study.missing) ? ', and counts of missing cells' : nothing}, which
              it also holds.`
        }
        The noise has standard deviation
        ${significant(noise.sdOffDiagonal)}${
          noise.sdDiagonal === noise.sdOffDiagonal
            ? nothing
            : html`, and ${significant(noise.sdDiagonal)} on the diagonal`
        }.
        ${
          noise.mean === 0
            ? nothing
            : html`On the diagonal it also adds ${significant(noise.mean)} on average, which the
              analysis subtracts.`
        }
        ${
          clipping === undefined
            ? nothing
            : centring !== undefined
              ? html`It also holds ${plural(clipping.counts.length, 'noisy count')} of rows by their
                length, which set a limit on row length. Unusually extreme rows were scaled down.`
              : html`The file also holds ${plural(clipping.counts.length, 'noisy count')} of long
                rows, which set a limit on row length. Unusually extreme rows were scaled down
                (limit ${significant(adaptiveRadius(study.rowNorm, clipping.level), 3)}; the study
                allows ${significant(study.rowNorm, 3)}).`
        }
        ${names.length <= 48 ? this.#asTable() : nothing}
      </figcaption>`;
  }

  #directions(study: Study, release: Release): TemplateResult {
    const features = study.features.length;
    const directions = releasedDirections(release, features);
    const valued = directions.every(({ value }) => value !== null);
    return html`<pm-direction-map
        .names=${study.features.map((feature) => feature.name)}
        .labels=${figureLabels(study)}
        .directions=${directions}
      ></pm-direction-map>
      <figcaption>
        ${plural(directions.length, 'direction')} along which the rows spread most, each with
        ${plural(features, 'number')}${
          valued ? html`, and the spread along each: a noisy sum of squares` : nothing
        }.
        Each column is scaled so that its bounds become −1 and 1; directions start at the middle.
        ${
          release.noise.distribution === UNORDERED && directions.length > 1
            ? 'Their order has no meaning: only the space they span does.'
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
    const about = {
      definition: definition(release, this.guide),
      limits: limits(release, this.onePerson),
      onePerson: this.onePerson,
    };
    return html`${guaranteeSection(study, guarantee, 'file', about)} <slot name="budget"></slot>`;
  }

  async #read(release: Release | undefined): Promise<void> {
    const text = (await release?.toBlob().text()) ?? '';
    if (release === this.release) this.text = text;
  }

  readonly #download = (): void => {
    if (this.release === undefined) return;
    save(this.release.toBlob(), this.name);
    this.isSaved = true;
  };
}

function definition(release: Release, guide: string): TemplateResult {
  const { guarantee, rows } = release;
  const size = rows === null || guarantee.unit === 'participant' ? '' : ` of ${count(rows)} rows`;
  return html`${inequality(guarantee, 'file', size)}
    <p>
      ${lawOf(release.mechanism)} ${arithmetic(release)}
      ${
        isByGdp(guarantee)
          ? html`The guess follows from ${roundedUp(guarantee.gdp ?? 0, 3)}-Gaussian differential
            privacy, which this file also satisfies${chanceInWords(guarantee.totalVariation)}.`
          : 'The guess follows from this definition.'
      }
    </p>
    ${partsOf(guarantee)}
    <p>It assumes:</p>
    <ul class="bullets">
      ${guarantee.assumes.map((assumption) => html`<li>${assumption}</li>`)}
    </ul>
    ${guide === '' ? nothing : proofs(release, guide)}`;
}

/** Links that open in another tab, so that the release stays in view. */
function proofs({ mechanism }: Release, guide: string): TemplateResult {
  return html`<p>
    Read more: <a href="${guide}privacy.html" target="_blank" rel="noopener">what is promised</a>,
    <a href="${guide}mechanisms/${mechanism.name}.html" target="_blank" rel="noopener">the proof</a
    >, <a href="${guide}known-limits.html" target="_blank" rel="noopener">known limits</a>.
  </p>`;
}

/** The cost of each step of a release made in several, and of all together. */
function partsOf(guarantee: Guarantee): TemplateResult | typeof nothing {
  const { parts } = guarantee;
  if (parts === undefined) return nothing;
  return html`<p>The file is made in steps. The cost of each by itself:</p>
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

function limits({ guarantee, rows }: Release, onePerson: boolean | undefined): TemplateResult {
  const rowsShow = rows !== null && guarantee.unit === 'row';
  return html`<ul class="bullets">
    ${
      rowsShow
        ? html`<li>The number of rows, ${count(rows)}. The file states it exactly.</li>`
        : nothing
    }
    ${
      onePerson === false && guarantee.unit === 'row'
        ? html`<li>
            People with several rows, as far as one row is. Each of their rows counts: someone with
            ten rows is protected ten times less.
          </li>`
        : nothing
    }
    <li>That you took part. The file names its study.</li>
    ${populationLimit}
    <li>
      A second file from the same rows. Each file counts: together they reveal more, at most what
      their ${guarantee.delta === 0 ? 'ε adds' : 'ε and δ add'} up to. The ledger shows the total.
      Sending the same file again costs nothing.
    </li>
  </ul>`;
}
