/**
 * Every code an error of this package can carry, and what it means. Codes are public API: they are
 * listed in docs/formats.md, and a code never changes its meaning.
 */
export const errorCodes = {
  // The study.
  'invalid-study': 'the study is not readable, has an unknown key, or a part of the wrong type',
  'invalid-column': 'a column of the study has no usable name or type',
  'duplicate-column': 'two columns or features of the study have the same name',
  'invalid-bounds': 'min and max are not finite numbers with min < max',
  'invalid-levels': 'the levels of a category are empty or not unique',
  'invalid-dimension': 'the study has no feature, or more than 1000',
  'invalid-view': 'a view is empty, overlaps another, or names an unknown column',
  'invalid-unit': 'the unit of privacy is neither row nor participant',
  'invalid-neighbours': 'the neighbour relation is neither replace-one nor add-remove',
  'invalid-row-norm': 'rowNorm is not a finite positive number the noise grid can carry',
  'invalid-missing-rule': 'the missing rule does not exist or does not fit the neighbours',
  'invalid-epsilon': 'epsilon is not a finite positive number',
  'invalid-delta': 'delta is not between 0 and 1',
  'invalid-mechanism': 'the mechanism or its shape is unknown',
  'invalid-federation': 'the federation is malformed',
  'unsupported-federation': 'this federation mode is not available in this version',
  'noise-too-large': 'the noise this study asks for does not fit the noise grid',
  // Study links.
  'invalid-link': 'the link carries no readable study',
  'link-too-large': 'the study in the link is larger than any study can be',
  // The data.
  'unsupported-data': 'the data are of a kind this version does not read',
  'unsupported-option': 'an option is unknown, or not available in this version',
  'invalid-mapping': 'the column mapping names a column the study does not have',
  'missing-column': 'a column of the study is not in the data',
  'duplicate-header': 'a column the study needs appears twice in the data',
  'empty-file': 'the file has no header line',
  'no-rows': 'the data have no rows',
  'ragged-row': 'a row has not as many fields as the header',
  'csv-malformed': 'a quoted field is not closed properly, or never ends',
  'csv-encoding': 'the file is not UTF-8 text',
  'read-failed': 'the data could not be read to their end',
  'missing-cell': 'a cell is missing or unreadable and the study refuses such rows',
  'invalid-row': 'a row is not an object',
  'too-many-rows': 'more rows than the exact sums of this study can hold',
  // Making a release.
  cancelled: 'the caller cancelled; nothing was released',
  'no-entropy': 'the machine has no usable source of randomness',
  integrity: 'the arithmetic failed its own check; nothing was released',
  'already-released': 'a release was already made from these sums',
  'core-unavailable': 'the WebAssembly core could not be loaded',
  'worker-failed': 'the worker could not be started, or stopped unexpectedly',
  internal: 'the package broke its own rules; please report it',
  // Reading and assembling releases.
  'release-unreadable': 'this is not a release',
  'release-truncated': 'the release ends too early',
  'release-altered': 'the release is not what its digest says',
  'release-version': 'the release has a format this version does not know',
  'release-unsafe': 'the release was made with test randomness and protects nobody',
  'wrong-study': 'the release belongs to another study',
  'wrong-guarantee': 'the release states another noise or guarantee than its study implies',
  'duplicate-release': 'the same release was given twice',
  'mixed-versions': 'the releases were made by versions that must not be mixed',
  'no-releases': 'there is no release to assemble',
  // Analysis.
  'invalid-components': 'more components were asked for than there can be, or fewer than one',
  'too-few-rows': 'there are too few rows for a covariance',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof errorCodes;

/** Which of the releases given to `assemble` an error is about. */
export interface ReleaseReference {
  /** Position in the order given, from 0. */
  index: number;
  /** The release's id where it could be read. */
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
}

/**
 * The one error class of this package. `code` is for programs, `message` for people. Messages about
 * data name row and column and never contain a value from the data.
 */
export class PrivateMomentsError extends Error {
  override readonly name = 'PrivateMomentsError';
  readonly code: ErrorCode;
  readonly column?: string;
  readonly row?: number;
  readonly release?: ReleaseReference;
  readonly field?: string;

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    if (place.column !== undefined) this.column = place.column;
    if (place.row !== undefined) this.row = place.row;
    if (place.release !== undefined) this.release = place.release;
    if (place.field !== undefined) this.field = place.field;
  }
}

/** What crosses the worker boundary in place of an error object. */
export interface WireError extends ErrorPlace {
  code: ErrorCode;
  message: string;
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

/**
 * Makes an error postable. Anything that is not ours becomes `internal` without its message, because
 * a foreign message may quote data.
 */
export function toWire(error: unknown): WireError {
  if (error instanceof PrivateMomentsError) {
    const { code, message, column, row, field } = error;
    return { code, message, column, row, field };
  }
  const kind = error instanceof Error ? error.name : typeof error;
  return { code: 'internal', message: `the worker failed unexpectedly (${kind})` };
}

export function fromWire({ code, message, ...place }: WireError): PrivateMomentsError {
  return new PrivateMomentsError(code, message, place);
}

/** The same error, pointing at one of the releases being assembled. */
export function aboutRelease(error: unknown, release: ReleaseReference): unknown {
  if (!(error instanceof PrivateMomentsError)) return error;
  const name = release.id === null ? '' : ` (${release.id.slice(0, 12)})`;
  return new PrivateMomentsError(
    error.code,
    `release ${release.index + 1}${name}: ${error.message}`,
    { field: error.field, release },
    error.cause,
  );
}
