import type { PlsCorrelationResult } from 'private-moments';
import { at, type Command } from 'private-moments/internal';
import { correlation, namer, percent, significant } from 'private-moments/words';
import {
  ANALYSIS_HELP,
  inWorker,
  originInWords,
  RELEASES_HELP,
  runAnalysis,
} from '../parts/analysis.js';
import { numberOf, present } from '../../../command/src/arguments.js';
import { floorMark } from '../parts/intervals.js';
import { paragraphs, table } from '../../../command/src/table.js';

const help = `private-moments pls-correlation: partial least squares between two views (PLS-SVD).

  private-moments pls-correlation STUDY RELEASE...

${RELEASES_HELP}

  --x VIEW, --y VIEW   two views of the study (its two, if it has two)
  --components N       how many pairs (as the study's mechanism says, else all)
${ANALYSIS_HELP}

Example:
  private-moments pls-correlation study.json releases --x people --y work`;

const options = {
  components: { type: 'string' },
  x: { type: 'string' },
  y: { type: 'string' },
} as const;

export const plsCorrelationCommand: Command = {
  help,
  run: (args) =>
    runAnalysis(args, options, async (assembled, values, signal) => {
      const result = await inWorker(assembled, signal).plsCorrelation(
        present({
          x: values.x,
          y: values.y,
          components: numberOf('--components', values.components),
        }),
      );
      return { result, text: () => inWords(result) };
    }),
};

function inWords(result: PlsCorrelationResult): string {
  const written = namer(result.origin);
  const pairs = result.pairs.map((pair, k) => [
    String(k + 1),
    significant(pair.value),
    significant(pair.noiseFloor),
    percent(pair.share),
    correlation(pair.correlation),
    floorMark(pair.belowNoiseFloor),
  ]);
  return paragraphs(
    ...originInWords(result),
    table(['pair', 'covariance', 'noise floor', 'share', 'correlation', ''], pairs),
    ...Object.entries(result.views).map(([name, { columns, saliences }]) => {
      const rows = columns.map((column, i) => [
        written(column),
        ...saliences.columns.map((_, k) => correlation(at(saliences, i, k))),
      ]);
      return `View ${name}, weights of standardised columns:\n${table(['column', ...saliences.columns], rows)}`;
    }),
  );
}
