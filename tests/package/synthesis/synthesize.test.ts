import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import {
  createLedger,
  defineStudy,
  load,
  memoryStorage,
  synthesize,
  type Data,
  type StudyDefinition,
  type SynthesizeOptions,
  type Synthetic,
} from 'private-moments';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { failure, seeded, sourceFolder } from '../support.js';

/** Two different groups, and an outcome that follows from a number. */
function definition(): StudyDefinition {
  return {
    title: 'Sport and sleep',
    columns: [
      { name: 'training', type: 'number', min: 0, max: 20 },
      { name: 'sleep', type: 'number', min: 4, max: 12 },
      { name: 'place', type: 'category', levels: ['town', 'country', 'coast'] },
      { name: 'group', type: 'category', levels: ['runs', 'swims'] },
    ],
    views: { day: ['training', 'place'], night: ['sleep'] },
    privacy: { epsilon: 8, delta: 1e-6 },
  };
}

interface Row extends Record<string, unknown> {
  training: number;
  sleep: number;
  place: string;
  group: string;
}

const random = seeded(7);
const places = ['town', 'country', 'coast'];
const rows: Row[] = Array.from({ length: 6000 }, () => {
  const group = random() < 0.3 ? 'runs' : 'swims';
  const training = (group === 'runs' ? 12 : 5) + 4 * (random() + random() - 1);
  const sleep = 6 + 0.2 * training + random();
  return { training, sleep, place: places[Math.floor(3 * random() ** 2)] ?? 'town', group };
});
const csv = [
  'group,training,sleep,place,id',
  ...rows.map(({ group, training, sleep, place }, i) => [group, training, sleep, place, i].join()),
].join('\n');
const study = defineStudy(definition());
/** The four tasks on the same rows, with a budget far too large to be private. */
const open = defineStudy({ ...definition(), privacy: { epsilon: 1000, delta: 1e-6 } });
const pure = defineStudy({ ...definition(), privacy: { epsilon: 8, delta: 0 } });

const meanOf = (values: ArrayLike<number>) =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
const share = (column: unknown, level: string) =>
  (column as string[]).filter((label) => label === level).length / (column as string[]).length;

describe('synthetic rows of one data holder', () => {
  const made = new Map<string, Synthetic>();
  const of = (task: string): Synthetic => {
    const synthetic = made.get(task);
    if (synthetic === undefined) throw new Error(`nothing was made for ${task}`);
    return synthetic;
  };
  const kinds: [string, SynthesizeOptions][] = [
    ['density', {}],
    ['classification', { label: 'group' }],
    ['regression', { label: 'sleep' }],
  ];
  beforeAll(async () => {
    for (const [task, options] of kinds) {
      made.set(task, await synthesize(open, rows, { ...options, rows: 4000, seed: 1 }));
    }
  });

  test.each(kinds)('have the columns of the study with their types and bounds: %s', (task) => {
    const synthetic = of(task);
    expect(synthetic.model?.task).toBe(task);
    expect(synthetic.columns).toEqual(['training', 'sleep', 'place', 'group']);
    expect(synthetic.rows).toBe(4000);
    for (const row of synthetic) {
      expect(row.training).toBeGreaterThanOrEqual(0);
      expect(row.training).toBeLessThanOrEqual(20);
      expect(row.sleep).toBeGreaterThanOrEqual(4);
      expect(row.sleep).toBeLessThanOrEqual(12);
      expect(places).toContain(row.place);
      expect(['runs', 'swims']).toContain(row.group);
    }
  });

  // The tolerances are six standard errors, which are below 0.08 hours and 0.008.
  test.each(kinds)('preserve means, shares and correlations: %s', (task) => {
    const synthetic = of(task);
    const truth = meanOf(rows.map(({ training }) => training));
    const training = synthetic.column('training') as Float64Array;
    expect(Math.abs(meanOf(training) - truth)).toBeLessThan(0.5);
    expect(share(synthetic.column('group'), 'runs')).toBeCloseTo(0.3, 1);
    const { correlations, canonicalCorrelations } = synthetic.preserves();
    const pair = correlations.find(({ columns }) => columns.join() === 'training,sleep');
    expect(pair?.synthetic).toBeGreaterThan(0.85);
    expect(pair?.released).toBeGreaterThan(0.85);
    expect(canonicalCorrelations[0]?.synthetic).toBeGreaterThan(0.85);
  });

  it('report nearly every figure within its interval', () => {
    for (const synthetic of made.values()) {
      const { means, deviations, correlations } = synthetic.preserves();
      const all = [...means, ...deviations, ...correlations];
      expect(all.every(({ low, high }) => low !== null && high !== null)).toBe(true);
      const inside = all.filter(({ inside }) => inside).length;
      expect(inside / all.length, synthetic.preserves().summary).toBeGreaterThan(0.6);
    }
  });

  it('have the classes in the proportions that were released', () => {
    const { model } = of('classification');
    expect(model?.gaussians.map(({ level }) => level)).toEqual(['runs', 'swims']);
    const [runs, swims] = model?.gaussians ?? [];
    expect((runs?.rows ?? 0) + (swims?.rows ?? 0)).toBeCloseTo(6000, -2);
    expect(model).toMatchObject({ label: 'group', rows: 6000, covariance: 'per-class' });
    expect(runs?.mean.columns).toEqual([
      ...['training', 'sleep', 'place=town', 'place=country', 'place=coast'],
    ]);
  });

  it('have numbered components for the task spectrum, of which only variances are known', async () => {
    const synthetic = await synthesize(open, rows, { task: 'spectrum', components: 2, rows: 3000 });
    expect(synthetic.columns).toEqual(['component 1', 'component 2']);
    const variances = synthetic.model?.variances ?? [];
    expect(variances).toHaveLength(2);
    expect(variances[0]).toBeGreaterThan(variances[1] ?? 0);
    const first = synthetic.column('component 1') as Float64Array;
    expect(meanOf(first.map((x) => x * x)) / (variances[0] ?? 0)).toBeCloseTo(1, 0);
    expect(synthetic.model?.gaussians).toEqual([]);
    expect(synthetic.model?.projection).toBeNull();
    expect(synthetic.toCSV()).toMatch(/^component 1,component 2\r\n/);
    expect(synthetic.preserves().deviations[0]?.inside).toBeNull();
  });

  it('are as many as the data have, unless the option rows is set', async () => {
    expect((await synthesize(study, rows)).rows).toBe(6000);
    expect((await synthesize(study, rows, { rows: 5 })).rows).toBe(5);
  });
});

describe('data for synthetic rows', () => {
  test.each<[string, () => Data]>([
    ['row objects', () => rows],
    ['CSV text', () => csv],
    ['a CSV file', () => new File([csv], 'rows.csv')],
    ['a stream of CSV', () => new Blob([csv]).stream()],
    ['an Arrow table', () => tableFromArrays(columnsOf(rows))],
    [
      'an Arrow file',
      () => new Blob([new Uint8Array(tableToIPC(tableFromArrays(columnsOf(rows)), 'file'))]),
    ],
    ['a Parquet file', () => new Blob([parquet(rows)])],
    [
      'numbers',
      () => ({
        columns: ['training', 'sleep', 'place', 'group'],
        values: Float64Array.from(
          rows.flatMap(({ training, sleep, place, group }) => [
            ...[training, sleep, places.indexOf(place), group === 'runs' ? 0 : 1],
          ]),
        ),
      }),
    ],
  ])('can come as %s', async (_, data) => {
    const synthetic = await synthesize(open, data(), { label: 'group', rows: 2000 });
    expect(synthetic.local).toMatchObject({ rows: 6000, used: 6000, centred: 0, shortened: 0 });
    expect(share(synthetic.column('group'), 'runs')).toBeCloseTo(0.3, 1);
    expect(meanOf(synthetic.column('sleep') as Float64Array)).toBeCloseTo(7.9, 0);
  });

  it('are counted for their holder, and the counts are never serialised', async () => {
    const text =
      'training,sleep,place,group,id\n5,7,town,runs,1\n,7,town,runs,2\n99,7,sea,swims,3\n';
    const synthetic = await synthesize(study, text);
    expect(synthetic.local).toEqual({
      ...{ rows: 3, used: 1, centred: 2, dropped: 0, shortened: 0, ignored: ['id'] },
      warnings: [
        expect.objectContaining({ code: 'possible-codes', column: 'training' }),
        expect.objectContaining({ code: 'unreadable-cells', column: 'place' }),
      ],
      columns: [
        {
          name: 'training',
          from: 'training',
          missing: 1,
          outside: 1,
          unreadable: 0,
          unreadableRows: [],
          codes: [99],
        },
        {
          name: 'sleep',
          from: 'sleep',
          missing: 0,
          outside: 0,
          unreadable: 0,
          unreadableRows: [],
          codes: [],
        },
        {
          name: 'place',
          from: 'place',
          missing: 1,
          outside: 0,
          unreadable: 1,
          unreadableRows: [3],
          codes: [],
        },
        {
          name: 'group',
          from: 'group',
          missing: 0,
          outside: 0,
          unreadable: 0,
          unreadableRows: [],
          codes: [],
        },
      ],
    });
    expect(JSON.stringify(synthetic)).not.toMatch(/local|centred|outside/);
  });

  it('are refused with row and column, without the value, if the study refuses missing cells', async () => {
    const strict = defineStudy({ ...definition(), missing: 'error' });
    const text = 'training,sleep,place,group\n5,7,town,runs\n5,secret,town,runs\n5,7\n';
    const error = await failure(() => synthesize(strict, text), {
      ...{ code: 'missing-cell', row: 2, column: 'sleep' },
    });
    expect(error.message).not.toContain('secret');
    await failure(() => synthesize(study, text), { code: 'ragged-row', row: 3 });
    await failure(() => synthesize(study, []), { code: 'no-rows' });
    await failure(() => synthesize(study, 'training,sleep,place,group\n'), { code: 'no-rows' });
    await failure(() => synthesize(study, 'training,sleep,group\n1,2,runs\n'), {
      ...{ code: 'missing-column', column: 'place' },
    });
  });

  it('may have columns with other names and numbers with a decimal comma', async () => {
    const text = 'T;sleep;place;group\n' + '5,5;7,25;town;runs\n'.repeat(50);
    const synthetic = await synthesize(study, text, {
      ...{ columns: { training: 'T' }, csv: { decimal: ',' } },
    });
    expect(synthetic.local).toMatchObject({ rows: 50, used: 50 });
  });
});

describe('synthetic rows are written', () => {
  const make = () => synthesize(open, rows, { label: 'group', rows: 200, seed: 5 });

  it('as CSV from which synthetic rows can be made again', async () => {
    const text = (await make()).toCSV();
    const again = await synthesize(study, text);
    expect(again.local).toMatchObject({ rows: 200, used: 200 });
    expect(again.local?.columns.every(({ outside }) => outside === 0)).toBe(true);
  });

  it('as Arrow and Parquet with the same rows', async () => {
    const synthetic = await make();
    const all = [...synthetic];
    const table = tableFromIPC(await synthetic.toArrow());
    expect(table.toArray().map((row) => ({ ...(row as object) }))).toEqual(all);
    const { buffer } = await synthetic.toParquet();
    expect(await parquetReadObjects({ file: buffer })).toEqual(all);
  });

  it('as JSON with model and guarantee', async () => {
    const json = JSON.parse(JSON.stringify(await make())) as Record<string, unknown>;
    expect(json).toMatchObject({
      analysis: 'synthesis',
      options: {
        label: 'group',
        task: 'classification',
        components: 5,
        projection: null,
        sums: 'joint',
        radius: 0.8,
      },
      origin: { releases: 1, study: { id: open.id } },
      model: { task: 'classification', rows: 6000 },
      rows: 200,
      seed: 5,
    });
  });
});

describe('the guarantee of synthetic rows', () => {
  test.each<[string, SynthesizeOptions, string[]]>([
    ['one Gaussian', {}, ['moments']],
    ['one Gaussian in steps', { sums: 'steps' }, ['means', 'scatter']],
    ['classes', { label: 'group' }, ['moments']],
    ['classes in steps', { label: 'group', sums: 'steps' }, ['counts', 'means', 'scatter']],
    [
      'public classes in steps',
      { label: 'group', labelsPublic: true, sums: 'steps' },
      ['means', 'scatter'],
    ],
    ['a projection', { components: 2 }, ['projection', 'moments']],
    [
      'random directions',
      { components: 2, projection: { source: 'random' }, sums: 'steps' },
      ['means', 'scatter'],
    ],
    ['a spectrum', { task: 'spectrum', components: 2 }, ['spectrum']],
    [
      'a spectrum about the mean',
      { task: 'spectrum', components: 2, aboutMean: true },
      ['means', 'spectrum'],
    ],
    [
      'a chosen covariance',
      { label: 'group', covariance: 'chosen' },
      ['moments', 'choice of the covariance'],
    ],
  ])(
    'is no more than the study allows and lists the cost of each step: %s',
    async (_, options, steps) => {
      for (const each of [study, pure]) {
        const { guarantee, model } = await synthesize(each, rows, { ...options, rows: 10 });
        expect(guarantee).toMatchObject({ neighbours: 'replace-one', unit: 'row' });
        const { epsilon, delta, parts = [] } = guarantee ?? { epsilon: Infinity, delta: 1 };
        expect(epsilon).toBe(each.privacy.epsilon);
        expect(delta).toBeLessThanOrEqual(each.privacy.delta);
        expect(parts.map(({ what }) => what)).toEqual(steps);
        if (each === pure) {
          const sum = parts.reduce((total, part) => total + part.epsilon, 0);
          expect(sum).toBeLessThanOrEqual(epsilon * (1 + 1e-12));
          expect(sum).toBeGreaterThan(0.99 * epsilon);
        }
        const noisy = steps.filter((step) => !step.startsWith('choice'));
        expect(model?.noise.map(({ what }) => what)).toEqual(noisy);
        expect(model?.noise.every(({ sd }) => sd > 0)).toBe(true);
      }
    },
  );

  it('says if labels are public', async () => {
    const { guarantee } = await synthesize(study, rows, { label: 'group', labelsPublic: true });
    expect(guarantee?.assumes.join()).toMatch(/labels are public/);
  });

  it('comes from fresh noise each time, whatever the seed of the draw', async () => {
    const [a, b] = await Promise.all([
      synthesize(study, rows, { seed: 1, rows: 10 }),
      synthesize(study, rows, { seed: 1, rows: 10 }),
    ]);
    expect(a.model?.gaussians[0]?.mean.values).not.toEqual(b.model?.gaussians[0]?.mean.values);
    expect(a.values).not.toEqual(b.values);
  });

  test.each(['laplace', 'gaussian', 'frobenius', 'two-sided-wishart'] as const)(
    'holds with noise %s',
    async (noise) => {
      const { model, guarantee } = await synthesize(study, rows, { noise, rows: 10 });
      expect(model?.noise.at(-1)?.distribution).toBe(noise);
      expect(guarantee?.numerics).toBe('exact');
      if (noise !== 'gaussian') expect(guarantee?.delta).toBe(0);
    },
  );
});

describe('a projection', () => {
  const features = ['training', 'sleep', 'place=town', 'place=country', 'place=coast'];
  const named = [...features, 'group=runs', 'group=swims'];

  it('from public rows costs nothing and takes them in any form', async () => {
    for (const publicRows of [rows.slice(0, 400), csv]) {
      const { model, guarantee } = await synthesize(study, rows, {
        ...{ components: 2, projection: { source: 'public', rows: publicRows }, rows: 10 },
      });
      expect(model?.projection?.source).toBe('public');
      expect(model?.projection?.directions).toMatchObject({
        ...{ rows: named, columns: ['component 1', 'component 2'] },
      });
      expect(guarantee?.parts?.map(({ what }) => what)).toEqual(['moments']);
      expect(guarantee?.assumes.join()).toContain('public');
    }
  });

  it('at random depends on its seed, and shortens rows at a smaller radius', async () => {
    const make = async (seed: number) =>
      synthesize(study, rows, { components: 2, projection: { source: 'random', seed }, rows: 10 });
    const [one, same, other] = await Promise.all([make(1), make(1), make(2)]);
    const directions = one.model?.projection?.directions;
    expect(same.model?.projection?.directions.values).toEqual(directions?.values);
    expect(other.model?.projection?.directions.values).not.toEqual(directions?.values);
    expect(one.model?.radius).toBeCloseTo(0.8 * Math.sqrt(2 / (directions?.rows.length ?? 0)), 12);
  });

  it('from some or all of the rows leaves out the label', async () => {
    const made: SynthesizeOptions['projection'][] = [
      undefined,
      { source: 'laplace', share: 0.2 },
      { source: 'two-sided-wishart' },
      { source: 'split', fraction: 0.25, noise: 'frobenius' },
    ];
    for (const projection of made) {
      const { model } = await synthesize(study, rows, {
        ...{ label: 'group', components: 2, rows: 10 },
        ...(projection === undefined ? {} : { projection }),
      });
      expect(model?.projection?.directions.rows).toEqual(features);
      expect(model?.projection?.source).toBe(projection?.source ?? 'gaussian');
      expect(model?.noise[0]?.what).toBe('projection');
    }
  });

  it('says if an error is about the public rows', async () => {
    const projection = { source: 'public' as const, rows: 'training,sleep\n1,2\n' };
    await failure(() => synthesize(study, rows, { components: 2, projection }), {
      ...{ code: 'missing-column', field: 'projection.rows', message: /public rows/ },
    });
    const none = { source: 'public' as const, rows: 'training,sleep,place,group\n' };
    await failure(() => synthesize(study, rows, { components: 2, projection: none }), {
      code: 'no-rows',
    });
  });
});

describe('options of synthetic rows', () => {
  const wrong = (options: object) => () => synthesize(study, rows, options);
  const participants = defineStudy({ ...definition(), unit: 'participant' });
  const others = defineStudy({ ...definition(), neighbours: 'add-remove' });
  const masked = defineStudy({
    ...definition(),
    ...{ clipping: 'fixed', federation: { mode: 'split', sites: 3, honest: 2 } },
  });

  test.each<[string, () => unknown, string, string | undefined]>([
    ['an unknown option', wrong({ epsilon: 1 }), 'unsupported-option', undefined],
    ['an unknown label', wrong({ label: 'age' }), 'invalid-synthesis', 'label'],
    ['an unknown task', wrong({ task: 'cluster' }), 'unsupported-option', 'task'],
    [
      'classes of a number',
      wrong({ label: 'sleep', task: 'classification' }),
      'invalid-synthesis',
      'label',
    ],
    [
      'a density with a label',
      wrong({ label: 'group', task: 'density' }),
      'invalid-synthesis',
      'label',
    ],
    ['a regression without a label', wrong({ task: 'regression' }), 'invalid-synthesis', 'label'],
    ['too many components', wrong({ components: 8 }), 'invalid-components', 'components'],
    ['no components', wrong({ components: 0 }), 'invalid-components', 'components'],
    [
      'a projection to all features',
      wrong({ components: 7, projection: { source: 'laplace' } }),
      'invalid-components',
      'components',
    ],
    [
      'a projection without components',
      wrong({ projection: { source: 'laplace' } }),
      'invalid-components',
      'components',
    ],
    [
      'an unknown source',
      wrong({ components: 2, projection: { source: 'mine' } }),
      'unsupported-option',
      'projection.source',
    ],
    [
      'a share of everything',
      wrong({ components: 2, projection: { source: 'laplace', share: 1 } }),
      'invalid-synthesis',
      'projection.share',
    ],
    [
      'all rows in the split',
      wrong({ components: 2, projection: { source: 'split', fraction: 1 } }),
      'invalid-synthesis',
      'projection.fraction',
    ],
    [
      'a share of public rows',
      wrong({ components: 2, projection: { source: 'public', rows, share: 0.1 } }),
      'unsupported-option',
      'projection.share',
    ],
    [
      'public rows that are missing',
      wrong({ components: 2, projection: { source: 'public' } }),
      'unsupported-option',
      'projection.rows',
    ],
    [
      'a projection of a spectrum',
      wrong({ task: 'spectrum', components: 2, projection: { source: 'laplace' } }),
      'invalid-synthesis',
      'projection',
    ],
    ['an unknown noise', wrong({ noise: 'uniform' }), 'unsupported-option', 'noise'],
    [
      'a shared covariance without classes',
      wrong({ covariance: 'shared' }),
      'invalid-synthesis',
      'covariance',
    ],
    [
      'public labels without classes',
      wrong({ labelsPublic: true }),
      'invalid-synthesis',
      'labelsPublic',
    ],
    [
      'a text as labelsPublic',
      wrong({ label: 'group', labelsPublic: 'yes' }),
      'unsupported-option',
      'labelsPublic',
    ],
    ['a radius of zero', wrong({ radius: 0 }), 'invalid-row-norm', 'radius'],
    ['no rows', wrong({ rows: 0 }), 'unsupported-option', 'rows'],
    ['more rows than can be drawn', wrong({ rows: 10_000_001 }), 'unsupported-option', 'rows'],
    ['a seed that is not a whole number', wrong({ seed: 0.5 }), 'unsupported-option', 'seed'],
    [
      'Gaussian noise without a delta',
      () => synthesize(pure, rows, { noise: 'gaussian' }),
      'invalid-delta',
      undefined,
    ],
    ['participants', () => synthesize(participants, rows), 'invalid-unit', 'unit'],
    [
      'a private number of rows',
      () => synthesize(others, rows),
      'invalid-neighbours',
      'neighbours',
    ],
    [
      'noise shared among sites',
      () => synthesize(masked, rows),
      'invalid-federation',
      'federation.mode',
    ],
    [
      'an object that is not a study',
      () => synthesize({} as never, rows),
      'invalid-study',
      undefined,
    ],
  ])('are refused: %s', async (_, action, code, field) => {
    await failure(action, field === undefined ? { code } : { code, field });
  });
});

describe('cancelling a synthesis', () => {
  const endless = () =>
    new ReadableStream<string>({
      start(controller) {
        controller.enqueue('training,sleep,place,group\n');
      },
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        controller.enqueue('5,7,town,runs\n'.repeat(100));
      },
    });

  it('rejects, and the next one works', async () => {
    const abort = new AbortController();
    let progressAfter = 0;
    const running = synthesize(study, endless(), {
      signal: abort.signal,
      onProgress: () => {
        if (abort.signal.aborted) progressAfter += 1;
        abort.abort(new Error('closed the tab'));
      },
    });
    const error = await failure(() => running, { code: 'cancelled' });
    expect(error.cause).toMatchObject({ message: 'closed the tab' });
    expect((await synthesize(study, rows, { rows: 3 })).rows).toBe(3);
    expect(progressAfter).toBe(0);
  });

  it('works while public rows are read, and before reading starts', async () => {
    const abort = new AbortController();
    const projection = { source: 'public' as const, rows: endless() };
    const running = synthesize(study, rows, { components: 2, projection, signal: abort.signal });
    setTimeout(() => {
      abort.abort();
    }, 200);
    await failure(() => running, { code: 'cancelled' });
    await failure(() => synthesize(study, rows, { signal: abort.signal }), { code: 'cancelled' });
  });
});

describe('the worker of a synthesis', () => {
  const file = new URL('synthesis-worker.js', sourceFolder);
  /** The package's worker, with a log of the messages it posts and receives. */
  const watched = (code: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'private-moments-'));
    const path = join(folder, 'watched.mjs');
    writeFileSync(
      path,
      `import { appendFileSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       const log = ${JSON.stringify(join(folder, 'log'))};
       ${code}
       await import('${file.href}');`,
    );
    return { url: pathToFileURL(path), log: join(folder, 'log') };
  };

  it('posts nothing about the rows except their number', async () => {
    const { url, log } = watched(`
      const post = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = (message, transfer) => {
        appendFileSync(log, JSON.stringify(message, (_, value) =>
          ArrayBuffer.isView(value) ? Array.from(value) : value) + '\\n');
        post(message, transfer);
      };`);
    await load({ synthesisWorker: url });
    try {
      const text = csv.replace(/^(runs|swims),[\d.]+/m, '$1,7.123456789');
      await synthesize(study, text, { label: 'group', rows: 20 });
      // The first says that the worker has started.
      const [, ...messages] = readFileSync(log, 'utf8').trim().split('\n');
      const calls = messages.map((line) => (JSON.parse(line) as { call?: string }).call);
      expect(new Set(calls.slice(0, -1))).toEqual(new Set(['progress', 'counted']));
      expect(calls.at(-1), 'the answer comes last').toBeUndefined();
      const cells = new Set(rows.map(({ training }) => String(training)));
      const posted = messages.join().match(/\d+\.\d{6,}/g) ?? [];
      expect(posted.filter((number) => cells.has(number))).toEqual([]);
      expect(messages.join()).not.toContain('7.123456789');
    } finally {
      await load({ synthesisWorker: file });
    }
  });

  it('fails the call if it dies, and the next one works', async () => {
    const { url } = watched(
      `await import('${file.href}');
       parentPort.on('message', ({ call }) => { if (call === 'run') process.exit(1); });`,
    );
    await load({ synthesisWorker: url });
    await failure(() => synthesize(study, rows), { code: 'worker-failed' });
    await load({ synthesisWorker: file });
    expect((await synthesize(study, rows, { rows: 2 })).rows).toBe(2);
  });
});

describe('a ledger of syntheses', () => {
  it('records each before it is made, and refuses those over budget', async () => {
    const ledger = createLedger(memoryStorage());
    await ledger.budget({ epsilon: 8, delta: 1e-6 });
    const file = () => new File([csv], 'rows.csv');
    await synthesize(study, file(), { ledger, rows: 5 });
    const [entry] = await ledger.entries();
    expect(entry?.guarantee.epsilon).toBe(8);
    await failure(() => synthesize(study, file(), { ledger, rows: 5 }), { code: 'over-budget' });
  });

  it('needs a name for rows that are not a file', async () => {
    const ledger = createLedger(memoryStorage());
    await failure(() => synthesize(study, rows, { ledger }), {
      ...{ code: 'unsupported-option', field: 'dataSet' },
    });
    await synthesize(study, rows, { ledger, dataSet: 'sport', rows: 5 });
    expect(await ledger.entries()).toHaveLength(1);
  });
});

function columnsOf(all: readonly Row[]) {
  return {
    training: Float64Array.from(all, ({ training }) => training),
    sleep: Float64Array.from(all, ({ sleep }) => sleep),
    place: all.map(({ place }) => place),
    group: all.map(({ group }) => group),
  };
}

function parquet(all: readonly Row[]): ArrayBuffer {
  const { training, sleep, place, group } = columnsOf(all);
  return parquetWriteBuffer({
    columnData: [
      { name: 'training', data: training, type: 'DOUBLE' },
      { name: 'sleep', data: sleep, type: 'DOUBLE' },
      { name: 'place', data: place, type: 'STRING' },
      { name: 'group', data: group, type: 'STRING' },
    ],
  });
}
