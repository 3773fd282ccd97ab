import {
  alike,
  approaches,
  BY,
  figureOf,
  pairsOf,
  tableOf,
  tablesOf,
  trend,
  verdictOfPromise,
} from '../support/cca_figures.mjs';
import { distinct, share, verdictOf } from '../support/claims.mjs';
import { method } from '../support/methods.mjs';
import { table } from '../support/pages.mjs';

const METHODS = [
  'non-private',
  'random',
  'pooled',
  'pooled-denoised',
  'pooled-published',
  'dp-cca-aware',
  'dp-cca',
];
const READINGS = [
  'non-private',
  'pooled',
  'pooled-denoised',
  'pooled-floored',
  'pooled-ridged',
  'pooled-published',
];

const SETS = ['mnist', 'synthetic', 'imaging'];
const SHOWN = { axis: 'epsilon', methods: METHODS, places: [0.01, 0.1, 1, 10] };
const NOTES = {
  epsilon: 'MNIST 60 000 rows, synthetic 10 000, fMRI + EEG 2 000; 95 % intervals',
  delta: 'epsilon 0.5, 1 and 0.5; 60 000, 50 000 and 2 000 rows; 95 % intervals',
  rows: 'epsilon 0.5; 95 % intervals',
};
const SAYS = {
  captured:
    'A line for each pair of mechanism and reading. Lines of readings that know the noise lie above those of the plain reading, most where noise is large; all rise to the line without privacy.',
  error:
    'Errors fall towards the right. The plain reading, which treats noise as data, stays near the largest possible error until the noise is small.',
  clusters:
    'The index of the line without privacy, and those of the private directions, which approach it towards the right.',
};

const figures = ['epsilon', 'delta', 'rows'].flatMap((axis) =>
  ['captured', 'error', 'clusters'].map((measure) =>
    figureOf(measure, axis, { ...BY[axis], note: NOTES[axis], says: SAYS[measure] }),
  ),
);

const readingNote = 'rotation-invariant Gaussian noise, delta 1e-5, all rows; 95 % intervals';
const readings = ['captured', 'error'].map((measure) => ({
  ...figureOf(measure, 'epsilon', {
    csv: 'readings',
    by: 'by reading of the same release',
    label: 'epsilon (delta 1e-5)',
    note: readingNote,
    says: 'Five ways to read the same noisy matrix. The plain one captures least and errs most; knowing the noise helps most at small epsilon.',
    sets: ['mnist', 'synthetic', 'students'],
  }),
  name: `${measure}-readings`,
}));

const near = (axis) =>
  approaches(axis, {
    ...{ published: 'dp-cca', aware: 'dp-cca-aware', read: 'release' },
    where: `the largest ${axis === 'rows' ? 'number of rows' : axis}`,
  });

const AXES = ['epsilon', 'delta', 'rows'];
const trends = (csv, measure, direction) =>
  AXES.flatMap((axis) => trend(csv(axis), 'dp-cca', axis, measure, direction));
const holds = (rows) => rows.filter((row) => row.method === 'one-holder');

export const paper = {
  name: 'dp_cca',
  page: 'dp-cca.md',
  title: 'DP-CCA',
  source: 'Imtiaz, Sarwate 2017',
  data: ['mnist', 'eeg', 'mmreg'],
  minutes: 5,
  async run({ quick, data, program, out }) {
    await program('dp_cca', [data, out, quick ? '1' : '0']);
  },
  figures: [
    ...figures,
    ...readings,
    {
      name: 'guarantees',
      title: 'What the formula keeps, by what it claims',
      note: 'DP-CCA for one row replaced; below the dotted line it keeps more than it claims',
      description:
        'The actual epsilon runs below the claimed one up to an epsilon of several, and above it beyond.',
      panel: { column: 'delta', titles: { 0.00001: 'delta 1e-5', 0.01: 'delta 0.01' } },
      series: { column: 'method' },
      x: { column: 'epsilon', scale: 'log', label: 'claimed epsilon' },
      y: { column: 'actual', scale: 'log', label: 'actual epsilon' },
    },
  ],
  tables: {
    captured: (csv) => tablesOf(csv('epsilon'), SETS, { ...SHOWN, measure: 'captured' }),
    errors: (csv) => tablesOf(csv('epsilon'), SETS, { ...SHOWN, measure: 'error' }),
    readings: (csv) =>
      ['mnist', 'students']
        .flatMap((set) =>
          ['captured', 'error'].map((measure) =>
            tableOf(csv('readings'), { set, axis: 'epsilon', measure, methods: READINGS }),
          ),
        )
        .join('\n\n'),
    guarantees: (csv) => {
      const rows = holds(csv('guarantees'));
      const deltas = distinct(rows.map((row) => row.delta));
      const claimed = distinct(rows.map((row) => row.epsilon));
      const actual = (epsilon, delta) =>
        rows.find((row) => row.epsilon === epsilon && row.delta === delta).actual;
      return table(
        ['claimed epsilon', ...deltas.map((delta) => `actual, delta ${delta}`)],
        claimed.map((epsilon) => [
          String(epsilon),
          ...deltas.map((delta) => actual(epsilon, delta).toPrecision(3)),
        ]),
      );
    },
    gains: (csv) => {
      const rows = AXES.flatMap((axis) => csv(axis));
      const better = (first, second) => {
        const pairs = pairsOf(rows, first, second);
        const clear = pairs.filter(([a, b]) => !alike(a, b, 'captured'));
        return [
          `${method(first).label} / ${method(second).label}`,
          String(pairs.length),
          String(clear.filter(([a, b]) => a.captured > b.captured).length),
          String(clear.filter(([a, b]) => a.captured < b.captured).length),
        ];
      };
      return table(
        ['captured: first / second', 'cases', 'first is better', 'second is better'],
        [
          better('dp-cca-aware', 'dp-cca'),
          better('pooled-published', 'dp-cca'),
          better('pooled', 'dp-cca'),
          better('pooled', 'pooled-denoised'),
        ],
      );
    },
  },
  claims: [
    {
      claim: 'As epsilon grows, DP-CCA approaches CCA without privacy.',
      where: 'results, by epsilon',
      ...near('epsilon'),
    },
    {
      claim: 'So it does as delta grows, at a fixed epsilon.',
      where: 'results, by delta',
      ...near('delta'),
    },
    {
      claim: 'So it does with the number of rows: more rows buy back what privacy costs.',
      where: 'results, by N',
      ...near('rows'),
    },
    {
      claim: 'The error of the correlations falls with epsilon, delta and N.',
      where: 'results',
      ours: (csv) =>
        `it is smaller at the right end of the axis than at the left in ${share(trends(csv, 'error', 'falls'))} sets and axes`,
      verdict: (csv) => verdictOf(trends(csv, 'error', 'falls')),
    },
    {
      claim: 'Clusters in the private directions separate better as epsilon, delta and N grow.',
      where: 'results',
      ours: (csv) =>
        `the index is larger at the right end of the axis in ${share(trends(csv, 'clusters', 'rises'))} sets and axes`,
      verdict: (csv) => verdictOf(trends(csv, 'clusters', 'rises')),
    },
    {
      claim: 'Noise of deviation √2/N · √(2 ln(1.25/δ))/ε makes it (ε, δ)-differentially private.',
      where: 'algorithm',
      ours: (csv) => {
        const kept = holds(csv('guarantees')).map((row) => row.actual <= row.epsilon);
        return `the actual epsilon is at most the claimed one in ${share(kept)} cases: up to an epsilon of several, and not beyond`;
      },
      verdict: (csv) => verdictOfPromise(holds(csv('guarantees'))),
    },
  ],
};
