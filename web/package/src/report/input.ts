import type { CcaResult } from '../analysis/cca.js';
import type { GccaResult } from '../analysis/gcca.js';
import type { PcaResult } from '../analysis/pca.js';
import type { RidgeResult } from '../analysis/ridge.js';
import type { UncertaintyResult } from '../analysis/uncertainty.js';
import type { Components } from '../components.js';
import { PrivateMomentsError } from '../errors.js';
import type { Moments, MomentsData } from '../moments.js';
import type { Plain } from '../results.js';

type Live = CcaResult | GccaResult | PcaResult | RidgeResult | UncertaintyResult | Components;

/** A result as JSON has it. */
export type Reportable =
  | Plain<CcaResult>
  | Plain<GccaResult>
  | Plain<PcaResult>
  | Plain<RidgeResult>
  | Plain<UncertaintyResult>
  | Plain<Components>
  | Plain<MomentsData>;

/** What a report can be made of: results, moments, or what their `toJSON` gives. */
export type ReportInput = Live | Moments | Reportable;

const ANALYSES = ['cca', 'gcca', 'ridge', 'pca', 'moments', 'uncertainty', 'components'];

/** In the order a report has them. */
export function inOrder<Each extends { analysis: string }>(results: readonly Each[]): Each[] {
  const rank = ({ analysis }: Each): number => ANALYSES.indexOf(analysis);
  return [...results].sort((a, b) => rank(a) - rank(b));
}

/** The results as JSON, in the order a report has them, checked to belong together. */
export function readResults(input: ReportInput | readonly ReportInput[]): Reportable[] {
  const given: readonly unknown[] = Array.isArray(input) ? (input as unknown[]) : [input];
  const results = given.map(plain);
  const [first] = results;
  if (first === undefined) throw unsupported('a report needs at least one result');
  for (const { origin, rows } of results) {
    if (origin.study.id !== first.origin.study.id) {
      throw new PrivateMomentsError('wrong-study', 'the results belong to different studies');
    }
    if (origin.releases !== first.origin.releases || rows !== first.rows) {
      throw unsupported('the results come from different releases: make one report for each');
    }
  }
  return inOrder(results);
}

function plain(result: unknown): Reportable {
  const given = (result ?? {}) as Partial<Live>;
  const data = (typeof given.toJSON === 'function' ? given.toJSON() : given) as Reportable;
  if (ANALYSES.includes(data.analysis) && typeof data.origin === 'object') return data;
  throw unsupported(
    'a report is made of results: of cca, gcca, pca, ridge, uncertainty, moments or directions',
  );
}

function unsupported(message: string): PrivateMomentsError {
  return new PrivateMomentsError('unsupported-data', message, { field: 'results' });
}
