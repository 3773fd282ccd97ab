import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import Papa from 'papaparse';
import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { preservationOf, type Figures } from '../../../web/package/src/synthesis/preservation.js';
import { Synthetic } from '../../../web/package/src/synthesis/synthetic.js';
import { failure } from '../support.js';

const study = defineStudy({
  title: 'What rows are written as',
  columns: [
    { name: 'length, cm', type: 'number', min: 0, max: 1 / 3 },
    {
      name: 'place',
      type: 'category',
      levels: ['here', 'a "quoted", place', '; and | more', '=1+1'],
    },
    { name: 'count', type: 'number', min: -2e6, max: 2e6 },
  ],
  privacy: { epsilon: 1, delta: 1e-6 },
});
const places = ['; and | more', 'here', 'a "quoted", place', '=1+1'];
const values = Float64Array.of(
  ...[1 / 3, 2, -1234567.891],
  ...[0.123456789, 0, 2e6],
  ...[0, 1, 0.25],
  ...[0.2, 3, -2e6],
);
const none: Figures<never> = { means: [], deviations: [], correlations: [], canonical: [] };

function synthetic(): Synthetic {
  const { id, title, unit, neighbours } = study;
  return new Synthetic({
    study,
    guarantee: null,
    origin: {
      library: 'private-moments/0',
      study: { id, title, unit, neighbours },
      releases: 2,
      noise: 'none',
    },
    options: { rows: 4 },
    values,
    seed: 7,
    released: none,
    drawn: none,
  });
}

describe('synthetic rows', () => {
  it('can be read by column: numbers as numbers, categories as levels', async () => {
    const rows = synthetic();
    expect(rows.columns).toEqual(['length, cm', 'place', 'count']);
    expect(rows.rows).toBe(4);
    expect(rows.column('count')).toEqual(Float64Array.of(-1234567.891, 2e6, 0.25, -2e6));
    expect(rows.column('place')).toEqual(places);
    await failure(() => rows.column('nowhere'), { code: 'missing-column' });
  });

  it('can be read by row, as objects', () => {
    const rows = [...synthetic()];
    expect(rows).toHaveLength(4);
    expect(rows[1]).toEqual({ 'length, cm': 0.123456789, place: 'here', count: 2e6 });
  });

  it('are written as CSV that others can read, within the bounds', () => {
    const text = synthetic().toCSV();
    const { data, errors } = Papa.parse<Record<string, string>>(text, {
      header: true,
      skipEmptyLines: true,
    });
    expect(errors).toEqual([]);
    // A level that a spreadsheet would run as a formula gets an apostrophe in front.
    expect(data.map(({ place }) => place?.replace(/^'=/, '='))).toEqual(places);
    const lengths = data.map((row) => Number(row['length, cm']));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1 / 3);
    for (const [row, length] of lengths.entries()) {
      expect(Math.abs(length - (values[3 * row] ?? NaN))).toBeLessThanOrEqual(0.5e-7);
    }
    expect(data.map(({ count }) => count)).toEqual(['-1234568', '2000000', '0', '-2000000']);
    expect(text.endsWith('\r\n')).toBe(true);
  });

  it('are written as an Arrow file whose categories are dictionaries', async () => {
    const table = tableFromIPC(await synthetic().toArrow());
    expect(table.schema.fields.map(({ name, type }) => `${name}: ${String(type)}`)).toEqual([
      'length, cm: Float64',
      'place: Dictionary<Int32, Utf8>',
      'count: Float64',
    ]);
    expect([...(table.getChild('place') ?? [])]).toEqual(places);
    expect([...(table.getChild('count') ?? [])]).toEqual([-1234567.891, 2e6, 0.25, -2e6]);
  });

  it('are written as a Parquet file with the same values', async () => {
    const { buffer } = await synthetic().toParquet();
    const rows = await parquetReadObjects({ file: buffer });
    expect(rows).toEqual([...synthetic()]);
  });

  it('are written as JSON by column, in the format of results', () => {
    const json = JSON.parse(JSON.stringify(synthetic())) as Record<string, unknown>;
    expect(json).toMatchObject({
      format: 'private-moments/result@1',
      analysis: 'synthesis',
      rows: 4,
      seed: 7,
      guarantee: null,
      values: { place: places, count: [-1234567.891, 2e6, 0.25, -2e6] },
    });
  });
});

describe('figures of synthetic rows', () => {
  const pair = defineStudy({
    title: 'Two numbers',
    columns: ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 1 })),
    views: { x: ['a'], y: ['b'] },
    privacy: { epsilon: 1, delta: 1e-6 },
  });
  const known = (value: number) => ({ value, low: value - 0.1, high: value + 0.1 });
  const released = {
    means: [known(0.5), known(0.4)],
    deviations: [known(0.2), known(0.2)],
    correlations: [known(1), known(0.6), known(0.6), known(1)],
    canonical: [[known(0.6)]],
  };
  const drawn = (correlation: number, error = 0.01) => {
    const figure = (value: number) => ({ value, error });
    return {
      means: [figure(0.52), figure(0.38)],
      deviations: [figure(0.21), figure(0.15)],
      correlations: [1, correlation, correlation, 1].map(figure),
      canonical: [[figure(Math.abs(correlation))]],
    };
  };

  it('count as preserved within the intervals of noise, rows and draw together', () => {
    const report = preservationOf(pair, released, drawn(0.68));
    expect(report.correlations).toHaveLength(1);
    expect(report.correlations[0]).toMatchObject({ columns: ['a', 'b'], inside: true });
    expect(report.correlations[0]?.high).toBeCloseTo(0.6 + Math.hypot(0.1, 0.0196), 6);
    expect(report.summary).toBe(
      '2 of 2 means, 2 of 2 standard deviations, 1 of 1 correlations and 1 of 1 canonical ' +
        'correlations of the synthetic rows are within their 95 % intervals.',
    );
  });

  it('count as not preserved if rows come from another law', () => {
    const report = preservationOf(pair, released, drawn(-0.6));
    expect(report.correlations[0]?.inside).toBe(false);
    expect(report.canonicalCorrelations[0]?.inside).toBe(true);
    expect(report.summary).toContain('0 of 1 correlations');
    expect(preservationOf(pair, released, drawn(-0.6, 1)).correlations[0]?.inside).toBe(true);
  });

  it('have no verdict if the errors of the released figures are not known', () => {
    const bare = { ...released, correlations: [1, 0.6, 0.6, 1].map((value) => ({ value })) };
    expect(preservationOf(pair, bare, drawn(0)).correlations[0]).toMatchObject({
      released: 0.6,
      low: null,
      inside: null,
    });
  });
});
