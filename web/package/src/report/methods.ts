import type { Origin } from '../output/results.js';
import type { Guarantee } from '../study/types.js';
import { bound, count, inSentence, list, plural } from './format.js';
import { guaranteeInWords } from './guarantee.js';
import { columnName } from './names.js';

/** What the methods of a result depend on. */
export interface Analysed {
  /** Absent from moments. */
  analysis?: string;
  options?: object;
  origin: Origin;
  guarantee: Guarantee | null;
  adjusted?: { readonly columns: readonly string[] };
  /** Not null in moments of a study that marks missing cells. */
  missing?: object | null;
}

/**
 * How results of the same releases were computed, as docs/analysis.md has it, in a paragraph for a paper; empty
 * if they are not private.
 */
export function methodsInWords(all: readonly Analysed[]): string {
  const [first] = all;
  if (first === undefined || first.guarantee === null) return '';
  const { origin, guarantee } = first;
  const has = (analysis: string): boolean => all.some((result) => result.analysis === analysis);
  const levels = all.flatMap(({ analysis, options }) => {
    const { level } = (options ?? {}) as { level?: number };
    return level === undefined || analysis === 'uncertainty' ? [] : [{ analysis, level }];
  });
  const level = (which: boolean): string => {
    const own = levels.filter(({ analysis }) => (analysis === 'ridge') === which);
    return [...new Set(own.map((each) => `${bound(each.level * 100)}%`))].join(' and ');
  };
  const [promise = ''] = guaranteeInWords(guarantee);
  const said = [
    `We analysed ${plural(origin.releases, 'release')} of the study with the fingerprint ${origin.study.id}, with ${origin.library.replace('/', ' ')}.`,
    promise,
    'All results are post-processing of the releases.',
    ...(all.some(({ missing }) => missing !== null && missing !== undefined)
      ? ['Every covariance is that of the rows that had both columns (pairwise deletion).']
      : []),
    ...adjustmentsInWords(all),
    ...(level(false) === ''
      ? []
      : [
          `Intervals (${level(false)}) of correlations, variances, weights and loadings come from ${drawsOf(all)}simulations of the privacy noise and of the sampling error.`,
        ]),
    ...(level(true) === ''
      ? []
      : [
          `Intervals (${level(true)}) of the regression are by the delta method, from the law of the privacy noise and the sampling error of normal rows.`,
        ]),
    ...(has('cca')
      ? [
          'Canonical pairs at or below their noise floor are not interpreted; noise alone stays below it in 95% of draws or more.',
        ]
      : []),
    ...(has('pca')
      ? [
          'Principal components at or below the noise floor of variances are not interpreted; noise alone stays below it in 94% of draws or more.',
        ]
      : []),
  ];
  return said.join(' ');
}

function adjustmentsInWords(all: readonly Analysed[]): string[] {
  const within = all.some(({ origin }) => origin.sites === 'within');
  const columns = new Set(
    all.flatMap(({ adjusted, origin }) =>
      adjusted === undefined
        ? []
        : [list(adjusted.columns.map((name) => inSentence(columnName(origin.study, name))))],
    ),
  );
  return [
    ...(within
      ? ['Products are about the mean of each site, so differences between sites do not count.']
      : []),
    ...[...columns].map(
      (names) =>
        `Columns were adjusted for ${names}: analysed are the residuals of their linear regression, whose noise is that of the releases in other coordinates.`,
    ),
  ];
}

/** "300 ", if all intervals come from the same number of simulations. */
function drawsOf(all: readonly Analysed[]): string {
  const draws = all.flatMap(({ options }) => {
    const { draws: own } = (options ?? {}) as { draws?: number };
    return own === undefined ? [] : [own];
  });
  return new Set(draws).size === 1 ? `${count(draws[0] ?? 0)} ` : '';
}
