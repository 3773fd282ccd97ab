import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { readSample } from '../../../../web/elements/src/take-part/file/csv-sample.js';
import { findCodes, findDecimal } from '../../../../web/elements/src/take-part/file/csv-writing.js';
import { guessMatching } from '../../../../web/elements/src/take-part/matching.js';
import { definition } from '../../../package/support.js';

const study = defineStudy(definition());
const header = ['age', 'sleep', 'work', 'mood', 'other'];

/** What is found in the lines of a file with semicolons. */
async function found<Result>(lines: string[], find: typeof findDecimal | typeof findCodes) {
  const text = [header.join(';'), ...lines].join('\n');
  const sample = await readSample(new Blob([text]), study);
  if (sample === undefined) throw new Error('not text');
  return find(sample, header, study, guessMatching(study, header)) as Result;
}

describe('the decimal mark of a file', () => {
  it.each([
    ['a point', ['40;6.5;day;1;x', '40;6;day;1.25;x'], '.'],
    ['a point if there are whole numbers only', ['40;6;day;1;x'], '.'],
    ['a comma', ['40;6,5;day;-1,25;x', '40;6;day;,5;x'], ','],
    ['a comma if one number cannot have thousands', ['40;1,234;day;1;', '40;0,234;day;1;'], ','],
    ['that of the columns of the study', ['40;6.5;day;1;2,5'], '.'],
  ])('is %s', async (_, lines, decimal) => {
    expect(await found(lines, findDecimal)).toEqual({ decimal });
  });

  it('is unclear if each comma may separate thousands', async () => {
    expect(await found(['40;6;day;1;x', '40;1,234;day;1;x'], findDecimal)).toEqual({
      unclear: 'thousands',
      comma: { row: 2, column: 'sleep' },
    });
  });

  it('is unclear if there are both, and says where without a value', async () => {
    expect(await found(['40;6,5;day;1;x', '40;6;day;1.5;x'], findDecimal)).toEqual({
      unclear: 'both',
      comma: { row: 1, column: 'sleep' },
      point: { row: 2, column: 'mood' },
    });
  });
});

describe('codes for a missing value', () => {
  it('are common words, and common numbers far outside the range of their column', async () => {
    const lines = ['-999;NA;day;-999;x', '40;6;n/a;1;-9', '40;7;day;.;99', '99;99;day;2;-99'];
    expect(await found(lines, findCodes)).toEqual({
      words: ['.', 'NA'],
      numbers: [
        { code: '-999', columns: ['age', 'mood'] },
        { code: '99', columns: ['sleep'] },
      ],
    });
  });

  it('are found with a decimal comma and a minus sign', async () => {
    const lines = ['\u2212999,0;6;day;1;x', '40;6;day;1;x'];
    expect(await found(lines, findCodes)).toMatchObject({ numbers: [{ code: '-999' }] });
  });

  it('leave out all other numbers and words, which are never shown', async () => {
    const lines = ['-998.5;7731;day;Smith;x', '40;6;day;1;x', '41;7;day;1;x'];
    expect(await found(lines, findCodes)).toEqual({ words: [], numbers: [] });
  });

  it('are not looked for where most values are outside, as with another unit', async () => {
    const lines = ['-9;99;day;1;x', '40;98;day;1;x', '41;97;day;1;x', '42;6;day;1;x'];
    const { numbers } = await found<ReturnType<typeof findCodes>>(lines, findCodes);
    expect(numbers).toEqual([{ code: '-9', columns: ['age'] }]);
  });
});
