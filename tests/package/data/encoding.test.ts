import { gzipSync } from 'node:zlib';
import { defineStudy, inspect, privatize } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { failure } from '../support.js';

const study = defineStudy({
  title: 'Letters',
  columns: [
    { name: 'größe', type: 'number', min: 0, max: 300 },
    { name: 'ort', type: 'category', levels: ['Zürich', 'Genève', 'Łódź'] },
  ],
  privacy: { epsilon: 1, delta: 1e-6 },
});
const TEXT = 'größe;ort;€\n170,5;Zürich;a\n;Genève;b\n181;Łódź;c\n';
const DECIMAL = { decimal: ',' } as const;

const bytesOf = (text: string) => Buffer.from(text, 'utf8');
const utf16le = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
/** With the euro sign, where Windows-1252 differs from ISO 8859-1. */
const windows = (text: string) =>
  Buffer.from(text.replaceAll('Łódź', 'Genève').replaceAll('€', '\x80'), 'latin1');

const counted = async (bytes: Buffer, csv: object = {}) => {
  const { rows, columns, ignored } = await inspect(study, new Blob([Uint8Array.from(bytes)]), {
    csv: { ...DECIMAL, ...csv },
    workers: 3,
  });
  return { rows, missing: columns.map(({ missing }) => missing), ignored };
};

describe('CSV text that is not UTF-8', () => {
  const found = { rows: 3, missing: [1, 0], ignored: ['€'] };

  it.each([
    ['UTF-8', bytesOf(TEXT)],
    ['UTF-16, low bytes first', utf16le(TEXT)],
    ['UTF-16, high bytes first', utf16be(TEXT)],
    ['UTF-16 in a gzip file', gzipSync(utf16le(TEXT))],
  ])('is recognised by its byte order mark: %s', async (_, bytes) => {
    expect(await counted(bytes)).toEqual(found);
  });

  it('is read as Windows-1252 or as UTF-16 without a mark if the caller says so', async () => {
    expect(await counted(windows(TEXT), { encoding: 'windows-1252' })).toEqual(found);
    const unmarked = utf16le(TEXT).subarray(2);
    expect(await counted(unmarked, { encoding: 'utf-16le' })).toEqual(found);
  });

  it('is read the same however its bytes are cut', async () => {
    const bytes = Uint8Array.from(utf16le(TEXT));
    const pieces = new ReadableStream<Uint8Array>({
      start(stream) {
        for (const byte of bytes) stream.enqueue(Uint8Array.of(byte));
        stream.close();
      },
    });
    expect(await inspect(study, pieces, { csv: DECIMAL })).toMatchObject({ rows: 3, used: 2 });
  });

  it('is refused in a header and in a cell of a category, and the message says what to do', async () => {
    const asBlob = (bytes: Buffer) => new Blob([Uint8Array.from(bytes)]);
    await failure(() => privatize(study, asBlob(windows(TEXT))), {
      code: 'csv-encoding',
      message: /save it again as "CSV UTF-8", or pass csv\.encoding$/,
    });
    const cell = Buffer.concat([bytesOf('größe,ort\n1,Zürich\n2,'), windows('Genève\n')]);
    await failure(() => privatize(study, asBlob(cell)), {
      ...{ code: 'csv-encoding', row: 2, column: 'ort' },
      message: /save the file again as "CSV UTF-8", or pass csv\.encoding$/,
    });
  });

  it('is refused where it cannot be decoded in the stated encoding', async () => {
    const odd = utf16le(TEXT).subarray(0, -1);
    await failure(() => inspect(study, new Blob([Uint8Array.from(odd)]), { csv: DECIMAL }), {
      code: 'csv-encoding',
      message: /damaged or not UTF-16LE text/,
    });
    const csv = { encoding: 'latin1' as 'utf-8' };
    await failure(() => inspect(study, TEXT, { csv }), { code: 'unsupported-option' });
  });
});
