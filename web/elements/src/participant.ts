import { createLedger, privatize } from 'private-moments';
import type {
  Guarantee,
  Ledger,
  LocalCounts,
  MechanismInfo,
  Progress,
  Release,
  Standing,
  Study,
} from 'private-moments';
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { PmLedger } from './ledger-view.js';
import { disclosureStyles } from './disclosure.js';
import {
  describe,
  describeEntered,
  isAboutLedger,
  isAboutPage,
  isRefusal,
  lacksColumn,
  studyProblem,
  wasCancelled,
} from './failure.js';
import { bytes, count, plural, seconds } from './format.js';
import { file as fileIcon } from './icons.js';
import { keepStorage } from './kept.js';
import { keepRelease } from './kept-releases.js';
import { tookPart, workState, type Shown, type ShownPart } from './making-words.js';
import { completeMatching, guessMatching, readHeader, type Matching } from './matching.js';
import { matchTable, matchTableStyles } from './match-table.js';
import { infoOf } from './mechanism.js';
import { notice, noticeStyles } from './notice.js';
import {
  LedgerInSight,
  budgetLeft,
  instead,
  releasedBefore,
  type Unmade,
} from './participant-ledger.js';
import {
  openSession,
  opening,
  promiseFor,
  requireTakable,
  welcome,
  type InSession,
} from './participant-study.js';
import { participantStyles } from './participant-styles.js';
import { names, previewNumbers, previewWords } from './preview.js';
import { progressBar, progressStyles, type Reading } from './progress.js';
import { painted } from './painted.js';
import { ReachController } from './reach.js';
import { stem } from './save.js';
import type { PmSessionLeaves } from './session-leaves.js';
import { keptPart, takePart, type Part, type Taken } from './session-part.js';
import { partyStyles } from './session-words.js';
import { stepRail, stepRailStyles } from './step-rail.js';
import {
  SAMPLE_SITES,
  fetchText,
  isSampleStudy,
  readSession,
  type StudySource,
} from './study-source.js';
import { studyStyles } from './study-view.js';
import { styles } from './styles.js';
import type { PmWhatLeaves } from './what-leaves.js';
import type { FilesDetail, ReleaseDetail, StudyDetail } from './public.js';

const STEPS = ['The study', 'Your file', 'Make it private', 'What leaves'];

/** A matching changed by hand is read again in place; only a long reading shows its progress. */
const QUIET_MS = 400;

/**
 * The participant's side of a study, from the study link to the one file that leaves.
 *
 * `study` takes a study, its definition, its JSON text, a study link or the address of a study file;
 * `sample` the address of a folder with study.json and site-01.csv to site-10.csv. Emits
 * `pm-study` with `{ study }` when a study is opened and `pm-release` with `{ release, name }` when a
 * release is made; nothing is sent anywhere. Every release is written down in `ledger`, this browser's
 * unless another is given; `budget-epsilon` and `budget-delta` are the budget of each data set where
 * the ledger has none.
 */
export class PmParticipate extends LitElement {
  static override properties = {
    study: {},
    sample: {},
    guide: {},
    ledger: { attribute: false },
    budgetEpsilon: { type: Number, attribute: 'budget-epsilon' },
    budgetDelta: { type: Number, attribute: 'budget-delta' },
    agreed: { state: true },
    studyError: { state: true },
    file: { state: true },
    header: { state: true },
    matching: { state: true },
    counts: { state: true },
    standing: { state: true },
    fileError: { state: true },
    failed: { state: true },
    reading: { state: true },
    working: { state: true },
    stopped: { state: true },
    unmade: { state: true },
    release: { state: true },
    inSession: { state: true },
    sent: { state: true },
    isSample: { state: true },
    mechanism: { state: true },
    promise: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    disclosureStyles,
    studyStyles,
    matchTableStyles,
    stepRailStyles,
    progressStyles,
    partyStyles,
    participantStyles,
  ];

  declare study: StudySource | undefined;
  declare sample: string;
  declare guide: string;
  declare ledger: Ledger;
  declare budgetEpsilon: number | undefined;
  declare budgetDelta: number | undefined;
  declare agreed: Study | undefined;
  declare studyError: ReturnType<typeof studyProblem> | undefined;
  declare file: File | undefined;
  declare header: readonly string[];
  declare matching: Matching;
  declare counts: LocalCounts | undefined;
  /** What the ledger says of the file. */
  declare standing: Standing | undefined;
  declare fileError: string;
  /** What is at fault where the file is refused. */
  declare failed: 'file' | 'ledger' | 'page';
  declare reading: Reading | undefined;
  declare working: Reading | undefined;
  /** Whether its reading was stopped. */
  declare stopped: boolean;
  /** What was tried with it last, where nothing came of it. */
  declare unmade: Unmade | undefined;
  /** Whether this is the sample study, whose files are offered then. */
  declare isSample: boolean;
  /** What the registry says about the study's mechanism, once it is known. */
  declare mechanism: MechanismInfo | undefined;
  /** What a release of the study promises, likewise. */
  declare promise: Guarantee | undefined;
  declare release: Shown | undefined;
  declare inSession: InSession | undefined;
  /** The part taken in the session, to be sent. */
  declare sent: ShownPart | undefined;

  #control = new AbortController();
  /** Raised where the page comes to be about another study: what was awaited for the one before is dropped. */
  #studyTurn = 0;
  /** Likewise of the file and its matching. */
  #turn = 0;
  readonly #inSight = new LedgerInSight(this);
  #nextSample = 1;
  #readIn = 0;

  constructor() {
    super();
    this.study = undefined;
    this.sample = '';
    this.guide = '';
    this.ledger = createLedger();
    this.budgetEpsilon = undefined;
    this.budgetDelta = undefined;
    this.agreed = undefined;
    this.studyError = undefined;
    this.isSample = false;
    this.mechanism = undefined;
    this.promise = undefined;
    this.inSession = undefined;
    this.#forgetFile();
    new ReachController(this, () => this.reading !== undefined || this.working !== undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#control.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('study') && this.study !== undefined) void this.#openStudy(this.study);
  }

  protected override render(): TemplateResult {
    const study = this.agreed;
    return html`<div class="layout">
        ${stepRail(STEPS, this.#step)}
        <div class="main">
          ${
            study === undefined
              ? welcome({
                  problem: this.studyError,
                  hasSample: this.sample !== '',
                  onFile: (file) => void this.#openStudy(file),
                  onSample: () => void this.#openStudy(`${this.sample}study.json`),
                })
              : html`${this.#opening(study)} ${this.#yourFile(study)} ${this.#makeItPrivate(study)}`
          }
        </div>
      </div>
      ${
        study === undefined || this.release === undefined
          ? nothing
          : html`<pm-what-leaves
              exportparts="panel"
              .study=${study}
              .release=${this.release.release}
              .name=${this.release.name}
              .guide=${this.guide}
              >${budgetLeft(this.release, this.#openLedger)}</pm-what-leaves
            >`
      }
      ${
        this.sent === undefined
          ? nothing
          : html`<pm-session-leaves
              exportparts="panel"
              .study=${study}
              .sent=${this.sent.part}
              .guarantee=${this.inSession?.guarantee}
              >${budgetLeft(this.sent, this.#openLedger)}</pm-session-leaves
            >`
      }
      <dialog aria-labelledby="ledger" @close=${() => void this.#afterLedger()}>
        <div class="dialog-top">
          <h2 id="ledger" tabindex="-1">Ledger</h2>
          <button class="button small" type="button" @click=${this.#closeLedger}>Close</button>
        </div>
        <pm-ledger .ledger=${this.ledger} @pm-ledger-changed=${this.#ledgerChanged}></pm-ledger>
      </dialog>`;
  }

  get #step(): number {
    if (this.agreed === undefined) return 0;
    if (this.release !== undefined || this.sent !== undefined) return 3;
    return this.counts === undefined ? 1 : 2;
  }

  // The study

  #opening(study: Study): TemplateResult {
    const { inSession, promise, mechanism } = this;
    return opening({ study, inSession, promise, mechanism });
  }

  async #openStudy(source: StudySource | undefined): Promise<void> {
    if (source === undefined) return;
    const turn = ++this.#studyTurn;
    try {
      const { study, session } = await readSession(source);
      requireTakable(study, session);
      const inSession = session && (await openSession(study, session));
      if (turn !== this.#studyTurn) return;
      this.#forgetFile();
      this.agreed = study;
      this.inSession = inSession;
      this.mechanism = undefined;
      this.promise = undefined;
      this.studyError = undefined;
      await this.#inSight.read(this.agreed);
      await this.#resume();
      if (turn !== this.#studyTurn) return;
      const detail: StudyDetail = { study };
      this.dispatchEvent(new CustomEvent('pm-study', { detail, bubbles: true, composed: true }));
      await this.#focusHeading();
      const [isSample, mechanism, promise] = await Promise.all([
        isSampleStudy(study, this.sample),
        infoOf(study.mechanism),
        promiseFor(study),
      ]);
      if (turn === this.#studyTurn) Object.assign(this, { isSample, mechanism, promise });
    } catch (error) {
      if (turn !== this.#studyTurn) return;
      this.#forgetFile();
      this.agreed = undefined;
      this.inSession = undefined;
      this.studyError = studyProblem(error);
    }
  }

  /** Shows the part that was taken from this browser before, to be sent again. */
  async #resume(): Promise<void> {
    const turn = this.#studyTurn;
    const part = this.inSession && (await keptPart(this.inSession.session));
    if (part !== undefined && turn === this.#studyTurn) await this.#showPart(part);
  }

  // Your file

  #yourFile(study: Study): TemplateResult {
    return html`<section aria-labelledby="your-file">
      <h2 id="your-file" tabindex="-1">Your file</h2>
      ${this.#fileState(study)}
    </section>`;
  }

  #fileState(study: Study): TemplateResult {
    if (this.reading !== undefined) return progressBar(this.reading, this.#cancel);
    if (this.file === undefined) return this.sent ? tookPart(this.sent.part) : this.#fileDrop();
    if (this.stopped) {
      return html`<div class="box">
        ${notice({
          kind: 'stopped',
          title: 'Stopped. Nothing was made and nothing left.',
          body: `${this.file.name} was not read to its end.`,
          actions: html`<button
              class="button primary"
              type="button"
              @click=${() => void this.#openFile(this.file)}
            >
              Read it again
            </button>
            ${this.#another('')}`,
        })}
      </div>`;
    }
    if (this.fileError !== '' && this.header.length === 0) {
      return html`<div class="box">${this.#refusal(this.file)}</div>`;
    }
    return this.#preview(study, this.file);
  }

  #fileDrop(): TemplateResult {
    return html`<pm-drop-zone
        heading="Drop a file here"
        help="CSV, Parquet or Arrow. It stays on this computer."
        accept=".csv,.tsv,.txt,text/csv,.gz,.parquet,.arrow,.arrows,.feather"
        @pm-files=${(event: CustomEvent<FilesDetail>) => {
          void this.#openFile(event.detail.files[0]);
        }}
      >
        ${
          this.isSample
            ? html`<button class="button" type="button" @click=${this.#trySampleFile}>
                Try a sample file
              </button>`
            : nothing
        }
      </pm-drop-zone>
      ${releasedBefore(this.#inSight, this.#openLedger, this.#showEarlier)}`;
  }

  #refusal(file: File): TemplateResult {
    return notice({
      kind: 'bad',
      title: {
        file: `${file.name} cannot be used.`,
        ledger: 'This browser keeps no ledger here.',
        page: 'This page is not complete.',
      }[this.failed],
      body: this.fileError,
      actions: this.#another('primary'),
    });
  }

  #preview(study: Study, file: File): TemplateResult {
    const { counts } = this;
    return html`<div class="file" part="file">
        ${fileIcon}
        <div>
          <p class="title">${file.name}</p>
          <p class="help">
            ${bytes(file.size)}${
              counts === undefined ? nothing : `, read on this computer in ${seconds(this.#readIn)}`
            }
          </p>
        </div>
        ${this.#another('small')}
      </div>
      ${
        this.fileError === '' && completeMatching(study, this.matching) !== undefined
          ? previewNumbers(counts)
          : this.#unmatched(study, file)
      }
      ${matchTable({
        study,
        header: this.header,
        matching: this.matching,
        counts,
        // What was sent was made of these.
        isFixed: this.sent !== undefined,
        onMatch: (column, from) => {
          void this.#match(study, column, from);
        },
      })}
      ${counts === undefined ? nothing : html`<p class="help note">${previewWords(study, counts)}</p>`}`;
  }

  #unmatched(study: Study, file: File): TemplateResult {
    if (this.fileError !== '') return html`<div class="above">${this.#refusal(file)}</div>`;
    const missing = study.columns.map(({ name }) => name).filter((name) => !this.matching[name]);
    const found = study.columns.length - missing.length;
    const used = new Set(Object.values(this.matching));
    const unused = this.header.filter((name) => !used.has(name));
    return html`<div class="above">
      ${notice({
        kind: 'bad',
        title: `This file has ${count(found)} of the ${plural(study.columns.length, 'column')}.`,
        body: html`Missing: ${names(missing)}.
        ${
          // Where nothing fits, the first line may be a row of data, which no message may quote.
          found === 0
            ? 'The first line of the file must name its columns.'
            : unused.length === 0
              ? nothing
              : html`Found but not asked for: ${names(unused)}.`
        }
        Match them below, or choose another file.`,
      })}
    </div>`;
  }

  #another(kind: '' | 'primary' | 'small'): TemplateResult | typeof nothing {
    // A session takes one data set of each participant.
    if (this.sent !== undefined) return nothing;
    return html`<button class="button ${kind}" type="button" @click=${this.#chooseAnother}>
      Choose another file
    </button>`;
  }

  async #openFile(file: File | undefined): Promise<void> {
    const study = this.agreed;
    if (file === undefined || study === undefined) return;
    this.#forgetFile();
    const turn = this.#turn;
    this.file = file;
    try {
      const header = await readHeader(file, study);
      if (turn !== this.#turn) return;
      this.header = header ?? study.columns.map(({ name }) => name);
      this.matching = guessMatching(study, this.header);
    } catch {
      if (turn !== this.#turn) return;
      this.fileError = 'The browser could not read it. It may have been moved or deleted.';
      return;
    }
    await this.#inspect(study, file, 0);
    if (turn === this.#turn) await this.#focusSection('#your-file');
  }

  async #match(study: Study, column: string, from: string | undefined): Promise<void> {
    this.#turn++;
    this.matching = { ...this.matching, [column]: from };
    this.counts = undefined;
    this.standing = undefined;
    this.#forgetWork();
    if (this.file !== undefined) await this.#inspect(study, this.file, QUIET_MS);
  }

  /**
   * Counts what is in the file; progress shows after `quiet` ms. While a column is unmatched this
   * finds out whether anything else is wrong with the file.
   */
  async #inspect(study: Study, file: File, quiet: number): Promise<void> {
    this.fileError = '';
    this.stopped = false;
    const columns = completeMatching(study, this.matching);
    const control = this.#renewControl();
    const since = performance.now();
    const report = (progress: Progress): void => {
      if (control.signal.aborted || performance.now() - since < quiet) return;
      this.reading = { label: `Reading ${file.name}`, since, ...progress };
    };
    report({ rows: 0, fraction: 0 });
    try {
      await this.#inSight.setDefaultBudget();
      const standing = await this.ledger.standing(study, file, {
        ...(columns === undefined ? {} : { columns }),
        signal: control.signal,
        onProgress: report,
      });
      if (control !== this.#control) return;
      this.#readIn = performance.now() - since;
      this.standing = standing;
      this.counts = standing.local;
      this.header = headerOf(standing.local, this.header);
    } catch (error) {
      if (control !== this.#control) return;
      if (wasCancelled(error)) this.stopped = true;
      else if (columns !== undefined || !lacksColumn(error)) this.#refuse(error);
    } finally {
      if (control === this.#control) this.reading = undefined;
    }
  }

  #refuse(error: unknown): void {
    this.fileError = describe(error);
    this.failed = isAboutLedger(error) ? 'ledger' : isAboutPage(error) ? 'page' : 'file';
    // Matching cannot mend what is wrong with the whole file.
    this.header = [];
  }

  readonly #trySampleFile = async (): Promise<void> => {
    const name = `site-${String(this.#nextSample).padStart(2, '0')}.csv`;
    const turn = this.#turn;
    try {
      const text = await fetchText(`${this.sample}${name}`);
      if (turn !== this.#turn) return;
      this.#nextSample = (this.#nextSample % SAMPLE_SITES) + 1;
      await this.#openFile(new File([text], name, { type: 'text/csv' }));
    } catch (error) {
      if (turn !== this.#turn) return;
      this.file = new File([], name);
      this.#refuse(error);
    }
  };

  readonly #chooseAnother = async (): Promise<void> => {
    this.#forgetFile();
    await this.#focusSection('#your-file');
    // What one was looking at is no longer there.
    this.renderRoot.querySelector('section')?.scrollIntoView({ block: 'nearest' });
  };

  #forgetFile(): void {
    // Renewed, so that what was going on does not report its end into the new state.
    this.#renewControl();
    this.#turn++;
    this.file = undefined;
    this.header = [];
    this.matching = {};
    this.counts = undefined;
    this.fileError = '';
    this.failed = 'file';
    this.standing = undefined;
    this.reading = undefined;
    this.#forgetWork();
    this.sent = undefined;
  }

  /** What was made or tried with the file; the part of a session stays, which is taken once. */
  #forgetWork(): void {
    this.working = undefined;
    this.stopped = false;
    this.unmade = undefined;
    this.release = undefined;
  }

  // Make it private

  #isMaking(): boolean {
    return this.working !== undefined;
  }

  #makeItPrivate(study: Study): TemplateResult | typeof nothing {
    const { counts } = this;
    if (counts === undefined) return nothing;
    return html`<section aria-labelledby="make-it-private">
      <h2 id="make-it-private" tabindex="-1">Make it private</h2>
      <div class="work">${this.#workState(study, counts)}</div>
    </section>`;
  }

  #workState(study: Study, counts: LocalCounts): TemplateResult {
    const { standing, working, unmade, release, sent } = this;
    return workState({
      ...{ study, counts, standing, working, unmade, release },
      masked: sent?.took,
      isInSession: this.inSession !== undefined,
      onMake: () => void this.#make(),
      onCancel: this.#cancel,
      another: (kind) => this.#another(kind),
      instead: (standing) => instead(this.#inSight, standing, this.#openLedger, this.#showEarlier),
    });
  }

  readonly #make = async (): Promise<void> => {
    await this.#tryToMake();
    // A change of the ledger had to wait for it.
    await this.#afterLedger();
  };

  async #tryToMake(): Promise<void> {
    const { agreed: study, file } = this;
    const columns = study && completeMatching(study, this.matching);
    if (study === undefined || file === undefined || columns === undefined) return;
    const control = this.#renewControl();
    const since = performance.now();
    this.stopped = false;
    this.unmade = undefined;
    // A reading that this ends does not tell its end.
    this.reading = undefined;
    let written: string | undefined;
    const steps = ['Clip and add up', 'Write to the ledger', 'Add noise'];
    this.working = { label: 'Adding up', rows: 0, fraction: 0, since, steps, step: 0 };
    const options = {
      ledger: this.ledger,
      standing: this.standing,
      columns,
      signal: control.signal,
      onEntry: (id: string) => {
        written = id;
      },
      onProgress: (progress: Progress) => {
        if (control.signal.aborted) return;
        const isRead = progress.fraction === 1;
        const label = isRead ? 'Adding noise' : 'Adding up';
        this.working = { label, since, ...progress, steps, step: isRead ? 1 : 0 };
      },
    };
    const { inSession } = this;
    let made: { release: Release } | Taken;
    try {
      made =
        inSession === undefined
          ? { release: await privatize(study, file, options) }
          : await takePart(study, inSession.session, file, options);
    } catch (error) {
      if (control === this.#control) await this.#notMade(error, written, study, file);
      return;
    }
    // From here on it is in the ledger: whatever fails, it is shown.
    const took = performance.now() - since;
    if ('release' in made) await keepRelease(made.release.id, JSON.stringify(made.release));
    await keepStorage();
    await this.#inSight.read(this.agreed);
    if (control !== this.#control) return;
    if ('release' in made) await this.#showMade(made.release, releaseName(file.name), took);
    else await this.#showPart(made.part, made.isNew ? took : undefined);
    if (control === this.#control) this.working = undefined;
    await this.#showWhatLeaves();
  }

  /** @param written the id of its entry in the ledger, where one was written */
  async #notMade(
    error: unknown,
    written: string | undefined,
    study: Study,
    file: File,
  ): Promise<void> {
    const turn = this.#turn;
    const wasRefused = isRefusal(error);
    if (!wasRefused) {
      const tell = written === undefined ? describe : describeEntered;
      const problem = wasCancelled(error) ? undefined : tell(error);
      const unmade = await this.#inSight.unmade({ problem, written });
      if (turn !== this.#turn) return;
      this.unmade = unmade;
    }
    this.working = undefined;
    if (!wasRefused && typeof this.unmade?.entry !== 'object') return;
    // As after a release in another tab: what the ledger said of the file is no longer so.
    await this.#inSight.read(this.agreed);
    if (turn !== this.#turn) return;
    await this.#inspect(study, file, QUIET_MS);
    if (wasRefused && turn === this.#turn) await this.#focusSection('#make-it-private');
  }

  async #showMade(release: Release, name: string, took: number): Promise<void> {
    await this.#show(release, name, took);
    const detail: ReleaseDetail = { release, name };
    this.dispatchEvent(new CustomEvent('pm-release', { detail, bubbles: true, composed: true }));
  }

  // The ledger

  readonly #openLedger = async (): Promise<void> => {
    const dialog = this.renderRoot.querySelector('dialog');
    await dialog?.querySelector<PmLedger>('pm-ledger')?.refresh();
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('h2')?.focus();
  };

  /** Nothing moves behind the open dialog; it may have been closed while the ledger was written. */
  readonly #ledgerChanged = (): void => {
    this.#inSight.isStale = true;
    if (this.renderRoot.querySelector('dialog')?.open !== true) void this.#afterLedger();
  };

  async #afterLedger(): Promise<void> {
    if (!this.#inSight.isStale || this.#isMaking()) return;
    this.#inSight.isStale = false;
    const { agreed: study, file, release } = this;
    const turn = this.#turn;
    await this.#inSight.read(this.agreed);
    if (study === undefined || turn !== this.#turn || release !== this.release) return;
    if (release !== undefined) await this.#show(release.release, release.name, release.took);
    else if (this.sent !== undefined) await this.#showPart(this.sent.part, this.sent.took);
    else if (file !== undefined && this.counts !== undefined) {
      const unmade = this.unmade && (await this.#inSight.unmade(this.unmade));
      if (turn !== this.#turn) return;
      if (this.#isMaking()) {
        this.#inSight.isStale = true;
        return;
      }
      this.unmade = unmade;
      await this.#inspect(study, file, QUIET_MS);
    }
  }

  readonly #closeLedger = (): void => {
    this.renderRoot.querySelector('dialog')?.close();
  };

  async #show(release: Release, name: string, took?: number): Promise<void> {
    const turn = this.#turn;
    const cost = await this.#inSight.costOf((entry) => entry.release === release.id);
    if (turn === this.#turn) this.release = { release, name, took, ...cost };
  }

  async #showPart(part: Part, took?: number): Promise<void> {
    const [study, turn] = [this.#studyTurn, this.#turn];
    const cost = await this.#inSight.costOf((entry) => entry.id === part.entry);
    if (study !== this.#studyTurn) return;
    // Made before, perhaps of another file: what is said of this one would not be so.
    if (took === undefined || turn !== this.#turn) this.#forgetFile();
    this.sent = { part, took, ...cost };
  }

  readonly #showEarlier = async (): Promise<void> => {
    const { earlier } = this.#inSight;
    if (earlier === undefined) return;
    await this.#show(earlier.release, releaseName(earlier.entry.file ?? 'earlier'));
    await this.#showWhatLeaves();
  };

  // Shared

  readonly #cancel = (): void => {
    this.#control.abort();
  };

  #renewControl(): AbortController {
    this.#control.abort();
    this.#control = new AbortController();
    return this.#control;
  }

  async #focusHeading(): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector('h1')?.focus({ preventScroll: true });
  }

  async #focusSection(selector: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }

  async #showWhatLeaves(): Promise<void> {
    await this.updateComplete;
    const panel = this.renderRoot.querySelector<PmWhatLeaves | PmSessionLeaves>(
      'pm-what-leaves, pm-session-leaves',
    );
    if (panel === null) return;
    await panel.updateComplete;
    // Scrolled to in the frame that it comes in, it would count as having pushed the page's end away.
    await painted();
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    panel.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
    panel.heading?.focus({ preventScroll: true });
  }
}

function releaseName(file: string): string {
  return `${stem(file)}.release.json`;
}

/** All columns of the file, those first that were known before. */
function headerOf({ columns, ignored }: LocalCounts, known: readonly string[]): string[] {
  return [...new Set([...known, ...columns.map(({ from }) => from), ...ignored])];
}
