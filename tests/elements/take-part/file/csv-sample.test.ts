import { gzipSync } from 'node:zlib';
import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import {
  namesIn,
  positionNames,
  readSample,
  withPositions,
} from '../../../../web/elements/src/take-part/file/csv-sample.js';
import { definition } from '../../../package/support.js';

const study = defineStudy(definition());
const sampleOf = async (text: string) => {
  const sample = await readSample(new Blob([text]), study);
  if (sample === undefined) throw new Error('not text');
  return sample;
};

describe('the start of a file', () => {
  it.each([
    ['names that the study has', 'age,sleep,work,mood\n40,6,day,1\n', false],
    ['names that the study has in another spelling', 'AGE;"Sleep"\n40;6\n', false],
    ['other names', 'a,b\n1,2\n', false],
    ['a year among names', 'age,2019\n1,2\n', false],
    ['a row', '40,6,day,1\n41,7,night,2\n', true],
    ['a row with decimal commas', '40;6,5;day;1,25\n41;7,5;day;1,5\n', true],
    ['a row with a sign', '\u22121.5\tx\n2\ty\n', true],
    ['nothing', '', false],
  ])('is taken for column names or for data: %s', async (_, text, startsWithData) => {
    expect((await sampleOf(text)).startsWithData).toBe(startsWithData);
  });

  it('is split at semicolons, not at the decimal commas of a file without names', async () => {
    const sample = await sampleOf('40,5;6,5;1,25\n41,5;7,5;1,5\n');
    expect(sample.first).toEqual(['40,5', '6,5', '1,25']);
    expect(sample.rows).toEqual([['41,5', '7,5', '1,5']]);
  });

  it('is that of the text in a gzip file', async () => {
    const text = 'age,sleep\n40,6\n41,-999\n';
    const sample = await readSample(new Blob([gzipSync(text)]), study);
    expect(sample).toEqual(await sampleOf(text));
  });

  it.each([
    ['UTF-8', 'größe;alter\n170;1\n', 'utf8', 'utf-8'],
    ['UTF-8 with a mark', '\uFEFFgröße;alter\n170;1\n', 'utf8', 'utf-8'],
    ['UTF-16 of Excel', '\uFEFFgröße;alter\n170;1\n', 'utf16le', 'utf-16le'],
    ['older Excel', 'größe;alter\n170;1\n', 'latin1', 'windows-1252'],
  ] as const)('is decoded, by its first line alone: %s', async (_, text, encoding, expected) => {
    const bytes = Uint8Array.from(Buffer.from(text, encoding));
    const sample = await readSample(new Blob([bytes]), study);
    expect(sample).toMatchObject({ first: ['größe', 'alter'], encoding: expected });
    expect(sample?.rows).toEqual([['170', '1']]);
  });

  it('is UTF-8 if only rows are not, whose text must not decide how others are read', async () => {
    for (const text of ['age;work\n40;né\n', '40;né\n41;day\n']) {
      const bytes = Uint8Array.from(Buffer.from(text, 'latin1'));
      expect((await readSample(new Blob([bytes]), study))?.encoding).toBe('utf-8');
    }
  });

  it('is cut off in a long gzip file, and is nothing for one with another kind of file in it', async () => {
    const long = gzipSync(`age,sleep\n${'40,6\n'.repeat(100_000)}`);
    const sample = await readSample(new Blob([long]), study);
    expect(sample?.rows.length).toBeGreaterThan(1000);
    expect(sample?.rows.length).toBeLessThan(100_000);
    expect(sample?.rows.every((cells) => cells.join() === '40,6')).toBe(true);
    expect(await readSample(new Blob([gzipSync('PAR1')]), study)).toBeUndefined();
  });

  it('is what could be read of a damaged gzip file', async () => {
    const damaged = gzipSync('age,sleep\n40,6\n').subarray(0, 12);
    expect((await readSample(new Blob([damaged]), study))?.rows).toEqual([]);
  });

  it('is nothing for Parquet, Arrow and Excel', async () => {
    for (const start of ['PAR1', 'ARROW1', 'PK\x03\x04']) {
      expect(await readSample(new Blob([start, 'age,sleep\n']), study)).toBeUndefined();
    }
    const excel = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1);
    expect(await readSample(new Blob([excel]), study)).toBeUndefined();
  });

  it('leaves out the row in which a long file is cut off', async () => {
    const { rows } = await sampleOf(`age,sleep\n${'40,6\n'.repeat(100_000)}`);
    expect(rows.every((cells) => cells.join() === '40,6')).toBe(true);
    expect(rows.length).toBeLessThan(100_000);
  });

  it('names each column once', async () => {
    expect(namesIn(await sampleOf('age,sleep,age,\n1,2,3,4\n'))).toEqual(['age', 'sleep']);
  });
});

describe('a file without names', () => {
  it.each(['', '\uFEFF'])('gets positions as names above all of its rows', async (mark) => {
    const file = new File([mark, '40;6\n41;7\n'], 'bare.csv');
    const sample = await readSample(file, study);
    if (sample === undefined) throw new Error('not text');
    expect(positionNames(sample)).toEqual(['Column 1', 'Column 2']);
    const named = withPositions(file, sample);
    expect(named.name).toBe('bare.csv');
    expect(await named.text()).toBe('Column 1;Column 2\n40;6\n41;7\n');
  });

  it('gets them in its own encoding', async () => {
    const bytes = Uint8Array.from(Buffer.from('\uFEFF40;6\n41;7\n', 'utf16le'));
    const file = new File([bytes], 'bare.csv');
    const sample = await readSample(file, study);
    if (sample === undefined) throw new Error('not text');
    expect(sample.startsWithData).toBe(true);
    const named = new Uint8Array(await withPositions(file, sample).arrayBuffer());
    expect(new TextDecoder('utf-16le').decode(named)).toBe('Column 1;Column 2\n40;6\n41;7\n');
  });
});
