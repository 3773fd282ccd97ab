import type { Ledger, LocalCounts, Progress, Standing, Study } from 'private-moments';
import type { ReactiveControllerHost } from 'lit';
import {
  describe,
  isAboutLedger,
  isAboutPage,
  lacksColumn,
  wasCancelled,
} from '../base/failure.js';
import { completeMatching, guessMatching, readHeader, type Matching } from './matching.js';
import type { Reading } from '../controls/progress.js';

/** After a change to the matching, progress is shown only if reading takes longer than this. */
const QUIET_MS = 400;

/** The participant's file, and what was found in it. */
export interface FileState {
  file: File | undefined;
  /** The columns found in it so far. */
  header: readonly string[];
  matching: Matching;
  counts: LocalCounts | undefined;
  /** Its record in the ledger. */
  standing: Standing | undefined;
  /** Why it was refused; empty if it was not. */
  error: string;
  /** What the error is about. */
  failed: 'file' | 'ledger' | 'page';
  reading: Reading | undefined;
  /** Milliseconds that the last complete reading took. */
  elapsed: number;
  /** Whether its reading was stopped. */
  isStopped: boolean;
}

const NONE: FileState = {
  file: undefined,
  header: [],
  matching: {},
  counts: undefined,
  standing: undefined,
  error: '',
  failed: 'file',
  reading: undefined,
  elapsed: 0,
  isStopped: false,
};

/**
 * The file on the page: read, matched, and looked up in the ledger. It does one thing at a time; starting
 * the next stops the one before.
 */
export class ParticipantFile {
  readonly #host: Host;
  /** Called before each look into the ledger. */
  readonly #prepare: () => Promise<void>;
  #state = NONE;
  #turn = 0;
  #control = new AbortController();

  constructor(host: Host, prepare: () => Promise<void>) {
    this.#host = host;
    this.#prepare = prepare;
  }

  get state(): Readonly<FileState> {
    return this.#state;
  }

  /** Increases with each new file and matching, so that results for an earlier one can be dropped. */
  get turn(): number {
    return this.#turn;
  }

  /** Stops the reading and shows that it was stopped. */
  readonly stop = (): void => {
    this.#control.abort();
  };

  /** Stops the reading silently, and returns the controller for the release about to be made. */
  beginRelease(): AbortController {
    const control = this.#renew();
    this.#change({ reading: undefined, isStopped: false });
    return control;
  }

  /** Whether the work under this controller is still the current one. */
  isCurrent(control: AbortController): boolean {
    return control === this.#control;
  }

  forget(): void {
    this.#renew();
    this.#turn++;
    this.#change(NONE);
  }

  /** @returns whether the file was read and is still the one on the page */
  async open(file: File, study: Study): Promise<boolean> {
    this.forget();
    const turn = this.#turn;
    this.#change({ file });
    try {
      const found = await readHeader(file, study);
      if (turn !== this.#turn) return false;
      const header = found ?? study.columns.map(({ name }) => name);
      this.#change({ header, matching: guessMatching(study, header) });
    } catch {
      const error = 'The browser could not read it. It may have been moved or deleted.';
      if (turn === this.#turn) this.#change({ error });
      return false;
    }
    await this.#read(study, file, 0);
    return turn === this.#turn;
  }

  /** @param from the file's column, or undefined for none */
  async match(study: Study, column: string, from: string | undefined): Promise<void> {
    this.#turn++;
    const matching = { ...this.#state.matching, [column]: from };
    this.#change({ matching, counts: undefined, standing: undefined, isStopped: false });
    await this.readAgain(study);
  }

  /** Looks the file up again after a change to the ledger or to its matching. */
  async readAgain(study: Study): Promise<void> {
    const { file } = this.#state;
    if (file !== undefined) await this.#read(study, file, QUIET_MS);
  }

  /** Shows that a sample file could not be fetched. */
  showMissing(name: string, error: unknown): void {
    this.#change({ file: new File([], name) });
    this.#refuse(error);
  }

  /**
   * Counts the file's rows and values, and shows progress after `quiet` ms. While a column is unmatched,
   * this still finds anything else that is wrong with the file.
   */
  async #read(study: Study, file: File, quiet: number): Promise<void> {
    this.#change({ error: '', isStopped: false });
    const columns = completeMatching(study, this.#state.matching);
    const control = this.#renew();
    const since = performance.now();
    const report = (progress: Progress): void => {
      if (control.signal.aborted || performance.now() - since < quiet) return;
      this.#change({ reading: { label: `Reading ${file.name}`, since, ...progress } });
    };
    report({ rows: 0, fraction: 0 });
    try {
      await this.#prepare();
      const standing = await this.#host.ledger.standing(study, file, {
        ...(columns === undefined ? {} : { columns }),
        signal: control.signal,
        onProgress: report,
      });
      if (control !== this.#control) return;
      const { local: counts } = standing;
      const header = headerOf(counts, this.#state.header);
      this.#change({ elapsed: performance.now() - since, standing, counts, header });
    } catch (error) {
      if (control !== this.#control) return;
      if (wasCancelled(error)) this.#change({ isStopped: true });
      else if (columns !== undefined || !lacksColumn(error)) this.#refuse(error);
    } finally {
      if (control === this.#control) this.#change({ reading: undefined });
    }
  }

  #refuse(error: unknown): void {
    this.#change({
      error: describe(error),
      failed: isAboutLedger(error) ? 'ledger' : isAboutPage(error) ? 'page' : 'file',
      // Matching columns cannot repair the file as a whole.
      header: [],
    });
  }

  #renew(): AbortController {
    this.#control.abort();
    this.#control = new AbortController();
    return this.#control;
  }

  #change(state: Partial<FileState>): void {
    this.#state = { ...this.#state, ...state };
    this.#host.requestUpdate();
  }
}

type Host = Pick<ReactiveControllerHost, 'requestUpdate'> & { ledger: Ledger };

/** All columns of the file, those found earlier first. */
function headerOf({ columns, ignored }: LocalCounts, earlier: readonly string[]): string[] {
  return [...new Set([...earlier, ...columns.map(({ from }) => from), ...ignored])];
}
