import { describe, expect, it } from 'vitest';
import {
  errorAt,
  fromWire,
  furtherDown,
  inRow,
  PrivateMomentsError,
  toWire,
} from '../../../web/package/src/base/errors.js';

describe('an error with a place in the data', () => {
  it('starts with its row and column and has them as properties', () => {
    const error = errorAt('decimal-mark', 'the number has a comma', { row: 3, column: 'age' });
    expect(error.message).toBe('row 3, column "age": the number has a comma');
    expect(error).toMatchObject({ code: 'decimal-mark', row: 3, column: 'age' });
  });

  it('gets its row when the cell is read, unless it has one', () => {
    const cell = errorAt('decimal-mark', 'the number has a comma', { column: 'age' });
    expect(cell.message).toBe('column "age": the number has a comma');
    const row = inRow(cell, 7);
    expect(row).toMatchObject({ row: 7, message: 'row 7, column "age": the number has a comma' });
    expect(inRow(row, 8)).toBe(row);
  });

  it('counts its row from the start of the file if it is from a later section', () => {
    const error = errorAt('ragged-row', 'row 4 of the header is longer', { row: 2 });
    const moved = fromWire(furtherDown(structuredClone(toWire(error)), 100));
    expect(moved).toMatchObject({ code: 'ragged-row', row: 102 });
    expect(moved.message).toBe('row 102: row 4 of the header is longer');
  });

  it('does not change the message of other errors, even if it starts with a row', () => {
    const error = new PrivateMomentsError('too-many-rows', 'row 9 is one too many', { row: 9 });
    expect(inRow(error, 1)).toBe(error);
    const moved = fromWire(furtherDown(toWire(error), 10));
    expect(moved).toMatchObject({ row: 19, message: 'row 9 is one too many' });
  });

  it('crosses to another thread without the message of foreign errors', () => {
    const wire = toWire(new TypeError('4711 is not a function'));
    expect(fromWire(wire)).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(wire)).not.toContain('4711');
  });
});
