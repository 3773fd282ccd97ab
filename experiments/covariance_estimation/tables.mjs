// The tables of the page, from the CSVs of the results.
import { distinct } from '../support/claims.mjs';
import { inOrder, method } from '../support/methods.mjs';
import { table } from '../support/pages.mjs';

export const EPSILONS = [0.01, 0.1, 0.2, 0.5, 1, 2, 4];
export const SETS = { wine: 'Wine', adult: 'Adult', diabetes: 'Diabetes', simulated: 'Simulated' };

/** Three significant digits, without an exponent where it is shorter so. */
export function short(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e5 || size < 1e-4)) return value.toExponential(1).replace('e+', 'e');
  if (size >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

const power = (delta) => delta.toExponential(0);
const named = (key, delta) =>
  method(key).label + (delta > 0 ? `, delta ${delta < 0.01 ? power(delta) : delta}` : '');

/** A line for each method and delta, a column for each epsilon, and the widest interval. */
function errors(csv, set, postprocessing) {
  const rows = csv('error-epsilon').filter(
    (row) => row.set === set && row.postprocessing === postprocessing,
  );
  const lines = inOrder(distinct(rows.map((row) => row.method))).flatMap((key) =>
    distinct(rows.filter((row) => row.method === key).map((row) => row.delta)).map((delta) => {
      const own = rows.filter((row) => row.method === key && row.delta === delta);
      const widest = Math.max(...own.map((row) => (row.error_high - row.error_low) / 2));
      return [
        named(key, delta),
        ...own.map((row) => row.error.toFixed(3)),
        widest > 0 ? widest.toFixed(3) : '',
      ];
    }),
  );
  return table(['epsilon', ...EPSILONS.map(String), '± at most'], lines);
}

/** Wine with eigenvalues treated as in the authors' code: the form of three baselines and of AD. */
function rescaled(csv) {
  const rows = csv('error-epsilon').filter(
    (row) => row.set === 'wine' && row.postprocessing === 'rescale',
  );
  const shown = [
    ['laplace-published', 0],
    ['kt', 0],
    ['ad-published', 0],
    ['gaussian-code', 1e-16],
    ['gaussian-code', 1e-10],
    ['gaussian-code', 1e-3],
  ];
  const lines = shown.map(([key, delta]) => [
    named(key, delta),
    ...rows
      .filter((row) => row.method === key && row.delta === delta)
      .map((row) => row.error.toFixed(3)),
  ]);
  return table(['epsilon', ...EPSILONS.map(String)], lines);
}

/** Errors over those that directions drawn without looking at the data would have. */
function uniform(csv) {
  const rows = csv('error-epsilon').filter((row) => row.postprocessing === 'clamp');
  const lines = ['wine', 'adult'].flatMap((set) => {
    const own = rows.filter((row) => row.set === set);
    const multiple = own.find((row) => row.method === 'multiple-of-identity').error;
    return [
      ['ad-published', Math.SQRT2 * multiple, '√2 times the error of the best multiple of I'],
      ['it-r', multiple, 'the error of the best multiple of I'],
    ].map(([key, unit, words]) => [
      SETS[set],
      `${method(key).label}, over ${words}`,
      ...own.filter((row) => row.method === key).map((row) => (row.error / unit).toFixed(2)),
    ]);
  });
  return table(['set', 'epsilon', ...EPSILONS.map(String)], lines, { left: 2 });
}

function trueDeltas(csv) {
  const lines = csv('true-delta').map((row) => [
    power(row.asked),
    String(row.epsilon),
    row.epsilon <= 1 ? 'yes' : 'no',
    ...[row.classical, row.classical_replace_one, row.code].map((value) => value.toExponential(1)),
  ]);
  const byDelta = [...lines].sort((a, b) => Number(a[0]) - Number(b[0]));
  return table(
    [
      'delta asked for',
      'epsilon',
      'formula proved',
      'formula, sensitivity 1',
      'formula, sensitivity √2',
      'exact, sensitivity 1',
    ],
    byDelta,
  );
}

/** A line for each set and method, with the bound's last, and a column for each epsilon. */
function byExponents(csv, cell) {
  const lines = ['wine', 'adult'].flatMap((set) => {
    const own = csv('proposals').filter((row) => row.set === set);
    return distinct(own.map((row) => row.method)).map((key) => [
      SETS[set],
      key === 'bound' ? 'mean at most' : method(key).label,
      ...own.filter((row) => row.method === key).map(cell),
    ]);
  });
  return table(['set', 'epsilon', ...EPSILONS.map(String)], lines, { left: 2 });
}

const proposals = (csv) =>
  byExponents(csv, (row) =>
    row.median === null
      ? row.mean.toFixed(2)
      : `${row.median} / ${row.mean.toFixed(3)} / ${row.quantile_90} / ${row.most}`,
  );

const firstProposals = (csv) => byExponents(csv, (row) => row.first.toFixed(2));

/** Errors of others as multiples of AD's. */
function dimension(csv) {
  const rows = csv('error-dimension');
  const columns = distinct(rows.map((row) => row.d));
  const lines = distinct(rows.map((row) => row.case)).flatMap((name) =>
    ['kt', 'it-r', 'two-sided-wishart', 'laplace-published'].map((key) => {
      const own = rows.filter((row) => row.case === name);
      const [{ set, epsilon }] = own;
      const error = (which, d) => own.find((row) => row.method === which && row.d === d).error;
      return [
        SETS[set],
        String(epsilon),
        method(key).label,
        ...columns.map((d) => (error(key, d) / error('ad', d)).toFixed(2)),
      ];
    }),
  );
  return table(
    ['set', 'epsilon', 'error over that of AD', ...columns.map((d) => `d = ${d}`)],
    lines,
    {
      left: 3,
    },
  );
}

/** The mean excess as a multiple of that of answering zero. */
function ridge(csv) {
  const rows = csv('ridge-excess').filter((row) => row.set !== 'simulated' && row.epsilon !== null);
  const epsilons = distinct(rows.map((row) => row.epsilon));
  const lines = distinct(rows.map((row) => row.case)).flatMap((name) => {
    const own = rows.filter((row) => row.case === name);
    const zero = own.find((row) => row.method === 'zero').excess;
    return inOrder(distinct(own.map((row) => row.method)))
      .filter((key) => key !== 'zero')
      .map((key) => [
        SETS[own[0].set],
        String(own[0].alpha),
        method(key).label,
        ...epsilons.map((epsilon) => {
          const row = own.find((one) => one.method === key && one.epsilon === epsilon);
          return short(row.excess / zero);
        }),
      ]);
  });
  return table(['set', 'alpha', 'epsilon', ...epsilons.map(String)], lines, { left: 3 });
}

function ridgeBound(csv) {
  const rows = csv('ridge-excess').filter((row) => row.ratio !== null);
  const lines = distinct(rows.map((row) => row.case)).map((name) => {
    const own = rows.filter((row) => row.case === name);
    const at = (epsilon) =>
      own.find((row) => row.method === 'two-sided-wishart' && row.epsilon === epsilon);
    const largest = own.reduce((most, row) => (row.ratio > most.ratio ? row : most));
    return [
      SETS[own[0].set],
      String(own[0].alpha),
      ...[1, 10].flatMap((epsilon) => {
        const row = at(epsilon);
        return [short(row.error), short(row.excess), short(row.bound)];
      }),
      `${largest.ratio.toFixed(3)} (${method(largest.method).label}, epsilon ${largest.epsilon})`,
    ];
  });
  return table(
    [
      'set',
      'alpha',
      'epsilon 1: error',
      'excess',
      'bound',
      'epsilon 10: error',
      'excess',
      'bound',
      'largest excess over its bound, any method and run',
    ],
    lines,
    { left: 1 },
  );
}

const FITS = {
  weights: '',
  'normal-equations': ', normal equations',
  projection: ', trace projection',
  edge: ', ridge at the edge',
  regression: ', `regression`',
};

function fits(csv, set) {
  const rows = csv('ridge-fits').filter((row) => row.set === set);
  const epsilons = distinct(rows.map((row) => row.epsilon));
  const lines = distinct(rows.map((row) => row.alpha)).flatMap((alpha) => {
    const own = rows.filter((row) => row.alpha === alpha);
    return distinct(own.map((row) => `${row.method} ${row.fit}`)).map((name) => {
      const [key, fit] = name.split(' ');
      const found = own.filter((row) => row.method === key && row.fit === fit);
      return [
        String(alpha),
        method(key).label + FITS[fit],
        ...found.map((row) => short(row.unexplained)),
      ];
    });
  });
  return table(['alpha', 'epsilon', ...epsilons.map(String)], lines, { left: 2 });
}

function intervals(csv) {
  const share = (value) => (value === null ? '' : value.toFixed(3));
  const lines = csv('ridge-intervals').map((row) => [
    String(row.predictors),
    String(row.decay),
    String(row.r2),
    String(row.rows),
    String(row.sd),
    row.above_floor.toFixed(2),
    ...['delta_all', 'delta_above', 'delta_r2'].map((name) => share(row[name])),
    ...['bootstrap_all', 'bootstrap_above', 'bootstrap_r2'].map((name) => share(row[name])),
  ]);
  return table(
    [
      'predictors',
      'decay',
      'R²',
      'rows',
      'sd',
      'above floor',
      'delta: all',
      'above',
      'R²',
      'bootstrap: all',
      'above',
      'R²',
    ],
    lines,
    { left: 0 },
  );
}

function noise(csv) {
  const lines = csv('noise-size').map((row) => [
    SETS[row.set],
    row.wishart_over_stated.toFixed(3),
    row.classical_over_gaussian.toFixed(3),
    row.upper_over_gaussian.toFixed(3),
    row.shape.toFixed(3),
    String(row.repetitions),
  ]);
  return table(
    [
      'set',
      'two-sided Wishart, over what its page states',
      'upper triangle by the classical formula, over `gaussian`',
      'upper triangle by exact calibration, over `gaussian`',
      '√(2d / (d + 1))',
      'runs',
    ],
    lines,
  );
}

export const tables = {
  'errors-wine': (csv) => errors(csv, 'wine', 'clamp'),
  'errors-adult': (csv) => errors(csv, 'adult', 'clamp'),
  'trace-wine': (csv) => errors(csv, 'wine', 'trace'),
  'trace-adult': (csv) => errors(csv, 'adult', 'trace'),
  rescaled,
  uniform,
  'true-delta': trueDeltas,
  proposals,
  'proposals-first': firstProposals,
  dimension,
  ridge,
  'ridge-bound': ridgeBound,
  'fits-wine': (csv) => fits(csv, 'wine'),
  'fits-diabetes': (csv) => fits(csv, 'diabetes'),
  intervals,
  noise,
};
