/** Writes rows as a Parquet file with hyparquet-writer. Loaded on demand. */
import type { UnsharedBytes } from '../base/binary.js';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Column } from '../study/types.js';

/** @param values rows x columns, row by row; the cell of a category is the index of its level */
export function parquetOfRows(columns: readonly Column[], values: Float64Array): UnsharedBytes {
  const width = columns.length;
  const rows = values.length / width;
  const columnData = columns.map((column, j) => {
    const { name } = column;
    const cell = (row: number): number => values[row * width + j] ?? NaN;
    if (column.type === 'number') {
      const data = Float64Array.from({ length: rows }, (_, row) => cell(row));
      return { name, data, type: 'DOUBLE' as const, nullable: false };
    }
    const data = Array.from({ length: rows }, (_, row) => column.levels[cell(row)] ?? '');
    return { name, data, type: 'STRING' as const, nullable: false };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
