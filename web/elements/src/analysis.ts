import { load, privatize } from 'private-moments';
import type { Study } from 'private-moments';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { analyse, highScore, screeOf, weightsOf, type AnalysisResult } from './analysis-result.js';
import { codeFor, codeStyles, highlighted } from './code-sample.js';
import type { FilesDetail } from './drop-zone.js';
import { resultCsv, resultJson } from './export.js';
import { describe, wasCancelled } from './failure.js';
import {
  correlation,
  count,
  countWord,
  list,
  ordinal,
  ordinalWord,
  percent,
  plural,
  significant,
} from './format.js';
import { cross, down, tick } from './icons.js';
import { notice, noticeStyles } from './notice.js';
import { progressBar, progressStyles, type Reading } from './progress.js';
import { assembleAll, readEntry, type CheckName, type Entry } from './releases.js';
import { save } from './save.js';
import { roundUp } from './scale.js';
import { fetchText, readStudy, type StudySource } from './study-source.js';
import { styles } from './styles.js';

export interface ResultDetail {
  result: AnalysisResult;
}

const SAMPLE_SITES = 10;
const CHECKS: [CheckName, string][] = [
  ['intact', 'Intact'],
  ['study', 'Same study'],
  ['once', 'Only once'],
];

/**
 * The analyst's side of a study: releases in, correlations, weights and variance out.
 *
 * `study` takes a study, its definition, its JSON text, a study link or the address of a study file;
 * `sample` the address of a folder with study.json and site-01.csv to site-10.csv. Emits `pm-result`
 * with `{ result }` whenever the result changes.
 */
export class PmAnalysis extends LitElement {
  static override properties = {
    study: {},
    sample: {},
    agreed: { state: true },
    entries: { state: true },
    result: { state: true },
    problem: { state: true },
    working: { state: true },
    pair: { state: true },
    chosenViews: { state: true },
    tables: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    progressStyles,
    codeStyles,
    css`
      .eyebrow {
        margin-bottom: 4px;
      }

      .top {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-end;
        justify-content: space-between;
        gap: 20px 48px;
      }

      .top > div {
        flex: 1 1 520px;
        min-width: 0;
      }

      .top dl {
        display: flex;
        gap: 40px;
      }

      section {
        margin-top: 56px;
      }

      .intro {
        margin-top: 32px;
      }

      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 16px;
        margin-bottom: 16px;
      }

      .head .help {
        flex: 1 1 240px;
      }

      .head + .help,
      h2 + .help,
      h2 + .prose {
        margin-top: 6px;
      }

      .target {
        border-radius: 4px;
      }

      .target.dragging {
        outline: 1px solid var(--_accent);
        outline-offset: 8px;
        background: var(--_accent-soft);
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

      .figure-and-words {
        display: grid;
        grid-template-columns: minmax(0, 640px) minmax(0, 1fr);
        gap: 80px;
        margin-top: 20px;
      }

      .figure-and-words p + p {
        margin-top: 12px;
      }

      .figure-and-words h3 + p {
        margin-top: 8px;
      }

      .figure-and-words p {
        color: var(--_ink-2);
        font-size: 15px;
        line-height: 24px;
      }

      .segments {
        display: inline-flex;
        flex-wrap: wrap;
        border: 1px solid var(--_line-2);
        border-radius: 6px;
        overflow: clip;
      }

      .segments button {
        min-height: 32px;
        padding: 0 14px;
        border: 0;
        background: none;
        color: var(--_ink);
        font-size: 14px;
        font-weight: 500;
        cursor: pointer;
      }

      .segments button:hover {
        background: var(--_surface);
      }

      .segments button:focus-visible {
        outline-offset: -3px;
      }

      .segments .floor {
        color: var(--_ink-3);
        font-weight: 400;
      }

      .segments [aria-pressed='true'] {
        background: var(--_ink);
        color: var(--_bg);
        font-weight: 600;
      }

      .segments [aria-pressed='true']:hover {
        background: var(--_ink);
      }

      .pair-of-views {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 72px;
        margin-top: 28px;
      }

      .view .help {
        min-height: 22px;
        margin-bottom: 16px;
      }

      .two {
        display: grid;
        grid-template-columns: minmax(0, 440px) minmax(0, 1fr);
        gap: 56px 96px;
      }

      .two section {
        margin-top: 56px;
      }

      .two pm-scree-figure {
        margin-top: 20px;
      }

      .go li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 12px 24px;
        padding: 20px 0;
        border-bottom: 1px solid var(--_line);
      }

      .go li > div {
        flex: 1 1 260px;
      }

      .code-head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 16px;
        margin-bottom: 16px;
      }

      .tables {
        display: grid;
        gap: 28px;
        margin-top: 24px;
      }

      .view-choice {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 16px;
        align-items: center;
        margin-top: 12px;
      }

      .view-choice select {
        min-height: 40px;
        padding: 0 12px;
        border: 1px solid var(--_line-2);
        border-radius: 6px;
        background: var(--_bg);
      }

      .view-choice label {
        font-size: 14px;
        font-weight: 600;
      }

      @media (pointer: coarse) {
        .icon {
          width: 44px;
          height: 44px;
        }

        .segments button {
          min-height: 44px;
        }
      }

      @media (max-width: 1099px) {
        .figure-and-words,
        .pair-of-views,
        .two {
          grid-template-columns: minmax(0, 1fr);
          gap: 32px;
        }
      }

      @media (max-width: 759px) {
        section,
        .two section {
          margin-top: 44px;
        }

        .two {
          gap: 0;
        }

        .segments button {
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

        .go .button {
          width: 100%;
        }
      }
    `,
  ];

  declare study: StudySource | undefined;
  declare sample: string;
  declare agreed: Study | undefined;
  declare entries: readonly Entry[];
  declare result: AnalysisResult | undefined;
  declare problem: string;
  declare working: Reading | undefined;
  declare pair: number;
  declare chosenViews: [string, string] | undefined;
  declare tables: boolean;

  #control = new AbortController();

  constructor() {
    super();
    this.study = undefined;
    this.sample = '';
    this.agreed = undefined;
    this.entries = [];
    this.result = undefined;
    this.problem = '';
    this.working = undefined;
    this.pair = 0;
    this.chosenViews = undefined;
    this.tables = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#control.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('study') && this.study !== undefined) void this.#openStudy(this.study);
  }

  protected override render(): TemplateResult {
    const { result } = this;
    return html`${this.#top()}
    ${this.working === undefined ? nothing : html`<div class="intro">${progressBar(this.working, this.#cancel)}</div>`}
    ${this.problem === '' ? nothing : html`<div class="intro">${notice({ kind: 'bad', title: 'This cannot be analysed.', body: this.problem })}</div>`}
    ${this.working === undefined && this.entries.length === 0 ? this.#intro() : nothing}
    ${this.entries.length === 0 ? nothing : this.#releases()}
    ${result === undefined ? nothing : html`${this.#correlations(result)} ${this.#weights(result)} ${this.#varianceAndMore(result)} ${this.#code(result)}`}`;
  }

  // The study and the releases

  #top(): TemplateResult {
    const { agreed: study, result } = this;
    return html`<div class="top">
      <div>
        ${study === undefined ? nothing : html`<p class="label eyebrow">Analyse</p>`}
        <h1 tabindex="-1">${study?.title ?? 'Analyse a study'}</h1>
        <p class="lead">
          ${
            result === undefined
              ? 'Releases from many places become one result. Nothing you add here is sent anywhere.'
              : finding(result)
          }
        </p>
      </div>
      ${
        result === undefined
          ? nothing
          : html`<dl class="numbers">
              <div>
                <dt>Releases</dt>
                <dd>${count(result.moments.noise.releases)}</dd>
              </div>
              <div>
                <dt>${result.moments.study.unit === 'row' ? 'Rows' : 'Participants'}</dt>
                <dd>${count(Math.round(result.moments.rows))}</dd>
              </div>
              <div>
                <dt>Guarantee</dt>
                <dd aria-label="epsilon ${result.moments.study.privacy.epsilon}">
                  ε ${result.moments.study.privacy.epsilon}
                </dd>
              </div>
            </dl>`
      }
    </div>`;
  }

  #intro(): TemplateResult {
    const known = this.agreed !== undefined;
    return html`<div class="intro">
      <pm-drop-zone
        heading=${known ? 'Drop the releases here' : 'Drop the study file and the releases here'}
        help=${
          known
            ? 'All at once or a few at a time. They stay on this computer.'
            : 'All at once or one after another, or open the study link first. They stay on this computer.'
        }
        action="Choose files"
        accept=".json,application/json"
        multiple
        @pm-files=${this.#added}
      >
        ${
          this.sample === '' || known
            ? nothing
            : html`<button class="button" type="button" @click=${this.#trySample}>
                Try the sample study
              </button>`
        }
      </pm-drop-zone>
    </div>`;
  }

  #releases(): TemplateResult {
    return html`<section
      class="target"
      aria-labelledby="releases"
      @dragover=${this.#over}
      @dragleave=${this.#leave}
      @drop=${this.#drop}
    >
      <div class="head">
        <h2 id="releases" tabindex="-1">Releases</h2>
        <p class="help" role="status">
          ${this.agreed === undefined ? nothing : verdict(this.entries)}
        </p>
        <button class="button small" type="button" @click=${this.#chooseMore}>Add releases</button>
        <input
          type="file"
          hidden
          multiple
          aria-label="Add releases"
          accept=".json,application/json"
          @change=${this.#chosen}
        />
      </div>
      ${
        this.agreed === undefined
          ? html`<div class="above">
              ${notice({
                kind: 'warn',
                title: 'Which study do these belong to?',
                body: 'Add the study file, or open the study link, and the result appears.',
              })}
            </div>`
          : nothing
      }
      <table class="releases">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" class="right">Rows</th>
            <th scope="col" class="right">Bytes</th>
            <th scope="col" class="right">Noise, sd</th>
            ${CHECKS.map(([, label]) => html`<th scope="col" class="check">${label}</th>`)}
            <th scope="col"><span class="hidden-visually">Remove</span></th>
          </tr>
        </thead>
        <tbody>
          ${this.entries.map((entry, i) => this.#entry(entry, i))}
        </tbody>
      </table>
      ${this.#refusals()}
    </section>`;
  }

  #entry({ name, bytes, release, refusal }: Entry, index: number): TemplateResult {
    const rows = release?.rows;
    const failed = CHECKS.findIndex(([check]) => check === refusal?.check);
    const passed = refusal === undefined ? CHECKS.length : failed;
    const sd = release?.noise.sdOffDiagonal;
    return html`<tr class=${refusal === undefined ? '' : 'out'}>
      <th scope="row">${name}</th>
      ${
        rows === undefined || rows === null
          ? html`<td class="right">–</td>`
          : html`<td class="right rows">${count(rows)}</td>`
      }
      <td class="right wide">${count(bytes)}</td>
      <td class="right wide">${sd === undefined ? '–' : significant(sd)}</td>
      ${CHECKS.map(([, label], i) =>
        i < passed
          ? html`<td class="check ${i + 1 < CHECKS.length || refusal !== undefined ? 'wide' : ''}">
              ${this.agreed === undefined && i > 0 ? '–' : tick}
              <span class="hidden-visually">${label}</span>
            </td>`
          : i === failed
            ? html`<td class="verdict" colspan=${CHECKS.length - failed}>
                <span class="tag ${refusal?.check === 'once' ? 'warn' : 'bad'}"
                  >${refusal?.words}</span
                >
              </td>`
            : nothing,
      )}
      <td class="remove">
        <button
          class="icon"
          type="button"
          aria-label="Remove ${name}"
          title="Remove"
          @click=${() => void this.#remove(index)}
        >
          ${cross}
        </button>
      </td>
    </tr>`;
  }

  /** Repeats explain themselves in the row; damaged and foreign files need a sentence. */
  #refusals(): TemplateResult | typeof nothing {
    const refused = this.entries.filter(({ refusal }) => refusal && refusal.check !== 'once');
    if (refused.length === 0) return nothing;
    const used = this.entries.length - this.entries.filter(({ refusal }) => refusal).length;
    const rest = used > 0 ? ` The other ${used === 1 ? 'one is' : `${count(used)} are`} used.` : '';
    return html`<div class="notices">
      ${refused.map(({ name, refusal }) =>
        notice({
          kind: 'bad',
          title: `${name} is left out.`,
          body: `${refusal?.sentence ?? ''} Ask the site to send it again.${rest}`,
        }),
      )}
    </div>`;
  }

  async #openStudy(source: StudySource): Promise<void> {
    try {
      this.agreed = await readStudy(source);
      this.problem = '';
      this.chosenViews = undefined;
      await this.#refresh();
    } catch (error) {
      this.agreed = undefined;
      this.result = undefined;
      this.problem = describe(error);
    }
  }

  readonly #added = async (event: CustomEvent<FilesDetail>): Promise<void> => {
    await this.#addFiles(event.detail.files);
  };

  /** A study file may come among the releases; everything else is taken for a release. */
  async #addFiles(files: readonly File[]): Promise<void> {
    const added: Entry[] = [];
    for (const file of files) {
      if (await isStudyFile(file)) await this.#openStudy(file);
      else added.push(await readEntry(file));
    }
    if (added.length === 0) return;
    this.entries = [...this.entries, ...added];
    await this.#refresh();
  }

  async #remove(index: number): Promise<void> {
    this.entries = this.entries.filter((_, i) => i !== index);
    await this.#refresh();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('#releases')?.focus({ preventScroll: true });
  }

  async #refresh(): Promise<void> {
    const { agreed: study } = this;
    if (study === undefined) return;
    try {
      const { entries, moments } = await assembleAll(study, this.entries);
      if (study !== this.agreed) return;
      this.entries = entries;
      this.problem = '';
      this.result = moments && analyse(moments, this.chosenViews ?? firstViews(study));
      this.pair = 0;
    } catch (error) {
      this.result = undefined;
      this.problem = describe(error);
    }
    if (this.result === undefined) return;
    const detail: ResultDetail = { result: this.result };
    this.dispatchEvent(new CustomEvent('pm-result', { detail, bubbles: true, composed: true }));
  }

  readonly #chooseMore = (): void => {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')?.click();
  };

  readonly #chosen = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = '';
    await this.#addFiles(files);
  };

  readonly #over = (event: DragEvent): void => {
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.add('dragging');
  };

  readonly #leave = (event: DragEvent): void => {
    const box = event.currentTarget as HTMLElement;
    if (event.relatedTarget instanceof Node && box.contains(event.relatedTarget)) return;
    box.classList.remove('dragging');
  };

  readonly #drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.remove('dragging');
    await this.#addFiles([...(event.dataTransfer?.files ?? [])]);
  };

  // The sample

  /** Plays all ten participants of the sample study in this page, then the analyst. */
  readonly #trySample = async (): Promise<void> => {
    this.#control.abort();
    const control = (this.#control = new AbortController());
    const since = performance.now();
    const report = (site: number, rows: number, fraction: number): void => {
      const label = `Making release ${site} of ${SAMPLE_SITES} here, as the sites would`;
      this.working = { label, rows, fraction: (site - 1 + fraction) / SAMPLE_SITES, since };
    };
    report(1, 0, 0);
    try {
      await load();
      const study = await readStudy(`${this.sample}study.json`);
      const entries: Entry[] = [];
      let rows = 0;
      for (let site = 1; site <= SAMPLE_SITES; site++) {
        const name = `site-${String(site).padStart(2, '0')}`;
        const text = await fetchText(`${this.sample}${name}.csv`);
        const release = await privatize(study, new Blob([text]), { signal: control.signal });
        rows += release.local?.rows ?? 0;
        report(site, rows, 1);
        entries.push({ name: `${name}.release.json`, bytes: release.toBlob().size, release });
      }
      this.agreed = study;
      this.entries = entries;
      await this.#refresh();
      await this.updateComplete;
      this.renderRoot.querySelector('h1')?.focus({ preventScroll: true });
    } catch (error) {
      if (!wasCancelled(error)) this.problem = describe(error);
    } finally {
      this.working = undefined;
    }
  };

  readonly #cancel = (): void => {
    this.#control.abort();
  };

  // The result

  #correlations(result: AnalysisResult): TemplateResult {
    const { cca, views } = result;
    if (cca === undefined || views === undefined) {
      return html`<section aria-labelledby="correlations">
        <h2 id="correlations">Canonical correlations</h2>
        <p class="prose">This study names no two views, so there is nothing to correlate.</p>
      </section>`;
    }
    return html`<section aria-labelledby="correlations">
      <h2 id="correlations">Canonical correlations</h2>
      <p class="prose">How strongly ${list(views)} move together.</p>
      ${this.#viewChoice(result, views)}
      <div class="figure-and-words">
        <pm-correlation-figure
          .pairs=${cca.correlations}
          .noiseFloor=${cca.noiseFloor}
        ></pm-correlation-figure>
        <div>
          <h3>In words</h3>
          ${words(result).map((text) => html`<p>${text}</p>`)}
        </div>
      </div>
    </section>`;
  }

  #viewChoice(result: AnalysisResult, views: [string, string]): TemplateResult | typeof nothing {
    const names = Object.keys(result.moments.study.views ?? {});
    if (names.length < 3) return nothing;
    const select = (side: 0 | 1): TemplateResult => {
      const label = side === 0 ? 'First view' : 'Second view';
      return html`<label for="view-${side}">${label}</label>
        <select
          id="view-${side}"
          @change=${(event: Event) => {
            const { value } = event.target as HTMLSelectElement;
            this.chosenViews = side === 0 ? [value, views[1]] : [views[0], value];
            void this.#refresh();
          }}
        >
          ${names
            .filter((name) => name !== views[side === 0 ? 1 : 0])
            .map((name) => html`<option .selected=${name === views[side]}>${name}</option>`)}
        </select>`;
    };
    return html`<div class="view-choice">${select(0)} ${select(1)}</div>`;
  }

  #weights(result: AnalysisResult): TemplateResult | typeof nothing {
    const { cca, views } = result;
    const chosen = cca?.correlations[this.pair];
    if (cca === undefined || views === undefined || chosen === undefined) return nothing;
    const title = `${ordinalWord(this.pair).replace(/^./, (c) => c.toUpperCase())} pair`;
    return html`<section aria-labelledby="pair">
      <div class="head">
        <h2 id="pair">${title}</h2>
        <div class="segments" role="group" aria-label="Pair">
          ${cca.correlations.map(
            ({ belowNoiseFloor }, i) =>
              html`<button
                type="button"
                class=${belowNoiseFloor ? 'floor' : ''}
                aria-pressed=${i === this.pair ? 'true' : 'false'}
                @click=${() => {
                  this.pair = i;
                }}
              >
                ${ordinal(i)}${belowNoiseFloor ? ', below the floor' : ''}
              </button>`,
          )}
        </div>
      </div>
      ${
        chosen.belowNoiseFloor
          ? html`<p class="prose">
              This pair is below the noise floor: do not interpret. Its weights are not drawn.
            </p>`
          : this.#bars(result, views)
      }
    </section>`;
  }

  #bars(result: AnalysisResult, views: [string, string]): TemplateResult {
    const weights = views.map((view) => weightsOf(result, view, this.pair));
    const largest = Math.max(...weights.flat().map(({ perDeviation }) => Math.abs(perDeviation)));
    const limit = roundUp(largest);
    return html`<p class="prose">
        A higher score in ${views[0]} goes with a higher score in ${views[1]}. Bars: weight for one
        standard deviation, so lengths compare. Numbers: weight for one unit of the column.
      </p>
      <div class="pair-of-views">
        ${views.map(
          (view, i) =>
            html`<div class="view">
              <h3>${view.replace(/^./, (c) => c.toUpperCase())}</h3>
              <p class="help">A high score: ${highScore(weights[i] ?? [])}.</p>
              <pm-weight-bars
                .weights=${weights[i] ?? []}
                .limit=${limit}
                .series=${i + 1}
              ></pm-weight-bars>
            </div>`,
        )}
      </div>`;
  }

  #varianceAndMore(result: AnalysisResult): TemplateResult {
    const { components, noiseFloor } = screeOf(result);
    return html`<div class="two">
        <section aria-labelledby="variance">
          <h2 id="variance">Variance</h2>
          <p class="prose">
            ${variance(components, noiseFloor)} Shares of each principal component, in percent, in
            the study’s scaled units.
          </p>
          <pm-scree-figure .components=${components} .noiseFloor=${noiseFloor}></pm-scree-figure>
        </section>
        <section aria-labelledby="take-away">
          <h2 id="take-away">Take it along</h2>
          <ul class="go">
            <li>
              <div>
                <h3>Everything, for a program</h3>
                <p class="help">Means, covariance, correlations, weights, noise and guarantee.</p>
              </div>
              <button class="button primary" type="button" @click=${this.#saveJson}>
                ${down} Download JSON
              </button>
            </li>
            <li>
              <div>
                <h3>Every number, for a spreadsheet</h3>
                <p class="help">One line per correlation, weight, share and mean.</p>
              </div>
              <button class="button" type="button" @click=${this.#saveCsv}>
                ${down} Download CSV
              </button>
            </li>
            <li>
              <div>
                <h3>The figures as tables</h3>
                <p class="help">For reading aloud, copying, checking.</p>
              </div>
              <button
                class="button"
                type="button"
                aria-expanded=${this.tables ? 'true' : 'false'}
                @click=${() => {
                  this.tables = !this.tables;
                }}
              >
                ${this.tables ? 'Hide the tables' : 'Show the tables'}
              </button>
            </li>
          </ul>
        </section>
      </div>
      ${this.tables ? this.#tables(result) : nothing}`;
  }

  #tables(result: AnalysisResult): TemplateResult {
    const { cca, views } = result;
    const { components } = screeOf(result);
    return html`<div class="tables">
      ${
        cca === undefined || views === undefined
          ? nothing
          : html`<div
              class="scroll"
              tabindex="0"
              role="region"
              aria-label="Correlations and weights as a table"
            >
              <table>
                <thead>
                  <tr>
                    <th scope="col">Canonical pair</th>
                    ${cca.correlations.map(
                      (_, i) => html`<th scope="col" class="right">${ordinal(i)}</th>`,
                    )}
                  </tr>
                </thead>
                <tbody>
                  <tr>
                    <th scope="row">Correlation</th>
                    ${cca.correlations.map(
                      ({ value }) => html`<td class="right">${correlation(value)}</td>`,
                    )}
                  </tr>
                  <tr>
                    <th scope="row">Noise floor ${correlation(cca.noiseFloor)}</th>
                    ${cca.correlations.map(
                      ({ belowNoiseFloor }) =>
                        html`<td class="right">${belowNoiseFloor ? 'below' : 'above'}</td>`,
                    )}
                  </tr>
                  ${views.map((view) =>
                    (cca.views[view]?.weights.rows ?? []).map(
                      (name, r) =>
                        html`<tr>
                          <th scope="row">${view}: ${name}</th>
                          ${cca.correlations.map(({ belowNoiseFloor }, k) => {
                            const weight = weightsOf(result, view, k)[r]?.original ?? 0;
                            return html`<td class="right">
                              ${belowNoiseFloor ? '–' : significant(weight, 3)}
                            </td>`;
                          })}
                        </tr>`,
                    ),
                  )}
                </tbody>
              </table>
            </div>`
      }
      <div class="scroll" tabindex="0" role="region" aria-label="Principal components as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Principal component</th>
              <th scope="col" class="right">Share</th>
              <th scope="col" class="right">Variance, scaled units</th>
              <th scope="col">Against the noise floor</th>
            </tr>
          </thead>
          <tbody>
            ${components.map(
              ({ value, share, belowNoiseFloor }, i) =>
                html`<tr>
                  <th scope="row">${i + 1}</th>
                  <td class="right">${percent(share)}</td>
                  <td class="right">${significant(value, 3)}</td>
                  <td>${belowNoiseFloor ? 'below' : 'above'}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </div>`;
  }

  #code(result: AnalysisResult): TemplateResult {
    const code = codeFor(result);
    return html`<section aria-labelledby="code">
      <div class="code-head">
        <h2 id="code">The same result in code</h2>
        <pm-copy-button small .text=${code}></pm-copy-button>
      </div>
      ${highlighted(code)}
    </section>`;
  }

  readonly #saveJson = (): void => {
    if (this.result === undefined) return;
    const ids = this.entries.flatMap(({ release, refusal }) =>
      release === undefined || refusal !== undefined ? [] : [release.id],
    );
    save(new Blob([resultJson(this.result, ids)], { type: 'application/json' }), 'result.json');
  };

  readonly #saveCsv = (): void => {
    if (this.result === undefined) return;
    save(new Blob([resultCsv(this.result)], { type: 'text/csv' }), 'result.csv');
  };
}

async function isStudyFile(file: File): Promise<boolean> {
  try {
    const json: unknown = JSON.parse(await file.text());
    if (typeof json !== 'object' || json === null) return false;
    const { format } = json as { format?: unknown };
    return format === undefined
      ? 'columns' in json && 'privacy' in json
      : typeof format === 'string' && format.startsWith('private-moments/study');
  } catch {
    return false;
  }
}

function firstViews(study: Study): [string, string] | undefined {
  const [x, y] = Object.keys(study.views ?? {});
  return x === undefined || y === undefined ? undefined : [x, y];
}

function verdict(entries: readonly Entry[]): string {
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

/** The finding in one sentence. */
function finding({ cca, views, moments }: AnalysisResult): string {
  if (cca === undefined || views === undefined) {
    return `${plural(moments.noise.releases, 'release')} became one covariance of ${plural(moments.columns.length, 'column')}.`;
  }
  const clear = cca.correlations.filter(({ belowNoiseFloor }) => !belowNoiseFloor).length;
  const below = cca.correlations.length - clear;
  if (clear === 0) return `No pattern that links ${list(views)} can be told from noise.`;
  const found = `${countWord(clear)} ${clear === 1 ? 'pattern links' : 'patterns link'} ${list(views)}.`;
  if (below === 0) return found;
  return below === 1
    ? `${found} A ${ordinalWord(clear)} cannot be told from noise.`
    : `${found} ${countWord(below)} more cannot be told from noise.`;
}

function words({ cca, moments }: AnalysisResult): string[] {
  if (cca === undefined) return [];
  const { correlations, noiseFloor } = cca;
  const [first] = correlations;
  const said: string[] = [];
  if (first !== undefined && !first.belowNoiseFloor) {
    said.push(`The first pair has a correlation of ${correlation(first.value)}.`);
  }
  const below = correlations.flatMap(({ belowNoiseFloor }, i) =>
    belowNoiseFloor ? [ordinalWord(i)] : [],
  );
  const floor = `Pure noise of this strength would show up to ${correlation(noiseFloor)}.`;
  said.push(
    below.length === 0
      ? `${floor} ${correlations.length === 1 ? 'It lies' : 'All pairs lie'} above that.`
      : below.length === 1
        ? `${floor} The ${below[0] ?? ''} pair lies inside that, so it says nothing.`
        : `${floor} The ${list(below)} pairs lie inside that, so they say nothing.`,
  );
  said.push(
    `${plural(Math.round(moments.rows), moments.study.unit === 'row' ? 'row' : 'participant')} in ${plural(moments.noise.releases, 'release')}. How far chance alone moves these numbers is not shown here.`,
  );
  return said;
}

function variance(
  components: readonly { share: number; belowNoiseFloor: boolean }[],
  floor: number,
): string {
  const clear = components.filter(({ belowNoiseFloor }) => !belowNoiseFloor);
  const share = clear.reduce((sum, component) => sum + component.share, 0);
  if (clear.length === 0) return 'No component stands out of the noise.';
  const named =
    clear.length === 1
      ? 'The first component carries'
      : `The first ${countWord(clear.length).toLowerCase()} components carry`;
  const much = share > 0.995 ? 'over 99%' : percent(share);
  return floor > 0 && clear.length < components.length
    ? `${named} ${much} of the variance; the rest is inside the noise.`
    : `${named} ${much} of the variance.`;
}
