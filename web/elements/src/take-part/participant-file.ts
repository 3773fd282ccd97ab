import { PrivateMomentsError } from 'private-moments';
import type {
  CsvDecimal,
  CsvEncoding,
  ErrorCode,
  InspectOptions,
  Ledger,
  LocalCounts,
  Progress,
  Standing,
  Study,
} from 'private-moments';
import type { ReactiveControllerHost } from 'lit';
import {
  NOT_LOADED,
  describe,
  isAboutLedger,
  isAboutPage,
  columnsNamedBy,
  lacksColumn,
  wasCancelled,
} from '../base/failure.js';
import {
  namesIn,
  positionNames,
  readSample,
  withPositions,
  type CsvSample,
} from './file/csv-sample.js';
import { findDecimal, findWords, type FoundDecimal } from './file/csv-writing.js';
import { isConcerning, type Concern } from './concerning.js';
import { completeMatching, guessMatching, type Matching } from './matching.js';
import { noiseOf } from './participant-study.js';
import {
  forgetMatching,
  rememberedMatching,
  rememberMatching,
} from './file/remembered-matching.js';
import type { Reading } from '../controls/progress.js';

/** After a change to the matching, progress is shown only if reading takes longer than this. */
const QUIET_MS = 400;

/** The participant's file, and what was found in it. */
export interface FileState {
  file: File | undefined;
  /** What is read: the file, or the same with names above its rows. */
  source: File | undefined;
  /** Its start, if it is CSV. */
  sample: CsvSample | undefined;
  /** Whether its first line holds names; undefined while the participant is asked. */
  hasNames: boolean | undefined;
  /** The decimal mark that its numbers were found to have. */
  found: FoundDecimal | undefined;
  /** The decimal mark that the participant chose. */
  chosen: CsvDecimal | undefined;
  /** Words for a missing value in its columns of numbers. */
  missingWords: readonly string[];
  /** The words for files that are not written plainly, loaded with the first of them. */
  words: WritingWords | undefined;
  /** What to check before a release is made of it. */
  concerns: readonly Concern[];
  /** Whether the matching is that of an earlier file with the same header. */
  isRemembered: boolean;
  /** Whether the participant said that its text is of an older Excel. */
  isOldText: boolean;
  /** Whether it was refused for a cell that is not UTF-8 text. */
  isOtherText: boolean;
  /** Whether it is an Excel file, whose rows can be pasted. */
  isExcel: boolean;
  /** Whether it was refused for a number with a decimal comma. */
  hasComma: boolean;
  /** The columns found in it so far. */
  header: readonly string[];
  /** The names in the schema of a Parquet or Arrow file, once one of the study's was not among them. */
  schema: readonly string[] | undefined;
  matching: Matching;
  counts: LocalCounts | undefined;
  /** Its record in the ledger. */
  standing: Standing | undefined;
  /** Why it was refused; empty if it was not. */
  error: string;
  /** What the error is about. */
  failed: 'file' | 'ledger' | 'page' | 'unexpected';
  reading: Reading | undefined;
  /** Milliseconds that the last complete reading took. */
  elapsed: number;
  /** Whether its reading was stopped. */
  isStopped: boolean;
}

const NONE: FileState = {
  file: undefined,
  source: undefined,
  sample: undefined,
  hasNames: true,
  found: undefined,
  chosen: undefined,
  missingWords: [],
  words: undefined,
  concerns: [],
  isRemembered: false,
  isOldText: false,
  isOtherText: false,
  isExcel: false,
  hasComma: false,
  header: [],
  schema: undefined,
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
    this.#change({ file, source: file });
    try {
      const sample = await readSample(file, study);
      if (turn !== this.#turn) return false;
      if (sample?.startsWithData === true) {
        await this.#loadWords();
        if (turn !== this.#turn) return false;
        this.#change({ sample, hasNames: undefined });
        return true;
      }
      await this.#useNames(study, sample);
      if (turn !== this.#turn) return false;
    } catch {
      const error = 'The browser could not read it. It may have been moved or deleted.';
      if (turn === this.#turn) this.#change({ error });
      return false;
    }
    await this.#read(study, 0);
    return turn === this.#turn;
  }

  /** Goes on after the participant said whether the first line of the file holds names. */
  async answerNames(study: Study, hasNames: boolean): Promise<void> {
    const { file, sample } = this.#state;
    if (file === undefined || sample === undefined) return;
    const turn = ++this.#turn;
    this.#change({ hasNames });
    if (hasNames) await this.#useNames(study, sample);
    else {
      // The first line is a row too.
      const rows = [sample.first, ...sample.rows];
      this.#change({
        source: withPositions(file, sample),
        sample: { ...sample, rows },
        header: positionNames(sample),
      });
    }
    if (turn === this.#turn) await this.#read(study, 0);
  }

  /** Matches each column of the study to the file's column at the same position. */
  async matchInOrder(study: Study): Promise<void> {
    this.#turn++;
    const { header } = this.#state;
    const entries = study.columns.map(({ name }, index) => [name, header[index]] as const);
    this.#change({ matching: Object.fromEntries(entries) });
    await this.readAgain(study);
  }

  /** Reads the file with this decimal mark. */
  async choose(study: Study, decimal: CsvDecimal): Promise<void> {
    this.#turn++;
    this.#change({ chosen: decimal, counts: undefined, standing: undefined });
    await this.readAgain(study);
  }

  /** Reads the file as text of an older Excel, or as UTF-8 again. */
  async useOldText(study: Study, isOldText: boolean): Promise<void> {
    this.#turn++;
    this.#change({ isOldText, counts: undefined, standing: undefined });
    await this.readAgain(study);
  }

  /** Matches the columns by their names again, and forgets how they were matched by hand. */
  async forgetMatching(study: Study): Promise<void> {
    const { header } = this.#state;
    const turn = ++this.#turn;
    await forgetMatching(this.#names() ?? header);
    if (turn !== this.#turn) return;
    const matching = guessMatching(study, header);
    this.#change({ matching, isRemembered: false, counts: undefined, standing: undefined });
    await this.readAgain(study);
  }

  /** How the file is to be read, as matched and chosen so far. */
  options(study: Study): Pick<InspectOptions, 'columns' | 'csv' | 'missingValues'> {
    const columns = completeMatching(study, this.#state.matching);
    const missingValues = [...this.#host.missingCodes, ...this.#state.missingWords];
    return {
      ...(columns === undefined ? {} : { columns }),
      csv: { decimal: this.#decimal(), encoding: this.#encoding() },
      ...(missingValues.length === 0 ? {} : { missingValues }),
    };
  }

  #encoding(): CsvEncoding {
    const { isOldText, sample } = this.#state;
    return isOldText ? 'windows-1252' : (sample?.encoding ?? 'utf-8');
  }

  #decimal(): CsvDecimal {
    const { chosen, found } = this.#state;
    return chosen ?? (found !== undefined && 'decimal' in found ? found.decimal : '.');
  }

  /** @param sample undefined for a file whose columns are found when it is read */
  async #useNames(study: Study, sample: CsvSample | undefined): Promise<void> {
    const turn = this.#turn;
    if (sample === undefined) {
      const header = study.columns.map(({ name }) => name);
      this.#change({ header, matching: guessMatching(study, header) });
      return;
    }
    const header = namesIn(sample);
    const matched = await this.#matched(study, header);
    if (turn === this.#turn) this.#change({ sample, header, ...matched });
  }

  /** The names of the file that a matching by hand is remembered for; undefined for none. */
  #names(): readonly string[] | undefined {
    const { header, sample, hasNames, schema } = this.#state;
    return sample !== undefined && hasNames === true ? header : schema;
  }

  /** Columns matched by their names, or as a file with these names was matched by hand before. */
  async #matched(
    study: Study,
    header: readonly string[],
  ): Promise<Pick<FileState, 'matching' | 'isRemembered'>> {
    const guessed = guessMatching(study, header);
    const matching = { ...guessed, ...(await rememberedMatching(study, header)) };
    const isRemembered = study.columns.some(({ name }) => matching[name] !== guessed[name]);
    return { matching, isRemembered };
  }

  /** Goes on with the names in the file's own schema, which was found to lack one of the study's. */
  async #useSchema(study: Study, schema: readonly string[], quiet: number): Promise<void> {
    const turn = this.#turn;
    const header = [...new Set(schema)];
    const matched = await this.#matched(study, header);
    if (turn !== this.#turn) return;
    this.#change({ schema: header, header, ...matched });
    if (completeMatching(study, matched.matching) !== undefined) await this.#read(study, quiet);
  }

  /** @param from the file's column, or undefined for none */
  async match(study: Study, column: string, from: string | undefined): Promise<void> {
    this.#turn++;
    const matching = { ...this.#state.matching, [column]: from };
    this.#change({ matching, counts: undefined, standing: undefined, isStopped: false });
    const turn = this.#turn;
    const names = this.#names();
    if (names !== undefined) await rememberMatching(names, matching);
    if (turn === this.#turn) await this.readAgain(study);
  }

  /** Looks the file up again after a change to the ledger or to its matching. */
  async readAgain(study: Study): Promise<void> {
    await this.#read(study, QUIET_MS);
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
  async #read(study: Study, quiet: number): Promise<void> {
    const { source: file, sample, hasNames } = this.#state;
    if (file === undefined || hasNames === undefined) return;
    if (sample !== undefined && this.#state.header.length === 0) {
      this.#change({ header: hasNames ? namesIn(sample) : positionNames(sample) });
    }
    this.#change({
      error: '',
      hasComma: false,
      isOtherText: false,
      isExcel: false,
      isStopped: false,
      ...this.#writing(study),
    });
    if (this.#needsWords()) {
      const turn = this.#turn;
      try {
        await this.#loadWords();
      } catch {
        if (turn === this.#turn) this.#change({ error: NOT_LOADED, failed: 'page', header: [] });
        return;
      }
      if (turn !== this.#turn) return;
    }
    if (this.#isUnclear()) {
      this.#renew();
      this.#change({ counts: undefined, standing: undefined, reading: undefined });
      return;
    }
    const options = this.options(study);
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
        ...options,
        signal: control.signal,
        onProgress: report,
      });
      if (control !== this.#control) return;
      const { local: counts } = standing;
      const header = headerOf(counts, this.#state.header);
      const elapsed = performance.now() - since;
      const concerns = await this.#concerns(study, counts);
      if (counts.columns.some(({ codes }) => codes.length > 0)) await this.#loadWords();
      if (control !== this.#control) return;
      this.#change({ elapsed, standing, counts, header, concerns });
    } catch (error) {
      if (control !== this.#control) return;
      const schema = this.#state.schema === undefined ? columnsNamedBy(error) : undefined;
      if (wasCancelled(error)) this.#change({ isStopped: true });
      else if (schema !== undefined) await this.#useSchema(study, schema, quiet);
      else if (options.columns !== undefined || !lacksColumn(error)) this.#refuse(error);
    } finally {
      if (control === this.#control) this.#change({ reading: undefined });
    }
  }

  /** How the cells of the matched columns are written, as far as the start of the file shows. */
  #writing(study: Study): Pick<FileState, 'found' | 'missingWords'> {
    const { sample, header, hasNames, matching } = this.#state;
    if (sample === undefined) return { found: undefined, missingWords: [] };
    // A header may have a name twice; the first counts, and matching it is refused when it is read.
    const names = hasNames === true ? sample.first : header;
    return {
      found: findDecimal(sample, names, study, matching),
      missingWords: findWords(sample, names, study, matching),
    };
  }

  /** Whether the page has something to say or ask about how the file is written. */
  #needsWords(): boolean {
    const { sample, hasNames } = this.#state;
    const isPlain =
      sample?.delimiter === ',' &&
      this.#decimal() === '.' &&
      this.#encoding() === 'utf-8' &&
      hasNames === true;
    return sample !== undefined && (!isPlain || this.#isUnclear());
  }

  /** The words for concerns are loaded with the first of them. */
  async #concerns(study: Study, counts: LocalCounts): Promise<Concern[]> {
    const { matching } = this.#state;
    const noise = await noiseOf(study, counts);
    const found = { study, counts, matching, noise };
    if (!isConcerning(found)) return [];
    const { concernsOf } = await import('./concerns.js');
    return concernsOf(found);
  }

  async #loadWords(): Promise<void> {
    const words = await import('./writing-words.js');
    this.#change({ words });
  }

  /** Whether the participant must first say what a comma in a number means. */
  #isUnclear(): boolean {
    const { found, chosen } = this.#state;
    return chosen === undefined && found !== undefined && 'unclear' in found;
  }

  #refuse(error: unknown): void {
    const isOther = isAbout(error, 'csv-encoding');
    const isExcel = isAbout(error, 'unsupported-data') && describe(error).includes('Excel');
    const isMark = isAbout(error, 'decimal-mark');
    this.#change({
      isOtherText: isOther && this.#encoding() === 'utf-8' && this.#state.sample !== undefined,
      isExcel,
      hasComma: isMark && this.#state.sample !== undefined && this.#decimal() === '.',
      error: describe(error),
      failed: culprit(error),
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

function isAbout(error: unknown, code: ErrorCode): boolean {
  return error instanceof PrivateMomentsError && error.code === code;
}

function culprit(error: unknown): FileState['failed'] {
  if (isAboutLedger(error)) return 'ledger';
  if (isAboutPage(error)) return 'page';
  const isUnexpected = !(error instanceof PrivateMomentsError) || isAbout(error, 'internal');
  return isUnexpected ? 'unexpected' : 'file';
}

type WritingWords = typeof import('./writing-words.js');

type Host = Pick<ReactiveControllerHost, 'requestUpdate'> & {
  ledger: Ledger;
  /** What stands for a missing value, as the participant said. */
  missingCodes: readonly string[];
};

/** All columns of the file, those found earlier first. */
function headerOf({ columns, ignored }: LocalCounts, earlier: readonly string[]): string[] {
  return [...new Set([...earlier, ...columns.map(({ from }) => from), ...ignored])];
}
