import { defineStudy, inspect } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { unusableWords } from '../../../web/elements/src/take-part/preview.js';
import { definition } from '../../package/support.js';

const HEADER = 'age,sleep,work,mood\n';

async function titleOf(rows: string, missing: 'centre' | 'error' = 'centre') {
  const study = defineStudy({ ...definition(), missing });
  return unusableWords(study, await inspect(study, HEADER + rows))?.title;
}

describe('the offer for a file', () => {
  it('is a release with a warning if refusing would reveal whether rows count', async () => {
    const study = defineStudy({ ...definition(), neighbours: 'add-remove' });
    const wordsOf = async (rows: string) =>
      unusableWords(study, await inspect(study, HEADER + rows));
    expect(await wordsOf('')).toMatchObject({ title: 'This file has no rows.', isOffered: true });
    expect(await wordsOf('NA,7,day,2\n40,6,night,NA\n')).toMatchObject({
      title: 'Every row has a gap.',
      isOffered: true,
    });
    expect(await wordsOf('40,6,night,1\n')).toBeUndefined();
    const strict = defineStudy({ ...definition(), neighbours: 'add-remove', missing: 'error' });
    const counts = await inspect(strict, `${HEADER}NA,7,day,2\n40,6,night,1\n`);
    expect(unusableWords(strict, counts)).toMatchObject({ isOffered: false });
  });

  it('is nothing if a column of the study is missing in every row', async () => {
    const rows = 'NA,7,day,2\n,6,night,1\nx,5,none,1\n';
    expect(await titleOf(rows)).toBe('No row has a usable value of this column.');
    expect(await titleOf('NA,7,Day,2\n,6,NIGHT,1\n')).toBe(
      'No row has a usable value of these columns.',
    );
    expect(await titleOf(`${rows}30,6,day,1\n`)).toBeUndefined();
  });

  it('is nothing if every row has a gap', async () => {
    const rows = 'NA,7,day,2\n40,6,night,NA\n';
    expect(await titleOf(rows)).toBe('Every row has a gap.');
    expect(await titleOf(`${rows}40,6,night,1\n`)).toBeUndefined();
  });

  it('is nothing if the study takes no gaps and a row has one', async () => {
    const rows = 'NA,7,day,2\n40,6,night,1\n';
    expect(await titleOf(rows, 'error')).toBe('This study takes only rows without gaps.');
    expect(await titleOf('40,6,night,1\n', 'error')).toBeUndefined();
  });
});
