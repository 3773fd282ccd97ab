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
import { disclosureStyles } from '../controls/disclosure.js';
import {
  describe,
  describeRecorded,
  isRefusal,
  refusalOf,
  studyProblem,
  wasCancelled,
} from '../base/failure.js';
import { ParticipantFile } from './participant-file.js';
import { fileDrop, fileView } from './participant-file-view.js';
import { persistStorage } from '../base/browser-store.js';
import { saveRelease } from '../session/saved-releases.js';
import { earlierPart, releaseStep, type ShownRelease, type ShownPart } from './release-step.js';
import { completeMatching } from './matching.js';
import { matchTableStyles } from './match-table.js';
import { infoOf } from '../base/mechanism.js';
import { noticeStyles } from '../controls/notice.js';
import {
  LedgerSnapshot,
  budgetLeft,
  alternatives,
  releasedBefore,
  type FailedAttempt,
} from './participant-ledger.js';
import {
  openSession,
  opening,
  guaranteeFor,
  requireSupported,
  welcome,
  type JoinedSession,
} from './participant-study.js';
import { askedColumns, askedColumnsStyles } from './asked-columns.js';
import { fileQuestions, fileQuestionsStyles, type OnePerson } from './file-questions.js';
import { readCode, withMinus } from './file/missing-codes.js';
import { undecided } from './file/csv-writing.js';
import { PageDropController } from './page-drop.js';
import { participantStyles } from './participant-styles.js';
import { progressStyles, type Reading } from '../controls/progress.js';
import { nextPaint } from '../base/next-paint.js';
import { PageHeightController } from './page-height.js';
import { releaseName } from '../base/save.js';
import type { Part, PartResult } from './session-part.js';
import { partyStyles } from '../session/session-words.js';
import { splitLanesStyles } from '../session/split-lanes.js';
import { stepRail, stepRailStyles } from '../controls/step-rail.js';
import {
  SAMPLE_SITES,
  fetchText,
  isSampleStudy,
  readSession,
  sampleName,
  type StudySource,
} from '../session/study-source.js';
import { studyStyles } from '../session/study-view.js';
import { styles } from '../look/styles.js';
import type { ReleaseDetail, StudyDetail } from '../contract/elements.js';
import { PmBudgetBar } from '../figures/budget-bar.js';
import { PmDropZone } from '../controls/drop-zone.js';
import { PmLedger } from '../session/ledger-view.js';
import { PmSessionLeaves } from './session-leaves.js';
import { PmWhatLeaves } from './what-leaves.js';

const STEPS = ['The study', 'Your file', 'Make it private', 'What leaves'];

/**
 * The participant's side of a study, from the study link to the one file that leaves.
 *
 * `study` takes a study, its definition, its JSON text, a study link or the address of a study file;
 * `sample` the address of a folder with study.json and site-01.csv to site-10.csv. Emits
 * `pm-study` with `{ study }` when a study is opened, `pm-study-refused` with `{ code, message }` when one cannot be, and
 * `pm-release` with `{ release, name }` when a release is made; nothing is sent anywhere. Every release
 * is recorded in `ledger`, by default this browser's; `budget-epsilon` and `budget-delta` set the budget
 * of each data set if the ledger has none. `compact` leaves out the heading until a study is open.
 */
export class PmParticipate extends LitElement {
  static readonly parts = {
    'pm-budget-bar': PmBudgetBar,
    'pm-drop-zone': PmDropZone,
    'pm-ledger': PmLedger,
    'pm-session-leaves': PmSessionLeaves,
    'pm-what-leaves': PmWhatLeaves,
  };

  static override properties = {
    study: {},
    sample: {},
    guide: {},
    ledger: { attribute: false },
    compact: { type: Boolean },
    budgetEpsilon: { type: Number, attribute: 'budget-epsilon' },
    budgetDelta: { type: Number, attribute: 'budget-delta' },
    agreed: { state: true },
    studyError: { state: true },
    working: { state: true },
    failedAttempt: { state: true },
    release: { state: true },
    joinedSession: { state: true },
    sent: { state: true },
    isOpening: { state: true },
    isSample: { state: true },
    isPasting: { state: true },
    mechanism: { state: true },
    guarantee: { state: true },
    onePerson: { state: true },
    missingCodes: { state: true },
    valueCodes: { state: true },
    codeProblem: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    disclosureStyles,
    studyStyles,
    matchTableStyles,
    askedColumnsStyles,
    fileQuestionsStyles,
    stepRailStyles,
    progressStyles,
    partyStyles,
    splitLanesStyles,
    participantStyles,
  ];

  declare study: StudySource | undefined;
  declare sample: string;
  declare guide: string;
  /** Before a study is open, shows only where to drop it, for pages that have a heading of their own. */
  declare compact: boolean;
  declare ledger: Ledger;
  declare budgetEpsilon: number | undefined;
  declare budgetDelta: number | undefined;
  declare agreed: Study | undefined;
  declare studyError: ReturnType<typeof studyProblem> | undefined;
  declare working: Reading | undefined;
  /** The last attempt, if it made no release. */
  declare failedAttempt: FailedAttempt | undefined;
  /** Whether a study that the page came with is still being opened: no file is taken meanwhile. */
  declare isOpening: boolean;
  /** Whether this is the sample study; its sample files are then offered. */
  declare isSample: boolean;
  /** Whether the field to paste rows into is shown. */
  declare isPasting: boolean;
  /** The registry's description of the study's mechanism, once it is loaded. */
  declare mechanism: MechanismInfo | undefined;
  /** The guarantee of a release of the study, once it is computed. */
  declare guarantee: Guarantee | undefined;
  declare release: ShownRelease | undefined;
  /** The answer to "Is one row one person?". */
  declare onePerson: OnePerson;
  /** What the participant said stands for a missing value. */
  declare missingCodes: readonly string[];
  /** Common codes of which the participant said that they are values. */
  declare valueCodes: readonly string[];
  /** Why the code typed last cannot be used; empty if it can. */
  declare codeProblem: string;
  declare joinedSession: JoinedSession | undefined;
  /** The part in the session, ready to be sent. */
  declare sent: ShownPart | undefined;

  /** Increases with each study opened, so that results for an earlier one can be dropped. */
  #studyTurn = 0;
  /** The study file that is being opened. */
  #studyOpening: Promise<void> | undefined;
  readonly #snapshot = new LedgerSnapshot(this);
  /** The first reading of the ledger. */
  #ledgerRead: Promise<void> = Promise.resolve();
  readonly #file = new ParticipantFile(this, () => this.#snapshot.setDefaultBudget());
  #nextSample = 1;

  constructor() {
    super();
    this.study = undefined;
    this.sample = '';
    this.guide = '';
    this.compact = false;
    this.ledger = createLedger();
    this.budgetEpsilon = undefined;
    this.budgetDelta = undefined;
    this.agreed = undefined;
    this.studyError = undefined;
    this.isOpening = false;
    this.isSample = false;
    this.isPasting = false;
    this.mechanism = undefined;
    this.guarantee = undefined;
    this.joinedSession = undefined;
    this.#forgetAnswers();
    this.#forgetFile();
    new PageDropController(this, {
      zone: () => this.renderRoot.querySelector<PmDropZone>('pm-drop-zone'),
      onFile: (file) => {
        if (this.#isDroppable()) void this.#openFile(file);
      },
    });
    new PageHeightController(
      this,
      () => this.#file.state.reading !== undefined || this.#isMaking(),
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ledgerRead = this.#snapshot.read(this.agreed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#file.stop();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('study')) return;
    this.isOpening = this.study !== undefined;
    if (this.study !== undefined) void this.#openGiven(this.study);
  }

  protected override render(): TemplateResult {
    const study = this.agreed;
    if (study === undefined && this.isOpening) {
      return html`<div class="layout">${stepRail(STEPS, this.#step)}</div>`;
    }
    const isCompact = this.compact && study === undefined;
    return html`<div class=${isCompact ? '' : 'layout'}>
        ${isCompact ? nothing : stepRail(STEPS, this.#step)}
        <div class="main">
          ${
            study === undefined
              ? welcome({
                  isCompact,
                  problem: this.studyError,
                  hasSample: this.sample !== '',
                  onFile: (file) => void this.#openFirst(file),
                  onLink: (link) => void this.#openStudy(link),
                  onSample: () => void this.#openStudy(`${this.sample}study.json`),
                })
              : html`${this.#opening(study)} ${askedColumns(study)} ${this.#questions(study)}
                ${this.#yourFile(study)} ${this.#makeItPrivate(study)}`
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
              .onePerson=${this.onePerson}
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
              .guarantee=${this.joinedSession?.guarantee}
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
    return this.#file.state.counts === undefined ? 1 : 2;
  }

  // The study

  #opening(study: Study): TemplateResult {
    const { joinedSession, guarantee, mechanism, onePerson, guide } = this;
    const isSent = this.sent !== undefined;
    return opening({ study, joinedSession, guarantee, mechanism, onePerson, isSent, guide });
  }

  /** Opens a study that the page came with once the ledger is read, whose lines would move those below. */
  async #openGiven(source: StudySource): Promise<void> {
    await this.#ledgerRead;
    if (source === this.study) await this.#openStudy(source);
  }

  /** Opens a study file. Rows that are given before it is open are for that study. */
  async #openFirst(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const opening = this.#studyOpening;
    if (opening !== undefined && !(await isJson(file))) {
      await opening;
      if (this.agreed !== undefined) {
        await this.#openFile(file);
        return;
      }
    }
    const own = this.#openStudy(file);
    this.#studyOpening = own;
    await own;
    if (this.#studyOpening === own) this.#studyOpening = undefined;
  }

  async #openStudy(source: StudySource | undefined): Promise<void> {
    if (source === undefined) return;
    const turn = ++this.#studyTurn;
    try {
      const { study, session } = await readSession(source);
      requireSupported(study, session);
      const joinedSession = session && (await openSession(study, session));
      if (turn !== this.#studyTurn) return;
      this.#forgetAnswers();
      this.#forgetFile();
      this.#snapshot.about(study);
      this.isOpening = false;
      this.agreed = study;
      this.joinedSession = joinedSession;
      this.mechanism = undefined;
      this.guarantee = undefined;
      this.studyError = undefined;
      await this.#snapshot.read(this.agreed);
      await this.#resume();
      if (turn !== this.#studyTurn) return;
      const detail: StudyDetail = { study };
      this.dispatchEvent(new CustomEvent('pm-study', { detail, bubbles: true, composed: true }));
      await this.#focusHeading();
      const [isSample, mechanism, guarantee] = await Promise.all([
        isSampleStudy(study, this.sample),
        infoOf(study.mechanism),
        guaranteeFor(study),
      ]);
      if (turn === this.#studyTurn) Object.assign(this, { isSample, mechanism, guarantee });
    } catch (error) {
      if (turn !== this.#studyTurn) return;
      this.#forgetFile();
      this.isOpening = false;
      this.agreed = undefined;
      this.joinedSession = undefined;
      this.studyError = studyProblem(error);
      const detail = refusalOf(error);
      this.dispatchEvent(
        new CustomEvent('pm-study-refused', { detail, bubbles: true, composed: true }),
      );
    }
  }

  /** Shows the part that this browser made earlier, so that it can be sent again. */
  async #resume(): Promise<void> {
    const turn = this.#studyTurn;
    const { joinedSession, agreed } = this;
    if (joinedSession === undefined || agreed === undefined) return;
    const { savedPart } = await sessionPart();
    const part = await savedPart(agreed, joinedSession.session);
    if (part !== undefined && turn === this.#studyTurn) await this.#showPart(part);
  }

  // Questions about the file

  #questions(study: Study): TemplateResult {
    return fileQuestions({
      study,
      onePerson: this.onePerson,
      codes: this.missingCodes,
      words: this.#file.state.missingWords,
      problem: this.codeProblem,
      isFixed: this.#isMaking() || this.sent !== undefined,
      onPerson: (onePerson) => {
        this.onePerson = onePerson;
      },
      onAdd: (typed) => this.#addCode(study, typed),
      onRemove: (code) => {
        this.#useCodes(
          study,
          this.missingCodes.filter((other) => other !== code),
        );
      },
    });
  }

  #addCode(study: Study, typed: string): boolean {
    const read = readCode(typed, study, this.missingCodes);
    this.codeProblem = 'problem' in read ? read.problem : '';
    if ('problem' in read) return false;
    this.#useCodes(study, [...this.missingCodes, read.code]);
    return true;
  }

  /** Reads the file again with other codes: a release made with the earlier ones is no longer its own. */
  #useCodes(study: Study, codes: readonly string[]): void {
    this.missingCodes = codes;
    this.valueCodes = this.valueCodes.filter((code) => !codes.includes(code));
    this.codeProblem = '';
    if (this.#file.state.file === undefined) return;
    this.#forgetWork();
    void this.#file.readAgain(study);
  }

  #forgetAnswers(): void {
    this.onePerson = undefined;
    this.missingCodes = [];
    this.valueCodes = [];
    this.codeProblem = '';
  }

  // Your file

  #yourFile(study: Study): TemplateResult {
    return html`<section aria-labelledby="your-file">
      <h2 id="your-file" tabindex="-1">Your file</h2>
      ${this.#fileView(study)}
    </section>`;
  }

  #fileView(study: Study): TemplateResult {
    const { state, stop } = this.#file;
    return fileView({
      ...{ study, state },
      none: () => (this.sent ? earlierPart(this.sent.part) : this.#fileDrop()),
      isSent: this.sent !== undefined,
      onCancel: stop,
      onAgain: () => void this.#openFile(state.file),
      onMatch: (column, from) => void this.#match(study, column, from),
      onNames: (hasNames) => void this.#onFile((file) => file.answerNames(study, hasNames)),
      onInOrder: () => void this.#onFile((file) => file.matchInOrder(study)),
      onDecimal: (decimal) => void this.#onFile((file) => file.choose(study, decimal)),
      onPaste: () => {
        this.#forgetFile();
        this.isPasting = false;
        void this.#togglePaste();
      },
      onOldText: (isOldText) => void this.#onFile((file) => file.useOldText(study, isOldText)),
      onForget: () => void this.#onFile((file) => file.forgetMatching(study)),
      onCode: (code) => {
        this.#useCodes(study, [...this.missingCodes, code]);
      },
      onNoCode: (code) => {
        this.valueCodes = [...this.valueCodes, code];
      },
      decided: this.#decidedCodes(study),
      another: (kind) => this.#another(kind),
    });
  }

  #fileDrop(): TemplateResult {
    return html`${fileDrop({
      isSample: this.isSample,
      isPasting: this.isPasting,
      onPasting: () => void this.#togglePaste(),
      onFile: (file) => void this.#openFile(file),
      onSample: () => void this.#trySampleFile(),
    })}
    ${releasedBefore(this.#snapshot, this.#openLedger, this.#showEarlier)}`;
  }

  async #togglePaste(): Promise<void> {
    this.isPasting = !this.isPasting;
    await this.updateComplete;
    this.renderRoot.querySelector('textarea')?.focus();
  }

  #another(kind: '' | 'primary' | 'small'): TemplateResult | typeof nothing {
    // A session takes one data set from each participant.
    if (this.sent !== undefined) return nothing;
    return html`<button class="button ${kind}" type="button" @click=${this.#chooseAnother}>
      Choose another file
    </button>`;
  }

  async #openFile(file: File | undefined): Promise<void> {
    const study = this.agreed;
    if (file === undefined || study === undefined) return;
    this.#forgetFile();
    if (await this.#file.open(file, study)) await this.#focusSection('#your-file');
  }

  /** Does something with the file that changes how it is read, and keeps the focus in its section. */
  async #onFile(change: (file: ParticipantFile) => Promise<void>): Promise<void> {
    this.#forgetWork();
    const changed = change(this.#file);
    // The button that was pressed is gone.
    await this.#focusSection('#your-file');
    await changed;
  }

  /** Whether a file dropped anywhere on the page takes the place of the one that is open. */
  #isDroppable(): boolean {
    return this.agreed !== undefined && !this.#isMaking() && !this.release && !this.sent;
  }

  async #match(study: Study, column: string, from: string | undefined): Promise<void> {
    this.#forgetWork();
    await this.#file.match(study, column, from);
  }

  readonly #trySampleFile = async (): Promise<void> => {
    const name = `${sampleName(this.#nextSample)}.csv`;
    const turn = this.#file.turn;
    try {
      const text = await fetchText(`${this.sample}${name}`);
      if (turn !== this.#file.turn) return;
      this.#nextSample = (this.#nextSample % SAMPLE_SITES) + 1;
      await this.#openFile(new File([text], name, { type: 'text/csv' }));
    } catch (error) {
      if (turn === this.#file.turn) this.#file.showMissing(name, error);
    }
  };

  readonly #chooseAnother = async (): Promise<void> => {
    this.#forgetFile();
    await this.#focusSection('#your-file');
    // The content that was in view is gone.
    this.renderRoot.querySelector('section')?.scrollIntoView({ block: 'nearest' });
    const zone = this.renderRoot.querySelector<PmDropZone>('pm-drop-zone');
    await zone?.updateComplete;
    zone?.choose();
  };

  #forgetFile(): void {
    this.#file.forget();
    this.#forgetWork();
    this.sent = undefined;
  }

  /** Forgets what was made from the file. A part in a session stays: it is made only once. */
  #forgetWork(): void {
    this.working = undefined;
    this.failedAttempt = undefined;
    this.release = undefined;
  }

  // Make it private

  #isMaking(): boolean {
    return this.working !== undefined;
  }

  #makeItPrivate(study: Study): TemplateResult | typeof nothing {
    const { counts } = this.#file.state;
    if (counts === undefined) return nothing;
    return html`<section aria-labelledby="make-it-private">
      <h2 id="make-it-private" tabindex="-1">Make it private</h2>
      <div class="work">${this.#releaseStep(study, counts)}</div>
    </section>`;
  }

  #releaseStep(study: Study, counts: LocalCounts): TemplateResult {
    const { working, failedAttempt, release, sent } = this;
    const { standing } = this.#file.state;
    return releaseStep({
      concerns: this.#file.state.concerns,
      onePerson: this.onePerson,
      unanswered: this.#unanswered(study),
      ...{ study, counts, standing, working, failedAttempt, release },
      masked: sent?.elapsed,
      isInSession: this.joinedSession !== undefined,
      onMake: () => void this.#make(),
      onCancel: this.#file.stop,
      another: (kind) => this.#another(kind),
      alternatives: (standing) =>
        alternatives(this.#snapshot, standing, this.#openLedger, this.#showEarlier),
    });
  }

  #decidedCodes(study: Study): string[] {
    return [...this.missingCodes, ...this.valueCodes, ...(study.missingValues ?? [])];
  }

  /** The questions that a release waits for. */
  #unanswered(study: Study): string[] {
    const { counts } = this.#file.state;
    return [
      ...(study.unit === 'row' && this.onePerson === undefined ? ['“Is one row one person?”'] : []),
      ...(counts === undefined ? [] : undecided(counts, this.#decidedCodes(study))).map(
        ({ code }) => `“Does ${withMinus(code)} mean ‘not measured’?”`,
      ),
    ];
  }

  readonly #make = async (): Promise<void> => {
    await this.#tryToMake();
    // Changes to the ledger were not followed meanwhile.
    await this.#afterLedger();
  };

  async #tryToMake(): Promise<void> {
    const study = this.agreed;
    const { file, source, matching, standing } = this.#file.state;
    if (study === undefined || file === undefined || source === undefined) return;
    if (completeMatching(study, matching) === undefined) return;
    const control = this.#file.beginRelease();
    const since = performance.now();
    this.failedAttempt = undefined;
    let entryId: string | undefined;
    const steps = ['Clip and add up', 'Write to the ledger', 'Add noise'];
    this.working = { label: 'Adding up', rows: 0, fraction: 0, since, steps, step: 0 };
    const options = {
      ledger: this.ledger,
      standing,
      ...this.#file.options(study),
      signal: control.signal,
      onEntry: (id: string) => {
        entryId = id;
      },
      onProgress: (progress: Progress) => {
        if (control.signal.aborted) return;
        const isRead = progress.fraction === 1;
        const label = isRead ? 'Adding noise' : 'Adding up';
        this.working = { label, since, ...progress, steps, step: isRead ? 1 : 0 };
      },
    };
    const { joinedSession } = this;
    let made: { release: Release } | PartResult;
    try {
      made =
        joinedSession === undefined
          ? { release: await privatize(study, source, options) }
          : await (await sessionPart()).takePart(study, joinedSession.session, source, options);
    } catch (error) {
      if (this.#file.isCurrent(control)) await this.#notMade(error, entryId, study);
      return;
    }
    // The release is in the ledger now, so it is shown whatever fails from here on.
    const elapsed = performance.now() - since;
    if ('release' in made) await saveRelease(made.release.id, JSON.stringify(made.release));
    await persistStorage();
    await this.#snapshot.read(this.agreed);
    if (!this.#file.isCurrent(control)) return;
    if ('release' in made)
      await this.#showMade(made.release, releaseName(study.title, made.release.id), elapsed);
    else await this.#showPart(made.part, made.isNew ? elapsed : undefined);
    if (this.#file.isCurrent(control)) this.working = undefined;
    await this.#showWhatLeaves();
  }

  /** @param entryId the id of its entry in the ledger, if one was written */
  async #notMade(error: unknown, entryId: string | undefined, study: Study): Promise<void> {
    const turn = this.#file.turn;
    const wasRefused = isRefusal(error);
    if (!wasRefused) {
      const tell = entryId === undefined ? describe : describeRecorded;
      const problem = wasCancelled(error) ? undefined : tell(error);
      const failedAttempt = await this.#snapshot.failedAttempt({ problem, entryId });
      if (turn !== this.#file.turn) return;
      this.failedAttempt = failedAttempt;
    }
    this.working = undefined;
    if (wasRefused || typeof this.failedAttempt?.entry === 'object') {
      // The ledger has changed since the file was looked up, for example by a release in another tab.
      await this.#snapshot.read(this.agreed);
      if (turn !== this.#file.turn) return;
      await this.#file.readAgain(study);
    }
    // The button that was pressed is gone.
    if (turn === this.#file.turn) await this.#focusSection('#make-it-private');
  }

  async #showMade(release: Release, name: string, elapsed: number): Promise<void> {
    await this.#show(release, name, elapsed);
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

  /** Waits for the dialog to close before the page behind it changes. */
  readonly #ledgerChanged = (): void => {
    this.#snapshot.isStale = true;
    if (this.renderRoot.querySelector('dialog')?.open !== true) void this.#afterLedger();
  };

  async #afterLedger(): Promise<void> {
    if (!this.#snapshot.isStale || this.#isMaking()) return;
    this.#snapshot.isStale = false;
    const { agreed: study, release } = this;
    const turn = this.#file.turn;
    await this.#snapshot.read(this.agreed);
    if (study === undefined || turn !== this.#file.turn || release !== this.release) return;
    if (release !== undefined) await this.#show(release.release, release.name, release.elapsed);
    else if (this.sent !== undefined) await this.#showPart(this.sent.part, this.sent.elapsed);
    else if (this.#file.state.counts !== undefined) {
      const failedAttempt =
        this.failedAttempt && (await this.#snapshot.failedAttempt(this.failedAttempt));
      if (turn !== this.#file.turn) return;
      if (this.#isMaking()) {
        this.#snapshot.isStale = true;
        return;
      }
      this.failedAttempt = failedAttempt;
      await this.#file.readAgain(study);
    }
  }

  readonly #closeLedger = (): void => {
    this.renderRoot.querySelector('dialog')?.close();
  };

  async #show(release: Release, name: string, elapsed?: number): Promise<void> {
    const turn = this.#file.turn;
    const cost = await this.#snapshot.costOf((entry) => entry.release === release.id);
    if (turn === this.#file.turn) this.release = { release, name, elapsed, ...cost };
  }

  async #showPart(part: Part, elapsed?: number): Promise<void> {
    const [study, turn] = [this.#studyTurn, this.#file.turn];
    const cost = await this.#snapshot.costOf((entry) => entry.id === part.entry);
    if (study !== this.#studyTurn) return;
    // It was made earlier, perhaps from another file, so the file on the page does not belong to it.
    if (elapsed === undefined || turn !== this.#file.turn) this.#forgetFile();
    this.sent = { part, elapsed, ...cost };
  }

  readonly #showEarlier = async (): Promise<void> => {
    const { earlier } = this.#snapshot;
    if (earlier === undefined) return;
    const { release, entry } = earlier;
    await this.#show(release, releaseName(entry.study.title, release.id));
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
    // Scrolling in the frame in which the panel appears would count as a layout shift of the page's end.
    await nextPaint();
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    panel.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
    panel.heading?.focus({ preventScroll: true });
  }
}

/** Loads what only a session needs. */
function sessionPart(): Promise<typeof import('./session-part.js')> {
  return import('./session-part.js');
}

/** Whether a file can be a study, as its first character shows. */
async function isJson(file: File): Promise<boolean> {
  const start = await file
    .slice(0, 100)
    .text()
    .catch(() => '');
  return start.trimStart().startsWith('{');
}
