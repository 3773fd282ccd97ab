import { UsageError, type Command } from 'private-moments/internal';
import { readArguments } from '../../command/src/arguments.js';
import { readStudy } from '../../command/src/input.js';
import { withOutput } from '../../command/src/output.js';
import { sumWithDuckDB } from './duckdb.js';
import { readResult } from './result.js';

const help = `private-moments-scale sum: sums exported releases on this machine.

  private-moments-scale sum STUDY PARQUET... --out FILE

STUDY is the study file, PARQUET a file that export wrote, or a pattern for several.

  --out FILE                    output file, private-moments/sum@1; - is standard output
  --force                       replace FILE if it exists
  --engine duckdb               engine: DuckDB, from the package @duckdb/node-api (duckdb)

docs/scale.md has the queries for other databases.`;

const options = {
  out: { type: 'string' },
  force: { type: 'boolean' },
  engine: { type: 'string', default: 'duckdb' },
} as const;

export const sumCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, ['STUDY', 'PARQUET...']);
    const [studyPath = '', ...files] = positionals;
    if (values.out === undefined) throw new UsageError('--out FILE is missing');
    if (values.engine !== 'duckdb') {
      const message = '--engine must be duckdb; with another engine, run its query and use import';
      throw new UsageError(message);
    }
    await withOutput(values, async (output, signal) => {
      const study = await readStudy(studyPath, signal);
      const sum = await readResult(study, await sumWithDuckDB(files));
      await output.write(await sum.toBlob().text());
      console.error(`${sum.releases} releases`);
    });
  },
};
