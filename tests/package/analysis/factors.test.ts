import { assemble, defineStudy, privatize, project, type Matrix } from 'private-moments';
import { report, toCode } from 'private-moments/report';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Moments } from 'private-moments';
import { failure, seeded } from '../support.js';

const names = ['reading', 'writing', 'spelling', 'sums', 'fractions', 'shapes'];
const numbers = names.map((name) => ({ name, type: 'number' as const, min: -5, max: 5 }));
const columns = [{ name: 'class', type: 'category' as const, levels: ['a', 'b'] }, ...numbers];
const definition = { title: 'School', columns };
const clear = defineStudy({ ...definition, privacy: { epsilon: 1e4, delta: 1e-3 } });
const noisy = defineStudy({ ...definition, privacy: { epsilon: 0.01, delta: 1e-3 } });

/** Three columns follow one skill, three another; the skills correlate by 0.5. */
const random = seeded(23);
const normal = (): number => 2 * (random() + random() + random() - 1.5);
const rows = Array.from({ length: 4000 }, (_, row) => {
  const words = normal();
  const sums = 0.5 * words + Math.sqrt(0.75) * normal();
  return {
    class: row % 2 === 0 ? 'a' : 'b',
    ...Object.fromEntries(
      names.map((name, i) => [name, 0.8 * (i < 3 ? words : sums) + 0.6 * normal()]),
    ),
  };
});

const at = ({ columns: labels, values }: Matrix, i: number, k: number): number =>
  values[i * labels.length + k] ?? NaN;

let moments: Moments;
let drowned: Moments;
beforeAll(async () => {
  moments = await assemble(clear, [await privatize(clear, rows)]);
  drowned = await assemble(noisy, [await privatize(noisy, rows)]);
});

describe('factors', () => {
  it('are the two skills behind six columns', () => {
    const result = moments.factorAnalysis({ factors: 2, rotation: 'promax' });
    const { loadings, correlations, phi, uniquenesses, communalities, factors } = result;
    expect(result.columns).toEqual(names);
    expect(result).toMatchObject({ analysis: 'factorAnalysis', note: null, heywood: [] });
    const skill = at(loadings, 0, 0) > at(loadings, 3, 0) ? 0 : 1;
    for (let i = 0; i < 6; i++) {
      const own = i < 3 ? skill : 1 - skill;
      expect(at(loadings, i, own)).toBeGreaterThan(0.7);
      expect(Math.abs(at(loadings, i, 1 - own))).toBeLessThan(0.1);
      expect(at(correlations, i, 1 - own)).toBeGreaterThan(0.25);
      expect(at(uniquenesses, 0, i)).toBeCloseTo(0.36, 1);
      expect(at(uniquenesses, 0, i) + at(communalities, 0, i)).toBeCloseTo(1, 6);
    }
    expect(at(phi, 0, 1)).toBeCloseTo(0.5, 1);
    const explained = factors.reduce((sum, { share }) => sum + share, 0);
    const common = communalities.values.reduce((sum, value) => sum + value, 0) / 6;
    expect(explained).toBeCloseTo(common, 9);
    expect(factors.every(({ belowNoiseFloor }) => !belowNoiseFloor)).toBe(true);
  });

  it('are of the chosen columns, in their order', () => {
    const chosen = ['shapes', 'sums', 'reading', 'fractions'];
    const result = moments.factorAnalysis({ factors: 1, columns: chosen });
    expect(result.columns).toEqual(chosen);
    expect(result.centre.columns).toEqual(chosen);
    expect(at(result.loadings, 1, 0)).toBeGreaterThan(at(result.loadings, 2, 0));
  });

  it('have scores that follow them', async () => {
    const result = moments.factorAnalysis({ factors: 2, rotation: 'promax' });
    const { values, columns: labels } = await project(clear, rows, result);
    expect(labels).toEqual(['F1', 'F2']);
    const square = rows.reduce((sum, _, i) => sum + (values[2 * i] ?? 0) ** 2, 0) / rows.length;
    expect(square).toBeGreaterThan(0.7);
    expect(square).toBeLessThan(1);
  });

  it('have intervals with a level, the same from workers in parts', async () => {
    const options = { factors: 2, rotation: 'promax', level: 0.9, draws: 60 } as const;
    const result = moments.factorAnalysis(options);
    for (const key of ['weights', 'loadings', 'correlations', 'phi', 'uniquenesses'] as const) {
      const { values, low, high } = result[key];
      for (const [i, value] of values.entries()) {
        expect(low?.[i], key).toBeLessThanOrEqual(value + 1e-12);
        expect(high?.[i], key).toBeGreaterThanOrEqual(value - 1e-12);
      }
    }
    const there = await moments.inWorker({ workers: 2 }).factorAnalysis(options);
    expect(JSON.stringify(there)).toBe(JSON.stringify(result));
    const { level } = moments
      .uncertainty({ level: 0.8, draws: 50 })
      .factorAnalysis({ factors: 1 }).options;
    expect(level).toBe(0.8);
  });

  it('below the noise floor are marked, and the note says so', () => {
    const { factors, note } = drowned.factorAnalysis({ factors: 3 });
    const above = factors.filter(({ belowNoiseFloor }) => !belowNoiseFloor).length;
    if (above === 0) expect(note).toMatch('do not interpret them');
    else if (above < 3) expect(note).toMatch('do not interpret the others');
    else expect(note).toBeNull();
  });

  it('that explain all of a column say that it is a Heywood case', async () => {
    const study = defineStudy({
      title: 'Opposed',
      columns: numbers.slice(0, 3),
      privacy: { epsilon: 1e4, delta: 1e-3 },
    });
    // More than all of reading would explain why both others go with it, but not with each other.
    const opposed = rows.map(() => {
      const [reading, own] = [normal(), normal()];
      return { reading, writing: reading + own, spelling: reading - own };
    });
    const own = await assemble(study, [await privatize(study, opposed)]);
    const { heywood, note } = own.factorAnalysis({ factors: 1 });
    expect(heywood).toEqual(['reading']);
    expect(note).toMatch('all of reading (a Heywood case)');
  });

  it('refuse categories, too many factors and other rotations', async () => {
    await failure(() => moments.factorAnalysis({ factors: 1, columns: ['class', ...names] }), {
      code: 'invalid-view',
      field: 'columns',
      column: 'class',
    });
    for (const factors of [0, 4, 1.5]) {
      await failure(() => moments.factorAnalysis({ factors }), {
        code: 'invalid-components',
        field: 'factors',
      });
    }
    await failure(() => moments.factorAnalysis({ factors: 1, columns: ['sums', 'shapes'] }), {
      code: 'invalid-components',
      field: 'factors',
    });
    await failure(() => moments.factorAnalysis({ factors: 2, rotation: 'oblimin' as never }), {
      code: 'unsupported-option',
      field: 'rotation',
    });
  });

  it('are in reports, in CSV and in code', () => {
    const result = moments.factorAnalysis({
      factors: 2,
      rotation: 'promax',
      level: 0.9,
      draws: 50,
    });
    const html = report(result);
    expect(html).toContain('Correlations of the factors');
    expect(html).toContain('Uniqueness');
    expect(html).toContain('2 factors above the noise floor');
    expect(result.toCSV()).toContain('factorAnalysis,phi,,F1,F2');
    expect(toCode([result])).toContain('moments.factorAnalysis({ factors: 2');
  });
});
