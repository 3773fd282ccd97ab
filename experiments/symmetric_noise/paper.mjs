import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { distinct, verdictOf } from '../support/claims.mjs';
import { inOrder, method } from '../support/methods.mjs';
import { table, withMargin } from '../support/pages.mjs';

const SETS = {
  synthetic: 'simulated, d 100, k 10',
  mnist: 'MNIST, d 784, k 50',
  'mnist-blocks': 'MNIST in blocks, d 196, k 10',
  adult: 'Adult, d 108, k 10',
};
/** What is behind each set that is not simulated. */
const SOURCES = { mnist: 'mnist', 'mnist-blocks': 'mnist', adult: 'adult_income' };
const PUBLISHED = ['svd', 'random', 'sn', 'ag', 'ppm', 'ppca-gibbs'];
const OWN = ['two-sided-wishart', 'gaussian', 'power-method', 'ppca'];
const FEW = [0.1, 1, 10];
/** A share of energy lost, or of rows classified wrongly in addition, that still is "near". */
const NEAR = { energy: 0.05, error: 0.02 };

const script = 'experiments/symmetric_noise/rows.py';

const added = (row) => row.neighbours === 'add-remove';
const percent = (share) => `${Number((100 * share).toFixed(1))} %`;
/** A difference of percent errors, with its sign. */
const points = (share) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`;

/** Rows of a CSV by set and epsilon, each as an object of rows by method. */
function cases(rows, keyOf = (row) => `${row.set} ${row.epsilon}`) {
  const found = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!found.has(key)) found.set(key, { row, by: {} });
    found.get(key).by[row.method] = row;
  }
  return [...found.values()];
}

/** How often symmetric noise captures more, and less, than another method, beyond both intervals. */
function duels(csv, other) {
  const met = cases([...csv('energy-epsilon'), ...csv('energy-rows')].filter(added), (row) =>
    [row.set, row.epsilon, row.rows].join(' '),
  ).filter(({ by }) => by.sn && by[other]);
  const wins = met.filter(({ by }) => by.sn.energy_low > by[other].energy_high).length;
  const losses = met.filter(({ by }) => by.sn.energy_high < by[other].energy_low).length;
  return { wins, losses, all: met.length };
}

function duel(claim, other) {
  return {
    claim,
    where: 'figures',
    ours: (csv) => {
      const { wins, losses, all } = duels(csv, other);
      return `more in ${wins} and less in ${losses} of ${all} cases`;
    },
    verdict: (csv) => {
      const { wins, losses } = duels(csv, other);
      if (wins === 0) return 'does not agree';
      return losses === 0 ? 'agrees' : 'in part';
    },
  };
}

/** Energies of symmetric noise with all rows at an epsilon. */
const allRows = (csv, epsilon) =>
  csv('energy-epsilon').filter((row) => row.method === 'sn' && row.epsilon === epsilon);
const listed = (rows) => rows.map((row) => `${row.set} ${row.energy.toFixed(3)}`).join(', ');
const near = (rows) => verdictOf(rows.map(({ energy }) => energy >= 1 - NEAR.energy));

const excesses = (csv, training) =>
  cases(csv('errors').filter((row) => row.training === training)).map(({ row, by }) => ({
    ...row,
    excess: by.sn.error - by.svd.error,
  }));

function nearErrors(training) {
  return {
    claim: `With ${100 * training} % of the rows for training, percent errors are near those after SVD.`,
    where: 'table',
    ours: (csv) =>
      FEW.map((epsilon) => {
        const own = excesses(csv, training).filter((row) => row.epsilon === epsilon);
        const values = own.map(({ set, excess }) => `${set} ${points(excess)}`);
        return `epsilon ${epsilon}: ${values.join(', ')}`;
      }).join('; '),
    verdict: (csv) => verdictOf(excesses(csv, training).map(({ excess }) => excess <= NEAR.error)),
  };
}

const label = (key) => method(key).label;

/** Means with margins, a line for each case and a column for each method. */
function comparison(rows, head, cellsOf, quantity, digits, keys, keyOf) {
  const lines = cases(rows, keyOf).map(({ row, by }) => [
    ...cellsOf(row),
    ...keys.map((key) => (by[key] ? withMargin(by[key], quantity, digits) : '')),
  ]);
  return table([...head, ...keys.map(label)], lines, { left: 1 });
}

const few = (rows) => rows.filter((row) => added(row) && FEW.includes(row.epsilon));
const energies = (keys) => (csv) =>
  comparison(
    few(csv('energy-epsilon')),
    ['set', 'epsilon'],
    (row) => [row.set, row.epsilon],
    'energy',
    3,
    keys,
  );

/** The best of some methods, with its energy. */
function best(by, keys) {
  const [first] = keys
    .map((key) => by[key])
    .filter(Boolean)
    .sort((a, b) => b.energy - a.energy);
  return `${label(first.method)}, ${first.energy.toFixed(3)}`;
}

export const paper = {
  name: 'symmetric_noise',
  page: 'symmetric-noise.md',
  title: 'Symmetric noise for PCA',
  source: 'Imtiaz, Sarwate 2016',
  data: distinct(Object.values(SOURCES)),
  minutes: 10,
  async run({ quick, data, have, program, python, out }) {
    const work = path.join(data, quick ? 'symmetric_noise-quick' : 'symmetric_noise');
    const sets = Object.keys(SETS).filter((set) => !SOURCES[set] || have(SOURCES[set]));
    const extent = quick ? 'quick' : 'full';
    if (existsSync(work)) rmSync(work, { recursive: true });
    mkdirSync(work, { recursive: true });
    await python(script, ['scatter', data, work, out, extent, ...sets]);
    await program('symmetric_noise', [work, out, extent]);
    await python(script, ['classify', data, work, out, extent, ...sets]);
    rmSync(work, { recursive: true });
  },
  figures: [
    {
      name: 'energy-epsilon',
      title: 'Captured energy, by epsilon: methods of the paper',
      note: 'Mean and 95 % interval; one row more or less, delta 0.01.',
      description:
        'Four panels, one for each set. All methods but random directions rise with epsilon. Analyze Gauss is above symmetric noise, most of all on MNIST with 784 columns.',
      where: added,
      panel: { column: 'set', titles: SETS },
      series: { column: 'method', only: PUBLISHED.filter((key) => key !== 'svd') },
      x: { column: 'epsilon', scale: 'log', label: 'epsilon' },
      y: { column: 'energy', scale: 'linear', from: 0, to: 1, label: 'captured energy' },
    },
    {
      name: 'energy-own',
      csv: 'energy-epsilon',
      title: 'Captured energy, by epsilon: at the same guarantee',
      note: 'Solid lines: this library, delta 0.01 or 0; symmetric noise has none.',
      description:
        'Four panels, one for each set. The gaussian mechanism is best almost everywhere. Two-sided Wishart, which has delta 0, is a little below symmetric noise, which is not private.',
      where: added,
      panel: { column: 'set', titles: SETS },
      series: { column: 'method', only: ['sn', 'ag', ...OWN] },
      x: { column: 'epsilon', scale: 'log', label: 'epsilon' },
      y: { column: 'energy', scale: 'linear', from: 0, to: 1, label: 'captured energy' },
    },
    {
      name: 'energy-rows',
      title: 'Captured energy, by number of rows',
      note: 'Epsilon 0.1; 1 for MNIST. Mean and 95 % interval; delta 0.01.',
      description:
        'Three panels, one for each set. All methods but random directions rise with the number of rows. The SVD is near 1 from the smallest number on.',
      panel: { column: 'set', titles: SETS },
      series: { column: 'method', only: [...PUBLISHED, 'two-sided-wishart', 'gaussian'] },
      x: { column: 'rows', scale: 'log', label: 'rows' },
      y: { column: 'energy', scale: 'linear', from: 0, to: 1, label: 'captured energy' },
    },
    {
      name: 'errors',
      title: 'Classification errors after projection, by epsilon',
      note: 'Linear SVM, 70 % of the rows for training; mean and 95 % interval.',
      description:
        'Three panels, one for each set. Errors fall towards that after the SVD as epsilon grows. Random directions have an error not much larger on MNIST and Adult.',
      where: (row) => row.training === 0.7,
      panel: { column: 'set', titles: SETS },
      series: {
        column: 'method',
        only: ['svd', 'random', 'sn', 'ag', 'ppm', 'ppca-gibbs', 'two-sided-wishart', 'gaussian'],
      },
      x: { column: 'epsilon', scale: 'log', label: 'epsilon' },
      y: {
        column: 'error',
        scale: 'linear',
        from: 0,
        label: 'share of wrong answers',
        shared: false,
      },
    },
  ],
  tables: {
    published: energies(PUBLISHED.filter((key) => key !== 'svd')),
    own: energies(['sn', 'ag', ...OWN]),
    errors: (csv) =>
      comparison(
        csv('errors'),
        ['set', 'training', 'epsilon'],
        (row) => [row.set, percent(row.training), row.epsilon],
        'error',
        3,
        inOrder([...PUBLISHED, ...OWN]),
        (row) => `${row.set} ${row.training} ${row.epsilon}`,
      ),
    delta: (csv) => {
      const rows = csv('impossible');
      const columns = distinct(rows.map((row) => row.columns));
      return table(
        [
          'epsilon',
          'claimed',
          'formula',
          ...columns.map((d) => `counted, d ${d}`),
          `replaced, d ${columns.at(-1)}`,
        ],
        distinct(rows.map(({ epsilon }) => epsilon)).map((epsilon) => {
          const own = columns.map((d) =>
            rows.find((row) => row.columns === d && row.epsilon === epsilon),
          );
          return [
            epsilon,
            0,
            (1 - Math.exp(-epsilon)).toFixed(3),
            ...own.map((row) => withMargin(row, 'added', 3)),
            withMargin(own.at(-1), 'replaced', 3),
          ];
        }),
      );
    },
    scales: (csv) => {
      const rows = csv('scales');
      const scales = distinct(rows.map(({ scale }) => scale));
      const lines = cases(rows.map((row) => ({ ...row, method: row.scale })));
      return table(
        ['set', 'epsilon', ...scales],
        lines.map(({ row, by }) => [
          row.set,
          row.epsilon,
          ...scales.map((scale) => withMargin(by[scale], 'energy', 3)),
        ]),
      );
    },
    small: (csv) => {
      const small = cases(csv('small-delta'));
      return table(
        ['set', 'epsilon', label('sn'), label('two-sided-wishart'), label('ag'), label('gaussian')],
        cases(few(csv('energy-epsilon'))).map(({ row, by }) => {
          const own = small.find(
            (found) => found.row.set === row.set && found.row.epsilon === row.epsilon,
          ).by;
          const shown = [by.sn, by['two-sided-wishart'], own.ag, own.gaussian];
          return [row.set, row.epsilon, ...shown.map((mean) => withMargin(mean, 'energy', 3))];
        }),
      );
    },
    equal: (csv) => {
      const sizes = new Map(csv('energy-epsilon').map((row) => [row.set, row.columns]));
      return table(
        ['set', 'd', 'delta'],
        [...sizes].map(([set, d]) => [set, d, (1.25 * Math.exp(-(d + 1) / 8)).toExponential(1)]),
      );
    },
    sweeps: (csv) => {
      const rows = csv('sweeps');
      const sweeps = distinct(rows.map((row) => row.sweeps));
      const lines = cases(rows.map((row) => ({ ...row, method: row.sweeps })));
      return table(
        ['set', 'epsilon', ...sweeps.map((number) => `${number} sweeps`)],
        lines.map(({ row, by }) => [
          row.set,
          row.epsilon,
          ...sweeps.map((number) => withMargin(by[number], 'energy', 3)),
        ]),
      );
    },
    times: (csv) => {
      const lines = cases(csv('times'), ({ set }) => set);
      const keys = [...PUBLISHED, ...OWN].filter((key) => !['svd', 'random'].includes(key));
      const nameOf = (key) => (key === 'ppca-gibbs' ? 'one sweep of the chain' : label(key));
      return table(
        ['set', 'd', 'k', ...inOrder(keys).map(nameOf)],
        lines.map(({ row, by }) => [
          row.set,
          row.columns,
          row.components,
          ...inOrder(keys).map((key) => Number(by[key].seconds.toPrecision(2))),
        ]),
      );
    },
    neighbours: (csv) => {
      const rows = csv('energy-epsilon').filter(
        (row) => OWN.includes(row.method) && FEW.includes(row.epsilon),
      );
      const keys = OWN.filter((key) => key !== 'ppca');
      return comparison(
        rows,
        ['set', 'neighbours', 'epsilon'],
        (row) => [row.set, row.neighbours, row.epsilon],
        'energy',
        3,
        keys,
        (row) => `${row.set} ${row.neighbours} ${row.epsilon}`,
      );
    },
    choice: (csv) =>
      table(
        [
          'set',
          'epsilon',
          'symmetric noise, not private',
          'best with delta 0',
          'best with delta 0.01',
          'best as published',
        ],
        cases(few(csv('energy-epsilon'))).map(({ row, by }) => [
          row.set,
          row.epsilon,
          by.sn.energy.toFixed(3),
          best(by, ['two-sided-wishart', 'ppca']),
          best(by, ['gaussian', 'power-method']),
          best(by, ['ag', 'ppm', 'ppca-gibbs']),
        ]),
      ),
  },
  claims: [
    duel('SN captures more energy than Analyze Gauss.', 'ag'),
    duel('SN captures more energy than the private power method.', 'ppm'),
    duel('SN captures more energy than PPCA.', 'ppca-gibbs'),
    {
      claim: 'For large epsilon SN captures nearly the energy of the SVD.',
      where: 'figures by epsilon',
      ours: (csv) => `epsilon 10: ${listed(allRows(csv, 10))}`,
      verdict: (csv) => near(allRows(csv, 10)),
    },
    {
      claim: 'For many rows SN captures nearly the energy of the SVD.',
      where: 'figures by n',
      ours: (csv) => `all rows, epsilon 1: ${listed(allRows(csv, 1))}`,
      verdict: (csv) => near(allRows(csv, 1)),
    },
    nearErrors(0.7),
    nearErrors(0.5),
    {
      claim: 'SN is (epsilon, 0)-differentially private.',
      where: 'theorem; retracted in 2017',
      ours: (csv) => {
        const row = csv('impossible').find(
          ({ columns, epsilon }) => columns === 100 && epsilon === 1,
        );
        return `delta is at least 1 - e^-epsilon; at epsilon 1 we count ${percent(row.added)} of releases that one more row makes impossible`;
      },
      verdict: (csv) =>
        csv('impossible').some((row) => row.added_low > 0) ? 'does not agree' : 'not tested',
    },
  ],
};
