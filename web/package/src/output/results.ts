import { csvText, type CsvCell } from './csv.js';
import type { FeatureWords } from '../study/feature-words.js';
import type { Estimates, Guarantee, Matrix, Neighbours, Unit } from '../study/types.js';

export const RESULT_FORMAT = 'private-moments/result@1';

/** The study, the releases and the software behind a result. */
export interface Origin {
  /** `private-moments/` and the version that computed it. */
  library: string;
  /**
   * `sites`: how many the study expects, if it says. `words`: what people call features, by their names; only
   * those to which the study gives a label or a unit, and those from 0 to 1.
   */
  study: {
    id: string;
    title: string;
    unit: Unit;
    neighbours: Neighbours;
    sites?: number;
    words?: Record<string, FeatureWords>;
  };
  /** Number of releases assembled; 0 for exact moments. */
  releases: number;
  /** Distribution of each release's noise, as its mechanism names it; `none` for exact moments. */
  noise: string;
  /** Present where differences between the means of sites are taken out (`AssembleOptions`). */
  sites?: 'within';
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
   * value, low, high, below_noise_floor, row_label, column_label`. `row` and `column` have the names of the
   * study, the last two what people call these features. Names that a spreadsheet would run as formulas get a
   * leading apostrophe.
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
  ...['below_noise_floor', 'row_label', 'column_label'],
];
/** Keys that describe a result and are not part of its numbers. */
const METADATA = ['analysis', 'options', 'origin', 'guarantee', 'columns', 'format'];

/** @internal Every number of the results, one line each, under one header. */
export function resultCsv(results: readonly Omit<Result, 'toJSON' | 'toCSV'>[]): string {
  const lines = results.flatMap((result) =>
    linesOf(result, { quantity: '', view: '', words: result.origin.study.words ?? {} }).map(
      (line) => [result.analysis, ...line],
    ),
  );
  return csvText(HEADER, lines);
}

/** Where in a result a number is. */
interface Place {
  /** The path so far. */
  quantity: string;
  view: string;
  words: Record<string, FeatureWords>;
}

function labelOf(words: Record<string, FeatureWords>, feature: CsvCell): string {
  if (typeof feature !== 'string' || !Object.hasOwn(words, feature)) return '';
  return words[feature]?.name ?? '';
}

/** One line for each number in `data`. */
function linesOf(data: object, place: Place, label: CsvCell = ''): CsvCell[][] {
  if (isMatrix(data)) return cellsOf(data, place);
  if ('value' in data) return estimate(data, place, label);
  const { quantity, view } = place;
  const at = (key: string): Place => ({
    ...place,
    quantity: quantity === '' ? key : `${quantity}.${key}`,
  });
  return Object.entries(data).flatMap(([key, value]: [string, unknown]) => {
    if (quantity === '' && METADATA.includes(key)) return [];
    if (typeof value === 'number') {
      return [[at(key).quantity, view, '', label, value, '', '', '', '', '']];
    }
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) {
      const labels = labelsOf(data);
      return (value as unknown[]).flatMap((item, k) =>
        typeof item === 'object' && item !== null ? linesOf(item, at(key), labels[k] ?? k + 1) : [],
      );
    }
    return key === 'views'
      ? Object.entries(value).flatMap(([name, item]) =>
          linesOf(item as object, { ...place, quantity: '', view: name }),
        )
      : linesOf(value, at(key));
  });
}

/** Names of components, which features may have, too. */
const COMPONENT = /^(?:PC|CC|GC)[1-9]\d*$/;

function cellsOf(matrix: Estimates, { quantity, view, words }: Place): CsvCell[][] {
  const { rows, columns, values, low, high } = matrix;
  const isSquare = rows.length === columns.length && rows.every((name, i) => name === columns[i]);
  const hasComponents = columns.every((name) => COMPONENT.test(name));
  // Other matrices have features on one side only, and a column can be called "mean", as a row of theirs is.
  const rowLabels = rows.map((name) => (isSquare || hasComponents ? labelOf(words, name) : ''));
  const columnLabels = columns.map((name) =>
    isSquare || !hasComponents ? labelOf(words, name) : '',
  );
  return rows.flatMap((row, i) =>
    columns.map((column, j) => {
      const at = i * columns.length + j;
      const labels = [rowLabels[i], columnLabels[j]];
      return [quantity, view, row, column, values[at], low?.[at], high?.[at], '', ...labels];
    }),
  );
}

/** An estimate with its interval, and a line for each of its other fields. With a `column`, it belongs to that feature. */
function estimate(data: object, { quantity, view, words }: Place, label: CsvCell): CsvCell[][] {
  const { column, value, low, high, belowNoiseFloor, ...more } = data as Record<string, CsvCell>;
  const where = column === undefined ? ['', label] : [column, ''];
  const labels = [labelOf(words, column), ''];
  return [
    [quantity, view, ...where, value, low, high, belowNoiseFloor, ...labels],
    ...Object.entries(more).map(([key, each]) => {
      return [`${quantity}.${key}`, view, ...where, each, '', '', belowNoiseFloor, ...labels];
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
