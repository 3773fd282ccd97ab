// The tables of the page, from the CSVs.
import { distinct } from '../support/claims.mjs';
import { method } from '../support/methods.mjs';
import { table, withMargin } from '../support/pages.mjs';

const valuesOf = (rows, column) => distinct(rows.map((row) => row[column]));
export const named = (set) => set.replaceAll('_', ' ');
export const short = (value) => String(Number(value.toPrecision(3)));

/** The row with the largest value of a function. */
export const largest = (rows, value) =>
  rows.reduce((best, row) => (value(row) > value(best) ? row : best));

/** Sets that are real. */
export const isReal = ({ set }) =>
  !['simulated', 'five columns', 'one column', 'made up off-centre'].includes(set);

/** For each set and epsilon: error of two-sided Wishart noise over the best other pure mechanism. */
export function pureRatios(csv) {
  const rows = csv('pure-epsilon');
  return rows
    .filter((row) => row.method === 'two-sided-wishart')
    .map((row) => {
      const others = rows.filter(
        (other) =>
          other.set === row.set &&
          other.epsilon === row.epsilon &&
          ['frobenius', 'laplace', 'laplace-published'].includes(other.method),
      );
      const best = others.reduce((a, b) => (a.error < b.error ? a : b));
      const gaussian = rows.find(
        (other) =>
          other.set === row.set && other.epsilon === row.epsilon && other.method === 'gaussian',
      );
      return {
        ...row,
        best: best.method,
        ratio: row.error / best.error,
        gaussian: row.error / gaussian.error,
      };
    });
}

function pure(csv) {
  const ratios = pureRatios(csv);
  const rows = valuesOf(ratios, 'set').map((set) => {
    const own = ratios.filter((row) => row.set === set);
    const worst = largest(own, (row) => row.ratio);
    const at = (epsilon) => own.find((row) => row.epsilon === epsilon);
    return [
      `${named(set)}, ${worst.rows} × ${worst.features}`,
      method(worst.best).label,
      short(worst.ratio),
      ...[0.1, 1, 10].map((epsilon) => short(at(epsilon).error)),
      ...[0.1, 1, 10].map((epsilon) => short(at(epsilon).gaussian)),
    ];
  });
  return table(
    [
      'set',
      'the best other pure',
      'largest ratio to it',
      'error at epsilon 0.1',
      '1',
      '10',
      'over `gaussian` at 0.1',
      '1',
      '10',
    ],
    rows,
    { left: 2 },
  );
}

function dimension(csv) {
  const rows = csv('pure-dimension');
  const keys = ['frobenius', 'laplace', 'laplace-published', 'gaussian'];
  return table(
    ['neighbours', 'columns', ...keys.map((key) => method(key).label)],
    valuesOf(rows, 'neighbours').flatMap((neighbours) =>
      valuesOf(rows, 'features').map((features) => [
        neighbours,
        String(features),
        ...keys.map((key) => {
          const found = rows.find(
            (row) =>
              row.neighbours === neighbours && row.features === features && row.method === key,
          );
          return found ? withMargin(found, 'ratio') : '';
        }),
      ]),
    ),
  );
}

function shape(csv) {
  const rows = csv('noise-shape');
  const measured = rows.filter((row) => row.method === 'gaussian-upper');
  return table(
    ['set', 'columns', 'by the formula', 'measured'],
    measured
      .sort((a, b) => a.features - b.features)
      .map((row) => {
        const formula = rows.find((o) => o.method === 'theory' && o.features === row.features);
        return [
          named(row.set),
          String(row.features),
          formula.ratio.toFixed(3),
          withMargin(row, 'ratio', 3),
        ];
      }),
  );
}

/** For each set and epsilon, the figures of all ways to read the noisy matrix. */
export function ccaCases(csv) {
  const rows = csv('noise-aware-cca');
  return rows
    .filter((row) => row.method === 'cca-aware')
    .map((row) => ({
      set: row.set,
      epsilon: row.epsilon,
      of: (key) =>
        rows.find((o) => o.set === row.set && o.epsilon === row.epsilon && o.method === key),
    }));
}

function cca(csv) {
  const keys = ['cca-aware', 'cca-floor', 'cca-ridge', 'cca-raw'];
  return table(
    [
      'set',
      'epsilon',
      'random directions',
      ...keys.map((key) => `${method(key).label}: captured`),
      ...keys.map((key) => `${method(key).label}: error`),
    ],
    ccaCases(csv).map(({ set, epsilon, of }) => [
      named(set),
      String(epsilon),
      of('random').captured.toFixed(2),
      ...keys.map((key) => withMargin(of(key), 'captured')),
      ...keys.map((key) => withMargin(of(key), 'error', 3)),
    ]),
  );
}

function accounting(csv) {
  const rows = csv('joint-accounting').filter((row) => row.method !== 'claim');
  return table(
    [
      'claim',
      'calibration',
      'sites',
      'honest',
      'true epsilon at that delta',
      'true delta at that epsilon',
    ],
    rows
      .filter((row) => [2, 10, 100].includes(row.sites))
      .map((row) => [
        row.setting,
        method(row.method).label,
        String(row.sites),
        String(row.honest),
        row.epsilon.toFixed(2),
        row.delta.toExponential(1),
      ]),
    { left: 2 },
  );
}

function attack(csv) {
  const rows = csv('joint-attack').filter((row) => row.method !== 'claim');
  return table(
    [
      'claim',
      'calibration',
      'sites',
      'honest',
      'delta predicted',
      'delta reached',
      '95 % interval',
    ],
    rows.map((row) => [
      row.setting,
      method(row.method).label,
      String(row.sites),
      String(row.honest),
      row.predicted.toFixed(4),
      row.achieved.toFixed(4),
      `${row.achieved_low.toFixed(4)} to ${row.achieved_high.toFixed(4)}`,
    ]),
    { left: 2 },
  );
}

/** The root of the number of sites over the honest ones, by which noise grows. */
export function expectedGrowth({ method: way, sites }) {
  if (way === 'conventional') return Math.sqrt(sites);
  return way === 'split' ? Math.sqrt(sites / Math.floor((2 * sites + 2) / 3)) : 1;
}

/** The same for whole degrees of freedom at each site. */
export function roundedGrowth(row) {
  const freedom = row.features + 2;
  const honest = row.method === 'split' ? Math.floor((2 * row.sites + 2) / 3) : row.sites;
  return Math.sqrt((row.sites * Math.ceil(freedom / honest)) / freedom);
}

const growthOf = (row) =>
  row.mechanism === 'two-sided-wishart' && row.method.startsWith('split')
    ? roundedGrowth(row)
    : expectedGrowth(row);

function splitTable(csv) {
  const rows = csv('split-pooled').filter((row) => row.method !== 'pooled' && isReal(row));
  const groups = valuesOf(rows, 'mechanism').flatMap((mechanism) =>
    valuesOf(rows, 'method').flatMap((way) =>
      valuesOf(rows, 'sites').map((count) =>
        rows.filter(
          (row) => row.mechanism === mechanism && row.method === way && row.sites === count,
        ),
      ),
    ),
  );
  return table(
    ['mechanism', 'way', 'worst real set', 'masks', 'sites', 'expected ratio', 'its ratio'],
    groups.map((own) => {
      const worst = largest(own, (row) => row.ratio / growthOf(row));
      return [
        `\`${worst.mechanism}\``,
        method(worst.method).label,
        named(worst.set),
        worst.method === 'conventional'
          ? ''
          : own.every((row) => row.masks === 'equal')
            ? 'cancel exactly'
            : '**do not cancel**',
        String(worst.sites),
        growthOf(worst).toFixed(2),
        withMargin(worst, 'ratio'),
      ];
    }),
    { left: 4 },
  );
}

function people(csv) {
  const rows = csv('people');
  const keys = valuesOf(rows, 'method');
  const counts = valuesOf(rows, 'people');
  return table(
    ['set', 'way', 'epsilon of a person', ...counts.map((count) => `${count} people`)],
    valuesOf(rows, 'set').flatMap((set) =>
      keys.map((key) => {
        const own = rows.filter((row) => row.set === set && row.method === key);
        return [
          set,
          method(key).label,
          short(own[0].epsilon_of_a_person),
          ...own.map((row) => short(row.error)),
        ];
      }),
    ),
    { left: 2 },
  );
}

function denoise(csv) {
  const rows = csv('denoise-worst');
  const mechanisms = valuesOf(rows, 'mechanism');
  return table(
    ['set', 'columns', ...mechanisms.map((name) => `\`${name}\``)],
    valuesOf(rows, 'set').map((set) => [
      named(set),
      String(rows.find((row) => row.set === set).features),
      ...mechanisms.map((name) =>
        rows.find((row) => row.set === set && row.mechanism === name).ratio.toFixed(3),
      ),
    ]),
  );
}

/** Errors of all ways to clip, for each set and epsilon. */
export function clippingCases(csv) {
  const rows = csv('adaptive-clipping');
  return rows
    .filter((row) => row.method === 'clip-adaptive')
    .map((row) => {
      const of = (key) =>
        rows.find((o) => o.set === row.set && o.epsilon === row.epsilon && o.method === key).error;
      return {
        ...row,
        toRight: row.error / of('clip-right'),
        toWide: row.error / of('clip-wide'),
      };
    });
}

function clipping(csv) {
  const cases = clippingCases(csv);
  const epsilons = valuesOf(cases, 'epsilon');
  return table(
    [
      'set',
      ...epsilons.map((epsilon) => `over the right bound, epsilon ${epsilon}`),
      ...epsilons.map((epsilon) => `over the wide bound, epsilon ${epsilon}`),
    ],
    valuesOf(cases, 'set').map((set) => {
      const own = cases.filter((row) => row.set === set);
      return [
        `${named(set)}, ${own[0].rows} × ${own[0].features}`,
        ...own.map((row) => short(row.toRight)),
        ...own.map((row) => short(row.toWide)),
      ];
    }),
  );
}

/** Errors without and with private centring, for each case. */
export function centringCases(csv) {
  const rows = csv('centring');
  const key = (row) => [row.set, row.bounds, row.sites, row.mechanism, row.epsilon].join();
  const uncentred = new Map(
    rows.filter((row) => row.method.startsWith('uncentred')).map((row) => [key(row), row]),
  );
  return rows
    .filter((row) => row.method.startsWith('centred'))
    .map((row) => ({
      ...row,
      before: uncentred.get(key(row)).error,
      before_high: uncentred.get(key(row)).error_high,
      gain: uncentred.get(key(row)).error / row.error,
      signal: (row.rows / row.sites) * (row.epsilon / row.features),
    }));
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

function gains(csv) {
  const cases = centringCases(csv);
  const columns = ['gaussian', 'two-sided-wishart'].flatMap((mechanism) =>
    ['expert', 'careful', 'wide'].map((bounds) => ({ mechanism, bounds })),
  );
  return table(
    ['sites', ...columns.map(({ mechanism, bounds }) => `\`${mechanism}\`, ${bounds}`)],
    valuesOf(cases, 'sites').map((count) => [
      String(count),
      ...columns.map(({ mechanism, bounds }) =>
        short(
          median(
            cases
              .filter(
                (row) =>
                  row.sites === count && row.mechanism === mechanism && row.bounds === bounds,
              )
              .map((row) => row.gain),
          ),
        ),
      ),
    ]),
  );
}

/** What private centring should reach, where, and for each case its ratio to the bar. */
export const TARGETS = [
  {
    what: 'never more than 1.05 times the error without',
    bar: 1.05,
    cases: (all) => all,
    ratio: (row) => row.error / row.before,
  },
  {
    what: 'half the error or less, careful bounds, n epsilon / D above 50',
    bar: 0.5,
    cases: (all) => all.filter((row) => row.bounds === 'careful' && row.signal > 50),
    ratio: (row) => row.error / row.before,
  },
  {
    what: 'careful bounds at most 1.3 times an expert’s, n epsilon / D above 100',
    bar: 1.3,
    cases: (all) => all.filter((row) => row.bounds === 'careful' && row.signal > 100),
    ratio: (row, all) =>
      row.error /
      all.find(
        (o) =>
          o.bounds === 'expert' &&
          o.set === row.set &&
          o.sites === row.sites &&
          o.mechanism === row.mechanism &&
          o.epsilon === row.epsilon,
      ).error,
  },
];

function targets(csv) {
  const all = centringCases(csv);
  return table(
    ['target', 'worst case', 'sites', 'met', 'its ratio'],
    TARGETS.flatMap((target) =>
      valuesOf(all, 'sites').map((count) => {
        const cases = target.cases(all).filter((row) => row.sites === count);
        if (cases.length === 0) return [target.what, '', String(count), '0 of 0', ''];
        const worst = largest(cases, (row) => target.ratio(row, all));
        const met = cases.filter((row) => target.ratio(row, all) <= target.bar).length;
        return [
          target.what,
          `${named(worst.set)}, ${worst.bounds}, \`${worst.mechanism}\`, epsilon ${worst.epsilon}`,
          String(count),
          `${met} of ${cases.length}`,
          short(target.ratio(worst, all)),
        ];
      }),
    ),
    { left: 2 },
  );
}

export const tables = {
  pure,
  dimension,
  shape,
  cca,
  accounting,
  attack,
  split: splitTable,
  people,
  denoise,
  clipping,
  gains,
  targets,
};
