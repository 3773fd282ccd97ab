import type { SparseCcaResult } from 'private-moments';
import { at, type Command } from 'private-moments/internal';
import { correlation, namer } from 'private-moments/words';
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

const help = `private-moments sparse-cca: canonical correlations between few columns of two views.

  private-moments sparse-cca STUDY RELEASE...

${RELEASES_HELP}

  --x VIEW, --y VIEW   two views of the study (its two, if it has two)
  --components N       how many pairs (1)
  --sparsity S         multiplies the penalty, which at 1 is what noise alone reaches (1)
${ANALYSIS_HELP}

Example:
  private-moments sparse-cca study.json releases --x people --y work`;

const options = {
  components: { type: 'string' },
  sparsity: { type: 'string' },
  x: { type: 'string' },
  y: { type: 'string' },
} as const;

export const sparseCcaCommand: Command = {
  help,
  run: (args) =>
    runAnalysis(args, options, async (assembled, values, signal) => {
      const result = await inWorker(assembled, signal).sparseCca(
        present({
          x: values.x,
          y: values.y,
          components: numberOf('--components', values.components),
          sparsity: numberOf('--sparsity', values.sparsity),
        }),
      );
      return { result, text: () => inWords(result) };
    }),
};

function inWords(result: SparseCcaResult): string {
  const names = Object.keys(result.views);
  const written = namer(result.origin);
  const pairs = result.correlations.map((pair, k) => [
    String(k + 1),
    correlation(pair.value),
    correlation(pair.noiseFloor),
    names.map((name) => pair.nonzeros[name] ?? 0).join(' + '),
    floorMark(pair.belowNoiseFloor),
  ]);
  return paragraphs(
    ...originInWords(result),
    table(['pair', 'correlation', 'noise floor', 'columns', ''], pairs),
    ...Object.entries(result.views).map(([name, { columns, loadings, weights }]) => {
      const rows = columns.flatMap((column, i) => {
        const own = loadings.columns.map((_, k) =>
          at(weights, i, k) === 0 ? '' : correlation(at(loadings, i, k)),
        );
        return own.some((text) => text !== '') ? [[written(column), ...own]] : [];
      });
      const head = `View ${name}, correlation of each column that has a weight with its score:`;
      return rows.length === 0
        ? `View ${name}: no column has a weight.`
        : `${head}\n${table(['column', ...loadings.columns], rows)}`;
    }),
  );
}
