import { assemble, assembleComponents, load, privatize } from 'private-moments';
import type { Release, Study, Sum } from 'private-moments';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { periodicYield } from 'private-moments/internal';
import { count, plural, probability } from 'private-moments/words';
import { chevron } from '../look/icons.js';
import { applying, NO_ADJUSTMENT } from './adjustment.js';
import { analyse, hasDirections, sizeOf, type AnalysisResult } from './analysis-result.js';
import { takeFiles } from '../controls/input-values.js';
import { describe, wasCancelled } from '../base/failure.js';
import { givesDirections } from '../base/mechanism.js';
import { notice, noticeStyles } from '../controls/notice.js';
import type {
  Choices,
  ChoicesDetail,
  FilesDetail,
  IndexDetail,
  ResultDetail,
  StudyDetail,
  AdjustmentChoice,
  AdjustmentDetail,
  ViewsDetail,
} from '../contract/elements.js';
import { progressBar, progressLine, progressStyles, type Reading } from '../controls/progress.js';
import { PmReleaseTable, rowsOf, verdict } from './release-table.js';
import { assembleAll, isUsed, markForeign, readEntry, type Entry } from './release-entries.js';
import { Keeping } from './keeping.js';
import { headStyles } from './result-styles.js';
import { finding } from './result-words.js';
import {
  SAMPLE_SITES,
  fetchText,
  isSampleStudy,
  sampleName,
  readStudy,
  type StudySource,
} from '../session/study-source.js';
import { paperStyles } from '../look/printing.js';
import { styles } from '../look/styles.js';
import { PmDirections } from './directions-view.js';
import { PmDropZone } from '../controls/drop-zone.js';
import { PmResult } from './result-view.js';
import { PmSessionCollector } from './session-collector.js';

/** Progress is shown only if reading takes longer than this. */
const QUIET_MS = 250;

/**
 * The analyst's side of a study: releases in, correlations, weights and variance out.
 *
 * `study` takes a study, its definition, its JSON text, a study link or the address of a study file;
 * `sample` the address of a folder with study.json and site-01.csv to site-10.csv; `guide` the address of the
 * folder with the pages of the guide; `helper` the link of
 * a helper's keys, `take-part` and `help-page` the addresses that open session links. With `keep`, this
 * browser keeps the releases in use, and what is shown of them, for the next time the study is opened. Emits `pm-study`
 * with `{ study }` when a study is opened and `pm-result` with `{ result }` whenever the result changes.
 */
export class PmAnalysis extends LitElement {
  static readonly parts = {
    'pm-directions': PmDirections,
    'pm-drop-zone': PmDropZone,
    'pm-release-table': PmReleaseTable,
    'pm-result': PmResult,
    'pm-session-collector': PmSessionCollector,
  };

  static override properties = {
    study: {},
    sample: {},
    guide: {},
    helper: {},
    takePart: { attribute: 'take-part' },
    helpPage: { attribute: 'help-page' },
    keep: { type: Boolean },
    agreed: { state: true },
    entries: { state: true },
    result: { state: true },
    problem: { state: true },
    working: { state: true },
    chosenViews: { state: true },
    choices: { state: true },
    adjustment: { state: true },
    isSample: { state: true },
    analysing: { state: true },
    stopped: { state: true },
    isUnfolded: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    progressStyles,
    headStyles,
    paperStyles,
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

      /* Leaves room for later text, so that content below does not jump. */
      .top .eyebrow {
        min-height: 1lh;
      }

      .top .lead {
        min-height: 2lh;
      }

      .top dl {
        display: flex;
        flex-wrap: wrap;
        gap: 16px 40px;
      }

      .intro {
        margin-top: 32px;
      }

      .target {
        margin-top: 56px;
        border-radius: 4px;
      }

      .target.dragging {
        outline: 1px solid var(--_accent);
        outline-offset: 8px;
        background: var(--_accent-soft);
      }

      .head > :is(.help, .working) {
        flex: 1 1 240px;
        min-height: 28px;
      }

      .head > .help {
        align-content: center;
      }

      .ask {
        margin-bottom: 24px;
      }

      @media (min-width: 1000px) {
        pm-result {
          margin-left: 232px;
        }
      }

      .target.answered {
        margin-top: 24px;
        padding-top: 8px;
        border-top: 1px solid var(--_line);
        border-bottom: 1px solid var(--_line);
      }

      .answered .head {
        margin-bottom: 8px;
      }

      .kept {
        padding: 0 0 10px;
      }

      .kept.pending {
        visibility: hidden;
      }

      .kept .link {
        margin-left: 4px;
        font: inherit;
        font-weight: 500;
      }

      .fold button {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 44px;
        padding: 0;
        border: 0;
        background: none;
        color: var(--_accent);
        font: 500 15px/22px var(--_font);
        letter-spacing: 0;
        cursor: pointer;
      }

      .fold button:hover {
        color: var(--_accent-2);
      }

      .fold svg {
        transition: transform 120ms ease-out;
      }

      .fold [aria-expanded='true'] svg {
        transform: rotate(90deg);
      }

      @media (prefers-reduced-motion: reduce) {
        .fold svg {
          transition: none;
        }
      }

      @media print {
        .kept {
          display: none;
        }

        pm-result {
          margin-left: 0;
        }
      }

      @media (max-width: 759px) {
        .target {
          margin-top: 44px;
        }

        .head {
          display: grid;
          grid-template-columns: minmax(0, 1fr) auto;
        }

        .head > :is(.help, .working) {
          grid-column: 1 / -1;
          grid-row: 2;
        }
      }
    `,
  ];

  declare study: StudySource | undefined;
  declare sample: string;
  declare guide: string;
  /** The link of a helper's keys, for a session of a split study. */
  declare helper: string;
  declare takePart: string;
  declare helpPage: string;
  /** Whether the releases in use survive a reload. */
  declare keep: boolean;
  declare agreed: Study | undefined;
  declare entries: readonly Entry[];
  declare result: AnalysisResult | undefined;
  declare problem: string;
  declare working: Reading | undefined;
  declare chosenViews: [string, string] | undefined;
  /** What else is shown of the result. */
  declare choices: Choices;
  declare adjustment: AdjustmentChoice;
  declare isSample: boolean;
  /** Whether all files are listed above a result. */
  declare isUnfolded: boolean;
  declare analysing: boolean;
  /** Says what was cancelled; empty once other work has begun. */
  declare stopped: string;

  /** Increases with each study opened, so that one read too late can be dropped. */
  #opened = 0;
  #control = new AbortController();
  #adding: Promise<void> = Promise.resolve();
  readonly #keeping = new Keeping(this);
  /** Ends the analysis under way, which new releases make stale. */
  #analyses = new AbortController();

  constructor() {
    super();
    this.study = undefined;
    this.sample = '';
    this.guide = '';
    this.helper = '';
    this.takePart = '';
    this.helpPage = '';
    this.keep = false;
    this.agreed = undefined;
    this.entries = [];
    this.result = undefined;
    this.problem = '';
    this.working = undefined;
    this.chosenViews = undefined;
    this.adjustment = NO_ADJUSTMENT;
    this.choices = {};
    this.isSample = false;
    this.analysing = false;
    this.stopped = '';
    this.isUnfolded = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#control.abort();
    this.#analyses.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('study') && this.study !== undefined) void this.#openStudy(this.study);
  }

  protected override render(): TemplateResult {
    const { result } = this;
    const isEmpty = this.entries.length === 0;
    return html`${this.#top()}
    ${this.working === undefined || !isEmpty ? nothing : html`<div class="intro">${progressBar(this.working, this.#cancel)}</div>`}
    ${this.stopped === '' || !isEmpty ? nothing : html`<div class="intro">${notice({ kind: 'stopped', title: 'Stopped.', body: this.stopped })}</div>`}
    ${this.problem === '' ? nothing : html`<div class="intro">${notice({ kind: 'bad', title: 'This cannot be analysed.', body: this.problem })}</div>`}
    ${this.#session()}
    ${this.working === undefined && isEmpty && !this.#collects ? this.#intro() : nothing}
    ${isEmpty ? nothing : this.#releases()}
    ${result === undefined ? nothing : this.#resultView(result)}`;
  }

  #resultView(result: AnalysisResult): TemplateResult {
    const releases = this.entries.flatMap(({ name, release, refusal }) =>
      release === undefined || refusal !== undefined
        ? []
        : [{ id: release.id, name, rows: rowsOf(release) ?? null }],
    );
    if (hasDirections(result)) {
      return html`<pm-directions
        .result=${result}
        .releases=${releases}
        .guide=${this.guide}
      ></pm-directions>`;
    }
    return html`<pm-result
      rail
      .result=${result}
      .releases=${releases}
      .guide=${this.guide}
      .choices=${this.choices}
      .adjustment=${this.adjustment}
      @pm-adjustment=${(event: CustomEvent<AdjustmentDetail>) => {
        this.adjustment = event.detail.adjustment;
        this.#keepChoices();
        void this.#refresh();
      }}
      @pm-choices=${(event: CustomEvent<ChoicesDetail>) => {
        const { rotation } = this.choices;
        this.choices = event.detail.choices;
        this.#keepChoices();
        if (rotation !== this.choices.rotation) void this.#refresh();
      }}
      @pm-views=${(event: CustomEvent<ViewsDetail>) => {
        this.chosenViews = event.detail.views;
        this.choices = { ...this.choices, pair: 0 };
        this.#keepChoices();
        void this.#refresh();
      }}
    ></pm-result>`;
  }

  #keepChoices(): void {
    const { agreed, chosenViews: views, choices, adjustment } = this;
    if (agreed === undefined) return;
    void this.#keeping.storeChoices(agreed, { ...choices, ...(views && { views }), adjustment });
  }

  // A session by hand

  /** Whether the releases of this study arrive masked, as files. */
  get #collects(): boolean {
    return this.agreed?.federation.mode === 'split';
  }

  #session(): TemplateResult | typeof nothing {
    if (!this.#collects) return nothing;
    return html`<pm-session-collector
      class="on-screen"
      .study=${this.agreed}
      .helper=${this.helper}
      ?summed=${this.entries.some(isUsed)}
      .takePart=${this.takePart}
      .helpPage=${this.helpPage}
      @pm-files=${this.#added}
    ></pm-session-collector>`;
  }

  // The study and the releases

  #top(): TemplateResult {
    const { agreed: study, result } = this;
    return html`<div class="top">
      <div>
        <p class="label eyebrow">${study === undefined ? nothing : 'Analyse'}</p>
        <h1 tabindex="-1">${study?.title ?? 'Analyse a study'}</h1>
        <p class="lead">
          ${
            result === undefined
              ? 'Combine releases from many places into one result. Nothing you add here is sent anywhere.'
              : finding(result)
          }
        </p>
      </div>
      ${result === undefined ? nothing : numbersOf(result)}
    </div>`;
  }

  #intro(): TemplateResult {
    const hasStudy = this.agreed !== undefined;
    const isMasked = hasStudy && this.agreed?.federation.mode !== 'independent';
    return html`<div class="intro on-screen">
      <pm-drop-zone
        heading=${isMasked ? 'Drop the sum here' : hasStudy ? 'Drop the releases here' : 'Drop the study file and the releases here'}
        help=${
          isMasked
            ? 'The releases of this study are masked. Its sites run the session from code, with private-moments/federation and a relay. The session ends with one file, the sum. It stays on this computer.'
            : hasStudy
              ? 'All at once or a few at a time. They stay on this computer.'
              : 'All at once or one after another, or open the study link first. They stay on this computer.'
        }
        action="Choose files"
        accept=".json,application/json"
        multiple
        @pm-files=${this.#added}
      >
        ${
          this.sample === '' || (hasStudy && !this.isSample)
            ? nothing
            : html`<button class="button" type="button" @click=${this.trySample}>
                ${hasStudy ? 'Make ten sample releases' : 'Try the sample study'}
              </button>`
        }
      </pm-drop-zone>
    </div>`;
  }

  #releases(): TemplateResult {
    const isWorking = this.working !== undefined;
    return html`<section
      class="target ${this.agreed === undefined ? '' : 'answered'}"
      aria-labelledby="releases"
      @dragover=${this.#over}
      @dragleave=${this.#leave}
      @drop=${this.#drop}
    >
      <div class="head">
        ${this.#releasesHeading()}
        <p class="help" role="status" ?hidden=${isWorking}>
          ${this.stopped === '' ? nothing : `Stopped. ${this.stopped}`}
          ${
            this.analysing
              ? 'Analysing …'
              : this.agreed === undefined || this.stopped !== ''
                ? nothing
                : verdict(this.entries, this.agreed)
          }
        </p>
        ${this.working === undefined ? nothing : progressLine(this.working)}
        <button
          class="button small"
          type="button"
          @click=${isWorking ? this.#cancel : this.#chooseMore}
        >
          ${isWorking ? 'Cancel' : 'Add releases'}
        </button>
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
          ? html`<div class="ask">
              ${notice({
                kind: 'warn',
                title: 'Which study do these belong to?',
                body: 'Add the study file, or open the study link, and the result appears.',
              })}
            </div>`
          : nothing
      }
      <pm-release-table
        .entries=${this.entries}
        ?study-known=${this.agreed !== undefined}
        ?folded=${this.#isFolded}
        @pm-remove=${(event: CustomEvent<IndexDetail>) => {
          void this.#remove(event.detail.index);
        }}
      ></pm-release-table>
      ${this.agreed === undefined ? nothing : this.#keeping.line(this.agreed, this.entries, this.#forget)}
    </section>`;
  }

  /** The answer comes before the inventory, which is folded before it so that nothing moves. */
  get #isFolded(): boolean {
    return this.agreed !== undefined && !this.isUnfolded;
  }

  #releasesHeading(): TemplateResult {
    if (this.agreed === undefined) return html`<h2 id="releases" tabindex="-1">Releases</h2>`;
    const used = this.entries.filter(isUsed).length;
    const all = this.entries.length;
    const words =
      used === all
        ? `${plural(all, 'file')} used`
        : `${count(used)} of ${plural(all, 'file')} used`;
    return html`<h2 id="releases" class="fold" tabindex="-1">
      <button
        type="button"
        aria-expanded=${this.#isFolded ? 'false' : 'true'}
        @click=${() => {
          this.isUnfolded = !this.isUnfolded;
        }}
      >
        ${chevron}${words}
      </button>
      <span class="on-paper">${words}</span>
    </h2>`;
  }

  /** Opens a study with the files that came with it, which never show without it. */
  async #openStudy(source: StudySource, added: readonly Entry[] = []): Promise<void> {
    const opened = ++this.#opened;
    let waiting = added;
    const all = (): Entry[] => [...this.entries, ...waiting];
    try {
      const study = await readStudy(source);
      const { views, adjustment, ...choices } = await this.#keeping.choices(study);
      const entries = await this.#keeping.restore(study, all);
      if (opened !== this.#opened) {
        this.entries = all();
        return;
      }
      this.agreed = study;
      this.entries = entries;
      waiting = [];
      this.problem = '';
      this.chosenViews = views;
      this.adjustment = adjustment ?? NO_ADJUSTMENT;
      this.choices = choices;
      this.#announceStudy(study);
      await this.#refresh();
      const isSample = await isSampleStudy(study, this.sample);
      if (opened === this.#opened) this.isSample = isSample;
    } catch (error) {
      this.entries = all();
      if (opened !== this.#opened) return;
      this.agreed = undefined;
      this.result = undefined;
      this.problem = describe(error);
    }
  }

  #announceStudy(study: Study): void {
    const detail: StudyDetail = { study };
    this.dispatchEvent(new CustomEvent('pm-study', { detail, bubbles: true, composed: true }));
  }

  readonly #added = async (event: CustomEvent<FilesDetail>): Promise<void> => {
    await this.#addFiles(event.detail.files);
  };

  /** Adds files after those that are still being read. */
  #addFiles(files: readonly File[]): Promise<void> {
    this.#adding = this.#adding.then(() => this.#read(files));
    return this.#adding;
  }

  /**
   * Reads files, one of which may be a study; all others are treated as releases. Adds all of them, or
   * none if the user cancels.
   */
  async #read(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    const { signal } = this.#begin();
    const since = performance.now();
    const label = files.length === 1 ? 'Reading the file' : `Reading ${count(files.length)} files`;
    const yieldIfDue = periodicYield(signal);
    const added: Entry[] = [];
    let study: File | undefined;
    let source: Study | File | undefined;
    try {
      for (const [rows, file] of files.entries()) {
        if (await isStudyFile(file)) study = file;
        else added.push(await readEntry(file));
        if (!(await yieldIfDue()) || performance.now() - since < QUIET_MS) continue;
        this.working = { label, rows, counted: 'file', fraction: rows / files.length, since };
      }
      // Reads the study first, so that the releases never show without it. `openStudy` reports its errors.
      source = study === undefined ? undefined : await readStudy(study).catch(() => study);
      // If no file took a turn of the event loop, a click on Cancel is noticed only here.
      signal.throwIfAborted();
    } catch {
      // Unreadable files become entries, so only Cancel throws.
      return;
    }
    this.working = undefined;
    if (source !== undefined) {
      await this.#openStudy(source, added);
      return;
    }
    this.entries = [...this.entries, ...added];
    await this.#refresh();
  }

  /** Ends the reading under way, so that another can begin. */
  #begin(): AbortController {
    this.#control.abort();
    this.working = undefined;
    this.stopped = '';
    return (this.#control = new AbortController());
  }

  async #remove(index: number): Promise<void> {
    const removed = this.entries[index];
    if (removed !== undefined) void this.#keeping.remove(this.agreed, removed);
    this.entries = this.entries.filter((_, i) => i !== index);
    await this.#refresh();
    await this.updateComplete;
    this.#focusHeading();
  }

  readonly #forget = async (): Promise<void> => {
    if (this.agreed === undefined) return;
    await this.#keeping.forget(this.agreed);
    await this.updateComplete;
    this.#focusHeading();
  };

  /** For when the button that had the focus is gone. */
  #focusHeading(): void {
    this.renderRoot.querySelector<HTMLElement>('#releases')?.focus({ preventScroll: true });
  }

  async #refresh(): Promise<void> {
    const { agreed: study } = this;
    if (study === undefined) return;
    const marked = (this.entries = markForeign(study, this.entries));
    this.#analyses.abort();
    const { signal } = (this.#analyses = new AbortController());
    this.analysing = true;
    const { entries, result, error } = await assembleAll(
      study,
      marked,
      (agreed, releases) => this.#assemble(agreed, releases, signal),
      (agreed, release) =>
        givesDirections(agreed)
          ? assembleComponents(agreed, [release])
          : assemble(agreed, [release]),
    );
    if (!signal.aborted) this.analysing = false;
    // Whatever made this result stale computes its own.
    if (study !== this.agreed || marked !== this.entries || wasCancelled(error)) return;
    this.entries = entries;
    this.problem = error === undefined ? '' : describe(error);
    this.result = result;
    if (this.result === undefined) return;
    void this.#keeping.store(study, entries);
    const detail: ResultDetail = { result: this.result };
    this.dispatchEvent(new CustomEvent('pm-result', { detail, bubbles: true, composed: true }));
  }

  async #assemble(
    study: Study,
    releases: readonly (Release | Sum)[],
    signal: AbortSignal,
  ): Promise<AnalysisResult> {
    if (givesDirections(study)) {
      return { study, components: await assembleComponents(study, releases) };
    }
    const views = this.chosenViews ?? firstViews(study);
    const { columns, sites } = applying(this.adjustment, study, views ?? []);
    const moments = await assemble(study, releases, { sites: sites ? 'within' : 'pooled' });
    const { rotation } = this.choices;
    return analyse(moments, views, { covariates: columns, rotation }, signal);
  }

  readonly #chooseMore = (): void => {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')?.click();
  };

  readonly #chosen = async (event: Event): Promise<void> => {
    await this.#addFiles(takeFiles(event));
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

  /** Acts as all ten participants of the sample study in this page, then as the analyst. */
  readonly trySample = async (): Promise<void> => {
    const control = this.#begin();
    const opened = ++this.#opened;
    const since = performance.now();
    const report = (site: number, rows: number, fraction: number): void => {
      const label = `Making sample release ${site} of ${SAMPLE_SITES} on this computer`;
      this.working = { label, rows, fraction: (site - 1 + fraction) / SAMPLE_SITES, since };
    };
    report(1, 0, 0);
    try {
      await load();
      const study = await readStudy(`${this.sample}study.json`);
      const entries: Entry[] = [];
      let rows = 0;
      for (let site = 1; site <= SAMPLE_SITES; site++) {
        const name = sampleName(site);
        const text = await fetchText(`${this.sample}${name}.csv`);
        const release = await privatize(study, new Blob([text]), { signal: control.signal });
        rows += release.local?.rows ?? 0;
        report(site, rows, 1);
        const bytes = release.toBlob().size;
        entries.push({ name: `${name}.release.json`, bytes, saved: Date.now(), release });
      }
      this.working = undefined;
      if (opened !== this.#opened) return;
      await this.#keeping.clear(study);
      this.agreed = study;
      this.entries = entries;
      this.chosenViews = undefined;
      this.adjustment = NO_ADJUSTMENT;
      this.choices = {};
      this.#announceStudy(study);
      await this.#refresh();
      await this.updateComplete;
      this.renderRoot.querySelector('h1')?.focus({ preventScroll: true });
    } catch (error) {
      if (!control.signal.aborted) this.problem = describe(error);
    } finally {
      if (!control.signal.aborted) this.working = undefined;
    }
  };

  readonly #cancel = (): void => {
    this.#control.abort();
    this.working = undefined;
    this.stopped = 'None of these files were added.';
  };
}

function numbersOf(result: AnalysisResult): TemplateResult {
  const { study, releases, rows } = sizeOf(result);
  const { epsilon, delta } = study.privacy;
  const { sites = 0 } = study.federation;
  return html`<dl class="numbers">
    <div>
      <dt>Releases</dt>
      <dd>${sites < releases ? count(releases) : `${count(releases)} of ${count(sites)}`}</dd>
    </div>
    ${
      rows === null
        ? nothing
        : html`<div>
            <dt>${study.unit === 'row' ? 'Rows' : 'Participants'}</dt>
            <dd>${count(Math.round(rows))}</dd>
          </div>`
    }
    <div>
      <dt>Guarantee</dt>
      <dd aria-label="epsilon ${epsilon}${delta > 0 ? `, delta ${delta}` : ''}">
        ε ${epsilon}${delta > 0 ? `, δ ${probability(delta)}` : ''}
      </dd>
    </div>
    ${
      study.federation.mode === 'independent'
        ? nothing
        : html`<div>
            <dt>Honest sites</dt>
            <dd aria-label="at least ${study.federation.honest} of ${study.federation.sites}">
              ${count(study.federation.honest)} of ${count(study.federation.sites)}
            </dd>
          </div>`
    }
  </dl>`;
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
