import { requireKnown } from './check.js';
import { PrivateMomentsError } from './errors.js';
import type { Ledger, Standing } from './ledger.js';
import type { ColumnMapping } from './plan.js';
import type { CsvDecimal, CsvDelimiter, Progress } from './types.js';

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

/** Where a release is written down. */
export interface LedgerOptions {
  /**
   * Records the release before it is made and refuses it, with `over-budget`, where the budget of
   * these data has no room for it; of `createLedger`.
   */
  ledger?: Ledger | undefined;
  /**
   * With a ledger: what the participant calls the data set. All releases under one name count as of
   * the same data, also where the ledger could not recognise them, as of a table that has grown.
   */
  dataSet?: string | undefined;
  /**
   * With a ledger: what it said of these data. Where they were released since, as in another tab,
   * nothing is made, with `released-since`.
   */
  standing?: Pick<Standing, 'entries'> | undefined;
  /**
   * With a ledger: called with the id of the entry once it is written, before noise is drawn. What fails
   * after that may still have cost its budget: look for the entry. If this throws, the entry is taken
   * back and nothing is made.
   */
  onEntry?: ((id: string) => void) | undefined;
}

export interface InspectOptions extends ReadOptions {
  /**
   * How many workers read the data, 1 to 64; the result is the same. By default one for every 8 MB,
   * up to the number of cores and 4. Streams and compressed, Parquet and Arrow files are always
   * read by one.
   */
  workers?: number;
}

export type PrivatizeOptions = InspectOptions & LedgerOptions;

const READ_OPTIONS = ['columns', 'csv', 'onProgress', 'signal'];
export const LEDGER_OPTIONS: readonly string[] = ['ledger', 'dataSet', 'standing', 'onEntry'];
const DELIMITERS: readonly unknown[] = [',', ';', '\t', '|'];
const DECIMALS: readonly unknown[] = ['.', ','];
/** Each has a core of its own in memory. */
const MOST_WORKERS = 64;

/** @throws PrivateMomentsError unsupported-option */
export function checkOptions(options: unknown, extra: readonly string[] = []): void {
  requireKnown(options, [...READ_OPTIONS, ...extra]);
  const given = options as Record<string, unknown>;
  const { columns, csv, onProgress, signal, workers, ledger } = given;
  if (columns !== undefined && (typeof columns !== 'object' || columns === null)) {
    refuse('columns must map column names of the study to column names of the data');
  }
  if (csv !== undefined) checkCsv(csv);
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    refuse('onProgress must be a function');
  }
  checkSignal(signal);
  if (ledger !== undefined && !isLedger(ledger)) refuse('ledger must come from createLedger');
  for (const name of LEDGER_OPTIONS) {
    if (given[name] !== undefined && ledger === undefined) refuse(`${name} needs a ledger`);
  }
  if (given.standing !== undefined && !isStanding(given.standing)) {
    refuse('standing must be what the ledger said of the data');
  }
  if (given.onEntry !== undefined && typeof given.onEntry !== 'function') {
    refuse('onEntry must be a function');
  }
  checkWorkers(workers);
}

/** By its method: the class itself would import this file. */
function isLedger(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'gate' in value;
}

function isStanding(value: unknown): boolean {
  return Array.isArray((value as { entries?: unknown } | null)?.entries);
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
  requireKnown(options, ['delimiter', 'decimal'], 'csv');
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
