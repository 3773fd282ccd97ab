import { privatize, type Ledger, type Release } from 'private-moments';
import { UsageError, type Command } from 'private-moments/internal';
import { capitalised } from 'private-moments/words';
import { readArguments } from '../../../command/src/arguments.js';
import { openData, readStudy, requireOneStdin } from '../../../command/src/input.js';
import { budgetInWords, openLedger, spentInWords, type LedgerFile } from '../parts/ledger-file.js';
import { say, STDOUT_NAME, withOutput, type Output } from '../../../command/src/output.js';
import { ProgressLine } from '../parts/progress.js';
import { READING_HELP, READING_OPTIONS, readingOptions } from '../parts/reading.js';

const help = `private-moments privatize: turn data into one release with noise, for the analyst.

  private-moments privatize STUDY DATA --out FILE

STUDY is the study file or link. DATA is a CSV file (also gzip), Parquet or Arrow; - is standard input.
Rows stay here: the release is one small file of noisy sums. Before noise is drawn, the release is
recorded in a ledger, which adds up what all releases of these data cost (private-moments ledger).
If anything fails, or you press Ctrl-C, no file is written.

  --out FILE           the release (standard output)
  --force              replace FILE if it exists
  --ledger FILE        another ledger than yours in $XDG_STATE_HOME/private-moments, by default
                       ~/.local/state/private-moments/ledger.json
  --no-ledger          record nothing: you have to keep count yourself
  --data-set NAME      your name for the data; releases under one name count together
${READING_HELP}

Example:
  private-moments privatize study.json site-01.csv --out site-01.release.json`;

const options = {
  ...READING_OPTIONS,
  out: { type: 'string' },
  force: { type: 'boolean' },
  ledger: { type: 'string' },
  'no-ledger': { type: 'boolean' },
  'data-set': { type: 'string' },
} as const;

export const privatizeCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, ['STUDY', 'DATA']);
    const [studyPath = '', dataPath = ''] = positionals;
    const reading = readingOptions(values);
    requireOneStdin(positionals);
    const { ledger: named, 'no-ledger': isUnrecorded, 'data-set': dataSet } = values;
    if (isUnrecorded && (named !== undefined || dataSet !== undefined)) {
      throw new UsageError('--no-ledger goes neither with --ledger nor with --data-set');
    }
    await withOutput(values, async (output, signal) => {
      const study = await readStudy(studyPath, signal);
      const data = await openData(dataPath);
      const file = isUnrecorded ? undefined : await openLedger(named);
      if (file === undefined) say(UNRECORDED);
      let entry: string | undefined;
      const recording = file && {
        ledger: file.ledger,
        dataSet,
        onEntry: (id: string) => {
          entry = id;
        },
      };
      const progress = new ProgressLine();
      try {
        const options = { ...reading, signal, onProgress: progress.rows, ...recording };
        const release = await privatize(study, data, options);
        progress.clear();
        await output.write(await contentOf(release, output));
        say(release.summary(), '', `Written to ${output.name}. Send it to the organiser.`);
      } catch (error) {
        progress.clear();
        if (file !== undefined && entry !== undefined) await sayWhetherSpent(file, entry);
        throw error;
      }
      if (file !== undefined && entry !== undefined) await sayWhatIsSpent(file, entry);
    });
  },
};

const UNRECORDED =
  'Warning: no ledger. This release is not recorded, and no later one will know of it. Releases of the ' +
  'same data add up: keep count of them yourself.';

/** The exact bytes of the release; on standard output a line, so that several can follow each other. */
async function contentOf(release: Release, output: Output): Promise<string | Uint8Array> {
  const blob = release.toBlob();
  return output.name === STDOUT_NAME
    ? `${await blob.text()}\n`
    : new Uint8Array(await blob.arrayBuffer());
}

async function sayWhatIsSpent({ path, ledger }: LedgerFile, entry: string): Promise<void> {
  const sets = await ledger.dataSets();
  const own = sets.find(({ entries }) => entries.some(({ id }) => id === entry));
  const spent = own === undefined ? '' : `: ${spentInWords(own)}`;
  say(`Recorded in ${path}${spent}. ${capitalised(budgetInWords(await ledger.budget()))}.`);
}

/** After a failure: whether the release counts although nothing was handed out. */
async function sayWhetherSpent(file: LedgerFile, entry: string): Promise<void> {
  if (!(await isRecorded(file.ledger, entry))) return;
  say(
    `Nothing was handed out, but noise may have been drawn, so the release counts in ${file.path} (entry ${entry}).`,
  );
}

async function isRecorded(ledger: Ledger, entry: string): Promise<boolean> {
  const entries = await ledger.entries().catch(() => undefined);
  return entries === undefined || entries.some(({ id }) => id === entry);
}
