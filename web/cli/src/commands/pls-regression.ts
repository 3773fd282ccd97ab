import type { PlsRegressionResult } from 'private-moments';
import { at, UsageError, type Command } from 'private-moments/internal';
import { correlation, namer, namerWithUnit, percent, significant } from 'private-moments/words';
import {
  ANALYSIS_HELP,
  inWorker,
  originInWords,
  RELEASES_HELP,
  runAnalysis,
} from '../parts/analysis.js';
import { listOf, numberOf, present } from '../../../command/src/arguments.js';
import { floorMark } from '../parts/intervals.js';
import { paragraphs, table } from '../../../command/src/table.js';

const help = `private-moments pls-regression: partial least squares regression.

  private-moments pls-regression STUDY RELEASE... --target COLUMN

${RELEASES_HELP}

  --target A,B         the columns to predict; a category, or a level of one as column=level
  --features A,B       the predictors (all other columns)
  --components N       how many components (2)
${ANALYSIS_HELP}

Example:
  private-moments pls-regression study.json releases --target hours --components 3`;

const options = {
  target: { type: 'string' },
  features: { type: 'string' },
  components: { type: 'string' },
} as const;

export const plsRegressionCommand: Command = {
  help,
  run: (args) =>
    runAnalysis(args, options, async (assembled, values, signal) => {
      const target = listOf('--target', values.target);
      if (target === undefined) throw new UsageError('--target is missing');
      const result = await inWorker(assembled, signal).plsRegression({
        target,
        ...present({
          features: listOf('--features', values.features),
          components: numberOf('--components', values.components),
        }),
      });
      return { result, text: () => inWords(result) };
    }),
};

function inWords(result: PlsRegressionResult): string {
  const { coefficients, columns, components, loadings, origin, targets } = result;
  const names = targets.map(({ target }) => namer(origin)(target));
  const written = namerWithUnit(origin);
  const figures = components.map((each, k) => [
    loadings.columns[k] ?? '',
    significant(each.value),
    significant(each.noiseFloor),
    percent(each.shareOfFeatures),
    percent(each.shareOfTargets),
    floorMark(each.belowNoiseFloor),
  ]);
  const fits = targets.map(({ r2, intercept, residualSd }, j) => [
    names[j] ?? '',
    percent(r2),
    significant(intercept, 3),
    significant(residualSd, 3),
  ]);
  const rows = columns.map((name, i) => [
    written(name),
    ...names.map((_, j) => significant(at(coefficients, i, j), 3)),
    ...loadings.columns.map((_, k) => correlation(at(loadings, i, k))),
  ]);
  const head = ['component', 'covariance', 'noise floor', 'of predictors', 'of targets', ''];
  return paragraphs(
    ...originInWords(result),
    `Components, and the share of variance that each explains:\n${table(head, figures)}`,
    table(['target', 'variance explained', 'intercept', 'residual sd'], fits),
    `Coefficients per unit, and correlations with the components:\n${table(
      ['column', ...names, ...loadings.columns],
      rows,
    )}`,
  );
}
