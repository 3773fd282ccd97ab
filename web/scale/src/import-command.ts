import { UsageError, type Command } from 'private-moments/internal';
import { readArguments } from '../../command/src/arguments.js';
import { inFile, readStudy, readText, requireOneStdin } from '../../command/src/input.js';
import { withOutput } from '../../command/src/output.js';
import { readResult } from './result.js';

const help = `private-moments-scale import: the result of a database's query as a sum for assemble.

  private-moments-scale import STUDY RESULT --out FILE

STUDY is the study file, RESULT the output of the query sql/ENGINE/sum.sql as JSON lines.

  --out FILE                    output file, private-moments/sum@1; - is standard output
  --force                       replace FILE if it exists

docs/scale.md has the queries.`;

const options = { out: { type: 'string' }, force: { type: 'boolean' } } as const;

export const importCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, ['STUDY', 'RESULT']);
    const [studyPath = '', result = ''] = positionals;
    if (values.out === undefined) throw new UsageError('--out FILE is missing');
    requireOneStdin(positionals);
    await withOutput(values, async (output, signal) => {
      const study = await readStudy(studyPath, signal);
      const text = await readText(result, signal);
      const sum = await readResult(study, text).catch((error: unknown) => {
        throw inFile(result, error);
      });
      await output.write(await sum.toBlob().text());
      console.error(`${sum.releases} releases`);
    });
  },
};
