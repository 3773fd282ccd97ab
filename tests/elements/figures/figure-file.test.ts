import type { Guarantee } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { slug } from '../../../web/elements/src/base/save.js';
import { csvOf, type SavableFigure } from '../../../web/elements/src/figures/figure-file.js';
import { guaranteeOf } from '../../../web/elements/src/figures/figure-frame.js';

const words = {
  study: 'People, work',
  title: '1st pair',
  caption: '=1+1 is a formula',
  guarantee: 'ε = 1, for one row.',
};

/** A figure of columns with a value each. */
function figure(lines: (string | number | undefined)[][]): SavableFigure {
  return { numbers: () => ({ header: ['column', 'value'], lines }) } as unknown as SavableFigure;
}

describe('the CSV file of a figure', () => {
  it('has the caption and the guarantee on every line, so that it stays one table', () => {
    const drawings = [{ part: '', figure: figure([['age', 0.5], ['+cmd', undefined]]) }]; // prettier-ignore
    expect(csvOf(drawings, words).split('\r\n')).toEqual([
      'column,value,study,figure,caption,guarantee',
      `age,0.5,"People, work",1st pair,'=1+1 is a formula,"ε = 1, for one row."`,
      `'+cmd,,"People, work",1st pair,'=1+1 is a formula,"ε = 1, for one row."`,
      '',
    ]);
  });

  it('names the part of each line if there are several', () => {
    const drawings = ['People', 'Work'].map((part, i) => ({ part, figure: figure([['a', i]]) }));
    const lines = csvOf(drawings, words).split('\r\n');
    expect(lines[0]).toBe('part,column,value,study,figure,caption,guarantee');
    expect(lines.slice(1, 3).map((line) => line.slice(0, 8))).toEqual(['People,a', 'Work,a,1']);
  });
});

describe('the guarantee in the file of a figure', () => {
  const guarantee = { epsilon: 1, delta: 1e-6, unit: 'row' } as Guarantee;
  const said = (releases: number, own: Guarantee | null) =>
    guaranteeOf({ origin: { study: { title: '' }, releases }, guarantee: own });

  it('says what it is about: each release, one release, or the sum of some', () => {
    const strength = 'ε = 1, δ = 10⁻⁶, for one row.';
    expect(said(10, guarantee)).toBe(`Each of 10 releases is differentially private: ${strength}`);
    expect(said(1, guarantee)).toBe(`One release is differentially private: ${strength}`);
    expect(said(8, { ...guarantee, honest: 7 })).toBe(
      `The sum of 8 releases is differentially private: ${strength}`,
    );
    expect(said(0, null)).toBe('Computed from the rows themselves, without noise.');
  });
});

describe('the name of a file', () => {
  it('is the title in lower case with hyphens, and never empty', () => {
    expect(slug('People & work, 1994 census', 'study')).toBe('people-work-1994-census');
    expect(slug('Über Ärzte', 'study')).toBe('über-ärzte');
    expect(slug('???', 'study')).toBe('study');
    expect(slug(`${'a'.repeat(59)} b`, 'study')).toBe('a'.repeat(59));
  });
});
