import { errorAt, isErrorCode, PrivateMomentsError, type ErrorCode } from '../base/errors.js';
import type { Raw, RawFailure } from './raw.js';

/**
 * The value of a core call.
 * @param columns the columns behind the core's column indices, whose names the errors give.
 * @throws PrivateMomentsError if the call failed; rows are counted from 1.
 */
export function unwrap<T>(result: Raw<T>, columns: readonly { name: string }[] = []): T {
  if (result.ok) return result;
  throw coreError(result, columns);
}

/** Errors whose messages begin with the row (and column). */
const LOCATED_CODES: readonly ErrorCode[] = [
  'missing-cell',
  'ragged-row',
  'csv-malformed',
  'csv-encoding',
  'decimal-mark',
];

/** The failure of a core call as a PrivateMomentsError. */
export function coreError(
  failure: RawFailure,
  columns: readonly { name: string }[] = [],
): PrivateMomentsError {
  const column = failure.column === undefined ? undefined : columns[failure.column]?.name;
  const row = failure.row === undefined ? undefined : failure.row + 1;
  const code = isErrorCode(failure.code) ? failure.code : 'internal';
  const place = { column, row, field: failure.field };
  if (row === undefined || !LOCATED_CODES.includes(code)) {
    return new PrivateMomentsError(code, failure.message, place);
  }
  return errorAt(code, failure.message, { row, column, field: failure.field });
}
