import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { checkReleases, createSummands, PrivateMomentsError, type Study } from 'private-moments';
import { UsageError, type Command } from 'private-moments/internal';
import { inFile, readArguments, readStudy } from './input.js';
import { nativeWriter } from './native.js';
import { parquetWriter } from './parquet.js';
import { filesAmong } from './paths.js';
import { rowOf, writeRows, type ReleaseRow, type RowWriter } from './row.js';

const help = `private-moments-scale export: releases as rows of a table, for a database to sum.

  private-moments-scale export STUDY RELEASE... --out FILE

STUDY is the study file. RELEASE is a release file, a folder (all files in it that end in .json, at
any depth), or - to read paths from standard input, one per line. Every release is checked as assemble
checks it; if one fails, nothing is written.

  --out FILE                    output file; - with --format native is standard output
  --format parquet|native       for DuckDB, Spark and others, or for ClickHouse (parquet)

docs/scale.md describes the next steps.`;

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
    if (toStdout && format === 'parquet')
      throw new UsageError('--format parquet cannot write to standard output: name a file');
    const study = await readStudy(studyPath);
    if (toStdout) {
      report(await writeRows(rowsOf(study, paths), nativeWriter(process.stdout)));
      return;
    }
    // An unfinished table under the final name might be summed.
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
  if (releases === 0) throw new Error('found no releases');
  console.error(`${releases} releases`);
}

/** Rows of checked releases; an error names its file. */
async function* rowsOf(study: Study, paths: readonly string[]): AsyncGenerator<ReleaseRow> {
  let current = '';
  let ignored = 0;
  async function* texts() {
    for await (const { path, isRelease } of filesAmong(paths)) {
      if (!isRelease) {
        ignored += 1;
        continue;
      }
      current = path;
      yield await readFile(path);
    }
  }
  const summands = study.clipping === 'centred' ? await createSummands(study) : undefined;
  try {
    for await (const release of checkReleases(study, texts())) {
      yield rowOf(release, summands?.of(release));
    }
  } catch (error) {
    const concernsRelease = error instanceof PrivateMomentsError && error.release !== undefined;
    throw concernsRelease ? inFile(current, error) : error;
  } finally {
    summands?.delete();
  }
  if (ignored > 0) console.error(`ignored ${ignored} files that do not end in .json`);
}
