import type { Adjusted } from './adjust.js';
import type { CcaResult } from './cca.js';
import type { FactorResult } from './methods/factors.js';
import type { PlsCorrelationResult, PlsRegressionResult } from './methods/pls.js';
import type { GccaResult } from './gcca.js';
import type { PcaResult } from './pca.js';
import type { RidgeResult } from './ridge.js';
import { untilCancelled } from '../base/cancel.js';
import type { Components } from './components.js';
import { loadCore } from '../core/core.js';
import {
  noRows,
  openData,
  readInto,
  requireReadable,
  type Data,
  type Table,
} from '../data/data.js';
import { cancelled } from '../intake/engine.js';
import { PrivateMomentsError } from '../base/errors.js';
import { localCounts, RowFeed, type RowCollector } from '../data/ingest.js';
import { checkReadOptions, type ReadOptions } from '../intake/read-options.js';
import { planOf, type Plan, type PlanColumn } from '../core/plan.js';
import type { CsvReader, Raw, RawCounts } from '../core/raw.js';
import type { Plain } from '../output/results.js';
import { requireStudy, type Study } from '../study/study.js';
import { periodicYield } from '../base/turns.js';
import type { LocalColumnCounts, Matrix } from '../study/types.js';

/** Results that can score rows. */
export type Projectable =
  | PcaResult
  | CcaResult
  | GccaResult
  | FactorResult
  | PlsCorrelationResult
  | PlsRegressionResult
  | Components;

export interface ProjectOptions extends ReadOptions {
  /** For a result with views: the views to score; the data need no columns of the others. Default: all. */
  views?: readonly string[];
  /** For a result of `pca` with a rotation: scores of the rotated components. Default false. */
  rotated?: boolean;
}

/** Scores of rows, as a table that `privatize` accepts. They have no noise and are as private as the rows. */
export interface Scores extends Table {
  /** Names such as `PC1`; for a result with views `VIEW CC1`; for a regression its target. */
  columns: string[];
  /** rows x columns, row by row; all NaN for a row with a missing cell. */
  values: Float64Array;
  /** Rows read. */
  rows: number;
  /** Number of rows with a missing cell in a used column. */
  missing: number;
  /** The used columns, with counts of missing and outside cells. */
  cells: LocalColumnCounts[];
}

/**
 * Scores rows along the components of a result: each row minus the result's `centre`, times its weights. For
 * local use, such as classification, clustering and plots: scores have no noise, and nothing leaves the
 * machine. Rows are read as by `privatize` (numbers outside the bounds are moved to the nearest bound) but
 * not shortened to `rowNorm`. It runs in this thread and yields regularly.
 *
 * @param result a result of the same study, or its `toJSON()`.
 * @throws PrivateMomentsError `wrong-study`, `invalid-view`, `unsupported-data` if it is not such a result,
 * and the errors of `privatize` about data.
 */
export async function project(
  study: Study,
  data: Data,
  result: Projectable | Plain<Projectable>,
  options: ProjectOptions = {},
): Promise<Scores> {
  checkReadOptions(options, ['views', 'rotated']);
  const scored = options.rotated === true ? rotatedOf(result) : result;
  return score(study, data, weighing(study, scored, options.views), options);
}

/**
 * Predicts the target of a regression for rows, in original units: the intercept plus the coefficients times
 * the row. The data need no column of the target. Otherwise as `project`.
 *
 * @throws PrivateMomentsError `wrong-study`, `unsupported-data` if it is not a result of `ridge`, and the
 * errors of `privatize` about data.
 */
export async function predict(
  study: Study,
  data: Data,
  result: RidgeResult | Plain<RidgeResult>,
  options: ReadOptions = {},
): Promise<Scores> {
  checkReadOptions(options);
  const { target, intercept, coefficients } = ((result as unknown) ?? {}) as Partial<RidgeResult>;
  const names = coefficients?.map(({ column }) => column);
  requireOf(study, result, names, 'result must come from ridge');
  const terms = (coefficients ?? []).map(({ column, value }): [string, Term] => [
    column,
    { centre: 0, weights: Float64Array.of(value) },
  ]);
  const offset = intercept ?? NaN;
  return score(study, data, { names: [target ?? ''], offset, terms: new Map(terms) }, options);
}

/** Scores as an offset plus, for each feature, its weights times (value - centre). */
interface Weighing {
  names: string[];
  offset: number;
  terms: Map<string, Term>;
}

interface Term {
  centre: number;
  weights: Float64Array;
}

/** The parts of a result, or of one of its views, that determine scores. */
interface Part {
  weights: Matrix | Plain<Matrix>;
  centre: Matrix | Plain<Matrix>;
}

function weighing(study: Study, result: unknown, chosen: readonly string[] | undefined): Weighing {
  const parts = partsOf(result, chosen);
  const features = parts.flatMap(
    ([, part]): readonly (string | null)[] => featuresOf(part) ?? [null],
  );
  requireOf(
    study,
    result,
    features,
    'result must come from pca, cca, gcca, factorAnalysis, plsCorrelation, plsRegression or assembleComponents',
  );
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
  subtractCovariates(result, all.terms);
  return all;
}

/** An adjusted result weights residuals, so each covariate has the weight - sum_i coefficient_i weight_i. */
function subtractCovariates(result: unknown, terms: Map<string, Term>): void {
  const { adjusted } = (result ?? {}) as { adjusted?: Adjusted | Plain<Adjusted> };
  if (adjusted === undefined) return;
  const { centre, coefficients } = adjusted;
  const width = coefficients.columns.length;
  for (const [j, covariate] of coefficients.columns.entries()) {
    const weights = new Float64Array(terms.values().next().value?.weights.length ?? 0);
    for (const [i, feature] of coefficients.rows.entries()) {
      const coefficient = coefficients.values[i * width + j] ?? NaN;
      for (const [k, weight] of terms.get(feature)?.weights.entries() ?? []) {
        weights[k] = (weights[k] ?? 0) - coefficient * weight;
      }
    }
    terms.set(covariate, { centre: centre.values[j] ?? NaN, weights });
  }
}

/** The result with the weights of its rotated components. */
function rotatedOf(result: unknown): unknown {
  const { rotation } = (result ?? {}) as Partial<PcaResult>;
  if (rotation !== undefined && rotation.components > 0) {
    return { ...(result as object), weights: rotation.weights };
  }
  const message =
    rotation?.note ??
    'the result has no rotation: ask pca for one, as in pca({ rotation: "varimax" })';
  throw new PrivateMomentsError('unsupported-data', message, { field: 'rotated' });
}

/** The parts to score, each with the prefix of the names of its scores. */
function partsOf(result: unknown, chosen: readonly string[] | undefined): [string, Part][] {
  const { views } = (result ?? {}) as { views?: Record<string, Part> };
  if (views === undefined && chosen === undefined) return [['', result as Part]];
  const names = Object.keys(views ?? {});
  return (chosen ?? names).map((name) => {
    const view = views !== undefined && Object.hasOwn(views, name) ? views[name] : undefined;
    if (view !== undefined) return [`${name} `, view];
    const message = `the result has no view "${name}" (its views: ${names.join(', ') || 'none'})`;
    throw new PrivateMomentsError('invalid-view', message, { field: 'views' });
  });
}

/** The features of a part; undefined if it is malformed. */
function featuresOf(part: Partial<Part> | null): readonly string[] | undefined {
  const { weights, centre } = part ?? {};
  const fits = weights?.rows.every((name, i) => centre?.columns[i] === name);
  return fits === true ? weights?.rows : undefined;
}

/** Checks a result, which may come from a file, for the fields that are used. */
function requireOf(
  study: Study,
  result: unknown,
  features: readonly (string | null)[] | undefined,
  message: string,
): void {
  const allowed = new Set<string | null>(requireStudy(study).features.map(({ name }) => name));
  const { origin } = (result ?? {}) as Partial<Projectable>;
  if (origin !== undefined && origin.study.id !== study.id) {
    throw new PrivateMomentsError(
      'wrong-study',
      'the result belongs to another study; use the study it was made for',
    );
  }
  if (origin !== undefined && features?.every((name) => allowed.has(name))) return;
  throw new PrivateMomentsError('unsupported-data', message, { field: 'result' });
}

async function score(
  study: Study,
  data: Data,
  weighing: Weighing,
  { columns, csv, missingValues, signal, onProgress }: ReadOptions,
): Promise<Scores> {
  const whole = planOf(study, { columns, csv, missingValues });
  const used = new Set(
    study.features.flatMap(({ name, column }) => (weighing.terms.has(name) ? [column] : [])),
  );
  const plan: Plan = { ...whole, columns: whole.columns.filter(({ name }) => used.has(name)) };
  const source = openData(data, plan);
  const scorer = new Scorer(plan, weighing);
  const feed = new RowFeed(scorer, plan, await loadCore());
  const yieldIfDue = periodicYield();
  const reading = readInto(feed, plan, source, async (rows, fraction) => {
    onProgress?.({ rows, fraction });
    await yieldIfDue();
    if (signal?.aborted) throw cancelled(signal);
  });
  await untilCancelled(reading, signal, cancelled);
  const scores = scorer.scores(localCounts(scorer.counts(), plan, [], feed.toCheck).columns);
  onProgress?.({ rows: scores.rows, fraction: source.kind === 'stream' ? null : 1 });
  return scores;
}

/** Scores encoded rows. */
class Scorer implements RowCollector {
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
    const read = bytes === undefined ? reader.collectEnd() : reader.collect(bytes);
    return read.ok ? this.add(reader.collected()) : read;
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

  /** Adds up the scores of one row; false if a cell is missing. */
  #score(cells: Float64Array, scores: Float64Array): boolean {
    let isComplete = true;
    for (const [index, { column, terms }] of this.#columns.entries()) {
      const cell = cells[index] ?? NaN;
      const counts = this.#counts[index] ?? { missing: 0, outside: 0 };
      if (!Number.isFinite(cell)) {
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
