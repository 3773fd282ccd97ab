import type { CcaResult } from '../analysis/cca.js';
import type { FactorResult } from '../analysis/methods/factors.js';
import type { GccaResult } from '../analysis/gcca.js';
import type { GccaView } from '../analysis/variates.js';
import type { PcaResult } from '../analysis/pca.js';
import type { RidgeResult } from '../analysis/ridge.js';
import type { UncertaintyResult } from '../analysis/uncertainty.js';
import type { Components } from '../analysis/components.js';
import type { MomentsData } from '../analysis/moments.js';
import type { Origin, Plain } from '../output/results.js';
import {
  barTable,
  correlationFigure,
  heatTable,
  plainTable,
  screeFigure,
  type BarLine,
} from './figures.js';
import { sharesMissing } from './gaps.js';
import {
  bound,
  capitalised,
  correlation,
  countWord,
  hundredths,
  list,
  ordinal,
  ordinalWord,
  percent,
  plural,
  signed,
  significant,
} from './format.js';
import type { Reportable } from './input.js';
import { markup, type Markup } from './markup.js';
import { namer, namerWithUnit, unitOf } from './names.js';
import { readingOf } from './readings.js';
import { readingSection } from './reading-section.js';
import { roundUp } from './scale.js';
import {
  highScoreInWords,
  patternOf,
  sentenceOfComponent,
  sentenceOfPair,
  sentencesOfRotation,
} from './sentences.js';
import { at, constantsOf, extentOf, intervalAt, weightsOf, type AnyEstimates } from './weights.js';
import {
  CAUTION,
  allHiddenInWords,
  estimatesInWords,
  errorInWords,
  explainedInWords,
  floorInWords,
  hiddenInWords,
  adjustmentFinding,
  pairsFinding,
  pairsInWords,
  placesOf,
  reachOf,
  regressionFinding,
  standingOf,
  testFinding,
  varianceFinding,
  type Figure,
  type Hidden,
  type PairFigure,
  type Weight,
} from './words.js';

/** For features their columns in words; empty if the moments, which have them, are not in the report. */
export type Sources = (features: readonly string[]) => readonly string[];

/** The context of a section. */
export interface Writing {
  /** Index of the section, for ids that are unique in the document. */
  index: number;
  /** The same analysis without privacy, if there is one. */
  reference: Reportable | undefined;
  /** Name of the reference. */
  referenceName: string;
  sources: Sources;
}

/** Maximum number of columns for which the matrix of correlations is drawn. */
const MAX_DRAWN = 40;

export function sectionOf(result: Reportable, writing: Writing): Markup {
  const referenceResult =
    writing.reference?.analysis === result.analysis ? (writing.reference as never) : undefined;
  switch (result.analysis) {
    case 'cca':
      return pairs(result, referenceResult, writing);
    case 'gcca':
      return shared(result, writing);
    case 'pca':
      return components(result, writing);
    case 'factorAnalysis':
      return factors(result);
    case 'lda':
    case 'plsCorrelation':
    case 'plsRegression':
    case 'sparseCca':
    case 'sparsePca':
      return readingSection(result);
    case 'ridge':
      return regression(result, referenceResult);
    case 'moments':
      return moments(result);
    case 'uncertainty':
      return uncertainty(result);
    case 'components':
      return directions(result, writing);
  }
}

/** A phrase for the chosen figures, "the first and second pairs"; empty if there are none. */
function named(all: readonly Figure[], chosen: readonly number[], what: string): string[] {
  if (chosen.length === 0) return [];
  const isAll = chosen.length === all.length && chosen.length > 1;
  const which = isAll ? `all ${chosen.length}` : `the ${list(chosen.map(ordinalWord))}`;
  return [`${which} ${what}${chosen.length === 1 ? '' : 's'}`];
}

/** Phrases for what is below the noise floor in a result; empty if nothing is. */
export function belowOf(result: Reportable, sources: Sources): string[] {
  const below = (figures: readonly Figure[], what: string): string[] =>
    named(figures, placesOf(figures, 'below'), what);
  switch (result.analysis) {
    case 'cca':
      return below(result.correlations, 'canonical pair');
    case 'gcca':
      return below(result.shared, 'shared component');
    case 'factorAnalysis':
      return below(result.factors, 'factor');
    case 'lda':
    case 'plsCorrelation':
    case 'plsRegression':
    case 'sparseCca':
    case 'sparsePca': {
      const { figures, what } = readingOf(result);
      return below(figures, what);
    }
    case 'pca':
      return named(result.explained, lostOf(result, sources), 'principal component');
    case 'ridge': {
      const name = namer(result.origin);
      const below = result.coefficients.filter(({ belowNoiseFloor }) => belowNoiseFloor);
      const target = `in the regression of ${name(result.target)}`;
      return [
        ...(result.r2.belowNoiseFloor ? [`the explained share ${target}`] : []),
        ...(below.length === 0
          ? []
          : [
              `${below.length === 1 ? 'the coefficient' : 'the coefficients'} of ${list(below.map(({ column }) => name(column)))} ${target}`,
            ]),
      ];
    }
    default:
      return [];
  }
}

/** Sentences about values that may be higher than they seem because noise hides directions. */
export function hiddenOf(result: Reportable): string[] {
  if (result.analysis === 'cca') {
    return allHiddenInWords(result.correlations, result.hidden, 'pair');
  }
  if (result.analysis === 'gcca') {
    return allHiddenInWords(result.shared, result.hidden, 'component');
  }
  return [];
}

/** Phrases for what is above its floor and still not clear. */
export function unclearOf(result: Reportable): string[] {
  const unclear = (figures: readonly PairFigure[], what: string): string[] =>
    named(figures, placesOf(figures, 'not clear'), what);
  if (result.analysis === 'cca') return unclear(result.correlations, 'canonical pair');
  return result.analysis === 'gcca' ? unclear(result.shared, 'shared component') : [];
}

/** The components below the floor that are not zero by construction. */
function lostOf({ explained, loadings }: Plain<PcaResult>, sources: Sources): number[] {
  const constants = constantsOf(explained, loadings, sources(loadings.rows));
  return placesOf(explained, 'below').filter((k) => constants[k] === undefined);
}

function section(title: string, sub: string, ...content: (Markup | undefined)[]): Markup {
  return markup`<section><h2>${title}</h2><p class="sub">${sub}</p>${content}</section>`;
}

function inWords(sentences: readonly string[]): Markup {
  return markup`<div class="words"><h3>In words</h3>${sentences.map((text) => markup`<p>${text}</p>`)}</div>`;
}

function verdict(belowNoiseFloor: boolean): string {
  return belowNoiseFloor ? 'below: do not interpret' : 'above';
}

/** What a pair is worth: first how high it could be if noise hides directions, then its floor. */
function pairVerdict(pairs: readonly PairFigure[], place: number, hidden: Hidden): string {
  const pair = pairs[place];
  if (pair === undefined || pair.belowNoiseFloor) return verdict(true);
  const reach = reachOf(pairs, place, hidden);
  const standing = standingOf(pair) === 'not clear' ? 'above, but not clear' : verdict(false);
  return reach === undefined ? standing : `could be anything up to ${reach}; ${standing}`;
}

/** Cautions above the weights of a pair that is not clear or may be higher than it seems. */
function cautions(pairs: readonly Figure[], place: number, hidden: Hidden): Markup {
  const pair = pairs[place];
  const reach = hiddenInWords(pairs, place, hidden);
  return markup`${reach === undefined ? undefined : markup`<p class="sub"><strong>${reach}</strong></p>`}${
    pair !== undefined && standingOf(pair) === 'not clear'
      ? markup`<p class="sub"><strong>Not clear.</strong> ${CAUTION}</p>`
      : undefined
  }`;
}

/** The level of the intervals, if the options have one. */
function levelOf({ options }: { options: object }): number | undefined {
  return (options as { level?: number }).level;
}

function intervalName(level: number): string {
  return `${bound(level * 100)}% interval`;
}

// Canonical correlations

function pairs(
  result: Plain<CcaResult>,
  referenceResult: Plain<CcaResult> | undefined,
  { index, referenceName }: Writing,
): Markup {
  const { correlations, views } = result;
  const names = Object.keys(views);
  const level = levelOf(result);
  const figures = correlations.map((pair, k) => ({
    ...pair,
    reference: referenceResult?.correlations[k]?.value,
  }));
  const heads = [
    'Pair',
    ...(referenceResult === undefined ? [] : [capitalised(referenceName)]),
    'Correlation',
    ...(referenceResult === undefined ? [] : ['Difference']),
    ...(level === undefined ? [] : [intervalName(level)]),
    'Noise floor',
    'Against the floor',
  ];
  const body = figures.map((pair, k) => {
    const { value, low = 0, high = 0, reference = 0 } = pair;
    return {
      faint: pair.belowNoiseFloor,
      cells: [
        ordinal(k),
        ...(referenceResult === undefined ? [] : [correlation(reference, 3)]),
        markup`<strong>${correlation(value, 3)}</strong>`,
        ...(referenceResult === undefined ? [] : [withSign(value - reference)]),
        ...(level === undefined ? [] : [`${correlation(low, 3)} to ${correlation(high, 3)}`]),
        correlation(Math.min(1, pair.noiseFloor), 3),
        pairVerdict(correlations, k, result.hidden),
      ],
    };
  });
  const clear = correlations.flatMap(({ belowNoiseFloor }, k) => (belowNoiseFloor ? [] : [k]));
  const axis = `canonical correlation${level === undefined ? '' : `, ${intervalName(level)}`}`;
  return section(
    'Canonical correlations',
    `How strongly ${list(names)} move together.`,
    markup`<div class="two figure-words"><div>${correlationFigure(figures, { id: `floor-${index}`, axis, reference: referenceName })}</div>${inWords([adjustmentFinding(result), testFinding(result.test), ...pairsInWords(correlations, { level, hidden: result.hidden })].filter(Boolean))}</div>`,
    plainTable(heads, body, 'Canonical correlations'),
    ...clear.map((k) =>
      onePair(result, referenceResult, k, k === clear[0] ? referenceName : undefined),
    ),
  );
}

function onePair(
  result: Plain<CcaResult>,
  referenceResult: Plain<CcaResult> | undefined,
  k: number,
  explained: string | undefined,
): Markup {
  const names = Object.keys(result.views);
  const level = levelOf(result);
  const tables = barsOf(result, referenceResult?.views, k);
  const lines = level === undefined ? '' : ` Thin lines: ${intervalName(level)}s.`;
  const ticks = referenceResult === undefined ? '' : ` Ink ticks: ${explained ?? ''}.`;
  const said = cautions(result.correlations, k, result.hidden);
  return markup`<section><h3>${capitalised(ordinalWord(k))} pair</h3>${said}<p class="pattern">${sentenceOfPair(result, k)}</p>${explained === undefined ? undefined : markup`<p class="sub">A higher score in ${names[0]} goes with a higher score in ${names[1]}. Bars: weight per standard deviation of the column, so that lengths can be compared. Numbers: weight per unit of the column, and loading, the correlation of the column with the score.${lines}${ticks}</p>`}<div class="two">${tables}</div></section>`;
}

/** Weights without their intervals, as references are drawn. */
function bare(weights: readonly Weight[]): Weight[] {
  return weights.map(({ name, original, comparable }) => ({ name, original, comparable }));
}

/** A table of bars for each view, on one scale, of the weights of component k. */
function barsOf(
  result: { origin: Origin; views: Record<string, Plain<GccaView>> },
  referenceResult: Record<string, Plain<GccaView>> | undefined,
  k: number,
): Markup[] {
  const written = namerWithUnit(result.origin);
  const own = Object.entries(result.views).map(([name, view]) => {
    const other = referenceResult?.[name];
    return { name, view, weights: weightsOf(view, k), other: other && weightsOf(other, k) };
  });
  // The sign of a component is arbitrary, so the reference's is chosen to agree.
  const overlap = own.reduce(
    (sum, { weights, other }) =>
      sum +
      weights.reduce((s, { comparable }, i) => s + comparable * (other?.[i]?.comparable ?? 0), 0),
    0,
  );
  const turn = overlap < 0 ? -1 : 1;
  const limit = roundUp(
    extentOf(own.flatMap(({ weights, other = [] }) => [...weights, ...bare(other)])),
  );
  return own.map(({ name, view, weights, other }, v) => {
    const lines = weights.map((weight, i): BarLine => {
      const loading = correlation(at(view.loadings, i, k));
      const [low, high] = weight.interval?.comparable ?? [];
      return {
        name: written(weight.name),
        bar: weight.comparable,
        low,
        high,
        reference: other === undefined ? undefined : turn * (other[i]?.comparable ?? 0),
        cells: [signed(weight.original), loading],
        range: weight.interval?.original.map((end) => signed(end)).join(' to '),
        under: `loading ${loading}`,
      };
    });
    const heads = ['per unit', 'loading'];
    const caption = `${capitalised(ordinalWord(k))}, ${name}: weight per unit of each column, and its loading`;
    return markup`<div class="view"><h3>${capitalised(name)}</h3><p class="help">A high score, by loadings: ${highScoreInWords(patternOf(result, name, k))}.</p>${barTable(lines, { limit, series: v % 2 === 0 ? 1 : 2, heads, caption })}</div>`;
  });
}

// What several views share

function shared(result: Plain<GccaResult>, { index }: Writing): Markup {
  const { pairs: between } = result;
  const names = Object.keys(result.views);
  const level = levelOf(result);
  const heads = [
    'Component',
    'Shared correlation',
    ...(level === undefined ? [] : [intervalName(level)]),
    ...between.rows,
    'Noise floor',
    'Against the floor',
  ];
  const body = result.shared.map((each, k) => ({
    faint: each.belowNoiseFloor,
    cells: [
      ordinal(k),
      markup`<strong>${correlation(each.value, 3)}</strong>`,
      ...(level === undefined
        ? []
        : [`${correlation(each.low ?? 0, 3)} to ${correlation(each.high ?? 0, 3)}`]),
      ...between.rows.map((_, i) => correlation(at(between, i, k))),
      correlation(Math.min(1, each.noiseFloor), 3),
      pairVerdict(result.shared, k, result.hidden),
    ],
  }));
  const axis = `shared correlation${level === undefined ? '' : `, ${intervalName(level)}`}`;
  const said = [
    adjustmentFinding(result),
    testFinding(result.test),
    ...hiddenOf(result),
    pairsFinding(names, result.shared),
    estimatesInWords(result.shared, { level, hidden: result.hidden, what: 'shared component' }),
    ...(result.shared.some(({ noiseFloor }) => noiseFloor > 0)
      ? [floorInWords(result.shared, 'component')]
      : []),
  ];
  const figure = correlationFigure(result.shared, { id: `floor-${index}`, axis, reference: '' });
  return section(
    'What all views share',
    `The mean correlation between the scores of ${list(names)}, if all pairs of views correlate equally. The table also has the correlation of each pair of views.`,
    markup`<div class="two figure-words"><div>${figure}</div>${inWords(said.filter(Boolean))}</div>`,
    plainTable(heads, body, 'What all views share'),
    ...result.shared.map((each, k) =>
      each.belowNoiseFloor
        ? undefined
        : markup`<section><h3>${capitalised(ordinalWord(k))} shared component</h3>${cautions(result.shared, k, result.hidden)}<div class="two">${barsOf(result, undefined, k)}</div></section>`,
    ),
  );
}

// Principal components

function components(result: Plain<PcaResult>, { index, sources }: Writing): Markup {
  const { explained, noiseFloor, loadings } = result;
  const level = levelOf(result);
  const total = totalOf(explained);
  const floor = total > 0 ? noiseFloor / total : 0;
  const constants = constantsOf(explained, loadings, sources(loadings.rows));
  const body = explained.map(({ value, share, belowNoiseFloor, ...pair }, k) => {
    const { low, high } = pair;
    return {
      faint: belowNoiseFloor,
      cells: [
        ordinal(k),
        markup`<strong>${hundredths(share, 3)}</strong>`,
        ...(level === undefined
          ? []
          : [`${hundredths(pair.shareLow ?? 0, 3)} to ${hundredths(pair.shareHigh ?? 1, 3)}`]),
        significant(value, 3),
        ...(level === undefined
          ? []
          : [`${significant(low ?? 0, 3)} to ${significant(high ?? 0, 3)}`]),
        constants[k] === undefined ? verdict(belowNoiseFloor) : 'zero by construction',
      ],
    };
  });
  const meant = explained.flatMap(({ share, belowNoiseFloor }, k) =>
    belowNoiseFloor
      ? []
      : [`${capitalised(ordinalWord(k))}, ${percent(share)}: ${sentenceOfComponent(result, k)}`],
  );
  const heads = [
    'Component',
    'Share, %',
    ...(level === undefined ? [] : [intervalName(level)]),
    'Variance',
    ...(level === undefined ? [] : [intervalName(level)]),
    'Against the floor',
  ];
  const said = [
    adjustmentFinding(result),
    varianceFinding(explained, floor, constants),
    ...(noiseFloor > 0
      ? [`Noise alone would show a variance of up to ${significant(noiseFloor)}.`]
      : []),
    ...(level === undefined
      ? []
      : [
          'Intervals include the privacy noise, the sampling error, and the variance that shortened rows may have lost.',
        ]),
  ];
  const figure = explained.some(({ share }) => share > 0)
    ? screeFigure(explained, {
        id: `floor-${index}`,
        noiseFloor: floor,
        axis: 'principal component',
      })
    : undefined;
  return section(
    'Principal components',
    'Directions along which the rows spread most, on columns scaled to run from −1 to 1 between their bounds.',
    markup`<div class="two figure-words"><div>${figure}</div>${inWords(said.filter(Boolean))}</div>`,
    plainTable(heads, body, 'Principal components'),
    meant.length === 0
      ? undefined
      : markup`<section><h3>What each component is</h3><p class="sub">One end of it, and after “rather than” the other end, by the columns that correlate most with its score.</p>${meant.map((text) => markup`<p>${text}</p>`)}</section>`,
    markup`<section><h3>Loadings</h3><p class="sub">The entries of each component, a direction of length 1 on scaled columns.${level === undefined ? '' : ` The ${intervalName(level)} is below each entry.`} Components below the noise floor are grey: do not interpret them.</p>${loadingsTable(result, (k) => explained[k]?.belowNoiseFloor === true)}</section>`,
    result.rotation === undefined ? undefined : rotationSection(result, result.rotation, level),
  );
}

function rotationSection(
  result: Plain<PcaResult>,
  rotation: NonNullable<Plain<PcaResult>['rotation']>,
  level: number | undefined,
): Markup {
  const { method, note, explained, loadings, correlations, phi } = rotation;
  const isOblique = method === 'promax';
  const said = [
    ...(note === null ? [] : [note]),
    ...sentencesOfRotation(result),
    ...(level === undefined || explained.length === 0
      ? []
      : [`The ${intervalName(level)} is below each entry.`]),
  ];
  const table = (caption: string, matrix: AnyEstimates): Markup =>
    loadingsTable({ origin: result.origin, loadings: matrix }, () => false, caption);
  return markup`<section><h3>Rotated components (${method})</h3>${inWords(said)}${explained.length === 0 ? undefined : table(isOblique ? 'Rotated loadings (pattern)' : 'Rotated loadings', loadings)}${isOblique && explained.length > 1 ? markup`${table('Correlations with the rotated components (structure)', correlations)}${table('Correlations of the rotated components', phi)}` : undefined}</section>`;
}

function factors(result: Plain<FactorResult>): Markup {
  const { factors: all, note, noiseFloor, loadings, phi, uniquenesses, origin, options } = result;
  const level = levelOf(result);
  const faint = (k: number): boolean => all[k]?.belowNoiseFloor === true;
  const body = all.map(({ value, share, eigenvalue, belowNoiseFloor, low, high }, k) => ({
    faint: belowNoiseFloor,
    cells: [
      ordinal(k),
      markup`<strong>${hundredths(share, 3)}</strong>`,
      significant(value, 3),
      ...(level === undefined
        ? []
        : [`${significant(low ?? 0, 3)} to ${significant(high ?? 0, 3)}`]),
      significant(eigenvalue, 3),
      verdict(belowNoiseFloor),
    ],
  }));
  const heads = [
    ...['Factor', 'Share, %', 'Variance'],
    ...(level === undefined ? [] : [intervalName(level)]),
    ...['Eigenvalue', 'Against the floor'],
  ];
  const said = [
    note ?? 'All factors lie above the noise floor.',
    ...(noiseFloor > 0
      ? [`Unrelated columns would show an eigenvalue of up to ${significant(noiseFloor)}.`]
      : []),
    ...(level === undefined ? [] : ['Intervals include the privacy noise and the sampling error.']),
  ];
  const own = uniquenesses.columns.map((name, i) => ({
    cells: [
      namer(origin)(name),
      correlation(at(uniquenesses, 0, i)),
      ...(level === undefined
        ? []
        : [
            intervalAt(uniquenesses, 0, i)
              ?.map((end) => correlation(end))
              .join(' to ') ?? '',
          ]),
    ],
  }));
  const table = (caption: string, matrix: AnyEstimates): Markup =>
    loadingsTable({ origin, loadings: matrix }, faint, caption);
  return section(
    'Factors',
    'What the columns have in common: standardised columns as sums of factors, and of a part that is the column’s own.',
    inWords(said),
    plainTable(heads, body, 'Factors'),
    markup`<section><h3>Loadings</h3>${table('Loadings', loadings)}${options.rotation === 'promax' ? table('Correlations of the factors', phi) : undefined}${plainTable(['Column', 'Uniqueness', ...(level === undefined ? [] : [intervalName(level)])], own, 'Uniquenesses')}</section>`,
  );
}

function totalOf(explained: readonly { value: number; share: number }[]): number {
  const first = explained.find(({ share }) => share > 0);
  return first === undefined ? 0 : first.value / first.share;
}

function loadingsTable(
  { origin, loadings }: { origin: Origin; loadings: AnyEstimates },
  faint: (component: number) => boolean,
  caption = 'Loadings',
): Markup {
  return heatTable({
    caption,
    rows: loadings.rows.map(namer(origin)),
    columns: loadings.columns,
    entry: (i, k) => at(loadings, i, k),
    limit: 1,
    text: (value) => correlation(value),
    range: (i, k) =>
      faint(k)
        ? undefined
        : intervalAt(loadings, i, k)
            ?.map((end) => correlation(end))
            .join(' to '),
    faint,
  });
}

// Regression

function regression(
  result: Plain<RidgeResult>,
  referenceResult: Plain<RidgeResult> | undefined,
): Markup {
  const { coefficients, deviation, r2, intercept, penalty, origin } = result;
  const target = namer(origin)(result.target);
  const written = namerWithUnit(origin);
  const level = levelOf(result);
  const lines = coefficients.map((figure, i): BarLine => {
    const { column, value, low, high, belowNoiseFloor } = figure;
    const one = at(deviation, 0, i);
    const other = referenceResult?.coefficients.find((each) => each.column === column);
    const beside = belowNoiseFloor
      ? 'below the noise floor'
      : low === undefined || high === undefined
        ? signed(value * one)
        : `${signed(low)} to ${signed(high)}`;
    return {
      name: written(column),
      // A coefficient below its floor has no bar.
      bar: belowNoiseFloor ? 0 : value * one,
      low: low === undefined ? undefined : low * one,
      high: high === undefined ? undefined : high * one,
      reference: other === undefined ? undefined : other.value * one,
      belowNoiseFloor,
      cells: [signed(value), beside],
      range:
        belowNoiseFloor && low !== undefined && high !== undefined
          ? `${signed(low)} to ${signed(high)}`
          : undefined,
      under: level === undefined && !belowNoiseFloor ? `per sd ${beside}` : beside,
    };
  });
  const limit = roundUp(
    Math.max(
      ...lines.flatMap(({ bar, low = 0, high = 0, reference = 0, belowNoiseFloor }) =>
        // An interval below the floor may be longer than the scale of the others.
        (belowNoiseFloor === true ? [reference] : [bar, low, high, reference]).map(Math.abs),
      ),
    ),
  );
  const heads = ['per unit', level === undefined ? 'per sd' : intervalName(level)];
  const caption = `Coefficients of the regression of ${target}`;
  const facts: [string, string][] = [
    ['Share explained (r²)', explainedInWords(r2)],
    ['Share that noise alone would seem to explain', percent(r2.noiseFloor)],
    ['Typical error (residual sd)', errorInWords(result, unitOf(origin, result.target))],
    ['Intercept', significant(intercept, 3)],
    ['Penalty', penalty === 0 ? 'none: ordinary least squares' : significant(penalty, 3)],
  ];
  return section(
    `Regression of ${target}`,
    `${regressionFinding(target, r2, coefficients)} Bars: change of ${target} per standard deviation of the column, with the others held constant.`,
    markup`<div class="two figure-words top"><div class="wide">${barTable(lines, { limit, series: 1, heads, caption })}</div><div>${factTable(facts)}</div></div>`,
  );
}

// Moments

function moments(result: Plain<MomentsData>): Markup {
  const { columns, covariance, mean, origin } = result;
  const written = namerWithUnit(origin);
  const deviation = columns.map((_, i) => Math.sqrt(Math.max(0, at(covariance, i, i))));
  const shown = (i: number, j: number): number | undefined => {
    if (j > i) return undefined;
    if (i === j) return 1;
    const value = at(covariance, i, j) / ((deviation[i] ?? 0) * (deviation[j] ?? 0));
    return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
  };
  const map =
    columns.length > MAX_DRAWN
      ? undefined
      : heatTable({
          caption: 'Correlations of all columns',
          rows: columns.map(namer(origin)),
          columns: columns.map(namer(origin)),
          entry: shown,
          limit: 1,
          text: (value) => (value === 1 ? '1' : correlation(value)),
        });
  const missing = sharesMissing(result);
  const means = columns.map((name, i) => ({
    cells: [
      written(name),
      significant(at(mean, 0, i), 3),
      significant(deviation[i] ?? 0, 3),
      ...(missing.size === 0 ? [] : [missing.get(result.sources[i] ?? '') ?? '']),
    ],
  }));
  const heads = [
    'Column',
    'Mean',
    'Standard deviation',
    ...(missing.size === 0 ? [] : ['Missing']),
  ];
  return section(
    'Means and covariance',
    map === undefined
      ? 'The covariance has too many columns to draw; it is in the CSV and JSON files.'
      : 'Cells: correlations from the noisy covariance, not denoised. They are 0 if noise left no variance.',
    map === undefined ? undefined : markup`${map}`,
    markup`<section class="few"><h3>Means</h3>${plainTable(heads, means, 'Means')}</section>`,
  );
}

// Uncertainty of the moments

function uncertainty({ columns, mean, options, origin }: Plain<UncertaintyResult>): Markup {
  const named = namerWithUnit(origin);
  const row = (name: string): number => mean.rows.indexOf(name);
  const written = (name: string, i: number): string => significant(at(mean, row(name), i), 3);
  const body = columns.map((name, i) => ({
    cells: [
      named(name),
      markup`<strong>${written('value', i)}</strong>`,
      written('standardError', i),
      `${written('low', i)} to ${written('high', i)}`,
    ],
  }));
  const heads = ['Column', 'Mean', 'Standard error', intervalName(options.level)];
  return section(
    'Means with their uncertainty',
    'Standard errors include the privacy noise and the sampling error. Those of the covariances are in the CSV and JSON files.',
    markup`<div class="few">${plainTable(heads, body, 'Means with their uncertainty')}</div>`,
  );
}

// Directions

function directions(result: Plain<Components>, { index }: Writing): Markup {
  const { explained, rows, releases } = result;
  const shares = explained.flatMap(({ value, share }) =>
    value === null || share === null ? [] : [{ value, share, belowNoiseFloor: false }],
  );
  const body = explained.map(({ value, share }, k) => ({
    cells: [
      ordinal(k),
      value === null ? 'not released' : significant(value, 3),
      share === null ? 'unknown' : percent(share),
    ],
  }));
  const heads = ['Direction', rows === null ? 'Sum of squares' : 'Mean square', 'Share'];
  return section(
    'Directions',
    `${countWord(explained.length)} ${explained.length === 1 ? 'direction' : 'directions'} from ${plural(releases, 'release')}, along which the rows spread most around the public centre. Their error is unknown, so there is no noise floor.`,
    markup`<div class="two"><div>${shares.length === explained.length ? screeFigure(shares, { id: `floor-${index}`, noiseFloor: 0, axis: 'direction' }) : undefined}</div><div>${plainTable(heads, body, 'Directions')}</div></div>`,
    markup`<section><h3>Entries</h3><p class="sub">Entries of directions of length 1, on scaled columns.</p>${loadingsTable(result, () => false)}</section>`,
  );
}

export function factTable(facts: readonly (readonly [string, string | Markup])[]): Markup {
  return markup`<table class="left"><tbody>${facts.map(([name, value]) => markup`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`;
}

function withSign(value: number): string {
  const text = correlation(value, 3);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}
