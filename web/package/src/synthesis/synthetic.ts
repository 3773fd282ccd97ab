import type { UnsharedBytes } from '../base/binary.js';
import { PrivateMomentsError } from '../base/errors.js';
import { resultJson, type Origin, type RESULT_FORMAT } from '../output/results.js';
import type { Study } from '../study/study.js';
import type { Column, Guarantee, LocalCounts } from '../study/types.js';
import { csvOfRows } from './csv.js';
import type { SynthesisModel } from './released.js';
import {
  preservationOf,
  type DrawnFigure,
  type Figures,
  type ReleasedFigure,
  type Preservation,
  type RowShape,
} from './preservation.js';

/** @internal The parts of synthetic rows: plain data, except figures that are computed on demand. */
export interface SyntheticParts {
  study: Study;
  /** The columns of the rows. Default: those of the study. */
  shape?: RowShape;
  /** The guarantee of the releases behind the rows. */
  guarantee: Guarantee | null;
  origin: Origin;
  /** The options of the call with all defaults filled in. */
  options: object;
  /** rows x columns, row by row, in original units; the cell of a category is the index of its level. */
  values: Float64Array;
  seed: number | null;
  /** Columns whose released variance is larger than their bounds allow. Default: none. */
  narrowed?: readonly string[];
  /** Released figures with their intervals; a function is called by the first `preserves`. */
  released: Figures<ReleasedFigure> | (() => Figures<ReleasedFigure>);
  drawn: Figures<DrawnFigure>;
  /** The model released of one holder's rows. */
  model?: SynthesisModel;
  /** Counts of the data of one holder. */
  local?: LocalCounts;
}

/** A cell: a number, or the label of a level. */
export type SyntheticCell = number | string;

/** Synthetic rows as `JSON.stringify` writes them. */
export interface SyntheticJSON {
  format: typeof RESULT_FORMAT;
  analysis: 'synthesis';
  options: object;
  origin: Origin;
  guarantee: Guarantee | null;
  rows: number;
  seed: number | null;
  narrowed: string[];
  model: SynthesisModel | null;
  columns: string[];
  values: Record<string, SyntheticCell[]>;
  preserves: Preservation;
}

/**
 * Rows drawn at random from released data. None of them is anyone's, and any number of them costs no
 * privacy beyond that of the releases. They have the study's columns, with numbers within their bounds and
 * levels of categories, and preserve means, deviations, shares and correlations (docs/synthetic.md).
 * `privatize` accepts them as a table.
 */
export class Synthetic implements Iterable<Record<string, SyntheticCell>> {
  readonly study: Study;
  /** Names of the study's columns, or `component 1` and so on for the task `spectrum`. */
  readonly columns: string[];
  /** Number of rows. */
  readonly rows: number;
  /** rows x columns, row by row, in original units; the cell of a category is the index of its level. */
  readonly values: Float64Array;
  /** The guarantee of the releases for the people in them. It also holds for these rows. */
  readonly guarantee: Guarantee | null;
  /**
   * Seed of the draw: the same seed and releases give the same rows. Null if the rows were drawn with the
   * machine's random generator. It does not affect the noise that protects people, which has no seed.
   */
  readonly seed: number | null;
  /**
   * Columns whose released variance is larger than any within their bounds at that mean, which noise can
   * cause. The rows have the largest possible variance instead.
   */
  readonly narrowed: readonly string[];
  readonly origin: Origin;
  /** The model released of one holder's rows, as plain data; null for rows drawn from moments. */
  readonly model: SynthesisModel | null;

  readonly #shape: RowShape;
  readonly #local: LocalCounts | undefined;
  readonly #options: object;
  readonly #drawn: Figures<DrawnFigure>;
  readonly #released: SyntheticParts['released'];
  #preservation: Preservation | undefined;

  /** @internal Made by `synthesize` and `Moments.synthesize`. */
  constructor(parts: SyntheticParts) {
    this.study = parts.study;
    this.#shape = parts.shape ?? parts.study;
    this.columns = this.#shape.columns.map(({ name }) => name);
    this.rows = parts.values.length / this.columns.length;
    this.values = parts.values;
    this.guarantee = parts.guarantee;
    this.seed = parts.seed;
    this.narrowed = parts.narrowed ?? [];
    this.origin = parts.origin;
    this.model = parts.model ?? null;
    this.#local = parts.local;
    this.#options = parts.options;
    this.#drawn = parts.drawn;
    this.#released = parts.released;
  }

  /** Counts without noise, for the data holder only. They are never serialised. */
  get local(): LocalCounts | undefined {
    return this.#local;
  }

  /**
   * The cells of a column: numbers in original units, or levels of a category.
   * @throws PrivateMomentsError missing-column
   */
  column(name: string): Float64Array | string[] {
    const index = this.columns.indexOf(name);
    const column = this.#shape.columns[index];
    if (column === undefined) {
      throw new PrivateMomentsError('missing-column', `the rows have no column "${name}"`);
    }
    if (column.type === 'category')
      return Array.from(this.codes(index), (code) => label(column, code));
    return Float64Array.from(this.codes(index));
  }

  /** Yields rows as objects with the columns as keys, which `privatize` accepts too. */
  *[Symbol.iterator](): Generator<Record<string, SyntheticCell>, void> {
    const { columns } = this.#shape;
    const width = columns.length;
    for (let start = 0; start < this.values.length; start += width) {
      yield Object.fromEntries(
        columns.map((column, j) => {
          const cell = this.values[start + j] ?? NaN;
          return [column.name, column.type === 'category' ? label(column, cell) : cell];
        }),
      );
    }
  }

  /**
   * Compares means, standard deviations, correlations and canonical correlations of these rows with those
   * of the released data, each with the interval in which it can be expected.
   */
  preserves(): Preservation {
    if (this.#preservation === undefined) {
      const released = typeof this.#released === 'function' ? this.#released() : this.#released;
      this.#preservation = preservationOf(this.#shape, released, this.#drawn);
    }
    return this.#preservation;
  }

  /**
   * CSV by RFC 4180 with a header line. Numbers are rounded to a millionth of the leading digit of their
   * range, which is finer than the error of any draw, and stay within their bounds.
   */
  toCSV(): string {
    return csvOfRows(this.#shape.columns, this.values);
  }

  /** An Arrow IPC file with doubles and dictionaries of levels. */
  async toArrow(): Promise<UnsharedBytes> {
    const { arrowOfRows } = await import('./arrow.js');
    return arrowOfRows(this.#shape.columns, this.values);
  }

  /** A Parquet file with doubles, and levels as texts in dictionaries. */
  async toParquet(): Promise<UnsharedBytes> {
    const { parquetOfRows } = await import('./parquet.js');
    return parquetOfRows(this.#shape.columns, this.values);
  }

  /** `private-moments/result@1` with the rows by column and `preserves()`. */
  toJSON(): SyntheticJSON {
    const { origin, guarantee, rows, seed, narrowed, model, columns } = this;
    const values = columns.map((name) => [name, [...this.column(name)]]);
    return resultJson({
      analysis: 'synthesis',
      options: this.#options,
      origin,
      guarantee,
      rows,
      seed,
      narrowed,
      model,
      columns,
      values: Object.fromEntries(values) as object,
      preserves: this.preserves(),
    }) as SyntheticJSON;
  }

  private *codes(index: number): Generator<number, void> {
    const width = this.columns.length;
    for (let at = index; at < this.values.length; at += width) yield this.values[at] ?? NaN;
  }
}

function label(column: Column & { type: 'category' }, code: number): string {
  return column.levels[code] ?? '';
}
