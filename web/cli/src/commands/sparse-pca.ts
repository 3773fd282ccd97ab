import type { SparsePcaResult } from 'private-moments';
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

const help = `private-moments sparse-pca: principal components of few columns.

  private-moments sparse-pca STUDY RELEASE...

${RELEASES_HELP}

  --components N       how many components (at most 3)
  --sparsity S         multiplies the penalty, which at 1 is what noise alone reaches (1)
${ANALYSIS_HELP}

Example:
  private-moments sparse-pca study.json releases --components 2`;

export const sparsePcaCommand: Command = {
  help,
  run: (args) =>
    runAnalysis(
      args,
      { components: { type: 'string' }, sparsity: { type: 'string' } },
      async (assembled, values, signal) => {
        const result = await inWorker(assembled, signal).sparsePca(
          present({
            components: numberOf('--components', values.components),
            sparsity: numberOf('--sparsity', values.sparsity),
          }),
        );
        return { result, text: () => inWords(result) };
      },
    ),
};

function inWords(result: SparsePcaResult): string {
  const { explained, columns, loadings } = result;
  const names = loadings.columns;
  const written = namer(result.origin);
  const components = explained.map((each, k) => [
    names[k] ?? '',
    percent(each.share),
    significant(each.value),
    significant(each.noiseFloor),
    String(each.nonzeros),
    floorMark(each.belowNoiseFloor),
  ]);
  const rows = columns.flatMap((name, i) => {
    const own = names.map((_, k) => at(loadings, i, k));
    return own.some((loading) => loading !== 0)
      ? [[written(name), ...own.map((loading) => (loading === 0 ? '' : correlation(loading)))]]
      : [];
  });
  return paragraphs(
    ...originInWords(result),
    table(
      ['component', 'share', 'variance (scaled units)', 'noise floor', 'columns', ''],
      components,
    ),
    `Loadings; columns without any are left out:\n${table(['column', ...names], rows)}`,
  );
}
