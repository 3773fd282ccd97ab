import { createLedger, privatize } from 'private-moments';
import type {
  Guarantee,
  Ledger,
  LocalCounts,
  MechanismInfo,
  Progress,
  Release,
  Study,
} from 'private-moments';
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { PmLedger } from './ledger-view.js';
import { disclosureStyles } from './disclosure.js';
import { describe, describeEntered, isRefusal, studyProblem, wasCancelled } from './failure.js';
import { GivenFile } from './given-file.js';
import { fileDrop, fileState } from './given-file-view.js';
import { keepStorage } from './kept.js';
import { keepRelease } from './kept-releases.js';
import { tookPart, workState, type Shown, type ShownPart } from './making-words.js';
import { completeMatching } from './matching.js';
import { matchTableStyles } from './match-table.js';
import { infoOf } from './mechanism.js';
import { noticeStyles } from './notice.js';
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
import { progressStyles, type Reading } from './progress.js';
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
import type { ReleaseDetail, StudyDetail } from './public.js';

const STEPS = ['The study', 'Your file', 'Make it private', 'What leaves'];

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
    working: { state: true },
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
  declare working: Reading | undefined;
  /** What was tried last, where nothing came of it. */
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

  /** Raised where the page comes to be about another study: what was awaited for the one before is dropped. */
  #studyTurn = 0;
  readonly #inSight = new LedgerInSight(this);
  readonly #given = new GivenFile(this, () => this.#inSight.setDefaultBudget());
  #nextSample = 1;

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
    new ReachController(this, () => this.#given.about.reading !== undefined || this.#isMaking());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#given.stop();
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
    return this.#given.about.counts === undefined ? 1 : 2;
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
    const { about, stop } = this.#given;
    return fileState({
      ...{ study, about },
      none: () => (this.sent ? tookPart(this.sent.part) : this.#fileDrop()),
      isSent: this.sent !== undefined,
      onCancel: stop,
      onAgain: () => void this.#openFile(about.file),
      onMatch: (column, from) => void this.#match(study, column, from),
      another: (kind) => this.#another(kind),
    });
  }

  #fileDrop(): TemplateResult {
    return html`${fileDrop({
      isSample: this.isSample,
      onFile: (file) => void this.#openFile(file),
      onSample: () => void this.#trySampleFile(),
    })}
    ${releasedBefore(this.#inSight, this.#openLedger, this.#showEarlier)}`;
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
    if (await this.#given.open(file, study)) await this.#focusSection('#your-file');
  }

  async #match(study: Study, column: string, from: string | undefined): Promise<void> {
    this.#forgetWork();
    await this.#given.match(study, column, from);
  }

  readonly #trySampleFile = async (): Promise<void> => {
    const name = `site-${String(this.#nextSample).padStart(2, '0')}.csv`;
    const turn = this.#given.turn;
    try {
      const text = await fetchText(`${this.sample}${name}`);
      if (turn !== this.#given.turn) return;
      this.#nextSample = (this.#nextSample % SAMPLE_SITES) + 1;
      await this.#openFile(new File([text], name, { type: 'text/csv' }));
    } catch (error) {
      if (turn === this.#given.turn) this.#given.lacks(name, error);
    }
  };

  readonly #chooseAnother = async (): Promise<void> => {
    this.#forgetFile();
    await this.#focusSection('#your-file');
    // What one was looking at is no longer there.
    this.renderRoot.querySelector('section')?.scrollIntoView({ block: 'nearest' });
  };

  #forgetFile(): void {
    this.#given.forget();
    this.#forgetWork();
    this.sent = undefined;
  }

  /** What was made or tried with the file; the part of a session stays, which is taken once. */
  #forgetWork(): void {
    this.working = undefined;
    this.unmade = undefined;
    this.release = undefined;
  }

  // Make it private

  #isMaking(): boolean {
    return this.working !== undefined;
  }

  #makeItPrivate(study: Study): TemplateResult | typeof nothing {
    const { counts } = this.#given.about;
    if (counts === undefined) return nothing;
    return html`<section aria-labelledby="make-it-private">
      <h2 id="make-it-private" tabindex="-1">Make it private</h2>
      <div class="work">${this.#workState(study, counts)}</div>
    </section>`;
  }

  #workState(study: Study, counts: LocalCounts): TemplateResult {
    const { working, unmade, release, sent } = this;
    const { standing } = this.#given.about;
    return workState({
      ...{ study, counts, standing, working, unmade, release },
      masked: sent?.took,
      isInSession: this.inSession !== undefined,
      onMake: () => void this.#make(),
      onCancel: this.#given.stop,
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
    const study = this.agreed;
    const { file, matching, standing } = this.#given.about;
    const columns = study && completeMatching(study, matching);
    if (study === undefined || file === undefined || columns === undefined) return;
    const control = this.#given.take();
    const since = performance.now();
    this.unmade = undefined;
    let written: string | undefined;
    const steps = ['Clip and add up', 'Write to the ledger', 'Add noise'];
    this.working = { label: 'Adding up', rows: 0, fraction: 0, since, steps, step: 0 };
    const options = {
      ledger: this.ledger,
      standing,
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
      if (this.#given.isUnder(control)) await this.#notMade(error, written, study);
      return;
    }
    // From here on it is in the ledger: whatever fails, it is shown.
    const took = performance.now() - since;
    if ('release' in made) await keepRelease(made.release.id, JSON.stringify(made.release));
    await keepStorage();
    await this.#inSight.read(this.agreed);
    if (!this.#given.isUnder(control)) return;
    if ('release' in made) await this.#showMade(made.release, releaseName(file.name), took);
    else await this.#showPart(made.part, made.isNew ? took : undefined);
    if (this.#given.isUnder(control)) this.working = undefined;
    await this.#showWhatLeaves();
  }

  /** @param written the id of its entry in the ledger, where one was written */
  async #notMade(error: unknown, written: string | undefined, study: Study): Promise<void> {
    const turn = this.#given.turn;
    const wasRefused = isRefusal(error);
    if (!wasRefused) {
      const tell = written === undefined ? describe : describeEntered;
      const problem = wasCancelled(error) ? undefined : tell(error);
      const unmade = await this.#inSight.unmade({ problem, written });
      if (turn !== this.#given.turn) return;
      this.unmade = unmade;
    }
    this.working = undefined;
    if (wasRefused || typeof this.unmade?.entry === 'object') {
      // As after a release in another tab: what the ledger said of the file is no longer so.
      await this.#inSight.read(this.agreed);
      if (turn !== this.#given.turn) return;
      await this.#given.readAgain(study);
    }
    // The button that was pressed is gone.
    if (turn === this.#given.turn) await this.#focusSection('#make-it-private');
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
    const { agreed: study, release } = this;
    const turn = this.#given.turn;
    await this.#inSight.read(this.agreed);
    if (study === undefined || turn !== this.#given.turn || release !== this.release) return;
    if (release !== undefined) await this.#show(release.release, release.name, release.took);
    else if (this.sent !== undefined) await this.#showPart(this.sent.part, this.sent.took);
    else if (this.#given.about.counts !== undefined) {
      const unmade = this.unmade && (await this.#inSight.unmade(this.unmade));
      if (turn !== this.#given.turn) return;
      if (this.#isMaking()) {
        this.#inSight.isStale = true;
        return;
      }
      this.unmade = unmade;
      await this.#given.readAgain(study);
    }
  }

  readonly #closeLedger = (): void => {
    this.renderRoot.querySelector('dialog')?.close();
  };

  async #show(release: Release, name: string, took?: number): Promise<void> {
    const turn = this.#given.turn;
    const cost = await this.#inSight.costOf((entry) => entry.release === release.id);
    if (turn === this.#given.turn) this.release = { release, name, took, ...cost };
  }

  async #showPart(part: Part, took?: number): Promise<void> {
    const [study, turn] = [this.#studyTurn, this.#given.turn];
    const cost = await this.#inSight.costOf((entry) => entry.id === part.entry);
    if (study !== this.#studyTurn) return;
    // Made before, perhaps of another file: what is said of this one would not be so.
    if (took === undefined || turn !== this.#given.turn) this.#forgetFile();
    this.sent = { part, took, ...cost };
  }

  readonly #showEarlier = async (): Promise<void> => {
    const { earlier } = this.#inSight;
    if (earlier === undefined) return;
    await this.#show(earlier.release, releaseName(earlier.entry.file ?? 'earlier'));
    await this.#showWhatLeaves();
  };

  // Shared

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
