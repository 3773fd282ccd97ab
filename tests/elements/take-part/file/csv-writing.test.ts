import { defineStudy, inspect } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { readSample } from '../../../../web/elements/src/take-part/file/csv-sample.js';
import {
  findDecimal,
  findWords,
  undecided,
} from '../../../../web/elements/src/take-part/file/csv-writing.js';
import { guessMatching } from '../../../../web/elements/src/take-part/matching.js';
import { definition } from '../../../package/support.js';

const study = defineStudy(definition());
const header = ['age', 'sleep', 'work', 'mood', 'other'];

/** What is found in the lines of a file with semicolons. */
async function found<Result>(lines: string[], find: typeof findDecimal | typeof findWords) {
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

describe('words for a missing value', () => {
  it('are common ones in columns of numbers, as they are written', async () => {
    const lines = ['-999;NA;day;-999;x', '40;6;n/a;1;null', '40;7;day;.;x', '99;na;day;2;x'];
    expect(await found(lines, findWords)).toEqual(['.', 'NA', 'na']);
  });

  it('leave out all other words and numbers, which are never shown', async () => {
    const lines = ['-998.5;7731;day;Smith;x', '40;6;day;1;x', '41;7;day;1;x'];
    expect(await found(lines, findWords)).toEqual([]);
  });
});

describe('codes for a missing value', () => {
  it('are asked for once, with all their columns, until somebody decided', async () => {
    const rows = ['-999,6,day,-999', '40,6,day,1', '40,7,day,1', '50,99,day,2'];
    const counts = await inspect(study, `age,sleep,work,mood\n${rows.join('\n')}\n`);
    expect(undecided(counts, [])).toEqual([
      { code: '-999', columns: ['age', 'mood'] },
      { code: '99', columns: ['sleep'] },
    ]);
    expect(undecided(counts, ['-999'])).toEqual([{ code: '99', columns: ['sleep'] }]);
  });
});
