import { requireOptions } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { ColumnMapping } from '../core/plan.js';
import { worksHere } from '../threads/here.js';
import type { CsvDecimal, CsvDelimiter, CsvEncoding, Progress } from '../study/types.js';

/**
 * How CSV text is read. These are chosen for a whole file and never inferred from its rows, because how
 * one row is read must not depend on other rows.
 */
export interface CsvReadOptions {
  /** Default: the delimiter with which the header has the most columns of the study. */
  delimiter?: CsvDelimiter;
  /** The decimal mark of numbers. Default `.`; a number with the other mark is refused. */
  decimal?: CsvDecimal;
  /**
   * How its bytes are text. Default `utf-8`; a file that starts with a byte order mark of UTF-16 is read as
   * that. Files in another encoding than UTF-8 are read by one worker.
   */
  encoding?: CsvEncoding;
}

export interface ReadOptions {
  /** Maps study columns to data columns whose names differ. */
  columns?: ColumnMapping;
  /** How CSV text is read. */
  csv?: CsvReadOptions;
  /**
   * What stands for a missing value in these data, besides what the study states: see its `missingValues`.
   * Chosen by someone who knows the data, for all rows alike.
   */
  missingValues?: readonly string[];
  /** Called at intervals while data are read, and at the end with fraction 1. */
  onProgress?: (progress: Progress) => void;
  /** Aborting rejects with code `cancelled`, and nothing is released. */
  signal?: AbortSignal;
}

export interface InspectOptions extends ReadOptions {
  /**
   * Number of workers that read the data, 1 to 64; the result is the same for any number. Default: one
   * for every 8 MB, up to the number of cores and at most 4. Streams and compressed, Parquet and Arrow
   * files are always read by one.
   */
  workers?: number;
}

const READ_OPTIONS = ['columns', 'csv', 'missingValues', 'onProgress', 'signal'];
const DELIMITERS: readonly unknown[] = [',', ';', '\t', '|'];
const DECIMALS: readonly unknown[] = ['.', ','];
const ENCODINGS: readonly unknown[] = ['utf-8', 'utf-16le', 'windows-1252'];
/** Each worker has its own core in memory. */
const MAX_WORKERS = 64;

/**
 * @param extra names of further options, which the caller checks
 * @throws PrivateMomentsError unsupported-option
 */
export function checkReadOptions(options: unknown, extra: readonly string[] = []): void {
  requireOptions(options, [...READ_OPTIONS, ...extra]);
  const { columns, csv, missingValues, onProgress, signal, workers } = options as Record<
    string,
    unknown
  >;
  if (columns !== undefined && (typeof columns !== 'object' || columns === null)) {
    refuse('columns must map column names of the study to column names of the data');
  }
  if (csv !== undefined) checkCsv(csv);
  if (missingValues !== undefined && !Array.isArray(missingValues)) {
    refuse('missingValues must be a list');
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    refuse('onProgress must be a function');
  }
  checkSignal(signal);
  checkWorkers(workers);
}

export function checkSignal(signal: unknown): void {
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    refuse('signal must be an AbortSignal');
  }
}

export function checkWorkers(workers: unknown): void {
  if (workers === undefined) return;
  if (!isCount(workers, MAX_WORKERS)) {
    refuse(`workers must be a whole number from 1 to ${MAX_WORKERS}`);
  }
  if (worksHere() && workers !== 1) {
    refuse('workers must be 1 or left out after load({ worker: false }), which is without workers');
  }
}

function isCount(value: unknown, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max;
}

function checkCsv(options: unknown): void {
  requireOptions(options, ['delimiter', 'decimal', 'encoding'], 'csv');
  const { delimiter, decimal, encoding } = options as Record<string, unknown>;
  if (delimiter !== undefined && !DELIMITERS.includes(delimiter)) {
    refuse('csv.delimiter must be a comma, a semicolon, a tab or a bar');
  }
  if (decimal !== undefined && !DECIMALS.includes(decimal)) {
    refuse('csv.decimal must be a point or a comma');
  }
  if (encoding !== undefined && !ENCODINGS.includes(encoding)) {
    refuse('csv.encoding must be utf-8, utf-16le or windows-1252');
  }
}

function refuse(message: string): never {
  throw new PrivateMomentsError('unsupported-option', message);
}
