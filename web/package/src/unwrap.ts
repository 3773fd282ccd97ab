import { isErrorCode, PrivateMomentsError, type ErrorCode } from './errors.js';
import type { Raw, RawFailure } from './raw.js';

/**
 * The value of a core call, or its failure as our error: rows counted from 1, columns by name.
 * `columns` are the names behind the core's column indices.
 */
export function unwrap<T>(result: Raw<T>, columns: readonly { name: string }[] = []): T {
  if (result.ok) return result;
  throw coreError(result, columns);
}

/** Errors that say where they are. */
const IN_A_ROW: readonly ErrorCode[] = [
  'missing-cell',
  'ragged-row',
  'csv-malformed',
  'csv-encoding',
  'decimal-mark',
];

/** The failure of a core call as our error, not thrown. */
export function coreError(
  failure: RawFailure,
  columns: readonly { name: string }[] = [],
): PrivateMomentsError {
  const column = failure.column === undefined ? undefined : columns[failure.column]?.name;
  const row = failure.row === undefined ? undefined : failure.row + 1;
  const code = isErrorCode(failure.code) ? failure.code : 'internal';
  const place = { column, row, field: failure.field };
  if (row === undefined || !IN_A_ROW.includes(code)) {
    return new PrivateMomentsError(code, failure.message, place);
  }
  const where = column === undefined ? `row ${row}` : `row ${row}, column "${column}"`;
  return new PrivateMomentsError(code, `${where}: ${failure.message}`, place);
}
