import type { RidgeResult } from 'private-moments';
import { UsageError, type Command } from 'private-moments/internal';
import {
  explainedInWords,
  namer,
  namerWithUnit,
  regressionFinding,
  significant,
} from 'private-moments/words';
import {
  ANALYSIS_HELP,
  inWorker,
  originInWords,
  RELEASES_HELP,
  runAnalysis,
} from '../parts/analysis.js';
import { listOf, numberOf, present } from '../../../command/src/arguments.js';
import { floorMark, interval } from '../parts/intervals.js';
import { facts, paragraphs, prose, table } from '../../../command/src/table.js';

const help = `private-moments ridge: a regression on all releases together.

  private-moments ridge STUDY RELEASE... --target COLUMN

${RELEASES_HELP}

  --target COLUMN      the column to predict, or a level of a category as column=level
  --features A,B       the predictors (all other columns)
  --penalty P          penalty on the squared weights in scaled units (0, least squares)
  --level L            add intervals, such as 0.95
${ANALYSIS_HELP}

Example:
  private-moments ridge study.json releases --target hours --level 0.95`;

const options = {
  target: { type: 'string' },
  features: { type: 'string' },
  penalty: { type: 'string' },
  level: { type: 'string' },
} as const;

export const ridgeCommand: Command = {
  help,
  run: (args) =>
    runAnalysis(args, options, async (assembled, values, signal) => {
      const { target } = values;
      if (target === undefined) throw new UsageError('--target is missing');
      const result = await inWorker(assembled, signal).ridge({
        target,
        ...present({
          features: listOf('--features', values.features),
          penalty: numberOf('--penalty', values.penalty),
          level: numberOf('--level', values.level),
        }),
      });
      return { result, text: () => inWords(result) };
    }),
};

function inWords(result: RidgeResult): string {
  const { r2, coefficients, intercept, residualSd, origin } = result;
  const target = namer(origin)(result.target);
  const written = namerWithUnit(origin);
  const rows = coefficients.map((each) => [
    written(each.column),
    significant(each.value, 3),
    interval(each),
    floorMark(each.belowNoiseFloor),
  ]);
  return paragraphs(
    ...originInWords(result),
    prose(regressionFinding(target, r2, coefficients)),
    table(['column', `${target} per unit`, 'interval', ''], rows),
    facts([
      ['variance explained', explainedInWords(r2)],
      ['intercept', significant(intercept, 3)],
      ['residual standard deviation', significant(residualSd, 3)],
    ]),
  );
}
