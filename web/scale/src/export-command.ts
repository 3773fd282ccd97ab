import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { checkReleases, PrivateMomentsError, type Study } from 'private-moments';
import { UsageError, type Command } from 'private-moments/internal';
import { inFile, readArguments, readStudy } from './input.js';
import { nativeWriter } from './native.js';
import { parquetWriter } from './parquet.js';
import { filesAmong } from './paths.js';
import { rowOf, writeRows, type ReleaseRow, type RowWriter } from './row.js';

const help = `private-moments-scale export: releases as rows of a table, for a database to sum.

  private-moments-scale export STUDY RELEASE... --out FILE

STUDY is the study's file, RELEASE the file of a release, a folder of them (files that end in .json,
however deep), or - for paths from standard input, one a line. Every release is checked as assemble
checks it; at the first that fails nothing is written.

  --out FILE                    where to; - with --format native is standard output
  --format parquet|native       for DuckDB, Spark and others, or ClickHouse's own (parquet)

docs/scale.md goes on from here.`;

const options = {
  out: { type: 'string' },
  format: { type: 'string', default: 'parquet' },
} as const;

export const exportCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, 2);
    const [studyPath = '', ...paths] = positionals;
    const { out, format } = values;
    if (out === undefined) throw new UsageError('--out FILE is missing');
    if (format !== 'parquet' && format !== 'native') {
      throw new UsageError('--format must be parquet or native');
    }
    const toStdout = out === '-';
    if (toStdout && format === 'parquet') throw new UsageError('Parquet needs a file to write to');
    const study = await readStudy(studyPath);
    if (toStdout) {
      report(await writeRows(rowsOf(study, paths), nativeWriter(process.stdout)));
      return;
    }
    // Half a table under the name of a whole one would be summed.
    const partial = `${out}.partial`;
    try {
      report(await writeRows(rowsOf(study, paths), writerOf(format, partial)));
      await rename(partial, out);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  },
};

function writerOf(format: 'parquet' | 'native', path: string): RowWriter {
  return format === 'parquet' ? parquetWriter(path) : nativeWriter(createWriteStream(path));
}

function report(releases: number): void {
  if (releases === 0) throw new Error('there are no releases');
  console.error(`${releases} releases`);
}

/** Checked; an error names the file it is about. */
async function* rowsOf(study: Study, paths: readonly string[]): AsyncGenerator<ReleaseRow> {
  let current = '';
  let leftOut = 0;
  async function* texts() {
    for await (const { path, isRelease } of filesAmong(paths)) {
      if (!isRelease) {
        leftOut += 1;
        continue;
      }
      current = path;
      yield await readFile(path);
    }
  }
  try {
    for await (const release of checkReleases(study, texts())) yield rowOf(release);
  } catch (error) {
    const isOfRelease = error instanceof PrivateMomentsError && error.release !== undefined;
    throw isOfRelease ? inFile(current, error) : error;
  }
  if (leftOut > 0) console.error(`${leftOut} files that do not end in .json were left out`);
}
