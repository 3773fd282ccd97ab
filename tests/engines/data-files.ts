/** Data files of each format that a page reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Table, tableToIPC, vectorFromArray, type Vector } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { InputFile } from './page.js';

const folder = fileURLToPath(new URL('../../dist/site/sample/', import.meta.url));

type Format = 'csv' | 'parquet' | 'arrow';

/** The rows of a sample site as a file in a format. */
export function sampleTable(site: string, format: Format): InputFile {
  const text = readFileSync(join(folder, `${site}.csv`), 'utf8');
  const name = `${site}.${format}`;
  const [names = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const columns = names.map((column, at) => ({
    name: column,
    isText: column === 'occupation',
    cells: rows.map((row) => row[at] ?? ''),
  }));
  switch (format) {
    case 'csv':
      return { name, bytes: Buffer.from(text) };
    case 'parquet': {
      const columnData = columns.map(({ name: column, isText, cells }) => ({
        name: column,
        data: isText ? cells : cells.map(Number),
        type: isText ? ('STRING' as const) : ('DOUBLE' as const),
      }));
      return { name, bytes: new Uint8Array(parquetWriteBuffer({ columnData })) };
    }
    case 'arrow': {
      const vectors = columns.map(({ name: column, isText, cells }): [string, Vector] => [
        column,
        vectorFromArray(isText ? cells : cells.map(Number)),
      ]);
      const table = new Table(Object.fromEntries(vectors));
      return { name, bytes: tableToIPC(table, 'file') };
    }
  }
}
