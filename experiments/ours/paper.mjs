// What this library adds to the papers, measured: runs, figures, tables and claims.
import { claims } from './claims.mjs';
import { tables } from './tables.mjs';

const SETS = {
  mmreg: 'mmreg, 600 × 8',
  diabetes: 'diabetes, 442 × 10',
  wine: 'wine, 178 × 13',
  breast_cancer: 'breast cancer, 569 × 30',
  digits: 'digits, 1797 × 64',
  adult: 'Adult, 48 842 × 108',
  simulated: 'simulated, 5000 × 20',
};
const VIEWS = {
  mmreg: 'mmreg, mind and school',
  wine: 'wine, 6 + 7 columns',
  breast_cancer: 'breast cancer, 10 + 10',
  adult: 'Adult, numbers and levels',
  simulated: 'simulated, 10 + 10',
};
const TABLES = {
  'made up off-centre': 'made up, 1500 × 6',
  mmreg: 'mmreg, 600 × 8',
  diabetes: 'diabetes, 442 × 10',
  wine: 'wine, 178 × 13',
  breast_cancer: 'breast cancer, 569 × 20',
  adult: 'Adult, 48 842 × 35',
  buzz: 'buzz, 20 000 × 12',
  gfe: 'gfe, 2617 × 12',
  digits: 'digits, 1797 × 28',
  pixels: 'pixels, 1797 × 64',
  iris: 'iris, 150 × 4',
  savings: 'savings, 50 × 5',
  linnerud: 'linnerud, 20 × 6',
};
const CLAIMS = {
  'epsilon 1 and delta 1e-05': '(1, 1e-5)',
  'epsilon 1 and delta 1e-05; a third colludes': '(1, 1e-5), a third colludes',
  'epsilon 1 and delta 0.01': '(1, 0.01)',
  'epsilon 1 and delta 0.01; a third colludes': '(1, 0.01), a third colludes',
  'epsilon 3 and delta 0.01': '(3, 0.01)',
  'epsilon 3 and delta 0.01; a third colludes': '(3, 0.01), a third colludes',
};

const epsilon = { column: 'epsilon', scale: 'log', label: 'epsilon' };
const sites = { column: 'sites', scale: 'log', label: 'sites' };
const bySet = { column: 'set', titles: SETS };
const byViews = { column: 'set', titles: VIEWS };
const byMethod = { column: 'method' };
const relative = 'error of the covariance / its norm';

/** Denoising, of releases by one mechanism. */
const denoising = (name, mechanism, words) => ({
  name,
  csv: 'denoise',
  title: `Error after denoising, ${words}`,
  note: 'Replace-one; answering zero has error 1. Errors above 10 are cut off',
  description:
    'One panel for each set. The release itself has a large error at small epsilon. Denoise follows the best of the other estimates: near answering zero at small epsilon, below the release at large epsilon.',
  where: (row) => row.mechanism === mechanism && row.set in SETS,
  panel: bySet,
  series: {
    column: 'method',
    only: ['zero', 'raw', 'trace-projection', 'rie', 'james-stein', 'soft-threshold', 'denoise'],
  },
  x: epsilon,
  y: { column: 'error', scale: 'log', from: 0.02, to: 10, label: relative },
});

/** Private centring, of one mechanism and number of sites. */
const centring = (name, mechanism, count, words) => ({
  name,
  csv: 'centring',
  title: `Private centring, ${words}`,
  note: 'Medians, 95 % intervals; cut off at 1000. Answering zero: 1',
  description:
    'One panel for each set. Errors fall with epsilon. With private centring they are mostly several times smaller.',
  where: (row) => row.mechanism === mechanism && row.sites === count,
  panel: { column: 'set', titles: TABLES },
  series: byMethod,
  x: epsilon,
  y: {
    column: 'error',
    scale: 'log',
    from: 0.01,
    to: 1000,
    label: 'error, columns in units of their spread',
  },
});

const split = (name, mechanism, words) => ({
  name,
  csv: 'split-pooled',
  title: `Behind masks over pooled rows, ${words}`,
  note: 'Ratio of mean errors and 95 % interval, epsilon 10, replace-one',
  description:
    'One panel for each set. The ratio of split stays near 1 if all sites are honest and near 1.2 if a third may collude; sites that each add all noise rise as the root of their number.',
  where: (row) => row.mechanism === mechanism,
  panel: bySet,
  series: { column: 'method', only: ['split-honest', 'split', 'conventional'] },
  x: sites,
  y: { column: 'ratio', scale: 'log', from: 0.9, to: 9, label: 'error / error of pooled rows' },
});

export const paper = {
  name: 'ours',
  own: true, // the claims are this library's
  page: 'beyond-the-papers.md',
  title: 'Beyond the papers',
  source: 'this library',
  data: ['mmreg', 'diabetes', 'wine', 'breast_cancer', 'digits', 'adult'],
  minutes: 7,
  async run({ quick, data, program, out }) {
    const size = quick ? ['quick'] : [];
    // Writes the tables with bounds that centring reads.
    await import('../real_tables.mjs');
    // Two programs at a time, of about the same length together.
    const inTurn = async (names, args) => {
      for (const name of names) await program(name, [...args, out, ...size]);
    };
    await Promise.all([
      inTurn(['centring', 'joint_attack'], []).then(() =>
        inTurn(['mechanism_noise', 'noise_aware_cca'], [data]),
      ),
      inTurn(['people', 'denoise', 'split_pooled', 'adaptive_clipping'], [data]),
    ]);
  },
  figures: [
    {
      name: 'pure-epsilon',
      title: 'Error of the mechanisms without delta',
      note: 'Replace-one; gaussian has delta 1e-6. Answering zero has error 1',
      description:
        'One panel for each set. All errors fall as one over epsilon. Two-sided Wishart is the lowest of those without delta, and the more columns there are, the farther it is ahead; Gaussian noise with a delta is lower still on sets with many columns.',
      panel: bySet,
      series: byMethod,
      x: epsilon,
      y: { column: 'error', scale: 'log', label: relative },
    },
    {
      name: 'pure-dimension',
      title: 'Error relative to two-sided Wishart noise, by columns',
      note: 'Epsilon 1; ratio of mean errors and 95 % interval. Gaussian: delta 1e-6',
      description:
        'Two panels, for the two neighbours. Ratios of frobenius and laplace rise with the number of columns, from below 1 at two columns under replace-one. The ratio of gaussian falls.',
      panel: {
        column: 'neighbours',
        titles: { 'replace-one': 'replace-one', 'add-remove': 'add-remove' },
      },
      series: byMethod,
      x: { column: 'features', scale: 'log', label: 'columns' },
      y: { column: 'ratio', scale: 'log', label: 'error / error of two-sided Wishart' },
    },
    {
      name: 'noise-shape',
      title: 'Upper triangle over rotation-invariant noise',
      note: 'Ratio of root mean square errors and 95 % interval; epsilon 1, delta 1e-6',
      description:
        'The measured ratios lie on the curve of the formula, which rises from 1.15 to 1.41.',
      series: byMethod,
      x: { column: 'features', scale: 'log', label: 'columns' },
      y: { column: 'ratio', from: 1, to: 1.5, label: 'ratio of errors' },
    },
    {
      name: 'noise-aware-cca',
      title: 'Correlation captured by the first pair of weights',
      note: 'Relative to the largest; Gaussian noise, delta 1e-6, replace-one',
      description:
        'One panel for each set. Raw whitening stays at the level of random directions until epsilon is large. The others rise much earlier and are close together.',
      panel: byViews,
      series: byMethod,
      x: epsilon,
      y: { column: 'captured', from: 0, to: 1, label: 'captured correlation / largest' },
    },
    {
      name: 'noise-aware-cca-error',
      csv: 'noise-aware-cca',
      title: 'Error of three canonical correlations',
      note: 'Gaussian noise, delta 1e-6, replace-one',
      description:
        'One panel for each set. Errors of this library and of the floor are the smallest on most sets; the ridge shrinks correlations, raw whitening reports numbers near 1.',
      where: (row) => row.method !== 'random',
      panel: byViews,
      series: byMethod,
      x: epsilon,
      y: { column: 'error', from: 0, label: '|r* - r| / 3' },
    },
    {
      name: 'joint-accounting',
      title: 'Epsilon of all messages of capeCCA together',
      note: 'At the claimed delta, for the claim in the title of each panel',
      description:
        'Four panels. Calibrated for one message, epsilon of all messages rises above the claim with the number of sites, and more if a third of the sites collude. Calibrated jointly it stays at the claim.',
      panel: { column: 'setting', titles: CLAIMS },
      series: byMethod,
      x: sites,
      y: { column: 'epsilon', from: 0, shared: false, label: 'true epsilon' },
    },
    {
      name: 'joint-attack',
      title: 'Delta that an attack on all messages reaches',
      note: 'Likelihood-ratio test; exact 95 % intervals. The claim is delta 0.01',
      description:
        'Four panels. Calibrated for one message, the attack reaches several times the claimed delta. Calibrated jointly it reaches the claim and no more.',
      panel: { column: 'setting', titles: CLAIMS },
      series: byMethod,
      x: { ...sites, scale: 'log' },
      y: { column: 'achieved', from: 0, shared: false, label: 'delta reached' },
    },
    split('split-pooled', 'gaussian', 'gaussian'),
    split('split-pooled-pure', 'two-sided-wishart', 'two-sided Wishart'),
    {
      name: 'split-correlations',
      csv: 'split-pooled',
      title: 'Mean error of three canonical correlations, by sites',
      note: 'gaussian, epsilon 10, delta 1e-6, replace-one',
      description:
        'One panel for each set. The error of split is that of pooled rows; that of sites which each add all noise is larger, and mostly rises with their number.',
      where: (row) => row.mechanism === 'gaussian',
      panel: bySet,
      series: byMethod,
      x: sites,
      y: { column: 'correlation_error', from: 0, label: 'mean error of a correlation' },
    },
    {
      name: 'people',
      title: 'Error by number of people, five rows each',
      note: 'gaussian, epsilon 1, delta 1e-6, replace-one',
      description:
        'Two panels. Errors fall as one over the number of people, for unit participant without masks only as its root. The wrong claim has the smallest error and does not protect people.',
      panel: {
        column: 'set',
        titles: { simulated: 'simulated, 6 columns', adult: 'Adult, random groups' },
      },
      series: byMethod,
      x: { column: 'people', scale: 'log', label: 'people' },
      y: { column: 'error', scale: 'log', label: relative },
    },
    denoising('denoise', 'gaussian', 'gaussian'),
    denoising('denoise-pure', 'two-sided-wishart', 'two-sided Wishart'),
    {
      name: 'adaptive-clipping',
      title: 'Error with a fixed and with an adaptive clip radius',
      note: 'gaussian, delta 1e-6, replace-one, one site; answering zero has error 1',
      description:
        'One panel for each set. With a bound that is too wide errors are sixteen times those of the right bound. The adaptive radius has the error of the right one once epsilon is large enough, and that of the wide one before.',
      panel: bySet,
      series: byMethod,
      x: epsilon,
      y: { column: 'error', scale: 'log', label: relative },
    },
    centring('centring', 'gaussian', 1, 'one site, delta 1e-6'),
    centring('centring-pure', 'two-sided-wishart', 1, 'one site, pure'),
    centring('centring-sites', 'gaussian', 20, '20 sites, delta 1e-6'),
  ],
  tables,
  claims,
};
