import { createWriteStream } from 'node:fs';
import { checkReleases, createSummands, PrivateMomentsError, type Study } from 'private-moments';
import { UsageError, type Command } from 'private-moments/internal';
import { choiceOf, readArguments } from '../../command/src/arguments.js';
import { cancellable } from '../../command/src/cancel.js';
import { inFile, readStudy, readText } from '../../command/src/input.js';
import { withPartial } from '../../command/src/output.js';
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
  --force                       replace FILE if it exists
  --format parquet|native       for DuckDB, Spark and others, or for ClickHouse (parquet)

docs/scale.md describes the next steps.`;

const options = {
  out: { type: 'string' },
  force: { type: 'boolean' },
  format: { type: 'string' },
} as const;

const FORMATS = ['parquet', 'native'] as const;
type Format = (typeof FORMATS)[number];

export const exportCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, ['STUDY', 'RELEASE...']);
    const [studyPath = '', ...paths] = positionals;
    const { out, force } = values;
    const format = choiceOf('--format', values.format, FORMATS) ?? 'parquet';
    if (out === undefined) throw new UsageError('--out FILE is missing');
    const exported = async (writer: () => RowWriter, signal: AbortSignal): Promise<void> => {
      const study = await readStudy(studyPath, signal);
      report(await writeRows(rowsOf(study, paths, signal), writer()));
    };
    if (out !== '-') {
      // An unfinished table under the final name might be summed.
      await withPartial({ out, force }, (path, signal) =>
        exported(() => writerOf(format, path), signal),
      );
    } else if (format === 'parquet') {
      throw new UsageError('--format parquet cannot write to standard output: name a file');
    } else {
      await cancellable((signal) => exported(() => nativeWriter(process.stdout), signal));
    }
  },
};

function writerOf(format: Format, path: string): RowWriter {
  return format === 'parquet' ? parquetWriter(path) : nativeWriter(createWriteStream(path));
}

function report(releases: number): void {
  if (releases === 0) {
    throw new PrivateMomentsError('no-releases', 'RELEASE: found no releases; name one');
  }
  console.error(`${releases} releases`);
}

/** Rows of checked releases; an error names its file. */
async function* rowsOf(
  study: Study,
  paths: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<ReleaseRow> {
  let current = '';
  let ignored = 0;
  async function* texts() {
    for await (const { path, isRelease } of filesAmong(paths)) {
      if (!isRelease) {
        ignored += 1;
        continue;
      }
      current = path;
      yield await readText(path, signal);
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
