/**
 * Arrow record batches as encoded rows. This uses only what every version of apache-arrow provides and
 * imports nothing from it, so that tables made by another copy of the library work too.
 */
import type { CellReader } from './cells.js';
import { PrivateMomentsError } from '../base/errors.js';
import { batchRows, type Batches } from './ingest.js';
import type { Plan } from '../core/plan.js';
import { locate, putColumn, typedReader, type Content } from './typed.js';

/** A table of the apache-arrow library, in any version. */
export interface ArrowTable {
  readonly schema: { readonly fields: readonly object[] };
  readonly batches: readonly object[];
  readonly numRows: number;
}

export interface ArrowSchema {
  readonly fields: readonly { readonly name: string; readonly type: ArrowType }[];
}

export interface ArrowBatch {
  readonly numRows: number;
  getChildAt(index: number): ArrowVector | null;
}

interface ArrowType {
  readonly typeId: number;
  /** For decimals. */
  readonly scale?: number;
  /** For floating-point numbers; 0 means 16 bits. */
  readonly precision?: number;
  /** For dictionaries: the type of their values. */
  readonly dictionary?: ArrowType;
}

interface ArrowVector {
  readonly type: ArrowType;
  readonly data: readonly {
    /** Numbers, or the indices of a dictionary's values. */
    readonly values?: ArrayLike<number | bigint>;
    readonly dictionary?: ArrowVector;
  }[];
  readonly length: number;
  readonly nullCount: number;
  isValid(index: number): boolean;
  get(index: number): unknown;
}

// Type ids of the library.
const DICTIONARY = -1;
const INT = 2;
const FLOAT = 3;
const DECIMAL = 7;

/**
 * Characters of the texts of a column in a batch, unless its bytes are more: MAX_CHARACTERS, and
 * MAX_CHARACTERS_PER_ROW for each row. Texts may lie on one another, each as long as the whole.
 */
const MAX_CHARACTERS = 1 << 24;
const MAX_CHARACTERS_PER_ROW = 1024;

const CONTENTS: Readonly<Record<number, Content>> = {
  // A column of nulls has missing cells only, whatever the column type.
  1: 'text',
  [INT]: 'numbers',
  [FLOAT]: 'numbers',
  4: 'bytes',
  5: 'text',
  6: 'booleans',
  [DECIMAL]: 'decimals',
  8: 'dates',
  9: 'times',
  10: 'dates',
  11: 'times',
  12: 'lists or records',
  13: 'lists or records',
  15: 'bytes',
  16: 'lists or records',
  17: 'lists or records',
  18: 'times',
  19: 'bytes',
  20: 'text',
  21: 'lists or records',
  23: 'bytes',
  24: 'text',
};

export function isArrowTable(data: unknown): data is ArrowTable {
  if (typeof data !== 'object' || data === null) return false;
  const { schema, batches, numRows } = data as Partial<ArrowTable>;
  return Array.isArray(schema?.fields) && Array.isArray(batches) && typeof numRows === 'number';
}

export function openArrowTable(
  table: ArrowTable,
  plan: Plan,
): { open: () => Batches; rows: number; ignored: string[] } {
  const schema = table.schema as ArrowSchema;
  const open = function* (): Batches {
    const columns = arrowColumns(schema, plan);
    for (const batch of table.batches) yield* columns.encode(batch as ArrowBatch);
  };
  return { open, rows: table.numRows, ignored: arrowColumns(schema, plan).ignored };
}

/**
 * An encoder of the plan's columns, for the batches of one schema in order.
 * @throws PrivateMomentsError missing-column, duplicate-header, unsupported-data
 */
export function arrowColumns(
  { fields }: ArrowSchema,
  plan: Plan,
): { ignored: string[]; encode(batch: ArrowBatch): Generator<Float64Array, void> } {
  const names = fields.map(({ name }) => name);
  const { positions, ignored } = locate(plan, names);
  const readers = plan.columns.map((column, index) => {
    const field = fields[positions[index] ?? -1];
    return typedReader(column, contentOf(field?.type), plan);
  });
  const width = readers.length;
  let rowsBefore = 0;
  return {
    ignored,
    *encode(batch) {
      const first = rowsBefore;
      rowsBefore += batch.numRows;
      const cells = readers.map((reader, index) => {
        const vector = batch.getChildAt(positions[index] ?? -1);
        if (vector !== null && vector.length !== batch.numRows) throw damaged();
        return cellsOf(vector, reader);
      });
      const step = batchRows(width);
      for (let start = 0; start < batch.numRows; start += step) {
        const rows = Math.min(step, batch.numRows - start);
        const values = new Float64Array(rows * width);
        for (const [index, cell] of cells.entries()) {
          putColumn(values, width, index, first + start, (row) => cell(start + row));
        }
        yield values;
      }
    },
  };
}

function contentOf(type: ArrowType | undefined): Content {
  const values = type?.typeId === DICTIONARY ? type.dictionary : type;
  return CONTENTS[values?.typeId ?? 0] ?? 'values of another type';
}

/** A function from row numbers of the vector to encoded cells. */
function cellsOf(vector: ArrowVector | null, read: CellReader): (row: number) => number {
  if (vector === null) return () => NaN;
  const isPresent = vector.nullCount === 0 ? () => true : (row: number) => vector.isValid(row);
  const { typeId, scale = 0, precision } = vector.type;
  // Within a batch, a column is one piece.
  const [data] = vector.data;
  const values = data?.values ?? [];
  const isStored = typeId === DICTIONARY || typeId === INT || typeId === FLOAT;
  if (isStored && values.length < vector.length) throw damaged();
  if (typeId === DICTIONARY && data?.dictionary !== undefined) {
    const readText = counted(data.dictionary, read);
    // Each dictionary value is read at most once, however many rows have it.
    const { dictionary } = data;
    const codes: (number | undefined)[] = [];
    return (row) => {
      if (!isPresent(row)) return NaN;
      const index = Number(values[row]);
      if (!(index >= 0 && index < dictionary.length)) throw damaged();
      return (codes[index] ??= readText(dictionary.get(index)));
    };
  }
  if (typeId === INT || (typeId === FLOAT && precision !== 0)) {
    return (row) => (isPresent(row) ? read(values[row]) : NaN);
  }
  if (typeId === DECIMAL) {
    return (row) => (isPresent(row) ? decimal(vector.get(row) as Uint32Array, scale) : NaN);
  }
  const readText = counted(vector, read);
  return (row) => (isPresent(row) ? readText(vector.get(row)) : NaN);
}

/** Counts the characters of the texts that are read. */
function counted({ length, data }: ArrowVector, read: CellReader): CellReader {
  const bytes = data.reduce((sum, { values }) => sum + (values?.length ?? 0), 0);
  let left = Math.max(bytes, MAX_CHARACTERS + MAX_CHARACTERS_PER_ROW * length);
  return (cell) => {
    if (typeof cell === 'string') left -= cell.length;
    if (left < 0) throw damaged();
    return read(cell);
  };
}

function damaged(): PrivateMomentsError {
  const message = 'these Arrow data are damaged: a column has fewer cells than it states';
  return new PrivateMomentsError('read-failed', message);
}

/** The number nearest to a decimal, which is given as 32-bit words with the lowest first. */
function decimal(words: Uint32Array, scale: number): number {
  const magnitude = words.reduceRight((high, word) => (high << 32n) | BigInt(word), 0n);
  return Number(`${BigInt.asIntN(32 * words.length, magnitude)}e${-scale}`);
}
