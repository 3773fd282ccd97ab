import path from 'node:path';
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
import { writeCsv } from '../support/csv.mjs';
import { method } from '../support/methods.mjs';
import { table } from '../support/pages.mjs';

const METHODS = [
  'non-private',
  'random',
  'pooled',
  'split',
  'denoised',
  'cape-joint',
  'cape-aware',
  'pooled-paper',
  'cape-published',
  'conventional',
  'local',
];
const SETS = ['mnist', 'synthetic', 'imaging'];
const SHOWN = { axis: 'epsilon', methods: METHODS, places: [0.01, 0.1, 1, 10] };
const AXES_BY = { ...BY, sites: { by: 'by number of sites', label: 'sites' } };
const NOTES = {
  epsilon: 'S = 10; MNIST 60 000 rows, synthetic 10 000, fMRI + EEG 2 000; 95 % intervals',
  delta: 'S = 10; epsilon 0.5, 1 and 0.5; 60 000, 50 000 and 2 000 rows; 95 % intervals',
  rows: 'S = 10; epsilon 0.5; 95 % intervals',
  sites: 'epsilon 0.5 and 60 000 rows; epsilon 1 and 10 000 rows; delta 0.01; 95 % intervals',
};
const SAYS = {
  captured:
    'Solid lines are this library’s releases and readings, dashed ones the published forms. capeCCA as published lies on pooled as published, far above one site alone wherever anything is found at all; split lies just below pooled.',
  error:
    'Errors fall towards the right for all. The published forms, read as if there were no noise, start near the largest possible error; those that know the noise start lower.',
  clusters:
    'The index of clusters in the private directions approaches that without privacy towards the right; it does not rise everywhere on the way.',
};
const axisFigures = (axis, measures, sets) =>
  measures.map((measure) =>
    figureOf(measure, axis, { ...AXES_BY[axis], note: NOTES[axis], says: SAYS[measure], sets }),
  );

const TWO_SETS = { mnist: 'MNIST halves, 50 + 50', synthetic: 'synthetic, 20 + 20' };
const UNEQUAL = {
  'unequal-rows': {
    csv: 'unequal_rows',
    title: 'sites of unequal size',
    x: {
      ...{ column: 'ratio', scale: 'log', label: 'largest site over smallest, in rows' },
      ticks: [1, 4, 16, 64, 256, 1024],
    },
    note: 'Ten sites in geometric progression; 95 % intervals',
    says: 'With the published weights the noise grows with the ratio, and beyond 512 the masks cannot cancel. Weighted by rows, capeCCA has the noise of pooled rows at every ratio.',
  },
  'unequal-epsilons': {
    csv: 'unequal_epsilons',
    title: 'sites of unequal epsilon',
    x: {
      ...{ column: 'ratio', scale: 'log', label: 'loosest epsilon over strictest' },
      ticks: [1, 2, 4, 8, 16],
    },
    note: 'Half of ten sites promise epsilon, the others more; 95 % intervals',
    says: 'The noise of capeCCA falls below that of the strictest promise as the other sites promise less; this is what the strict sites lose.',
  },
  dropouts: {
    csv: 'dropouts',
    title: 'missing sites',
    x: { column: 'missing', label: 'sites that dropped out, of 10', ticks: [0, 3, 6, 9] },
    note: 'Masks of missing sites stay in the sum of capeCCA; 95 % intervals',
    says: 'The noise of capeCCA rises with the number of missing sites until it meets that of conventional noise with one site left. The split sum is opened with up to three sites missing.',
  },
};
const unequalFigures = Object.entries(UNEQUAL).flatMap(([name, { csv, title, x, note, says }]) => [
  {
    name: `noise-${name}`,
    csv,
    title: `Noise with ${title}`,
    note: `Over that of one trusted holder with the paper’s formula; epsilon 1, delta 0.01`,
    description: says,
    where: (row) => row.set === 'synthetic',
    series: { column: 'method' },
    x,
    y: { column: 'noise', scale: 'log', label: 'deviation of the noise, relative' },
  },
  {
    name: `captured-${name}`,
    csv,
    title: `Captured correlation with ${title}`,
    note,
    description: says,
    panel: { column: 'set', titles: TWO_SETS },
    series: { column: 'method' },
    x,
    y: { column: 'captured', from: 0, to: 1, label: 'captured / true correlation' },
  },
]);

/** Cases over all equal sites. */
const CASES = ['epsilon', 'delta', 'rows', 'sites'];
const cases = (csv, first, second) => CASES.flatMap((name) => pairsOf(csv(name), first, second));

/** How often the first of two methods is clearly better or worse at a measure. */
function contest(csv, first, second, measure = 'captured') {
  const all = cases(csv, first, second);
  const clear = all.filter(([a, b]) => !alike(a, b, measure));
  const more = clear.filter(([a, b]) => a[measure] > b[measure]).length;
  return { all: all.length, more, less: clear.length - more };
}
const won = ({ all, more, less }) => `more in ${more}, less in ${less} of ${all} cases`;
function verdictOfContest({ more, less }) {
  if (more > 0 && less === 0) return 'agrees';
  return more > less ? 'in part' : 'does not agree';
}

const near = (axis) =>
  approaches(axis, {
    ...{ published: 'cape-published', aware: 'cape-aware', read: 'messages' },
    where: 'the right end',
  });

const AXES = ['epsilon', 'delta', 'rows'];
const trends = (csv, measure, direction) =>
  AXES.flatMap((axis) => trend(csv(axis), 'cape-published', axis, measure, direction));
const seenBy = (csv, observer) => csv('observers').filter((row) => row.method === observer);
const keeps = (csv, observer) => seenBy(csv, observer).map((row) => row.actual <= row.epsilon);
/** The actual epsilon at a claim of (1, 0.01). */
const atOne = (csv, observer) =>
  seenBy(csv, observer)
    .find((row) => row.epsilon === 1 && row.delta === 0.01)
    .actual.toPrecision(3);
const fallback = (csv) =>
  pairsOf(csv('dropouts'), 'cape-published', 'conventional', ['set', 'missing']).map(
    ([cape, conventional]) => cape.noise <= conventional.noise * (1 + 1e-9),
  );

const bytes = (value) => Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');

export const paper = {
  name: 'cape_cca',
  page: 'cape-cca.md',
  title: 'capeCCA',
  source: 'Imtiaz, Sarwate 2019',
  data: ['mnist', 'eeg'],
  minutes: 5,
  async run({ quick, data, program, out }) {
    await program('cape_cca', [data, out, quick ? '1' : '0']);
    const { messageSizes } = await import('./message_sizes.mjs');
    const sites = quick ? [2, 10] : [2, 5, 10, 20, 50];
    const columns = quick ? [10, 40] : [10, 20, 40, 100, 200];
    writeCsv(path.join(out, 'communication.csv'), await messageSizes(sites, columns));
  },
  figures: [
    ...axisFigures('epsilon', ['captured', 'error', 'clusters']),
    ...axisFigures('delta', ['captured', 'error', 'clusters']),
    ...axisFigures('rows', ['captured', 'error', 'clusters']),
    ...axisFigures('sites', ['captured', 'error'], ['mnist', 'synthetic']),
    ...unequalFigures,
    {
      name: 'observers',
      title: 'What capeCCA keeps private, by what it claims',
      note: 'Ten sites; the paper’s formula, one row replaced by another',
      description:
        'A line for each observer. Against one message a row set to zero keeps the claim at small epsilon; a replaced row costs more, all messages together more again, and most with colluding sites.',
      where: (row) => row.actual > 0,
      panel: { column: 'delta', titles: { 0.00001: 'delta 1e-5', 0.01: 'delta 0.01' } },
      series: { column: 'method' },
      x: { column: 'epsilon', scale: 'log', label: 'claimed epsilon' },
      y: { column: 'actual', scale: 'log', label: 'actual epsilon' },
    },
    {
      name: 'strict-site',
      csv: 'strict_site',
      title: 'What sites that promise less cost the strict ones',
      note: 'Five sites promise epsilon 0.5, five a multiple of it; delta 0.01, one row replaced',
      description:
        'The actual epsilon of a row at a strict site rises with the ratio, against the published sum and against all messages, and crosses the claim.',
      series: { column: 'method' },
      x: {
        column: 'ratio',
        scale: 'log',
        label: 'loosest epsilon over strictest',
        ticks: [1, 2, 4, 8, 16],
      },
      y: { column: 'actual', from: 0, label: 'actual epsilon at a strict site' },
    },
    {
      name: 'bytes-columns',
      csv: 'communication',
      title: 'Bytes that a site sends, by columns',
      note: 'Ten sites; split and ring measured on messages of the package',
      description:
        'All grow with the square of the columns. Split sends less than capeCCA moves for each site, the more columns the more.',
      where: (row) => row.sites === 10,
      series: { column: 'method' },
      x: { column: 'columns', scale: 'log', label: 'columns D' },
      y: { column: 'site', scale: 'log', label: 'bytes for each site' },
    },
    {
      name: 'bytes-sites',
      csv: 'communication',
      title: 'Bytes of a whole session, by sites',
      note: '40 columns; split and ring with the result sent to everyone',
      description:
        'capeCCA and split grow with the number of sites. A ring, whose sites deal with each other, grows faster.',
      where: (row) => row.columns === 40,
      series: { column: 'method' },
      x: { column: 'sites', scale: 'log', label: 'sites S' },
      y: { column: 'all', scale: 'log', label: 'bytes in all' },
    },
  ],
  tables: {
    captured: (csv) => tablesOf(csv('epsilon'), SETS, { ...SHOWN, measure: 'captured' }),
    errors: (csv) => tablesOf(csv('epsilon'), SETS, { ...SHOWN, measure: 'error' }),
    clusters: (csv) =>
      tablesOf(csv('epsilon'), ['mnist', 'synthetic'], { ...SHOWN, measure: 'clusters' }),
    rows: (csv) =>
      tablesOf(csv('rows'), SETS, { axis: 'rows', measure: 'captured', methods: METHODS }),
    sites: (csv) =>
      tableOf(csv('sites'), { set: 'mnist', axis: 'sites', measure: 'captured', methods: METHODS }),
    observers: (csv) => {
      const rows = csv('observers');
      const keys = ['zeroed-row', 'one-message', 'all-messages', 'colluding', 'two-honest'];
      const claims = rows.filter((row) => row.method === 'claimed');
      return table(
        ['claimed (epsilon, delta)', ...keys.map((key) => method(key).label)],
        claims.map(({ epsilon, delta }) => [
          `${epsilon}, ${delta}`,
          ...keys.map((key) =>
            rows
              .find((r) => r.method === key && r.epsilon === epsilon && r.delta === delta)
              .actual.toPrecision(3),
          ),
        ]),
      );
    },
    strict: (csv) => {
      const rows = csv('strict_site');
      const keys = ['one-message', 'published-sum', 'all-messages'];
      const ratios = distinct(rows.map((row) => row.ratio));
      return table(
        ['observer', ...ratios.map((ratio) => `ratio ${ratio}`)],
        keys.map((key) => [
          method(key).label,
          ...ratios.map((ratio) =>
            rows.find((r) => r.method === key && r.ratio === ratio).actual.toPrecision(3),
          ),
        ]),
      );
    },
    dropouts: (csv) => {
      const rows = csv('dropouts').filter((row) => row.set === 'synthetic');
      const missing = distinct(rows.map((row) => row.missing));
      return table(
        ['noise, relative', ...missing.map((count) => `${count} missing`)],
        ['split', 'cape-joint', 'cape-published', 'conventional'].map((key) => [
          method(key).label,
          ...missing.map(
            (count) =>
              rows.find((r) => r.method === key && r.missing === count)?.noise.toFixed(2) ?? '',
          ),
        ]),
      );
    },
    communication: (csv) => {
      const rows = csv('communication');
      const cells = (sites, columns) =>
        ['cape-published', 'cape-triangles', 'split', 'ring'].flatMap((key) => {
          const row = rows.find(
            (r) => r.method === key && r.sites === sites && r.columns === columns,
          );
          return [bytes(row.site), bytes(row.all)];
        });
      const heads = ['cape-published', 'cape-triangles', 'split', 'ring'].flatMap((key) => [
        `${method(key).label}: site`,
        'all',
      ]);
      return table(
        ['S, D', ...heads],
        [
          [10, 20],
          [10, 40],
          [10, 100],
          [50, 100],
          [10, 200],
        ].map(([sites, columns]) => [`${sites}, ${columns}`, ...cells(sites, columns)]),
      );
    },
    contests: (csv) => {
      const line = (first, second) => {
        const captured = contest(csv, first, second);
        const error = contest(csv, first, second, 'error');
        return [
          `${method(first).label} / ${method(second).label}`,
          String(captured.all),
          String(captured.more),
          String(captured.less),
          String(error.less),
          String(error.more),
        ];
      };
      return table(
        [
          'first / second',
          'cases',
          'captures more',
          'captures less',
          'smaller error',
          'larger error',
        ],
        [
          line('cape-published', 'pooled-paper'),
          line('cape-aware', 'cape-published'),
          line('split', 'cape-published'),
          line('split', 'cape-aware'),
          line('split', 'cape-joint'),
          line('split', 'pooled'),
          line('split', 'denoised'),
          line('split', 'conventional'),
        ],
      );
    },
  },
  claims: [
    {
      claim: 'capeCCA has the results of CCA on pooled rows with the noise of one trusted holder.',
      where: 'abstract, all figures',
      ours: (csv) => {
        const captured = cases(csv, 'cape-published', 'pooled-paper');
        const good = captured.map(([a, b]) => alike(a, b, 'captured') && alike(a, b, 'error'));
        return `intervals overlap in ${share(good)} cases`;
      },
      verdict: (csv) => {
        const good = cases(csv, 'cape-published', 'pooled-paper').map(
          ([a, b]) => alike(a, b, 'captured') && alike(a, b, 'error'),
        );
        return good.filter(Boolean).length >= 0.95 * good.length ? 'agrees' : 'in part';
      },
    },
    {
      claim: 'It is better than conventional noise at every site.',
      where: 'all figures',
      ours: (csv) =>
        `captured: ${won(contest(csv, 'cape-published', 'conventional'))}; error: ${won(contest(csv, 'cape-published', 'conventional', 'error'))}`,
      verdict: (csv) => verdictOfContest(contest(csv, 'cape-published', 'conventional')),
    },
    {
      claim: 'It is better than one site alone.',
      where: 'all figures',
      ours: (csv) =>
        `captured: ${won(contest(csv, 'cape-published', 'local'))}; error: ${won(contest(csv, 'cape-published', 'local', 'error'))}`,
      verdict: (csv) => verdictOfContest(contest(csv, 'cape-published', 'local')),
    },
    {
      claim: 'It approaches CCA without privacy as epsilon grows.',
      where: 'figures by epsilon',
      ...near('epsilon'),
    },
    {
      claim: 'So it does as delta grows.',
      where: 'figures by delta',
      ...near('delta'),
    },
    {
      claim: 'So it does as the number of rows grows.',
      where: 'figures by N',
      ...near('rows'),
    },
    {
      claim: 'The error of the correlations falls with epsilon, delta and N.',
      where: 'figures of err_corr',
      ours: (csv) =>
        `smaller at the right end than at the left in ${share(trends(csv, 'error', 'falls'))} sets and axes`,
      verdict: (csv) => verdictOf(trends(csv, 'error', 'falls')),
    },
    {
      claim: 'The Calinski-Harabasz index rises with epsilon, delta and N.',
      where: 'figures of CH index',
      ours: (csv) =>
        `larger at the right end than at the left in ${share(trends(csv, 'clusters', 'rises'))} sets and axes`,
      verdict: (csv) => verdictOf(trends(csv, 'clusters', 'rises')),
    },
    {
      claim: 'If sites drop out, it still has at most the noise of the conventional scheme.',
      where: 'protocol',
      ours: (csv) => `its noise is at most that in ${share(fallback(csv))} cases`,
      verdict: (csv) => verdictOf(fallback(csv)),
    },
    {
      claim: 'It is (ε, δ)-differentially private.',
      where: 'theorem',
      ours: (csv) =>
        `one message, one row replaced: the actual epsilon is at most the claim in ${share(keeps(csv, 'one-message'))} cases; all messages, which the aggregator has: ${share(keeps(csv, 'all-messages'))}; where it claims (1, 0.01), these are ${atOne(csv, 'one-message')} and ${atOne(csv, 'all-messages')}`,
      verdict: (csv) => verdictOfPromise(seenBy(csv, 'all-messages')),
    },
    {
      claim: 'Two honest sites are enough.',
      where: 'threat model',
      ours: (csv) =>
        `with two of ten honest the actual epsilon is at most the claim in ${share(keeps(csv, 'two-honest'))} cases; where it claims (1, 0.01), it is ${atOne(csv, 'two-honest')}`,
      verdict: (csv) => verdictOfPromise(seenBy(csv, 'two-honest')),
    },
  ],
};
