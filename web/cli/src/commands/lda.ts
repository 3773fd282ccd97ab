import type { LdaResult } from 'private-moments';
import { at, UsageError, type Command } from 'private-moments/internal';
import { correlation, namer, percent } from 'private-moments/words';
import {
  ANALYSIS_HELP,
  inWorker,
  originInWords,
  RELEASES_HELP,
  runAnalysis,
} from '../parts/analysis.js';
import { listOf, numberOf, present } from '../../../command/src/arguments.js';
import {
  floorMark,
  interval,
  INTERVAL_HELP,
  INTERVAL_OPTIONS,
  intervalOptions,
} from '../parts/intervals.js';
import { paragraphs, table } from '../../../command/src/table.js';

const help = `private-moments lda: what tells the levels of a category apart.

  private-moments lda STUDY RELEASE... --target CATEGORY

${RELEASES_HELP}

  --target CATEGORY    the category whose levels to separate
  --features A,B       the columns to separate them by (all others)
  --components N       how many discriminants (one less than levels)
${INTERVAL_HELP}
${ANALYSIS_HELP}

Example:
  private-moments lda study.json releases --target occupation --level 0.95`;

const options = {
  ...INTERVAL_OPTIONS,
  components: { type: 'string' },
  target: { type: 'string' },
  features: { type: 'string' },
} as const;

export const ldaCommand: Command = {
  help,
  run: (args) =>
    runAnalysis(args, options, async (assembled, values, signal) => {
      const { target } = values;
      if (target === undefined) throw new UsageError('--target is missing');
      const result = await inWorker(assembled, signal).lda({
        target,
        ...intervalOptions(values),
        ...present({
          features: listOf('--features', values.features),
          components: numberOf('--components', values.components),
        }),
      });
      return { result, text: () => inWords(result) };
    }),
};

function inWords(result: LdaResult): string {
  const { correlations, classes, centroids, columns, loadings } = result;
  const names = loadings.columns;
  const written = namer(result.origin);
  const discriminants = correlations.map((each, k) => [
    names[k] ?? '',
    correlation(each.value),
    interval(each, correlation),
    correlation(Math.min(1, each.noiseFloor)),
    floorMark(each.belowNoiseFloor),
  ]);
  const levels = classes.map(({ level, share, belowNoiseFloor }, c) => [
    level,
    percent(share),
    ...names.map((_, k) => at(centroids, c, k).toFixed(2)),
    floorMark(belowNoiseFloor),
  ]);
  const rows = columns.map((name, i) => [
    written(name),
    ...names.map((_, k) => correlation(at(loadings, i, k))),
  ]);
  return paragraphs(
    ...originInWords(result),
    table(['discriminant', 'correlation', 'interval', 'noise floor', ''], discriminants),
    `Mean score of each level of ${result.options.target}, in standard deviations within levels:\n${table(['level', 'share', ...names, ''], levels)}`,
    `Correlation of each column with the discriminants:\n${table(['column', ...names], rows)}`,
  );
}
