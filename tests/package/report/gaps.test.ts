import { assemble, defineStudy, privatize } from 'private-moments';
import { report } from 'private-moments/report';
import { describe, expect, it } from 'vitest';
import { gapsFinding, sharesMissing, type WithGaps } from '../../../web/package/src/words.js';

/** A study that calls some of its columns by labels. */
const study = {
  id: '',
  title: 'Gaps',
  unit: 'row',
  neighbours: 'replace-one',
  words: {
    bmi: { column: 'BMI', name: 'BMI' },
    age: { column: 'Age', name: 'Age' },
    'sex=1': { column: 'Sex', name: 'Sex: female' },
  },
} as const;
const origin = { study };

/** What a study of 1000 rows would say whose counts of gaps have this noise. */
function gaps(counts: Record<string, number>, sd: number): WithGaps & { origin: typeof origin } {
  const columns = Object.entries(counts).map(([name, rows]) => ({
    ...{ name, rows, share: rows / 1000, sd },
  }));
  const fewest = { columns: ['bmi', 'age'], rows: 871.4, sd };
  return { origin, rows: 1000, missing: { columns, fewest, completeRows: 900 } };
}

describe('what a result says of missing cells', () => {
  it('names the columns with the most gaps, the noise, and the pair that the fewest rows have', () => {
    expect(gapsFinding(gaps({ age: 40, bmi: 121, hdl: 3, sex: 0 }, 4))).toBe(
      '12% of the cells of BMI and 4% of age were missing (± 0.8%, the noise of their count); no more than that noise in 2 other columns. The fewest rows, about 871, have both BMI and age.',
    );
  });

  it('names at most four columns', () => {
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`c${i}`, 100 + 10 * i]));
    expect(gapsFinding(gaps(many, 4))).toMatch(
      /^16% of the cells of c6, 15% of c5, 14% of c4 and 13% of c3 were missing .*; fewer in 3 other columns\./,
    );
  });

  it('claims nothing that the noise could have made', () => {
    expect(gapsFinding(gaps({ bmi: 7, age: 0 }, 4))).toBe(
      'Missing cells are fewer in every column than the noise in their count shows (± 0.8% of the rows).',
    );
  });

  it('has no noise where none was added, and nothing under other rules', () => {
    expect(gapsFinding(gaps({ bmi: 0, age: 0 }, 0))).toBe('No cell was missing.');
    expect(gapsFinding(gaps({ bmi: 4, age: 0 }, 0))).toMatch(
      /^0\.4% of the cells of BMI were missing; none in 1 other column\./,
    );
    expect(gapsFinding({ origin, rows: 1000, missing: null })).toBe('');
    expect(sharesMissing({ rows: 1000 }).size).toBe(0);
  });

  it('has the share of every column with its noise', () => {
    expect([...sharesMissing(gaps({ bmi: 121, age: 3 }, 4))]).toEqual([
      ['bmi', '12% ± 0.8%'],
      ['age', '0.3% ± 0.8%'],
    ]);
  });

  it('is in the report and in its methods, by column', async () => {
    const counted = defineStudy({
      title: 'Gaps',
      columns: ['age', 'bmi'].map((name) => ({ name, type: 'number', min: 0, max: 1 })),
      missing: 'pairwise',
      clipping: 'fixed',
      privacy: { epsilon: 100, delta: 1e-6 },
    });
    const rows = Array.from({ length: 2000 }, (_, i) => ({
      age: (i % 7) / 7,
      bmi: i % 5 === 0 ? null : (i % 11) / 11,
    }));
    const moments = await assemble(counted, [await privatize(counted, rows)]);
    const html = report([moments.pca(), moments]);
    // A fifth of 2000 cells, whose count has noise of a standard deviation of about one, as that of age, of
    // which none is.
    expect(html).toMatch(/20% of the cells of bmi (and 0\.\d+% of age )?were missing/);
    expect(html).toMatch(/<th[^>]*>Missing</);
    expect(html).toContain('(pairwise deletion)');
    const centred = await assemble(defineStudy({ ...counted.toJSON(), missing: 'centre' }), [
      await privatize(defineStudy({ ...counted.toJSON(), missing: 'centre' }), rows),
    ]);
    expect(report([centred.pca(), centred])).not.toMatch(/were missing|pairwise/);
  });
});
