import type { Estimates, Guarantee, Matrix, Neighbours, Unit } from './types.js';

export const RESULT_FORMAT = 'private-moments/result@1';

/** Where a result comes from. */
export interface Origin {
  /** `private-moments/` and the version that computed it. */
  library: string;
  study: { id: string; title: string; unit: Unit; neighbours: Neighbours };
  /** How many releases were put together; 0 for exact moments. */
  releases: number;
  /** The law of each release's noise, as its mechanism names it; `none` for exact moments. */
  noise: string;
}

/**
 * What all results have. Their data are plain, so they can be posted, cloned and stored; `toJSON` and
 * `toCSV` are inherited, and a clone does not have them.
 */
export interface Result {
  /** Which analysis this is a result of. */
  analysis: string;
  /** What was asked for, with every default written out. */
  options: object;
  origin: Origin;
  /** What each release promised to those in it; null for exact moments, which promise nothing. */
  guarantee: Guarantee | null;
  /** Rows (or participants) in all releases; null where their number is private and unknown. */
  rows: number | null;
  /** `private-moments/result@1`: the same with lists of numbers. What `JSON.stringify` writes. */
  toJSON(): { format: typeof RESULT_FORMAT } & Plain<this>;
  /**
   * One line for each number, RFC 4180, under the header `analysis, quantity, view, row, column,
   * value, low, high, below_noise_floor`. Names that a spreadsheet would run as formulas get an
   * apostrophe in front.
   */
  toCSV(): string;
}

/** Data as JSON has them: lists for typed arrays, no methods. */
export type Plain<T> = T extends Float64Array
  ? number[]
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? {
          [Key in keyof T as T[Key] extends (...args: never) => unknown ? never : Key]: Plain<
            T[Key]
          >;
        }
      : T;

/** @internal Gives data the methods of a result. */
export function asResult<Data extends Omit<Result, 'toJSON' | 'toCSV'>>(
  data: Data,
): Data & Pick<Result, 'toCSV'> & { toJSON(): { format: typeof RESULT_FORMAT } & Plain<Data> } {
  return Object.assign(Object.create(methods) as typeof methods, data) as never;
}

const methods = {
  toJSON(): object {
    return jsonOf(this);
  },
  toCSV(): string {
    return csvOf(this as unknown as Result);
  },
};

/** @internal */
export function jsonOf(data: object): object {
  return { format: RESULT_FORMAT, ...(plain(data) as object) };
}

function plain(value: unknown): unknown {
  if (value instanceof Float64Array) return Array.from(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

type Cell = string | number | boolean | null | undefined;

const HEADER = 'analysis,quantity,view,row,column,value,low,high,below_noise_floor';
/** What says where a result comes from, not what it is. */
const ABOUT = ['analysis', 'options', 'origin', 'guarantee', 'columns', 'format'];

/** @internal */
export function csvOf(result: Omit<Result, 'toJSON' | 'toCSV'>): string {
  const lines = linesOf(result, '', '').map((line) => [result.analysis, ...line]);
  return [HEADER, ...lines.map((line) => line.map(field).join(','))].join('\r\n') + '\r\n';
}

/** Every number of `data`, which is called `quantity` and belongs to `view`. */
function linesOf(data: object, quantity: string, view: string, label: Cell = ''): Cell[][] {
  if (isMatrix(data)) return cellsOf(data, quantity, view);
  if ('value' in data) return figure(data, quantity, view, label);
  const named = (key: string): string => (quantity === '' ? key : `${quantity}.${key}`);
  return Object.entries(data).flatMap(([key, value]: [string, unknown]) => {
    if (quantity === '' && ABOUT.includes(key)) return [];
    if (typeof value === 'number') return [[named(key), view, '', label, value, '', '', '']];
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) {
      const labels = labelsOf(data);
      return (value as unknown[]).flatMap((item, k) =>
        typeof item === 'object' && item !== null
          ? linesOf(item, named(key), view, labels[k] ?? k + 1)
          : [],
      );
    }
    return key === 'views'
      ? Object.entries(value).flatMap(([name, item]) => linesOf(item as object, '', name))
      : linesOf(value, named(key), view);
  });
}

function cellsOf(matrix: Estimates, quantity: string, view: string): Cell[][] {
  const { rows, columns, values, low, high } = matrix;
  return rows.flatMap((row, i) =>
    columns.map((column, j) => {
      const at = i * columns.length + j;
      return [quantity, view, row, column, values[at], low?.[at], high?.[at], ''];
    }),
  );
}

/** A figure with what is known about it; one that has the name of a feature belongs to that. */
function figure(data: object, quantity: string, view: string, label: Cell): Cell[][] {
  const { column, value, low, high, belowNoiseFloor, ...more } = data as Record<string, Cell>;
  const where = column === undefined ? ['', label] : [column, ''];
  return [
    [quantity, view, ...where, value, low, high, belowNoiseFloor],
    ...Object.entries(more).map(([key, each]) => {
      return [`${quantity}.${key}`, view, ...where, each, '', '', belowNoiseFloor];
    }),
  ];
}

/** The names of the components, which every result has as the columns of a matrix. */
function labelsOf(data: object): readonly string[] {
  const { weights, views } = data as { weights?: Matrix; views?: Record<string, object> };
  if (weights !== undefined) return weights.columns;
  const [first] = Object.values(views ?? {});
  return first === undefined ? [] : labelsOf(first);
}

function isMatrix(data: object): data is Estimates {
  return 'rows' in data && Array.isArray(data.rows) && 'values' in data;
}

function field(cell: Cell): string {
  const text = String(cell ?? '');
  const safe = typeof cell === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
