import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ReleaseRow, RowWriter } from './row.js';

/**
 * Writes ClickHouse's Native format, which servers load by whole columns, without parsing numbers.
 * A block holds the numbers of columns and rows, then the name, the type and the data of each column.
 * Source: https://clickhouse.com/docs/interfaces/formats/Native and the server's NativeBlockOutputStream.
 */
export function nativeWriter(stream: Writable): RowWriter {
  let failure: unknown;
  stream.once('error', (error) => {
    failure = error;
  });
  return {
    async write(rows) {
      for (const part of block(rows)) {
        if (failure !== undefined) throw failure as Error;
        if (!stream.write(part)) await once(stream, 'drain');
      }
    },
    async finish() {
      if (stream === process.stdout) return;
      stream.end();
      await finished(stream);
    },
  };
}

const COLUMNS: readonly {
  name: string;
  type: string;
  data: (rows: readonly ReleaseRow[]) => Uint8Array[];
}[] = [
  { name: 'study', type: 'String', data: (rows) => texts(rows.map(({ study }) => study)) },
  { name: 'version', type: 'String', data: (rows) => texts(rows.map(({ version }) => version)) },
  { name: 'id', type: 'String', data: (rows) => texts(rows.map(({ id }) => id)) },
  {
    name: 'level',
    type: 'UInt8',
    data: (rows) => [Uint8Array.from(rows, ({ level }) => level)],
  },
  {
    name: 'row_count',
    type: 'Nullable(Int64)',
    data: (rows) => nullable(rows.map(({ rowCount }) => rowCount)),
  },
  {
    name: 'counts',
    type: 'Array(Int64)',
    data: (rows) => lists(rows.map(({ counts }) => BigInt64Array.from(counts))),
  },
  {
    name: 'reach',
    type: 'Array(Int64)',
    data: (rows) => lists(rows.map(({ reach }) => BigInt64Array.from(reach))),
  },
  {
    name: 'commitment',
    type: 'String',
    data: (rows) => texts(rows.map(({ commitment }) => commitment)),
  },
  {
    name: 'largest',
    type: 'Nullable(Int64)',
    data: (rows) => nullable(rows.map(({ largest }) => largest)),
  },
  { name: 'words', type: 'Array(UInt64)', data: (rows) => lists(rows.map(({ words }) => words)) },
];

function* block(rows: readonly ReleaseRow[]): Generator<Uint8Array> {
  yield variable(COLUMNS.length);
  yield variable(rows.length);
  for (const { name, type, data } of COLUMNS) {
    yield* texts([name, type]);
    yield* data(rows);
  }
}

/** A variable-length integer: seven bits per byte, lowest first; the eighth is set if more follow. */
function variable(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.of(...bytes, rest);
}

function texts(values: readonly string[]): Uint8Array[] {
  return values.flatMap((value) => {
    const bytes = Buffer.from(value);
    return [variable(bytes.length), bytes];
  });
}

function nullable(values: readonly (bigint | null)[]): Uint8Array[] {
  const isNull = Uint8Array.from(values, (value) => (value === null ? 1 : 0));
  return [isNull, bytesOf(BigInt64Array.from(values, (value) => value ?? 0n))];
}

/** The end of each list, then all items. */
function lists(values: readonly (BigInt64Array | BigUint64Array)[]): Uint8Array[] {
  let end = 0n;
  const ends = BigUint64Array.from(values, ({ length }) => (end += BigInt(length)));
  return [bytesOf(ends), ...values.map(bytesOf)];
}

/** Little-endian, as on every machine that Node supports. */
function bytesOf({ buffer, byteOffset, byteLength }: BigInt64Array | BigUint64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
