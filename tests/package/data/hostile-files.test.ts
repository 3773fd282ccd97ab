import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it, test } from 'vitest';
import { definition, people } from '../support.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const HOSTILE = process.env.PM_DATA === undefined ? '' : join(process.env.PM_DATA, 'hostile');

/** The outcome of reading a file in a separate process: the code of the error, or how the process ended. */
function outcomeOf(file: string): string {
  const source = `
    import { openAsBlob } from 'node:fs';
    import { defineStudy, inspect, privatize } from 'private-moments';
    const study = defineStudy(${JSON.stringify(definition())});
    const codes = [];
    for (const make of [privatize, inspect]) {
      codes.push(await make(study, await openAsBlob(${JSON.stringify(file)})).then(() => 'read', ({ code }) => code ?? 'no code'));
    }
    console.log(codes.join(' '), process.resourceUsage().maxRSS < 600_000 ? '' : 'too much memory');
    process.exit(0);`;
  const options = { cwd: root, encoding: 'utf8', timeout: 60_000 } as const;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', source], options);
  return run.signal ?? (run.status === 0 ? run.stdout.trim() : `exit ${run.status}`);
}

function saved(bytes: Uint8Array): string {
  const file = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'file');
  writeFileSync(file, bytes);
  return file;
}

const ROWS = people(77, 1, 1);

function parquet(codec: 'SNAPPY' | 'UNCOMPRESSED'): Uint8Array {
  const columnData = (['age', 'sleep', 'work', 'mood'] as const).map((name) => ({
    name,
    data: ROWS.map((row) => row[name]),
    type: name === 'work' ? ('STRING' as const) : ('DOUBLE' as const),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData, codec }));
}

/** The number 77 as one byte (Thrift) and as a 32-bit number (Flatbuffers). */
const ZIGZAG = [0x9a, 0x01];
const MANY_ROWS = [0xfe, 0xff, 0xff, 0xff, 0x0f];

/** Every offset at which the footer of a Parquet file states the number of rows. */
function withManyRows(bytes: Uint8Array): Uint8Array {
  const footer = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 8, true);
  const start = bytes.length - 8 - footer;
  const parts: number[] = [];
  for (let at = start; at < bytes.length - 8;) {
    const isCount = bytes[at] === ZIGZAG[0] && bytes[at + 1] === ZIGZAG[1];
    parts.push(...(isCount ? MANY_ROWS : [bytes[at] ?? 0]));
    at += isCount ? ZIGZAG.length : 1;
  }
  const end = new Uint8Array(8);
  new DataView(end.buffer).setUint32(0, parts.length, true);
  end.set([0x50, 0x41, 0x52, 0x31], 4);
  return Buffer.concat([bytes.subarray(0, start), Uint8Array.from(parts), end]);
}

function arrowWithRows(rows: bigint): Uint8Array {
  const columns = {
    age: Float64Array.from(ROWS, ({ age }) => age),
    sleep: Float64Array.from(ROWS, ({ sleep }) => sleep),
    work: ROWS.map(({ work }) => work),
    mood: Float64Array.from(ROWS, ({ mood }) => mood),
  };
  const bytes = Uint8Array.from(tableToIPC(tableFromArrays(columns), 'file'));
  const view = new DataView(bytes.buffer);
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    if (view.getBigInt64(at, true) === BigInt(ROWS.length)) view.setBigInt64(at, rows, true);
  }
  return bytes;
}

describe('a damaged file', () => {
  test.each<[string, () => Uint8Array]>([
    [
      'of Parquet with an offset of columns that is not a number',
      () => {
        const bytes = parquet('UNCOMPRESSED');
        const name = Buffer.from(bytes).lastIndexOf('sleep');
        // Turns the offset of its pages, the last 64-bit field after its name, into another field.
        const at = bytes.indexOf(0x26, name + 5);
        bytes[at] = 0x96;
        return bytes;
      },
    ],
    [
      'of Parquet with a literal whose length leads backwards',
      () => {
        const bytes = parquet('SNAPPY');
        const page = Buffer.from(bytes).indexOf(Buffer.from([0xf1, 0x04]));
        bytes.set([0xe8, 0x04, 0xfc, 0xf4, 0xff, 0xff, 0xff], Math.max(page, 30));
        return bytes;
      },
    ],
    ['of Parquet with 2^31 rows', () => withManyRows(parquet('UNCOMPRESSED'))],
    ['of Arrow with 2^31 rows', () => arrowWithRows(2n ** 31n)],
    ['of Arrow with 2^40 rows', () => arrowWithRows(2n ** 40n)],
    ['of Arrow with a negative number of rows', () => arrowWithRows(-1n)],
    ['of Arrow with more rows than cells', () => arrowWithRows(BigInt(ROWS.length + 50))],
  ])(
    '%s ends in an error with a code',
    (_, make) => {
      expect(outcomeOf(saved(make()))).toMatch(/^(read-failed|unsupported-data) \1$/);
    },
    90_000,
  );

  it('of kinds known to crash or stall a process ends in an error with a code', () => {
    if (!existsSync(HOSTILE)) {
      console.log('skipped: PM_DATA names no folder with hostile files');
      return;
    }
    const files = readdirSync(HOSTILE).filter((name) => !name.endsWith('.md'));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) {
      expect(outcomeOf(saved(readFileSync(join(HOSTILE, name)))), name).toMatch(
        /^(read-failed|unsupported-data) \1$/,
      );
    }
  }, 300_000);
});
