import { requireOptions } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { ColumnMapping } from '../core/plan.js';
import type { CsvDecimal, CsvDelimiter, Progress } from '../study/types.js';

/**
 * How the text of CSV is read. Chosen for a file, and never found out from its rows: how one row is
 * read must not depend on others.
 */
export interface CsvReadOptions {
  /** By default the one under which the header has most columns of the study. */
  delimiter?: CsvDelimiter;
  /** What stands before the decimals of numbers. Default `.`; a number with the other one is refused. */
  decimal?: CsvDecimal;
}

export interface ReadOptions {
  /** Study column to data column, where the names differ. */
  columns?: ColumnMapping;
  /** For CSV. */
  csv?: CsvReadOptions;
  /** Called now and then while data are read, at the end with fraction 1. */
  onProgress?: (progress: Progress) => void;
  /** Aborting rejects with code `cancelled`; nothing is released then. */
  signal?: AbortSignal;
}

export interface InspectOptions extends ReadOptions {
  /**
   * How many workers read the data, 1 to 64; the result is the same. By default one for every 8 MB,
   * up to the number of cores and 4. Streams and compressed, Parquet and Arrow files are always
   * read by one.
   */
  workers?: number;
}

const READ_OPTIONS = ['columns', 'csv', 'onProgress', 'signal'];
const DELIMITERS: readonly unknown[] = [',', ';', '\t', '|'];
const DECIMALS: readonly unknown[] = ['.', ','];
/** Each has a core of its own in memory. */
const MOST_WORKERS = 64;

/**
 * @param extra names of options that the caller checks
 * @throws PrivateMomentsError unsupported-option
 */
export function checkReadOptions(options: unknown, extra: readonly string[] = []): void {
  requireOptions(options, [...READ_OPTIONS, ...extra]);
  const { columns, csv, onProgress, signal, workers } = options as Record<string, unknown>;
  if (columns !== undefined && (typeof columns !== 'object' || columns === null)) {
    refuse('columns must map column names of the study to column names of the data');
  }
  if (csv !== undefined) checkCsv(csv);
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
  if (workers === undefined || isCount(workers, MOST_WORKERS)) return;
  refuse(`workers must be a whole number from 1 to ${MOST_WORKERS}`);
}

function isCount(value: unknown, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

function checkCsv(options: unknown): void {
  requireOptions(options, ['delimiter', 'decimal'], 'csv');
  const { delimiter, decimal } = options as Record<string, unknown>;
  if (delimiter !== undefined && !DELIMITERS.includes(delimiter)) {
    refuse('csv.delimiter must be a comma, a semicolon, a tab or a bar');
  }
  if (decimal !== undefined && !DECIMALS.includes(decimal)) {
    refuse('csv.decimal must be a point or a comma');
  }
}

function refuse(message: string): never {
  throw new PrivateMomentsError('unsupported-option', message);
}
