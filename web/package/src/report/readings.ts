import type { FactorResult } from '../analysis/methods/factors.js';
import type { LdaResult } from '../analysis/methods/lda.js';
import type { PlsCorrelationResult, PlsRegressionResult } from '../analysis/methods/pls.js';
import type { SparseCcaResult, SparsePcaResult } from '../analysis/methods/sparse.js';
import type { Plain } from '../output/results.js';
import {
  capitalised,
  correlation,
  hundredths,
  list,
  percent,
  plural,
  significant,
} from './format.js';
import { columnName, namer } from './names.js';
import { at, correlationsOf, intervalAt, type AnyEstimates } from './weights.js';
import { factorFinding, type Figure, type Weight } from './words.js';

type Either<T> = T | Plain<T>;

/** Results whose components are read by the loadings of few or many columns. */
export type ReadableResult =
  | Either<FactorResult>
  | Either<LdaResult>
  | Either<PlsCorrelationResult>
  | Either<PlsRegressionResult>
  | Either<SparseCcaResult>
  | Either<SparsePcaResult>;

/** The correlations of columns with the scores of one view, or of all columns. */
export interface ReadingPart {
  /** The view's name; empty if there are no views. */
  name: string;
  loadings: AnyEstimates;
  /** Whether a column takes part in a component. */
  has: (row: number, component: number) => boolean;
}

interface SparseView {
  loadings: AnyEstimates;
  weights: AnyEstimates;
}

/** How the result of an analysis is read: its components one by one, by their loadings. */
export interface Reading {
  title: string;
  /** What the analysis finds, in a sentence. */
  sub: string;
  /** What a component is called: "sparse pair", "factor". */
  what: string;
  /** The main finding, in a sentence. */
  finding: string;
  figures: readonly Figure[];
  /** Names of the numbers of a component, and these, component by component. */
  heads: readonly string[];
  cells: readonly (readonly string[])[];
  /** What a loading is, for the middle of a sentence. */
  loading: string;
  parts: readonly ReadingPart[];
}

const READABLE: readonly string[] = [
  'factorAnalysis',
  'lda',
  'plsCorrelation',
  'plsRegression',
  'sparseCca',
  'sparsePca',
];

/** Whether a result is read by its loadings. */
export function isReadable<T extends { analysis: string }>(
  result: T,
): result is Extract<T, { analysis: ReadableResult['analysis'] }> {
  return READABLE.includes(result.analysis);
}

const everywhere = (): boolean => true;

/** How a result is read. */
export function readingOf(result: ReadableResult): Reading {
  switch (result.analysis) {
    case 'factorAnalysis':
      return ofFactors(result);
    case 'lda':
      return ofDiscriminants(result);
    case 'plsCorrelation':
      return ofPlsPairs(result);
    case 'plsRegression':
      return ofPlsRegression(result);
    case 'sparseCca':
      return ofSparsePairs(result);
    case 'sparsePca':
      return ofSparseComponents(result);
  }
}

function ofFactors({ factors, correlations }: Either<FactorResult>): Reading {
  return {
    title: 'Factors',
    sub: 'What columns have in common: standardised columns as sums of factors, and of a part that is the column’s own.',
    what: 'factor',
    finding: factorFinding(factors),
    figures: factors,
    heads: ['Share, %', 'Variance', 'Eigenvalue'],
    cells: factors.map(({ share, value, eigenvalue }) => [
      hundredths(share, 3),
      significant(value, 3),
      significant(eigenvalue, 3),
    ]),
    loading: 'correlation of each column with the factor',
    parts: [{ name: '', loadings: correlations, has: everywhere }],
  };
}

function ofDiscriminants(result: Either<LdaResult>): Reading {
  const { correlations, loadings, options, origin } = result;
  const target = columnName(origin.study, options.target);
  return {
    title: 'Discriminants',
    sub: `What tells the levels of ${target} apart: the scores whose variance lies between the levels as far as possible.`,
    what: 'discriminant',
    finding: strongest(correlations, 'discriminant', `with ${target}`),
    figures: correlations,
    heads: ['Correlation', ...(options.level === undefined ? [] : ['Interval']), 'Noise floor'],
    cells: correlations.map(({ value, low, high, noiseFloor }) => [
      correlation(value, 3),
      ...(low === undefined || high === undefined
        ? []
        : [`${correlation(low, 3)} to ${correlation(high, 3)}`]),
      correlation(Math.min(1, noiseFloor), 3),
    ]),
    loading: 'correlation of each column with the score',
    parts: [{ name: '', loadings, has: everywhere }],
  };
}

function ofPlsPairs({ pairs, views }: Either<PlsCorrelationResult>): Reading {
  const clear = pairs.filter(({ belowNoiseFloor }) => !belowNoiseFloor);
  const share = clear.reduce((sum, pair) => sum + pair.share, 0);
  const names = list(Object.keys(views));
  return {
    title: 'Partial least squares',
    sub: `The scores of ${names} that vary most together, from the correlations between the two views.`,
    what: 'PLS pair',
    finding: counted(
      clear.length,
      'PLS pair',
      `${percent(share)} of the squared correlations between ${names}`,
    ),
    figures: pairs,
    heads: ['Covariance', 'Noise floor', 'Share, %', 'Correlation'],
    cells: pairs.map((pair) => [
      significant(pair.value, 3),
      significant(pair.noiseFloor),
      hundredths(pair.share, 3),
      correlation(pair.correlation, 3),
    ]),
    loading: 'correlation of each column with the score',
    parts: Object.entries<{ loadings: AnyEstimates }>(views).map(([name, { loadings }]) => ({
      name,
      loadings,
      has: everywhere,
    })),
  };
}

function ofPlsRegression(result: Either<PlsRegressionResult>): Reading {
  const { components, loadings, origin, targets, used } = result;
  const name = namer(origin);
  const explained = targets.map(({ target, r2 }) => `${percent(r2)} of ${name(target)}`);
  return {
    title: 'Regression by partial least squares',
    sub: `${list(targets.map(({ target }) => name(target)))} from a few scores of the other columns.`,
    what: 'PLS component',
    finding: counted(used, 'PLS component', `together ${list(explained)}`),
    figures: components,
    heads: ['Covariance', 'Noise floor', 'Of the predictors, %', 'Of the targets, %'],
    cells: components.map((component) => [
      significant(component.value, 3),
      significant(component.noiseFloor),
      hundredths(component.shareOfFeatures, 3),
      hundredths(component.shareOfTargets, 3),
    ]),
    loading: 'correlation of each column with the score',
    parts: [{ name: '', loadings, has: everywhere }],
  };
}

function ofSparsePairs({ correlations, views }: Either<SparseCcaResult>): Reading {
  const names = Object.keys(views);
  return {
    title: 'Sparse pairs',
    sub: `Canonical correlations of ${list(names)} from few columns of each; all others have the weight 0.`,
    what: 'sparse pair',
    finding: strongest(correlations, 'sparse pair', `between ${list(names)}`),
    figures: correlations,
    heads: ['Correlation', 'Noise floor', ...names.map((name) => `Columns of ${name}`)],
    cells: correlations.map(({ value, noiseFloor, nonzeros }) => [
      correlation(value, 3),
      correlation(noiseFloor, 3),
      ...names.map((name) => String(nonzeros[name] ?? 0)),
    ]),
    loading: 'correlation of each chosen column with the score',
    parts: Object.entries<SparseView>(views).map(([name, { loadings, weights }]) => ({
      name,
      loadings,
      has: (i, k) => at(weights, i, k) !== 0,
    })),
  };
}

function ofSparseComponents(result: Either<SparsePcaResult>): Reading {
  const { correlations, explained, weights } = result;
  const clear = explained.filter(({ belowNoiseFloor }) => !belowNoiseFloor);
  const share = clear.reduce((sum, component) => sum + component.share, 0);
  return {
    title: 'Sparse components',
    sub: 'Principal components of few columns; all others have the weight 0.',
    what: 'sparse component',
    finding: counted(clear.length, 'sparse component', `${percent(share)} of the variance`),
    figures: explained,
    heads: ['Share, %', 'Variance', 'Noise floor', 'Columns'],
    cells: explained.map((component) => [
      hundredths(component.share, 3),
      significant(component.value, 3),
      significant(component.noiseFloor),
      String(component.nonzeros),
    ]),
    loading: 'correlation of each chosen column with the score',
    parts: [{ name: '', loadings: correlations, has: (i, k) => at(weights, i, k) !== 0 }],
  };
}

function counted(clear: number, what: string, explained: string): string {
  if (clear === 0) return `No ${what} stands out from the noise.`;
  return `${capitalised(plural(clear, what))} above the noise floor: ${explained}.`;
}

function strongest(figures: readonly Figure[], what: string, where: string): string {
  const clear = figures.filter(({ belowNoiseFloor }) => !belowNoiseFloor);
  const most = correlation(Math.max(...clear.map(({ value }) => value)));
  return counted(clear.length, what, `a correlation of up to ${most} ${where}`);
}

/** The loading of a column that takes part; undefined for others. */
export function loadingAt(
  { loadings, has }: ReadingPart,
  i: number,
  k: number,
): number | undefined {
  return has(i, k) ? at(loadings, i, k) : undefined;
}

/** The loadings of the columns that take part in a component, in the form of weights. */
export function loadingWeights({ loadings, has }: ReadingPart, k: number): Weight[] {
  return correlationsOf(loadings, k).filter((_, i) => has(i, k));
}

/** The interval of a loading as text, if there is one. */
export function loadingRange({ loadings }: ReadingPart, i: number, k: number): string | undefined {
  return intervalAt(loadings, i, k)
    ?.map((end) => correlation(end))
    .join(' to ');
}
