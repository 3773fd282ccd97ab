/** Writes rows as an Arrow IPC file with apache-arrow. Loaded on demand. */
import type { UnsharedBytes } from '../base/binary.js';
import {
  Dictionary,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
  Vector,
  type Data,
} from 'apache-arrow';
import type { Column } from '../study/types.js';

/** Rows in a record batch. Readers hold one batch at a time. */
const BATCH = 1 << 16;

/** @param values rows x columns, row by row; the cell of a category is the index of its level */
export function arrowOfRows(columns: readonly Column[], values: Float64Array): UnsharedBytes {
  const width = columns.length;
  const total = values.length / width;
  const levels = columns.map((column) =>
    column.type === 'category' ? new Vector([textOf(column.levels)]) : null,
  );
  const types = columns.map((_, j) =>
    levels[j] === null ? new Float64() : new Dictionary(new Utf8(), new Int32(), j),
  );
  const fields = columns.map(({ name }, j) => new Field(name, types[j] ?? new Float64(), false));
  const schema = new Schema(fields);
  const writer = new RecordBatchFileWriter();
  for (let start = 0; start < total; start += BATCH) {
    const length = Math.min(BATCH, total - start);
    const cell = (j: number) => (_: unknown, row: number) =>
      values[(start + row) * width + j] ?? NaN;
    const children = types.map((type, j): Data => {
      const dictionary = levels[j];
      if (type instanceof Dictionary && dictionary) {
        return makeData({ type, length, data: Int32Array.from({ length }, cell(j)), dictionary });
      }
      return makeData({
        type: new Float64(),
        length,
        data: Float64Array.from({ length }, cell(j)),
      });
    });
    const batch = makeData({ type: new Struct(fields), length, nullCount: 0, children });
    writer.write(new RecordBatch(schema, batch));
  }
  writer.finish();
  return new Uint8Array(writer.toUint8Array(true));
}

function textOf(levels: readonly string[]): Data<Utf8> {
  const encoder = new TextEncoder();
  const texts = levels.map((level) => encoder.encode(level));
  const valueOffsets = new Int32Array(levels.length + 1);
  for (const [i, text] of texts.entries())
    valueOffsets[i + 1] = (valueOffsets[i] ?? 0) + text.length;
  const data = new Uint8Array(valueOffsets[levels.length] ?? 0);
  for (const [i, text] of texts.entries()) data.set(text, valueOffsets[i]);
  return makeData({ type: new Utf8(), length: levels.length, nullCount: 0, valueOffsets, data });
}
