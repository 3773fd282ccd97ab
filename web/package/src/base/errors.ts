import { isForWantOfMemory } from './memory.js';
import { printable } from './visible.js';

/**
 * Every code that an error of this package can have. Codes are public API: docs/formats.md says what each
 * means, and a code never changes its meaning.
 */
export const errorCodes = [
  // The study.
  'invalid-study',
  'study-version',
  'invalid-column',
  'duplicate-column',
  'invalid-bounds',
  'invalid-levels',
  'invalid-dimension',
  'invalid-view',
  'invalid-unit',
  'invalid-neighbours',
  'invalid-row-norm',
  'invalid-clipping',
  'invalid-missing-rule',
  'invalid-epsilon',
  'invalid-delta',
  'invalid-mechanism',
  'invalid-federation',
  'noise-too-large',
  // Study links.
  'invalid-link',
  'damaged-link',
  'link-too-large',
  // The data.
  'unsupported-data',
  'unsupported-option',
  'invalid-mapping',
  'missing-column',
  'duplicate-header',
  'empty-file',
  'no-rows',
  'no-readable-cells',
  'ragged-row',
  'csv-malformed',
  'csv-encoding',
  'decimal-mark',
  'read-failed',
  'missing-cell',
  'invalid-row',
  'too-many-rows',
  // Making a release.
  'cancelled',
  'no-entropy',
  'integrity',
  'already-released',
  'over-budget',
  'released-since',
  'cannot-compose',
  'ledger-unavailable',
  'ledger-linked',
  'ledger-damaged',
  'ledger-unreadable',
  'unknown-entry',
  'core-unavailable',
  'wrong-module',
  'worker-failed',
  'out-of-memory',
  'internal',
  // Reading and assembling releases.
  'release-unreadable',
  'release-truncated',
  'release-altered',
  'release-version',
  'release-unsafe',
  'wrong-study',
  'wrong-guarantee',
  'release-implausible',
  'duplicate-release',
  'mixed-versions',
  'no-releases',
  'needs-session',
  'session-open',
  'not-a-sum',
  'sum-not-alone',
  'too-few-releases',
  // A session of a federated study.
  'invalid-session',
  'session-version',
  'invalid-keys',
  'unsupported-suite',
  'invalid-saved-role',
  'session-unkept',
  'message-unreadable',
  'wrong-session',
  'wrong-sender',
  'wrong-recipient',
  'unknown-participant',
  'bad-signature',
  'seal-broken',
  'wrong-length',
  'wrong-commitment',
  'wrong-roster',
  'wrong-share',
  'message-changed',
  'message-late',
  'second-set',
  'repeated-seed',
  'too-many-participants',
  'sum-overflow',
  'session-aborted',
  'session-ended',
  // Transports of a session's messages.
  'relay-unreachable',
  'relay-refused',
  'relay-faulty',
  // Analysis.
  'not-moments',
  'not-components',
  'invalid-components',
  'invalid-alpha',
  'invalid-interval',
  'too-few-rows',
  // Synthetic rows.
  'invalid-synthesis',
  // The command line.
  'package-missing',
  'input-unreadable',
  'output-exists',
  'output-unwritable',
  'port-unavailable',
  'hash-mismatch',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Which of the releases passed to `assemble` an error is about. */
export interface ReleaseReference {
  /** Index in the list, from 0. */
  index: number;
  /** The release's id, or null if it could not be read. */
  id: string | null;
}

export interface ErrorPlace {
  /** Name of the study's column. */
  column?: string | undefined;
  /** Data row as a person counts: the first row after the header is 1. */
  row?: number | undefined;
  release?: ReleaseReference | undefined;
  /** Path of the study or release field, e.g. `privacy.epsilon`. */
  field?: string | undefined;
  /**
   * With `missing-column`: the columns that the data have, where their own schema names them, as in Parquet
   * and Arrow. Never the first line of a CSV file, which may be a row.
   */
  available?: readonly string[] | undefined;
}

/**
 * The one error class of this package. `code` is for programs, `message` for people. Messages about
 * data name row and column and never contain a value from the data.
 */
export class PrivateMomentsError extends Error {
  override readonly name = 'PrivateMomentsError';
  readonly code: ErrorCode;
  declare readonly column?: string;
  declare readonly row?: number;
  declare readonly release?: ReleaseReference;
  declare readonly field?: string;
  declare readonly available?: readonly string[];

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}, cause?: unknown) {
    // It may name something in a file that somebody else made.
    super(printable(message), cause === undefined ? undefined : { cause });
    this.code = code;
    if (place.column !== undefined) this.column = place.column;
    if (place.row !== undefined) this.row = place.row;
    if (place.release !== undefined) this.release = place.release;
    if (place.field !== undefined) this.field = place.field;
    if (place.available !== undefined) this.available = place.available;
  }
}

/** Whether an error is of this package, whichever of its copies on a page made it. */
export function isPackageError(error: unknown): error is PrivateMomentsError {
  return error instanceof Error && error.name === 'PrivateMomentsError';
}

/** The messages of errors that begin with a place, without that place. */
const problems = new WeakMap<PrivateMomentsError, string>();

/** A row, a column of a row, or a column. */
export type CellPlace =
  { row: number; column?: string | undefined } | { row?: undefined; column: string };

/** An error whose message begins with its place: `row 3, column "age": ...`. */
export function errorAt(
  code: ErrorCode,
  problem: string,
  place: CellPlace & Pick<ErrorPlace, 'field'>,
): PrivateMomentsError {
  const row = place.row === undefined ? [] : [`row ${place.row}`];
  const column = place.column === undefined ? [] : [`column "${place.column}"`];
  const message = `${[...row, ...column].join(', ')}: ${problem}`;
  const error = new PrivateMomentsError(code, message, place);
  problems.set(error, problem);
  return error;
}

/** Adds the row to an error that names a column only; returns other errors unchanged. */
export function inRow(error: unknown, row: number): unknown {
  if (!(error instanceof PrivateMomentsError) || error.row !== undefined) return error;
  const problem = problems.get(error);
  const { code, column, field } = error;
  return problem === undefined ? error : errorAt(code, problem, { row, column, field });
}

/** An error as plain data, to post across a worker boundary. */
export interface WireError extends ErrorPlace {
  code: ErrorCode;
  /** Without the place where `isLocated`: it is put in front on the other side. */
  message: string;
  isLocated: boolean;
}

export function isErrorCode(code: string): code is ErrorCode {
  return (errorCodes as readonly string[]).includes(code);
}

const OUT_OF_MEMORY =
  'there is not enough memory for this; close other tabs and programs, use fewer workers, or fewer columns';

/** @param message default: what is true of the call at hand */
export function outOfMemory(message = OUT_OF_MEMORY): PrivateMomentsError {
  return new PrivateMomentsError('out-of-memory', message);
}

/** What a program of ours died of, as only its name may be told. */
export function faultOf(program: 'worker' | 'core', error: unknown): PrivateMomentsError {
  const kind = error instanceof Error ? error.name : typeof error;
  return new PrivateMomentsError(
    'internal',
    `the ${program} failed unexpectedly (${kind}); this is a fault in private-moments and not in the data: please report it, with the study and made-up rows`,
  );
}

/** Whether a worker that reports this error may have lost its core: another one must do the next job. */
export function isOfBrokenCore({ code }: PrivateMomentsError): boolean {
  return code === 'internal' || code === 'out-of-memory';
}

/**
 * Makes an error postable. An error of any other class becomes `out-of-memory` or `internal` without its
 * message, because a foreign message may quote data.
 */
export function toWire(error: unknown): WireError {
  if (error instanceof PrivateMomentsError) {
    const { code, message, column, row, field, available } = error;
    const problem = problems.get(error);
    const isLocated = problem !== undefined;
    return { code, message: problem ?? message, isLocated, column, row, field, available };
  }
  return toWire(isForWantOfMemory(error) ? outOfMemory() : faultOf('worker', error));
}

export function fromWire({ code, message, isLocated, ...place }: WireError): PrivateMomentsError {
  return isLocated
    ? errorAt(code, message, place as CellPlace)
    : new PrivateMomentsError(code, message, place);
}

/** The same error with more rows before it. */
export function furtherDown(error: WireError, rows: number): WireError {
  return error.row === undefined ? error : { ...error, row: error.row + rows };
}

/** Adds to an error of ours which release it is about; returns other errors unchanged. */
export function withRelease(error: unknown, release: ReleaseReference): unknown {
  if (!(error instanceof PrivateMomentsError)) return error;
  const name = release.id === null ? '' : ` (${release.id.slice(0, 12)})`;
  return new PrivateMomentsError(
    error.code,
    `release ${release.index + 1}${name}: ${error.message}`,
    { field: error.field, release },
    error.cause,
  );
}
