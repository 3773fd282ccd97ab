import { csvText, type CsvCell } from './csv.js';
import type { Estimates, Guarantee, Matrix, Neighbours, Unit } from '../study/types.js';

export const RESULT_FORMAT = 'private-moments/result@1';

/** The study, the releases and the software behind a result. */
export interface Origin {
  /** `private-moments/` and the version that computed it. */
  library: string;
  /** `sites`: how many the study expects, if it says. */
  study: { id: string; title: string; unit: Unit; neighbours: Neighbours; sites?: number };
  /** Number of releases assembled; 0 for exact moments. */
  releases: number;
  /** Distribution of each release's noise, as its mechanism names it; `none` for exact moments. */
  noise: string;
}

/**
 * What all results have in common. Their data are plain, so they can be posted, cloned and stored; a clone
 * loses the methods `toJSON` and `toCSV`.
 */
export interface Result {
  /** The analysis that made this result, such as `pca`. */
  analysis: string;
  /** The options of the analysis, with every default written out. */
  options: object;
  origin: Origin;
  /** The guarantee of each release; null for exact moments, which have none. */
  guarantee: Guarantee | null;
  /** Rows (or participants) in all releases together; null if that number is private. */
  rows: number | null;
  /** The data in the format `private-moments/result@1`, with lists for typed arrays. `JSON.stringify` calls it. */
  toJSON(): { format: typeof RESULT_FORMAT } & Plain<this>;
  /**
   * CSV (RFC 4180) with one line for each number, under the header `analysis, quantity, view, row, column,
   * value, low, high, below_noise_floor`. Names that a spreadsheet would run as formulas get a leading
   * apostrophe.
   */
  toCSV(): string;
}

/** Data as JSON represents them: lists for typed arrays, no methods. */
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

/** @internal Adds the methods of a result to its data. */
export function asResult<Data extends Omit<Result, 'toJSON' | 'toCSV'>>(
  data: Data,
): Data & Pick<Result, 'toCSV'> & { toJSON(): { format: typeof RESULT_FORMAT } & Plain<Data> } {
  return Object.assign(Object.create(methods) as typeof methods, data) as never;
}

const methods = {
  toJSON(): object {
    return resultJson(this);
  },
  toCSV(): string {
    return resultCsv([this as unknown as Result]);
  },
};

/** @internal */
export function resultJson(data: object): object {
  return { format: RESULT_FORMAT, ...(plain(data) as object) };
}

function plain(value: unknown): unknown {
  if (value instanceof Float64Array) return Array.from(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

const HEADER = [
  ...['analysis', 'quantity', 'view', 'row', 'column', 'value', 'low', 'high'],
  'below_noise_floor',
];
/** Keys that describe a result and are not part of its numbers. */
const METADATA = ['analysis', 'options', 'origin', 'guarantee', 'columns', 'format'];

/** @internal Every number of the results, one line each, under one header. */
export function resultCsv(results: readonly Omit<Result, 'toJSON' | 'toCSV'>[]): string {
  const lines = results.flatMap((result) =>
    linesOf(result, '', '').map((line) => [result.analysis, ...line]),
  );
  return csvText(HEADER, lines);
}

/** One line for each number in `data`, whose path so far is `quantity` and whose view is `view`. */
function linesOf(data: object, quantity: string, view: string, label: CsvCell = ''): CsvCell[][] {
  if (isMatrix(data)) return cellsOf(data, quantity, view);
  if ('value' in data) return estimate(data, quantity, view, label);
  const path = (key: string): string => (quantity === '' ? key : `${quantity}.${key}`);
  return Object.entries(data).flatMap(([key, value]: [string, unknown]) => {
    if (quantity === '' && METADATA.includes(key)) return [];
    if (typeof value === 'number') return [[path(key), view, '', label, value, '', '', '']];
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) {
      const labels = labelsOf(data);
      return (value as unknown[]).flatMap((item, k) =>
        typeof item === 'object' && item !== null
          ? linesOf(item, path(key), view, labels[k] ?? k + 1)
          : [],
      );
    }
    return key === 'views'
      ? Object.entries(value).flatMap(([name, item]) => linesOf(item as object, '', name))
      : linesOf(value, path(key), view);
  });
}

function cellsOf(matrix: Estimates, quantity: string, view: string): CsvCell[][] {
  const { rows, columns, values, low, high } = matrix;
  return rows.flatMap((row, i) =>
    columns.map((column, j) => {
      const at = i * columns.length + j;
      return [quantity, view, row, column, values[at], low?.[at], high?.[at], ''];
    }),
  );
}

/** An estimate with its interval, and a line for each of its other fields. With a `column`, it belongs to that feature. */
function estimate(data: object, quantity: string, view: string, label: CsvCell): CsvCell[][] {
  const { column, value, low, high, belowNoiseFloor, ...more } = data as Record<string, CsvCell>;
  const where = column === undefined ? ['', label] : [column, ''];
  return [
    [quantity, view, ...where, value, low, high, belowNoiseFloor],
    ...Object.entries(more).map(([key, each]) => {
      return [`${quantity}.${key}`, view, ...where, each, '', '', belowNoiseFloor];
    }),
  ];
}

/** The names of the components: in every result, the columns of its weights. */
function labelsOf(data: object): readonly string[] {
  const { weights, views } = data as { weights?: Matrix; views?: Record<string, object> };
  if (weights !== undefined) return weights.columns;
  const [first] = Object.values(views ?? {});
  return first === undefined ? [] : labelsOf(first);
}

function isMatrix(data: object): data is Estimates {
  return 'rows' in data && Array.isArray(data.rows) && 'values' in data;
}
