import type { Estimates, FactorResult, RotationMethod } from 'private-moments';
import { at, intervalAt, UsageError, type Command } from 'private-moments/internal';
import { correlation, factorFinding, namer, percent, significant } from 'private-moments/words';
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

const help = `private-moments factors: factor analysis of all releases together.

  private-moments factors STUDY RELEASE... --factors N

${RELEASES_HELP}

  --factors N          how many factors
  --columns A,B,C      number columns to analyse (all)
  --rotation METHOD    varimax or promax: rotate the factors above the noise floor
${INTERVAL_HELP}
${ANALYSIS_HELP}

Example:
  private-moments factors study.json releases --factors 2 --rotation promax`;

const options = {
  ...INTERVAL_OPTIONS,
  factors: { type: 'string' },
  columns: { type: 'string' },
  rotation: { type: 'string' },
} as const;

export const factorsCommand: Command = {
  help,
  run: (args) =>
    runAnalysis(args, options, async (assembled, values, signal) => {
      const factors = numberOf('--factors', values.factors);
      if (factors === undefined) throw new UsageError('--factors is missing: how many factors?');
      const result = await inWorker(assembled, signal).factorAnalysis({
        factors,
        ...intervalOptions(values),
        ...present({
          columns: listOf('--columns', values.columns),
          rotation: values.rotation as RotationMethod | undefined,
        }),
      });
      return { result, text: () => inWords(result) };
    }),
};

function inWords(result: FactorResult): string {
  const { factors, columns, loadings, note, options: asked, origin, phi, uniquenesses } = result;
  const names = loadings.columns;
  const written = namer(origin);
  const figures = factors.map((each, k) => [
    names[k] ?? '',
    percent(each.share),
    significant(each.value),
    interval(each),
    floorMark(each.belowNoiseFloor),
  ]);
  const rows = columns.map((name, i) => [
    written(name),
    ...names.map((_, k) => entry(loadings, i, k)),
    entry(uniquenesses, 0, i),
  ]);
  const related = names.map((name, i) => [name, ...names.map((_, k) => entry(phi, i, k))]);
  return paragraphs(
    ...originInWords(result),
    prose(factorFinding(factors)),
    ...(note === null ? [] : [prose(note)]),
    table(['factor', 'share', 'variance', 'interval', ''], figures),
    `Loadings, and the variance that is the column's own:\n${table(['column', ...names, 'uniqueness'], rows)}`,
    ...(asked.rotation === 'promax'
      ? [`Correlations of the factors:\n${table(['', ...names], related)}`]
      : []),
  );
}

function entry(matrix: Estimates, i: number, k: number): string {
  const ends = intervalAt(matrix, i, k);
  const value = correlation(at(matrix, i, k));
  return ends === undefined
    ? value
    : `${value} (${ends.map((end) => correlation(end)).join(' to ')})`;
}
