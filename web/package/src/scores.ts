import type { CcaResult } from './analysis/cca.js';
import type { GccaResult } from './analysis/gcca.js';
import type { PcaResult } from './analysis/pca.js';
import type { RidgeResult } from './analysis/ridge.js';
import { untilCancelled } from './cancel.js';
import type { Components } from './components.js';
import { loadCore } from './core.js';
import { noRows, openData, readInto, requireReadable, type Data, type Table } from './data.js';
import { cancelled } from './engine.js';
import { PrivateMomentsError } from './errors.js';
import { localCounts, RowFeed, type RowTaker } from './ingest.js';
import { checkOptions, type ReadOptions } from './options.js';
import { planOf, type Plan, type PlanColumn } from './plan.js';
import type { CsvReader, Raw, RawCounts } from './raw.js';
import type { Plain } from './results.js';
import { requireStudy, type Study } from './study.js';
import { turns } from './turns.js';
import type { LocalColumnCounts, Matrix } from './types.js';

/** Results that score rows. */
export type Projectable = PcaResult | CcaResult | GccaResult | Components;

export interface ProjectOptions extends ReadOptions {
  /** Of a result with views, those to score; columns of the others need not be there. Default: all. */
  views?: readonly string[];
}

/** Scores of rows: a table as `privatize` takes it. As private as the rows: no noise is in it. */
export interface Scores extends Table {
  /** `PC1` and so on; of a result with views `view CC1`; of a regression its target. */
  columns: string[];
  /** rows x columns, row by row; NaN throughout a row with a missing cell. */
  values: Float64Array;
  /** Rows read. */
  rows: number;
  /** Rows with a missing cell in a column that is used. */
  missing: number;
  /** The columns that are used, and what was found in them. */
  cells: LocalColumnCounts[];
}

/**
 * Scores rows that are at hand along the components of a result: weights times the row less the
 * result's `centre`. For use with the rows, in classes, clusters and plots: scores have no noise, and
 * nothing leaves the machine. Rows are read as by `privatize` (numbers outside the bounds are moved
 * to the nearest) but not shortened to `rowNorm`, in this thread, which gets a turn in between.
 *
 * @param result of the same study, or its `toJSON()`.
 * @throws PrivateMomentsError: `wrong-study`, `invalid-view`, `unsupported-data` (no such result), and
 * what `privatize` says of data. There are all scores or none.
 */
export async function project(
  study: Study,
  data: Data,
  result: Projectable | Plain<Projectable>,
  options: ProjectOptions = {},
): Promise<Scores> {
  checkOptions(options, ['views']);
  return score(study, data, weighing(study, result, options.views), options);
}

/**
 * Predicts the target of a regression for rows that are at hand, in original units: the intercept and
 * the coefficients times the row. Everything else is as in `project`; the target's own column need
 * not be there.
 *
 * @throws PrivateMomentsError: `wrong-study`, `unsupported-data` (no such result), and what `privatize`
 * says of data.
 */
export async function predict(
  study: Study,
  data: Data,
  result: RidgeResult | Plain<RidgeResult>,
  options: ReadOptions = {},
): Promise<Scores> {
  checkOptions(options);
  const { target, intercept, coefficients } = ((result as unknown) ?? {}) as Partial<RidgeResult>;
  const names = coefficients?.map(({ column }) => column);
  requireOf(study, result, names, 'predictions need a result of ridge');
  const terms = (coefficients ?? []).map(({ column, value }): [string, Term] => [
    column,
    { centre: 0, weights: Float64Array.of(value) },
  ]);
  const offset = intercept ?? NaN;
  return score(study, data, { names: [target ?? ''], offset, terms: new Map(terms) }, options);
}

/** Scores as an offset and a sum over features: weights times what is left with the centre off. */
interface Weighing {
  names: string[];
  offset: number;
  terms: Map<string, Term>;
}

interface Term {
  centre: number;
  weights: Float64Array;
}

/** The parts of a result, or of one of its views, that scores are made of. */
interface Part {
  weights: Matrix | Plain<Matrix>;
  centre: Matrix | Plain<Matrix>;
}

function weighing(study: Study, result: unknown, chosen: readonly string[] | undefined): Weighing {
  const parts = partsOf(result, chosen);
  const features = parts.flatMap(
    ([, part]): readonly (string | null)[] => featuresOf(part) ?? [null],
  );
  requireOf(study, result, features, 'scores need a result of pca, cca or gcca, or directions');
  const names = parts.flatMap(([prefix, part]) =>
    part.weights.columns.map((name) => `${prefix}${name}`),
  );
  const all: Weighing = { names, offset: 0, terms: new Map() };
  let first = 0;
  for (const [, { weights, centre }] of parts) {
    const width = weights.columns.length;
    for (const [i, feature] of weights.rows.entries()) {
      const row = new Float64Array(names.length);
      row.set(weights.values.slice(i * width, (i + 1) * width), first);
      all.terms.set(feature, { centre: centre.values[i] ?? NaN, weights: row });
    }
    first += width;
  }
  return all;
}

/** With what goes before the names of their scores. */
function partsOf(result: unknown, chosen: readonly string[] | undefined): [string, Part][] {
  const { views } = (result ?? {}) as { views?: Record<string, Part> };
  if (views === undefined && chosen === undefined) return [['', result as Part]];
  const known = Object.keys(views ?? {});
  return (chosen ?? known).map((name) => {
    const view = views !== undefined && Object.hasOwn(views, name) ? views[name] : undefined;
    if (view !== undefined) return [`${name} `, view];
    const message = `the result has no view "${name}" (its views: ${known.join(', ') || 'none'})`;
    throw new PrivateMomentsError('invalid-view', message, { field: 'views' });
  });
}

/** The features of a part; undefined where it is none. */
function featuresOf(part: Partial<Part> | null): readonly string[] | undefined {
  const { weights, centre } = part ?? {};
  const fits = weights?.rows.every((name, i) => centre?.columns[i] === name);
  return fits === true ? weights?.rows : undefined;
}

/** A result may come from a file, so what is used of it is looked at. */
function requireOf(
  study: Study,
  result: unknown,
  features: readonly (string | null)[] | undefined,
  message: string,
): void {
  const known = new Set<string | null>(requireStudy(study).features.map(({ name }) => name));
  const { origin } = (result ?? {}) as Partial<Projectable>;
  if (origin !== undefined && origin.study.id !== study.id) {
    throw new PrivateMomentsError('wrong-study', 'the result belongs to another study');
  }
  if (origin !== undefined && features?.every((name) => known.has(name))) return;
  throw new PrivateMomentsError('unsupported-data', message, { field: 'result' });
}

async function score(
  study: Study,
  data: Data,
  weighing: Weighing,
  { columns, csv, signal, onProgress }: ReadOptions,
): Promise<Scores> {
  const whole = planOf(study, columns, csv);
  const used = new Set(
    study.features.flatMap(({ name, column }) => (weighing.terms.has(name) ? [column] : [])),
  );
  const plan: Plan = { ...whole, columns: whole.columns.filter(({ name }) => used.has(name)) };
  const source = openData(data, plan);
  const scorer = new Scorer(plan, weighing);
  const feed = new RowFeed(scorer, plan, await loadCore());
  const turn = turns();
  const reading = readInto(feed, plan, source, async (rows, fraction) => {
    onProgress?.({ rows, fraction });
    await turn();
    if (signal?.aborted) throw cancelled(signal);
  });
  await untilCancelled(reading, signal, cancelled);
  const scores = scorer.scores(localCounts(scorer.counts(), plan, []).columns);
  onProgress?.({ rows: scores.rows, fraction: source.kind === 'stream' ? null : 1 });
  return scores;
}

/** Takes encoded rows where an intake would, and scores them. */
class Scorer implements RowTaker {
  readonly #names: string[];
  readonly #offset: number;
  /** Each column with the terms of its features. */
  readonly #columns: readonly { column: PlanColumn; terms: (Term | undefined)[] }[];
  readonly #batches: Float64Array[] = [];
  readonly #counts: RawCounts['columns'];
  #rows = 0;
  #missing = 0;

  constructor({ columns }: Plan, { names, offset, terms }: Weighing) {
    this.#names = names;
    this.#offset = offset;
    this.#counts = columns.map(() => ({ missing: 0, outside: 0 }));
    this.#columns = columns.map((column) => ({
      column,
      terms:
        column.type === 'number'
          ? [terms.get(column.name)]
          : column.levels.map((level) => terms.get(`${column.name}=${level}`)),
    }));
  }

  add(values: Float64Array): Raw<{ rows: number }> {
    const width = this.#columns.length;
    const count = this.#names.length;
    const rows = values.length / width;
    const scores = new Float64Array(rows * count).fill(this.#offset);
    for (let row = 0; row < rows; row++) {
      const own = scores.subarray(row * count, (row + 1) * count);
      const isComplete = this.#score(values.subarray(row * width, (row + 1) * width), own);
      if (isComplete) continue;
      own.fill(NaN);
      this.#missing += 1;
    }
    this.#batches.push(scores);
    this.#rows += rows;
    return { ok: true, rows };
  }

  addCsv(reader: CsvReader, bytes: Uint8Array | undefined): Raw<object> {
    const read = bytes === undefined ? reader.lastRows() : reader.rows(bytes);
    return read.ok ? this.add(read.values) : read;
  }

  counts(): RawCounts {
    const rows = this.#rows;
    return { rows, used: rows, centred: 0, dropped: 0, shortened: 0, columns: this.#counts };
  }

  scores(cells: LocalColumnCounts[]): Scores {
    if (this.#rows === 0) throw noRows();
    requireReadable({ rows: this.#rows, columns: cells });
    const columns = this.#names;
    const values = new Float64Array(this.#rows * columns.length);
    let at = 0;
    for (const batch of this.#batches) {
      values.set(batch, at);
      at += batch.length;
    }
    return { columns, values, rows: this.#rows, missing: this.#missing, cells };
  }

  /** Adds up one row's scores; false where a cell is missing. */
  #score(cells: Float64Array, scores: Float64Array): boolean {
    let isComplete = true;
    for (const [index, { column, terms }] of this.#columns.entries()) {
      const cell = cells[index] ?? NaN;
      const counts = this.#counts[index] ?? { missing: 0, outside: 0 };
      if (Number.isNaN(cell)) {
        counts.missing += 1;
        isComplete = false;
      } else if (column.type === 'number') {
        const inside = Math.min(Math.max(cell, column.min), column.max);
        if (inside !== cell) counts.outside += 1;
        addTerm(scores, terms[0], inside);
      } else {
        for (const [level, term] of terms.entries()) addTerm(scores, term, level === cell ? 1 : 0);
      }
    }
    return isComplete;
  }
}

function addTerm(scores: Float64Array, term: Term | undefined, value: number): void {
  if (term === undefined) return;
  const { weights, centre } = term;
  for (let k = 0; k < weights.length; k++) {
    scores[k] = (scores[k] ?? 0) + (weights[k] ?? 0) * (value - centre);
  }
}
