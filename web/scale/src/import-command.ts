import { readFile, writeFile } from 'node:fs/promises';
import { UsageError, type Command } from 'private-moments/internal';
import { inFile, readArguments, readStudy } from './input.js';
import { readResult } from './result.js';

const help = `private-moments-scale import: the result of a database's query as a sum for assemble.

  private-moments-scale import STUDY RESULT --out FILE

STUDY is the study file, RESULT the output of the query sql/ENGINE/sum.sql as JSON lines.

  --out FILE                    output file, private-moments/sum@1

docs/scale.md has the queries.`;

const options = { out: { type: 'string' } } as const;

export const importCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, 2);
    const [studyPath = '', result = ''] = positionals;
    if (positionals.length > 2) throw new UsageError('import takes one result at a time');
    if (values.out === undefined) throw new UsageError('--out FILE is missing');
    const study = await readStudy(studyPath);
    const text = await readFile(result, 'utf8');
    const sum = await readResult(study, text).catch((error: unknown) => {
      throw inFile(result, error);
    });
    await writeFile(values.out, await sum.toBlob().text());
    console.error(`${sum.releases} releases`);
  },
};
