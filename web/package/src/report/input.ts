import type { CcaResult } from '../analysis/cca.js';
import type { FactorResult } from '../analysis/methods/factors.js';
import type { LdaResult } from '../analysis/methods/lda.js';
import type { PlsCorrelationResult, PlsRegressionResult } from '../analysis/methods/pls.js';
import type { SparseCcaResult, SparsePcaResult } from '../analysis/methods/sparse.js';
import type { GccaResult } from '../analysis/gcca.js';
import type { PcaResult } from '../analysis/pca.js';
import type { RidgeResult } from '../analysis/ridge.js';
import type { UncertaintyResult } from '../analysis/uncertainty.js';
import type { Components } from '../analysis/components.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Moments, MomentsData } from '../analysis/moments.js';
import type { Plain } from '../output/results.js';

type Live =
  | CcaResult
  | GccaResult
  | FactorResult
  | LdaResult
  | PcaResult
  | PlsCorrelationResult
  | PlsRegressionResult
  | RidgeResult
  | SparseCcaResult
  | SparsePcaResult
  | UncertaintyResult
  | Components;

/** The JSON of a result. */
export type Reportable =
  | Plain<CcaResult>
  | Plain<GccaResult>
  | Plain<FactorResult>
  | Plain<LdaResult>
  | Plain<PcaResult>
  | Plain<PlsCorrelationResult>
  | Plain<PlsRegressionResult>
  | Plain<RidgeResult>
  | Plain<SparseCcaResult>
  | Plain<SparsePcaResult>
  | Plain<UncertaintyResult>
  | Plain<Components>
  | Plain<MomentsData>;

/** The input of a report: results, moments, or their `toJSON()`. */
export type ReportInput = Live | Moments | Reportable;

const ANALYSES = [
  ...['cca', 'gcca', 'sparseCca', 'plsCorrelation', 'ridge', 'plsRegression', 'lda'],
  ...['pca', 'sparsePca', 'factorAnalysis'],
  ...['moments', 'uncertainty', 'components'],
];

/** Sorts results into the order of a report. */
export function inOrder<Each extends { analysis: string }>(results: readonly Each[]): Each[] {
  const rank = ({ analysis }: Each): number => ANALYSES.indexOf(analysis);
  return [...results].sort((a, b) => rank(a) - rank(b));
}

/** The results as JSON in the order of a report. @throws PrivateMomentsError if they do not belong together */
export function readResults(input: ReportInput | readonly ReportInput[]): Reportable[] {
  const inputs: readonly unknown[] = Array.isArray(input) ? (input as unknown[]) : [input];
  const results = inputs.map(plain);
  const [first] = results;
  if (first === undefined) throw unsupported('a report needs at least one result');
  for (const { origin, rows } of results) {
    if (origin.study.id !== first.origin.study.id) {
      throw new PrivateMomentsError(
        'wrong-study',
        'the results belong to different studies: make one report for each',
      );
    }
    if (origin.releases !== first.origin.releases || rows !== first.rows) {
      throw unsupported('the results come from different releases: make one report for each');
    }
  }
  return inOrder(results);
}

function plain(result: unknown): Reportable {
  const live = (result ?? {}) as Partial<Live>;
  const data = (typeof live.toJSON === 'function' ? live.toJSON() : live) as Reportable;
  if (ANALYSES.includes(data.analysis) && typeof data.origin === 'object') return data;
  throw unsupported('results must come from analyses of moments, assemble or assembleComponents');
}

function unsupported(message: string): PrivateMomentsError {
  return new PrivateMomentsError('unsupported-data', message, { field: 'results' });
}
