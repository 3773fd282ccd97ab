import { PrivateMomentsError } from '../base/errors.js';
import { resultJson, type Origin, type RESULT_FORMAT } from '../output/results.js';
import type { Study } from '../study/study.js';
import type { Column, Guarantee, LocalCounts } from '../study/types.js';
import { csvOfRows } from './csv.js';
import type { SynthesisModel } from './released.js';
import {
  preservationOf,
  type Drawn,
  type Figures,
  type Known,
  type Preservation,
  type RowShape,
} from './preservation.js';

/** @internal What synthetic rows are made of. Plain data, but for what is only computed when asked for. */
export interface SyntheticParts {
  study: Study;
  /** Of the rows, where it is not the study's. */
  shape?: RowShape;
  /** Of the releases behind the rows. */
  guarantee: Guarantee | null;
  origin: Origin;
  /** What was asked for, with every default written out. */
  options: object;
  /** rows x columns of the study, row by row: original units, a category's cell its level's index. */
  values: Float64Array;
  seed: number | null;
  /** Columns whose variance is more than their bounds allow. Default: none. */
  narrowed?: readonly string[];
  /** Figures of what was released, and how far off they may be; made at the first `preserves`. */
  released: Figures<Known> | (() => Figures<Known>);
  drawn: Figures<Drawn>;
  /** Of one holder's rows: what was released, and what was found in the data. */
  model?: SynthesisModel;
  local?: LocalCounts;
}

/** A cell: a number, or the label of a level. */
export type SyntheticCell = number | string;

/** What `JSON.stringify` writes of synthetic rows. */
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
 * Rows drawn at random from what was released: none of them is anybody's, and however many are drawn,
 * they cost no privacy beyond that of the releases. They have the study's columns, numbers within
 * their bounds and levels of categories, and keep means, deviations, shares and correlations
 * (docs/synthetic.md). A table as `privatize` takes it.
 */
export class Synthetic implements Iterable<Record<string, SyntheticCell>> {
  readonly study: Study;
  /** Names of the study's columns; of the task `spectrum`, `component 1` and so on. */
  readonly columns: string[];
  /** How many rows. */
  readonly rows: number;
  /** rows x columns, row by row: original units, a category's cell its level's index. */
  readonly values: Float64Array;
  /** What the releases promised to those in them. It holds for the rows, too. */
  readonly guarantee: Guarantee | null;
  /**
   * Of the draw: the same seed gives the same rows of the same releases. Null where it was drawn with
   * the machine's randomness. It has nothing to do with the noise that protects people, which has no
   * seed.
   */
  readonly seed: number | null;
  /**
   * Columns whose released variance is more than numbers within their bounds can have with that mean,
   * as noise makes it now and then: the rows have the largest there is.
   */
  readonly narrowed: readonly string[];
  readonly origin: Origin;
  /** What was released of one holder's rows; null for rows drawn from moments. Plain data. */
  readonly model: SynthesisModel | null;

  readonly #shape: RowShape;
  readonly #local: LocalCounts | undefined;
  readonly #options: object;
  readonly #drawn: Figures<Drawn>;
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

  /** Counts without noise, for the holder of the rows only; in no serialised form. */
  get local(): LocalCounts | undefined {
    return this.#local;
  }

  /**
   * One column: numbers in original units, or the labels of a category.
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

  /** Rows as objects, by the names of the columns: what `privatize` takes, too. */
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
   * What these rows keep of the released data: means, standard deviations, correlations and
   * canonical correlations, each with where it can be expected.
   */
  preserves(): Preservation {
    if (this.#preservation === undefined) {
      const released = typeof this.#released === 'function' ? this.#released() : this.#released;
      this.#preservation = preservationOf(this.#shape, released, this.#drawn);
    }
    return this.#preservation;
  }

  /**
   * RFC 4180 with a header line. Numbers to a millionth of the leading digit of their range, which no
   * draw is known better than, and never outside their bounds.
   */
  toCSV(): string {
    return csvOfRows(this.#shape.columns, this.values);
  }

  /** An Arrow IPC file: doubles, and dictionaries of levels. */
  async toArrow(): Promise<Uint8Array<ArrayBuffer>> {
    const { arrowOfRows } = await import('./arrow.js');
    return arrowOfRows(this.#shape.columns, this.values);
  }

  /** A Parquet file: doubles, and levels as text in dictionaries. */
  async toParquet(): Promise<Uint8Array<ArrayBuffer>> {
    const { parquetOfRows } = await import('./parquet.js');
    return parquetOfRows(this.#shape.columns, this.values);
  }

  /** `private-moments/result@1`: the rows by columns, and what they preserve. */
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
