import { readFile } from 'node:fs/promises';
import { PrivateMomentsError } from 'private-moments';

/** The version that this package is built and tested with. */
const ENGINE = '@duckdb/node-api@1.5.5-r.5';

/**
 * Runs sum.sql over Parquet files and returns its result as JSON lines.
 * @param files paths, or patterns with `*`
 * @throws PrivateMomentsError `package-missing`; `input-unreadable` with the reason that DuckDB gives
 */
export async function sumWithDuckDB(files: readonly string[]): Promise<string> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((cause: unknown) => {
    throw new PrivateMomentsError(
      'package-missing',
      'summing needs DuckDB, which is not installed. Install it (70 MB) with\n' +
        `  npm install ${ENGINE}\n` +
        'or, without installing anything for good, run\n' +
        `  npx --package private-moments-scale --package ${ENGINE} private-moments-scale sum`,
      {},
      cause,
    );
  });
  const query = await readFile(new URL('../sql/duckdb/sum.sql', import.meta.url), 'utf8');
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const connection = await instance.connect();
    const list = files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ');
    await connection.run(`CREATE VIEW releases AS FROM read_parquet([${list}])`);
    const result = await connection.runAndReadAll(query);
    return result
      .getRowObjectsJson()
      .map((row) => JSON.stringify(row))
      .join('\n');
  } catch (cause) {
    const message = `PARQUET: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new PrivateMomentsError('input-unreadable', message, {}, cause);
  } finally {
    instance.closeSync();
  }
}
