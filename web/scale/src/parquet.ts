import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { ReleaseRow, RowWriter } from './row.js';

const required = { repetition_type: 'REQUIRED' } as const;
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...required } as const;
const optionalWhole = { type: 'INT64', repetition_type: 'OPTIONAL' } as const;
const list = { converted_type: 'LIST', num_children: 1, ...required } as const;
const items = { name: 'list', repetition_type: 'REPEATED', num_children: 1 } as const;

const SCHEMA: SchemaElement[] = [
  { name: 'root', num_children: 10 },
  { name: 'study', ...text },
  { name: 'version', ...text },
  { name: 'id', ...text },
  { name: 'level', type: 'INT32', converted_type: 'UINT_8', ...required },
  { name: 'row_count', ...optionalWhole },
  { name: 'counts', ...list },
  items,
  { name: 'element', type: 'INT64', ...required },
  { name: 'reach', ...list },
  items,
  { name: 'element', type: 'INT64', ...required },
  { name: 'commitment', ...text },
  { name: 'largest', ...optionalWhole },
  { name: 'words', ...list },
  items,
  { name: 'element', type: 'INT64', converted_type: 'UINT_64', ...required },
];

/** Writes one row group per block. The file is complete only after `finish`. */
export function parquetWriter(path: string): RowWriter {
  // Noise and masks do not compress.
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: SCHEMA,
    codec: 'UNCOMPRESSED',
    statistics: false,
  });
  return {
    async write(rows) {
      const column = (name: string, of: (row: ReleaseRow) => unknown) => ({
        name,
        data: rows.map(of),
      });
      await writer.write({
        rowGroupSize: rows.length,
        columnData: [
          column('study', ({ study }) => study),
          column('version', ({ version }) => version),
          column('id', ({ id }) => id),
          column('level', ({ level }) => level),
          column('row_count', ({ rowCount }) => rowCount),
          column('counts', ({ counts }) => counts),
          column('reach', ({ reach }) => reach),
          column('commitment', ({ commitment }) => commitment),
          column('largest', ({ largest }) => largest),
          { ...column('words', ({ words }) => Array.from(words)), encoding: 'DELTA_BINARY_PACKED' },
        ],
      });
    },
    async finish() {
      await writer.finish();
    },
  };
}
