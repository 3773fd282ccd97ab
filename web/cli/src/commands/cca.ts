import type { CcaResult, GccaResult } from 'private-moments';
import { at, UsageError, type Command } from 'private-moments/internal';
import {
  correlation,
  highScoreInWords,
  namer,
  pairsFinding,
  pairsInWords,
  patternOf,
  sentenceOfPair,
  testFinding,
} from 'private-moments/words';
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
import { paragraphs, prose, table } from '../../../command/src/table.js';

const help = `private-moments cca: canonical correlations between views of the columns.

  private-moments cca STUDY RELEASE...

${RELEASES_HELP}

  --x VIEW, --y VIEW   two views of the study (its two, if it has two)
  --views A,B,C        the same, or three views or more: what all of them share
  --adjust A,B         covariates: analyse what is left after a regression on these
  --test A             count the pairs that are real, at the significance level A such as 0.05
  --components N       how many pairs (all)
${INTERVAL_HELP}
${ANALYSIS_HELP}

Example:
  private-moments cca study.json releases --x people --y work --level 0.95`;

const options = {
  ...INTERVAL_OPTIONS,
  components: { type: 'string' },
  adjust: { type: 'string' },
  test: { type: 'string' },
  x: { type: 'string' },
  y: { type: 'string' },
  views: { type: 'string' },
} as const;

export const ccaCommand: Command = {
  help,
  run: (args) =>
    runAnalysis(args, options, async (assembled, values, signal) => {
      const views = listOf('--views', values.views);
      if (views !== undefined && (values.x !== undefined || values.y !== undefined)) {
        throw new UsageError('--views replaces --x and --y: use the one or the other');
      }
      if (views?.length === 1) throw new UsageError('--views must be two views or more');
      const analyses = inWorker(assembled, signal);
      const common = {
        ...intervalOptions(values),
        ...present({
          components: numberOf('--components', values.components),
          adjust: listOf('--adjust', values.adjust),
          test: numberOf('--test', values.test),
        }),
      };
      if (views !== undefined && views.length > 2) {
        const result = await analyses.gcca({ ...common, views });
        return { result, text: () => manyInWords(result) };
      }
      const [x = values.x, y = values.y] = views ?? [];
      const result = await analyses.cca({ ...common, ...present({ x, y }) });
      return { result, text: () => pairsText(result) };
    }),
};

function pairsText(result: CcaResult): string {
  const { correlations, hidden, options } = result;
  const meant = correlations.flatMap(({ belowNoiseFloor }, k) =>
    belowNoiseFloor ? [] : [prose(`CC${k + 1}: ${sentenceOfPair(result, k)}`)],
  );
  return paragraphs(
    ...originInWords(result),
    pairsFinding(Object.keys(result.views), correlations, hidden),
    testFinding(result.test),
    pairsInWords(correlations, { level: options.level, hidden }).map(prose).join('\n'),
    pairTable('correlation', correlations),
    meant.join('\n'),
    ...loadingTables(result),
  );
}

function manyInWords(result: GccaResult): string {
  const meant = result.shared.flatMap(({ belowNoiseFloor }, k) =>
    belowNoiseFloor
      ? []
      : Object.keys(result.views).map((view) =>
          prose(
            `GC${k + 1}, a high score of ${view}: ${highScoreInWords(patternOf(result, view, k))}`,
          ),
        ),
  );
  return paragraphs(
    ...originInWords(result),
    pairsFinding(Object.keys(result.views), result.shared, result.hidden),
    testFinding(result.test),
    pairTable('shared', result.shared),
    meant.join('\n'),
    ...loadingTables(result),
  );
}

function pairTable(what: string, pairs: CcaResult['correlations'] | GccaResult['shared']): string {
  const rows = pairs.map((pair, k) => [
    String(k + 1),
    correlation(pair.value),
    interval(pair, correlation),
    correlation(Math.min(1, pair.noiseFloor)),
    floorMark(pair.belowNoiseFloor),
  ]);
  return table(['pair', what, 'interval', 'noise floor', ''], rows);
}

/** For each view, the correlation of its columns with its scores. */
function loadingTables({ views, origin }: CcaResult | GccaResult): string[] {
  const written = namer(origin);
  return Object.entries(views).map(([name, { columns, loadings }]) => {
    const rows = columns.map((column, i) => [
      written(column),
      ...loadings.columns.map((_, k) => correlation(at(loadings, i, k))),
    ]);
    return `View ${name}, correlation of each column with its score:\n${table(['column', ...loadings.columns], rows)}`;
  });
}
