import { assemble, assembleComponents, load, privatize } from 'private-moments';
import type { Release, Study, Sum } from 'private-moments';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { analyse, hasDirections, sizeOf, type AnalysisResult } from './analysis-result.js';
import type { FilesDetail } from './public.js';
import { describe, wasCancelled } from './failure.js';
import { count } from './format.js';
import { givesDirections } from './mechanism.js';
import { notice, noticeStyles } from './notice.js';
import type { StudyDetail } from './public.js';
import { progressBar, progressStyles, type Reading } from './progress.js';
import { refusals, releaseTable, releaseTableStyles, verdict } from './release-table.js';
import { assembleAll, isUsed, readEntry, type Entry } from './releases.js';
import type { ViewsDetail } from './public.js';
import { finding } from './result-words.js';
import {
  SAMPLE_SITES,
  fetchText,
  isSampleStudy,
  readStudy,
  type StudySource,
} from './study-source.js';
import { styles } from './styles.js';
import type { ResultDetail } from './public.js';

/**
 * The analyst's side of a study: releases in, correlations, weights and variance out.
 *
 * `study` takes a study, its definition, its JSON text, a study link or the address of a study file;
 * `sample` the address of a folder with study.json and site-01.csv to site-10.csv. Emits `pm-study`
 * with `{ study }` when a study is opened and `pm-result` with `{ result }` whenever the result changes.
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
    chosenViews: { state: true },
    isSample: { state: true },
    analysing: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    progressStyles,
    releaseTableStyles,
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

      .ask {
        margin-bottom: 24px;
      }

      @media (max-width: 759px) {
        .target {
          margin-top: 44px;
        }

        .head {
          display: grid;
          grid-template-columns: minmax(0, 1fr) auto;
        }

        .head .help {
          grid-column: 1 / -1;
          grid-row: 2;
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
  declare chosenViews: [string, string] | undefined;
  declare isSample: boolean;
  declare analysing: boolean;

  #control = new AbortController();
  /** Of the analyses under way, which more releases make stale. */
  #analyses = new AbortController();

  constructor() {
    super();
    this.study = undefined;
    this.sample = '';
    this.agreed = undefined;
    this.entries = [];
    this.result = undefined;
    this.problem = '';
    this.working = undefined;
    this.chosenViews = undefined;
    this.isSample = false;
    this.analysing = false;
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
    return html`${this.#top()}
    ${this.working === undefined ? nothing : html`<div class="intro">${progressBar(this.working, this.#cancel)}</div>`}
    ${this.problem === '' ? nothing : html`<div class="intro">${notice({ kind: 'bad', title: 'This cannot be analysed.', body: this.problem })}</div>`}
    ${this.working === undefined && this.entries.length === 0 ? this.#intro() : nothing}
    ${this.entries.length === 0 ? nothing : this.#releases()}
    ${result === undefined ? nothing : this.#resultView(result)}`;
  }

  #resultView(result: AnalysisResult): TemplateResult {
    const releases = this.entries.filter(isUsed).map(({ release }) => release?.id ?? '');
    if (hasDirections(result)) {
      return html`<pm-directions .result=${result} .releases=${releases}></pm-directions>`;
    }
    return html`<pm-result
      .result=${result}
      .releases=${releases}
      @pm-views=${(event: CustomEvent<ViewsDetail>) => {
        this.chosenViews = event.detail.views;
        void this.#refresh();
      }}
    ></pm-result>`;
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
      ${result === undefined ? nothing : numbersOf(result)}
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
          this.sample === '' || (known && !this.isSample)
            ? nothing
            : html`<button class="button" type="button" @click=${this.#trySample}>
                ${known ? 'Make ten sample releases here' : 'Try the sample study'}
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
          ${this.analysing ? 'Analysing ...' : nothing}
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
          ? html`<div class="ask">
              ${notice({
                kind: 'warn',
                title: 'Which study do these belong to?',
                body: 'Add the study file, or open the study link, and the result appears.',
              })}
            </div>`
          : nothing
      }
      ${releaseTable(this.entries, this.agreed !== undefined, (index) => {
        void this.#remove(index);
      })}
      ${refusals(this.entries)}
    </section>`;
  }

  async #openStudy(source: StudySource): Promise<void> {
    try {
      const study = await readStudy(source);
      this.agreed = study;
      this.problem = '';
      this.chosenViews = undefined;
      this.#announceStudy(study);
      await this.#refresh();
      this.isSample = await isSampleStudy(study, this.sample);
    } catch (error) {
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
    const { agreed: study, entries: given } = this;
    if (study === undefined) return;
    this.#analyses.abort();
    const { signal } = (this.#analyses = new AbortController());
    this.analysing = true;
    try {
      const { entries, result } = await assembleAll(study, given, (agreed, releases) =>
        this.#assemble(agreed, releases, signal),
      );
      // Files added meanwhile have their own turn.
      if (study !== this.agreed || given !== this.entries) return;
      this.entries = entries;
      this.problem = '';
      this.result = result;
    } catch (error) {
      // What made this stale has its own turn.
      if (wasCancelled(error)) return;
      this.result = undefined;
      this.problem = describe(error);
    } finally {
      if (!signal.aborted) this.analysing = false;
    }
    if (this.result === undefined) return;
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
    const moments = await assemble(study, releases);
    return analyse(moments, this.chosenViews ?? firstViews(study), signal);
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
      this.#announceStudy(study);
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
}

function numbersOf(result: AnalysisResult): TemplateResult {
  const { study, releases, rows } = sizeOf(result);
  const { epsilon } = study.privacy;
  return html`<dl class="numbers">
    <div>
      <dt>Releases</dt>
      <dd>${count(releases)}</dd>
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
      <dd aria-label="epsilon ${epsilon}">ε ${epsilon}</dd>
    </div>
    ${
      study.federation.mode === 'independent'
        ? nothing
        : html`<div>
            <dt>Honest</dt>
            <dd aria-label="at least ${study.federation.honest} of ${releases}">
              ${count(study.federation.honest)} of ${count(releases)}
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
