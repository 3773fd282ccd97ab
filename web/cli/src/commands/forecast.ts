import { forecast, type Forecast } from 'private-moments';
import { csvText, UsageError, type Command } from 'private-moments/internal';
import {
  capitalised,
  correlation,
  count,
  guaranteeInWords,
  percent,
  significant,
} from 'private-moments/words';
import {
  listOf,
  numberOf,
  present,
  readArguments,
  requiredNumber,
} from '../../../command/src/arguments.js';
import { checkFormat, FORMAT_HELP, FORMAT_OPTIONS, inFormat } from '../parts/format.js';
import { readStudy } from '../../../command/src/input.js';
import { withOutput } from '../../../command/src/output.js';
import { facts, paragraphs, prose, table } from '../../../command/src/table.js';

const help = `private-moments forecast: the errors to expect of a study, before any data are touched.

  private-moments forecast STUDY --rows N

STUDY is the study file or link. Everything follows from public numbers and the assumptions below.

  --rows N             rows at all sites together
  --sites N            releases to be summed (the study's number of sites, or 1)
  --correlations LIST  canonical correlations to look for (0.5,0.3,0.1)
  --spread S           standard deviation of number columns, as a share of their range (0.2)
  --within-views R     correlation between the columns of one view (0.8)
  --off-centre C       distance of the means from the middle, as a share of the range (0.2)
  --target T           the error that the rows needed are to reach (0.5)
${FORMAT_HELP}

Example:
  private-moments forecast study.json --rows 50000 --sites 10`;

const options = {
  ...FORMAT_OPTIONS,
  rows: { type: 'string' },
  sites: { type: 'string' },
  correlations: { type: 'string' },
  spread: { type: 'string' },
  'within-views': { type: 'string' },
  'off-centre': { type: 'string' },
  target: { type: 'string' },
} as const;

export const forecastCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, ['STUDY']);
    const rows = requiredNumber('--rows', values.rows);
    const assumed = present({
      sites: numberOf('--sites', values.sites),
      correlations: numbersOf('--correlations', values.correlations),
      spread: numberOf('--spread', values.spread),
      withinViews: numberOf('--within-views', values['within-views']),
      offCentre: numberOf('--off-centre', values['off-centre']),
      target: numberOf('--target', values.target),
    });
    checkFormat(values);
    await withOutput(values, async (output, signal) => {
      const study = await readStudy(positionals[0] ?? '', signal);
      const expected = await forecast(study, { rows, ...assumed });
      const forms = {
        text: () => inWords(expected),
        json: () => expected,
        csv: () => csvText(CSV_HEADER, csvRows(expected)),
      };
      await output.write(inFormat(values, forms));
    });
  },
};

function numbersOf(name: string, text: string | undefined): number[] | undefined {
  return listOf(name, text)?.map((item) => {
    const value = Number(item);
    if (!Number.isFinite(value)) throw new UsageError(`${name} must be numbers with commas`);
    return value;
  });
}

function inWords({ summary, correlations, assumes, guarantee, ...rest }: Forecast): string {
  const { covariance, noiseFloor, rowsNeeded } = rest;
  const rows = correlations.map((each) => [
    correlation(each.truth),
    correlation(each.expected),
    correlation(each.error),
    correlation(Math.min(1, each.noiseFloor)),
    percent(each.chanceBelowFloor),
    percent(each.power),
  ]);
  return paragraphs(
    prose(summary),
    rows.length === 0
      ? ''
      : table(
          ['correlation', 'estimate', 'error', 'noise floor', 'chance below it', 'power at 5 %'],
          rows,
        ),
    facts([
      [
        'error of the covariance, from privacy alone',
        `${significant(covariance.ratio)} times that of answering zero`,
      ],
      ...(noiseFloor === null
        ? []
        : [['first correlation of noise alone', correlation(Math.min(1, noiseFloor))] as const]),
      ['rows needed', rowsNeeded.rows === null ? 'no number is enough' : count(rowsNeeded.rows)],
    ]),
    prose(capitalised(guaranteeInWords(guarantee).join(' '))),
    ['Assumed:', ...assumes.map((each) => prose(`- ${each}`))].join('\n'),
  );
}

const CSV_HEADER = [
  'truth',
  'expected',
  'sd',
  'error',
  'noise_floor',
  'chance_below_floor',
  'clear',
  'power',
];

function csvRows({ correlations }: Forecast) {
  return correlations.map(
    ({ truth, expected, sd, error, noiseFloor, chanceBelowFloor, ...rest }) => [
      ...[truth, expected, sd, error, noiseFloor, chanceBelowFloor],
      ...[rest.clear, rest.power],
    ],
  );
}
