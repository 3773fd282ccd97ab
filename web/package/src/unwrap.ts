import { isErrorCode, PrivateMomentsError } from './errors.js';
import type { Raw, RawFailure } from './raw.js';

/**
 * The value of a core call, or its failure as our error: rows counted from 1, columns by name.
 * `columns` are the names behind the core's column indices.
 */
export function unwrap<T>(result: Raw<T>, columns: readonly { name: string }[] = []): T {
  if (result.ok) return result;
  throw coreError(result, columns);
}

function coreError(failure: RawFailure, columns: readonly { name: string }[]): PrivateMomentsError {
  const column = failure.column === undefined ? undefined : columns[failure.column]?.name;
  const row = failure.row === undefined ? undefined : failure.row + 1;
  if (failure.code === 'missing-cell' && row !== undefined) {
    const where = column === undefined ? `row ${row}` : `row ${row}, column "${column}"`;
    const message = `${where}: the cell is missing or unreadable, and this study refuses such rows`;
    return new PrivateMomentsError('missing-cell', message, { column, row });
  }
  const code = isErrorCode(failure.code) ? failure.code : 'internal';
  return new PrivateMomentsError(code, failure.message, { column, row, field: failure.field });
}
