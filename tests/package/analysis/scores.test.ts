import {
  assembleComponents,
  defineStudy,
  predict,
  privatize,
  project,
  type CcaResult,
  type Moments,
  type PcaResult,
  type Scores,
} from 'private-moments';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, seeded } from '../support.js';

const study = defineStudy(definition());
const LEVELS = ['day', 'night', 'none'];
const random = seeded(21);
const rows = Array.from({ length: 10_000 }, () => {
  const sleep = 4 + 6 * random();
  return {
    age: 18 + 72 * random(),
    sleep,
    work: LEVELS[Math.floor(3 * random())] ?? 'day',
    mood: (sleep - 7) * 1.2 + 2 * random() - 1,
  };
});
const csv = (of: readonly object[]) =>
  ['age;sleep;work;mood', ...of.map((row) => Object.values(row).join(';'))].join('\n');

let moments: Moments;
let pca: PcaResult;
let cca: CcaResult;
beforeAll(async () => {
  moments = await exactMoments(study, rows);
  pca = moments.pca();
  cca = moments.cca();
});

const column = ({ columns, values }: Scores, name: string) =>
  Array.from(values.filter((_, i) => i % columns.length === columns.indexOf(name)));
const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const product = (a: number[], b: number[]) => average(a.map((value, i) => value * (b[i] ?? NaN)));

describe('scores of the rows behind a result', () => {
  it('have mean 0 and the variances of pca, and are uncorrelated', async () => {
    const scores = await project(study, rows, pca);
    expect(scores.columns).toEqual(['PC1', 'PC2', 'PC3', 'PC4', 'PC5', 'PC6']);
    expect(scores).toMatchObject({ rows: 10_000, missing: 0 });
    for (const [k, name] of scores.columns.entries()) {
      const own = column(scores, name);
      // The exact sums round each row to a grid of about 2^-20.
      expect(average(own)).toBeCloseTo(0, 4);
      expect(product(own, own)).toBeCloseTo(pca.explained[k]?.value ?? NaN, 4);
      expect(product(own, column(scores, 'PC1'))).toBeCloseTo(
        k === 0 ? (pca.explained[0]?.value ?? NaN) : 0,
        4,
      );
    }
  });

  it('have variance 1 and the correlations of cca', async () => {
    const scores = await project(study, rows, cca);
    expect(scores.columns).toEqual(['life CC1', 'mind CC1']);
    const [life, mind] = [column(scores, 'life CC1'), column(scores, 'mind CC1')];
    expect(product(life, life)).toBeCloseTo(1, 3);
    expect(product(mind, mind)).toBeCloseTo(1, 3);
    expect(product(life, mind)).toBeCloseTo(cca.correlations[0]?.value ?? NaN, 3);
  });

  it('of several views are named by view and have the correlations of gcca', async () => {
    const three = defineStudy({
      ...definition(),
      views: { body: ['age'], night: ['sleep', 'work'], mind: ['mood'] },
    });
    const gcca = (await exactMoments(three, rows)).gcca();
    const scores = await project(three, rows, gcca);
    expect(scores.columns).toEqual(['body GC1', 'mind GC1', 'night GC1']);
    const [mind, night] = [column(scores, 'mind GC1'), column(scores, 'night GC1')];
    const scale = Math.sqrt(product(mind, mind) * product(night, night));
    const place = gcca.pairs.rows.indexOf('mind and night');
    expect(product(mind, night) / scale).toBeCloseTo(gcca.pairs.values[place] ?? NaN, 3);
  });

  it('along released directions are relative to the public centre', async () => {
    const directions = defineStudy({
      ...definition(),
      privacy: { epsilon: 10, delta: 0 },
      mechanism: { name: 'eigenvector-sampling' },
    });
    const components = await assembleComponents(directions, [await privatize(directions, rows)]);
    const middle = { age: 54, sleep: 6, mood: 0, work: 'none' };
    const { values } = await project(directions, [middle], components);
    // Only the indicator of such a row is not zero.
    expect([...values]).toEqual([...components.weights.values.slice(24, 30)]);
  });
});

describe('predictions', () => {
  it('have residuals as small as stated, and need no target', async () => {
    const ridge = moments.ridge({ target: 'mood' });
    const inputs = rows.map(({ age, sleep, work }) => ({ age, sleep, work }));
    const predicted = await predict(study, inputs, ridge);
    expect(predicted.columns).toEqual(['mood']);
    const residuals = rows.map(({ mood }, i) => mood - (predicted.values[i] ?? NaN));
    expect(average(residuals)).toBeCloseTo(0, 4);
    expect(Math.sqrt(product(residuals, residuals))).toBeCloseTo(ridge.residualSd, 4);
    const stored = JSON.parse(JSON.stringify(ridge)) as ReturnType<typeof ridge.toJSON>;
    expect((await predict(study, csv(rows), stored)).values).toEqual(predicted.values);
  });

  it('are missing if a predictor is, and need ridge results of this study', async () => {
    const ridge = moments.ridge({ target: 'mood', features: ['sleep'] });
    const { values, missing } = await predict(study, [{ sleep: 7 }, { sleep: 'x' }], ridge);
    const { value } = ridge.coefficients[0] ?? { value: NaN };
    expect([...values]).toEqual([ridge.intercept + 7 * value, NaN]);
    expect(missing).toBe(1);
    const other = defineStudy({ ...definition(), title: 'Another' });
    await failure(() => predict(other, rows, ridge), { code: 'wrong-study' });
    await failure(() => predict(study, rows, pca as never), { code: 'unsupported-data' });
    await failure(() => project(study, rows, ridge as never), { code: 'unsupported-data' });
  });
});

describe('project', () => {
  it('gives the same scores for every form of data, and from stored results', async () => {
    const direct = await project(study, rows, pca);
    const stored = JSON.parse(JSON.stringify(pca)) as ReturnType<typeof pca.toJSON>;
    const columns = ['mood', 'work', 'sleep', 'age'] as const;
    const values = Float64Array.from(
      rows.flatMap((row) =>
        columns.map((name) => (name === 'work' ? LEVELS.indexOf(row.work) : row[name])),
      ),
    );
    for (const [data, result] of [
      [rows, structuredClone(pca)],
      [csv(rows), stored],
      [new Blob([csv(rows)]), pca],
      [new Blob([csv(rows)]).stream(), pca],
      [{ columns, values }, pca],
    ] as const) {
      const { values } = await project(study, data, result);
      expect(Buffer.from(values.buffer).equals(Buffer.from(direct.values.buffer))).toBe(true);
    }
  });

  it('returns a table that a study of the scores can privatize', async () => {
    const scores = await project(study, rows.slice(0, 50), pca);
    const next = defineStudy({
      title: 'Scores',
      columns: scores.columns.map((name) => ({ name, type: 'number', min: -2, max: 2 })),
      privacy: { epsilon: 1, delta: 1e-6 },
    });
    expect((await privatize(next, scores)).rows).toBe(50);
  });

  it('keeps rows with a missing cell in place, without scores, and counts them', async () => {
    const holes = [
      ...csv(rows.slice(0, 9)).split('\n'),
      'x;7;day;1',
      '30;7;holiday;1',
      ';;;',
      '30;7;day;1',
    ];
    const scores = await project(study, holes.join('\n'), pca);
    expect(scores).toMatchObject({ rows: 13, missing: 3 });
    const known = Array.from({ length: 13 }, (_, i) =>
      [...scores.values.slice(6 * i, 6 * i + 6)].filter((value) => !Number.isNaN(value)),
    );
    expect(known.map(({ length }) => length)).toEqual([...Array<number>(9).fill(6), 0, 0, 0, 6]);
    expect(scores.cells.map(({ name, missing }) => [name, missing])).toEqual([
      ['age', 2],
      ['sleep', 1],
      ['work', 2],
      ['mood', 1],
    ]);
    // Even if the study refuses such rows, because nothing is released here.
    const strict = defineStudy({ ...definition(), missing: 'error' });
    const own = (await exactMoments(strict, rows)).pca();
    expect((await project(strict, holes.join('\n'), own)).missing).toBe(3);
  });

  it('clamps numbers to the bounds, as releases do, and counts them', async () => {
    const at = (age: number) => project(study, [{ ...rows[0], age }], pca);
    expect((await at(1e9)).values).toEqual((await at(90)).values);
    expect((await at(-1)).values).toEqual((await at(18)).values);
    expect((await at(-1)).cells[0]).toMatchObject({ name: 'age', from: 'age', outside: 1 });
  });

  it('scores one view if the data have only its columns', async () => {
    const both = await project(study, rows.slice(0, 20), cca);
    const only = rows.slice(0, 20).map(({ mood }) => ({ Stimmung: mood }));
    const options = { views: ['mind'], columns: { mood: 'Stimmung' } };
    const scores = await project(study, only, cca, options);
    expect(scores.columns).toEqual(['mind CC1']);
    expect([...scores.values]).toEqual(column(both, 'mind CC1'));
    await failure(() => project(study, only, cca), { code: 'missing-column', column: 'age' });
  });

  it('refuses other studies, views and results, and data without rows', async () => {
    const other = defineStudy({ ...definition(), title: 'Another' });
    await failure(() => project(other, rows, pca), { code: 'wrong-study' });
    await failure(() => project(study, rows, cca, { views: ['body'] }), { code: 'invalid-view' });
    await failure(() => project(study, rows, pca, { views: ['life'] }), { code: 'invalid-view' });
    for (const none of [null, {}, moments, { ...pca, centre: cca.views.mind?.centre }]) {
      await failure(() => project(study, rows, none as never), { code: 'unsupported-data' });
    }
    await failure(() => project(study, [], pca), { code: 'no-rows' });
    await failure(() => project(study, 'age,sleep,work,mood\n', pca), { code: 'no-rows' });
    await failure(() => project(study, 'age,sleep\n1,2\n', pca), { code: 'missing-column' });
    await failure(() => project(study, 'age,sleep,work,mood\n1,2\n', pca), {
      code: 'ragged-row',
      row: 1,
    });
    await failure(() => project(study, rows, pca, { epsilon: 1 } as object), {
      code: 'unsupported-option',
    });
  });

  it('reports progress that ends at 1', async () => {
    const seen: (number | null)[] = [];
    const onProgress = ({ fraction }: { fraction: number | null }) => seen.push(fraction);
    await project(study, new Blob([csv(rows)]), pca, { onProgress });
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => (a ?? 0) - (b ?? 0)));
    seen.length = 0;
    await project(study, new Blob([csv(rows)]).stream(), pca, { onProgress });
    expect(new Set(seen)).toEqual(new Set([null]));
  });

  it('can be cancelled in the middle of rows or of an endless stream', async () => {
    const control = new AbortController();
    const endless = new ReadableStream<string>({
      start(stream) {
        stream.enqueue('age,sleep,work,mood\n20,8,day,1\n');
      },
    });
    const options = { signal: control.signal };
    const waiting = [project(study, endless, pca, options), project(study, rows, pca, options)];
    control.abort('enough');
    for (const each of waiting) await failure(() => each, { code: 'cancelled' });
    const late = new AbortController();
    const stopping = project(study, rows, pca, {
      signal: late.signal,
      onProgress: () => {
        late.abort();
      },
    });
    await failure(() => stopping, { code: 'cancelled' });
  });

  it('does not block the page: other work runs while it reads', async () => {
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 15));
    let lived = false;
    setTimeout(() => (lived = true));
    // More than one batch of half a megabyte.
    await project(study, [rows, rows, rows, rows].flat(), pca);
    clock.mockRestore();
    expect(lived).toBe(true);
  });
});
