import { inspect, type LocalCounts, type Study } from 'private-moments';
import { csvText, type Command } from 'private-moments/internal';
import { count, list } from 'private-moments/words';
import { readArguments } from '../../../command/src/arguments.js';
import { checkFormat, FORMAT_HELP, FORMAT_OPTIONS, inFormat } from '../parts/format.js';
import { openData, readStudy, requireOneStdin } from '../../../command/src/input.js';
import { say, withOutput } from '../../../command/src/output.js';
import { ProgressLine } from '../parts/progress.js';
import { READING_HELP, READING_OPTIONS, readingOptions } from '../parts/reading.js';
import { facts, paragraphs, prose, table } from '../../../command/src/table.js';

const help = `private-moments inspect: count what a release would find in data. Releases nothing.

  private-moments inspect STUDY DATA

STUDY is the study file or link. DATA is a CSV file (also gzip), Parquet or Arrow; - is standard input.
The counts have no noise: they are for the people who have the data, and for nobody else.

${READING_HELP}
${FORMAT_HELP}

Example:
  private-moments inspect study.json site-01.csv`;

export const inspectCommand: Command = {
  help,
  async run(args) {
    const options = { ...READING_OPTIONS, ...FORMAT_OPTIONS };
    const { values, positionals } = readArguments(args, options, ['STUDY', 'DATA']);
    const [studyPath = '', dataPath = ''] = positionals;
    const reading = readingOptions(values);
    checkFormat(values);
    requireOneStdin(positionals);
    await withOutput(values, async (output, signal) => {
      const study = await readStudy(studyPath, signal);
      const data = await openData(dataPath);
      const progress = new ProgressLine();
      try {
        const counts = await inspect(study, data, {
          ...reading,
          signal,
          onProgress: progress.rows,
        });
        progress.clear();
        await output.write(inFormat(values, formsOf(study, counts)));
      } finally {
        progress.clear();
      }
      say('These counts have no noise. Keep them to yourself.');
    });
  },
};

function formsOf(study: Study, counts: LocalCounts) {
  const labels = new Map(study.columns.map(({ name, label }) => [name, label]));
  const { columns } = counts;
  return {
    text: () => {
      const cells = columns.map(({ name, from, missing, outside }) => [
        name,
        labels.get(name) ?? '',
        from,
        count(missing),
        count(outside),
      ]);
      return paragraphs(
        rowsInWords(counts),
        table(['column', 'label', 'in the data', 'missing', 'outside its bounds'], cells),
        counts.warnings.map(({ message }) => prose(message)).join('\n'),
        counts.ignored.length === 0 ? '' : prose(`Not used: ${list(counts.ignored)}.`),
      );
    },
    json: () => counts,
    csv: () =>
      csvText(
        ['column', 'from', 'missing', 'outside'],
        columns.map(({ name, from, missing, outside }) => [name, from, missing, outside]),
      ),
  };
}

/** How many rows there are, and what became of them. */
export function rowsInWords({ rows, used, centred, dropped, shortened }: LocalCounts): string {
  return facts([
    ['rows', count(rows)],
    ['with their own values', count(used)],
    ...(centred === 0 ? [] : [['with a gap, count as average', count(centred)] as const]),
    ...(dropped === 0 ? [] : [['with a gap, left out', count(dropped)] as const]),
    ...(shortened === 0 ? [] : [['scaled down', count(shortened)] as const]),
  ]);
}
