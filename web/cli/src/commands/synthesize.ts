import type { Synthetic } from 'private-moments';
import { UsageError, type Command } from 'private-moments/internal';
import { count } from 'private-moments/words';
import { assembleFiles, inWorker, RELEASES, RELEASES_HELP } from '../parts/analysis.js';
import {
  choiceOf,
  numberOf,
  present,
  readArguments,
  requiredNumber,
} from '../../../command/src/arguments.js';
import { readReleases, readStudy, requireOneStdin } from '../../../command/src/input.js';
import { jsonText } from '../parts/json.js';
import { say, STDOUT_NAME, withOutput } from '../../../command/src/output.js';

const help = `private-moments synthesize: draw synthetic rows from releases.

  private-moments synthesize STUDY RELEASE... --rows N --out FILE

${RELEASES_HELP}
The rows follow the released means and covariances; they are nobody's, and drawing them costs no
privacy.

  --rows N             how many rows
  --label COLUMN       a category whose levels get means of their own
  --seed N             the same seed draws the same rows (none)
  --format FORMAT      csv, json, parquet or arrow (the ending of FILE, or csv)
  --out FILE           output file (standard output)
  --force              replace FILE if it exists

Example:
  private-moments synthesize study.json releases --rows 1000 --seed 1 --out synthetic.csv`;

const options = {
  rows: { type: 'string' },
  label: { type: 'string' },
  seed: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  force: { type: 'boolean' },
} as const;

const FORMATS = ['csv', 'json', 'parquet', 'arrow'] as const;
type Format = (typeof FORMATS)[number];
const BINARY: readonly Format[] = ['parquet', 'arrow'];

const writers: Record<Format, (rows: Synthetic) => string | Promise<Uint8Array>> = {
  csv: (rows) => rows.toCSV(),
  json: (rows) => jsonText(rows.toJSON()),
  parquet: (rows) => rows.toParquet(),
  arrow: (rows) => rows.toArrow(),
};

export const synthesizeCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, RELEASES);
    const [studyPath = '', ...paths] = positionals;
    const rows = requiredNumber('--rows', values.rows);
    const seed = numberOf('--seed', values.seed);
    const format = choiceOf('--format', values.format, FORMATS) ?? formatOf(values.out);
    requireOneStdin(positionals);
    await withOutput(values, async (output, signal) => {
      if (BINARY.includes(format) && output.name === STDOUT_NAME && process.stdout.isTTY) {
        throw new UsageError(`--format ${format} is not text: name a file with --out`);
      }
      const study = await readStudy(studyPath, signal);
      const assembled = await assembleFiles(study, await readReleases(paths, signal));
      const wanted = { rows, ...present({ seed, label: values.label }) };
      const synthetic = await inWorker(assembled, signal).synthesize(wanted);
      await output.write(await writers[format](synthetic));
      say(`${count(synthetic.rows)} synthetic rows written to ${output.name}.`);
    });
  },
};

/** The format that the ending of a file's name says; CSV where it says none. */
function formatOf(path: string | undefined): Format {
  const ending = path?.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return FORMATS.find((format) => format === ending) ?? 'csv';
}
