import type { Ledger, LocalCounts, Progress, Standing, Study } from 'private-moments';
import type { ReactiveControllerHost } from 'lit';
import { describe, isAboutLedger, isAboutPage, lacksColumn, wasCancelled } from './failure.js';
import { completeMatching, guessMatching, readHeader, type Matching } from './matching.js';
import type { Reading } from './progress.js';

/** A matching changed by hand is read again in place; only a long reading shows its progress. */
const QUIET_MS = 400;

/** What is known of the participant's file. */
export interface AboutFile {
  file: File | undefined;
  /** All columns that it is known to have. */
  header: readonly string[];
  matching: Matching;
  counts: LocalCounts | undefined;
  /** What the ledger says of it. */
  standing: Standing | undefined;
  /** Why it is refused; empty where it is not. */
  error: string;
  /** What is at fault then. */
  failed: 'file' | 'ledger' | 'page';
  reading: Reading | undefined;
  /** Milliseconds that the last reading to the end took. */
  took: number;
  /** Whether its reading was stopped. */
  isStopped: boolean;
}

const NONE: AboutFile = {
  file: undefined,
  header: [],
  matching: {},
  counts: undefined,
  standing: undefined,
  error: '',
  failed: 'file',
  reading: undefined,
  took: 0,
  isStopped: false,
};

/**
 * The file on the page: read, matched, and looked up in the ledger. One thing goes on with it at a
 * time; what begins next stops it.
 */
export class GivenFile {
  readonly #host: Host;
  /** Before the ledger is asked for the first time. */
  readonly #prepare: () => Promise<void>;
  #about = NONE;
  #turn = 0;
  #control = new AbortController();

  constructor(host: Host, prepare: () => Promise<void>) {
    this.#host = host;
    this.#prepare = prepare;
  }

  get about(): Readonly<AboutFile> {
    return this.#about;
  }

  /** Raised by another file and another matching: what was awaited of the one before is dropped. */
  get turn(): number {
    return this.#turn;
  }

  /** Stops what goes on, which then tells that it was stopped. */
  readonly stop = (): void => {
    this.#control.abort();
  };

  /** Stops what goes on, which tells nothing any more, for what is made of the file now. */
  take(): AbortController {
    const control = this.#renew();
    this.#change({ reading: undefined, isStopped: false });
    return control;
  }

  /** Whether what was begun with it still goes on. */
  isUnder(control: AbortController): boolean {
    return control === this.#control;
  }

  forget(): void {
    this.#renew();
    this.#turn++;
    this.#change(NONE);
  }

  /** @returns whether it was read, and is still the one on the page */
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

  /** @param from undefined: no column of the file */
  async match(study: Study, column: string, from: string | undefined): Promise<void> {
    this.#turn++;
    const matching = { ...this.#about.matching, [column]: from };
    this.#change({ matching, counts: undefined, standing: undefined, isStopped: false });
    await this.readAgain(study);
  }

  /** Where nothing but the ledger has changed. */
  async readAgain(study: Study): Promise<void> {
    const { file } = this.#about;
    if (file !== undefined) await this.#read(study, file, QUIET_MS);
  }

  /** A file that is not there. */
  lacks(name: string, error: unknown): void {
    this.#change({ file: new File([], name) });
    this.#refuse(error);
  }

  /**
   * Counts what is in the file; progress shows after `quiet` ms. While a column is unmatched this
   * finds out whether anything else is wrong with the file.
   */
  async #read(study: Study, file: File, quiet: number): Promise<void> {
    this.#change({ error: '', isStopped: false });
    const columns = completeMatching(study, this.#about.matching);
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
      const header = headerOf(counts, this.#about.header);
      this.#change({ took: performance.now() - since, standing, counts, header });
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
      // Matching cannot mend what is wrong with the whole file.
      header: [],
    });
  }

  #renew(): AbortController {
    this.#control.abort();
    this.#control = new AbortController();
    return this.#control;
  }

  #change(about: Partial<AboutFile>): void {
    this.#about = { ...this.#about, ...about };
    this.#host.requestUpdate();
  }
}

type Host = Pick<ReactiveControllerHost, 'requestUpdate'> & { ledger: Ledger };

/** All columns of the file, those first that were known before. */
function headerOf({ columns, ignored }: LocalCounts, known: readonly string[]): string[] {
  return [...new Set([...known, ...columns.map(({ from }) => from), ...ignored])];
}
