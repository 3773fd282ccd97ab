import { writeFile } from 'node:fs/promises';
import { UsageError, type Command } from 'private-moments/internal';
import { sumWithDuckDB } from './duckdb.js';
import { readArguments, readStudy } from './input.js';
import { readResult } from './result.js';

const help = `private-moments-scale sum: sums exported releases on this machine.

  private-moments-scale sum STUDY PARQUET... --out FILE

STUDY is the study file, PARQUET a file that export wrote, or a pattern for several.

  --out FILE                    output file, private-moments/sum@1
  --engine duckdb               engine: DuckDB, from the package @duckdb/node-api (duckdb)

docs/scale.md has the queries for other databases.`;

const options = {
  out: { type: 'string' },
  engine: { type: 'string', default: 'duckdb' },
} as const;

export const sumCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, 2);
    const [studyPath = '', ...files] = positionals;
    if (values.out === undefined) throw new UsageError('--out FILE is missing');
    if (values.engine !== 'duckdb') {
      const message = '--engine must be duckdb; with another engine, run its query and use import';
      throw new UsageError(message);
    }
    const study = await readStudy(studyPath);
    const sum = await readResult(study, await sumWithDuckDB(files));
    await writeFile(values.out, await sum.toBlob().text());
    console.error(`${sum.releases} releases`);
  },
};
