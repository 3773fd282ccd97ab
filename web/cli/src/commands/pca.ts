import type { Estimates, Moments, PcaResult, PcaRotation, RotationMethod } from 'private-moments';
import { at, intervalAt, type Command } from 'private-moments/internal';
import {
  constantsOf,
  correlation,
  namer,
  percent,
  sentenceOfComponent,
  sentencesOfRotation,
  significant,
  sourceNames,
  varianceFinding,
} from 'private-moments/words';
import {
  ANALYSIS_HELP,
  inWorker,
  originInWords,
  RELEASES_HELP,
  requireMoments,
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

const help = `private-moments pca: principal components of all releases together.

  private-moments pca STUDY RELEASE...

${RELEASES_HELP}

  --adjust A,B         covariates: analyse what is left after a regression on these
  --components N       how many components (all)
  --rotation METHOD    varimax or promax: also rotate the components above the noise floor
${INTERVAL_HELP}
${ANALYSIS_HELP}

Example:
  private-moments pca study.json releases --components 2 --level 0.95`;

export const pcaCommand: Command = {
  help,
  run: (args) =>
    runAnalysis(
      args,
      {
        ...INTERVAL_OPTIONS,
        components: { type: 'string' },
        adjust: { type: 'string' },
        rotation: { type: 'string' },
      },
      async (assembled, values, signal) => {
        const result = await inWorker(assembled, signal).pca({
          ...intervalOptions(values),
          ...present({
            components: numberOf('--components', values.components),
            adjust: listOf('--adjust', values.adjust),
            rotation: values.rotation as RotationMethod | undefined,
          }),
        });
        return { result, text: () => inWords(result, requireMoments(assembled)) };
      },
    ),
};

function inWords(result: PcaResult, moments: Moments): string {
  const { explained, columns, correlations, loadings, noiseFloor, origin } = result;
  const names = loadings.columns;
  const written = namer(origin);
  const meant = explained.flatMap(({ belowNoiseFloor }, k) =>
    belowNoiseFloor ? [] : [prose(`${names[k] ?? ''}: ${sentenceOfComponent(result, k)}`)],
  );
  const components = explained.map((each, k) => [
    names[k] ?? '',
    percent(each.share),
    interval({ low: each.shareLow, high: each.shareHigh }, percent),
    significant(each.value),
    floorMark(each.belowNoiseFloor),
  ]);
  const rows = columns.map((name, i) => [
    written(name),
    ...names.map((_, k) => correlation(at(correlations, i, k))),
  ]);
  return paragraphs(
    ...originInWords(result),
    prose(
      varianceFinding(
        explained,
        noiseFloor,
        constantsOf(explained, loadings, sourceNames(moments, loadings.rows)),
      ),
    ),
    table(['component', 'share', 'interval', 'variance (scaled units)', ''], components),
    meant.join('\n'),
    `Correlation of each column with the components:\n${table(['column', ...names], rows)}`,
    ...(result.rotation === undefined ? [] : rotationInWords(result, result.rotation)),
  );
}

function rotationInWords(result: PcaResult, rotation: PcaRotation): string[] {
  const { method, note, explained, loadings, phi } = rotation;
  const names = loadings.columns;
  const written = namer(result.origin);
  const entries = (matrix: Estimates): string =>
    table(
      ['', ...names],
      matrix.rows.map((name, i) => [
        written(name),
        ...names.map((_, k) =>
          [correlation(at(matrix, i, k)), rangeAt(matrix, i, k)].filter(Boolean).join(' '),
        ),
      ]),
    );
  const some = [
    `Loadings on the rotated components (${method}):\n${entries(loadings)}`,
    ...(method === 'promax' && explained.length > 1
      ? [`Correlations of the rotated components:\n${entries(phi)}`]
      : []),
    sentencesOfRotation(result).map(prose).join('\n'),
  ];
  return [...(note === null ? [] : [prose(note)]), ...(explained.length === 0 ? [] : some)];
}

function rangeAt(matrix: Estimates, i: number, k: number): string {
  const ends = intervalAt(matrix, i, k);
  return ends === undefined ? '' : `(${ends.map((end) => correlation(end)).join(' to ')})`;
}
