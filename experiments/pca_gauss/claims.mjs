// What the paper claims, and what our results say. Its tables' numbers are not known to us beyond its
// prose, so claims are those of the prose.
import { verdictOf } from '../support/claims.mjs';
import { method } from '../support/methods.mjs';
import {
  ACCURACY,
  ARI,
  best,
  fixedComponents,
  OWN_SILHOUETTE,
  RMSE,
  rowsOf,
  SET_NAMES,
  setsOf,
  SILHOUETTE,
} from './results.mjs';

const PUBLISHED = 'pca-gauss-published';
const JOINT = 'pca-gauss-joint';
const points = (difference) =>
  `${difference < 0 ? '−' : '+'}${Math.abs(100 * difference).toFixed(1)}`;
const times = (ratio) => (Number.isFinite(ratio) ? `${ratio.toFixed(2)} ×` : 'no ratio');
const plain = (value) =>
  value
    .toFixed(2)
    .replace(/^-0\.00$/, '0.00')
    .replace('-', '−');

/** The best of several methods. */
function bestOf(rows, set, keys, quantity) {
  const found = keys.map((key) => best(rows, set, key, quantity)).filter(Boolean);
  const sign = quantity.larger ? 1 : -1;
  return found.toSorted((a, b) => sign * (b[quantity.column] - a[quantity.column]))[0];
}

/** `text(set)` for every set of the results. */
const each = (rows, text) =>
  setsOf(rows)
    .map((set) => `${SET_NAMES[set]} ${text(set)}`)
    .join(', ');

// --- Clustering --------------------------------------------------------------------------------

const clusters = (csv) => csv('clusters-p');
const value = (rows, set, key, quantity) => best(rows, set, key, quantity)[quantity.column];

function silhouetteGap(csv, quantity) {
  const rows = clusters(csv);
  return value(rows, 'gfe', 'real', quantity) - value(rows, 'gfe', PUBLISHED, quantity);
}

/** The best value of PCA-Gauss on GFE, and that of the best of these baselines for the same p. */
function besideBaselines(csv, keys, quantity) {
  const tried = new Set(rowsOf(clusters(csv), 'gfe', PUBLISHED).map(({ p }) => p));
  const rows = clusters(csv).filter(({ p }) => tried.has(p));
  return [
    value(rows, 'gfe', PUBLISHED, quantity),
    bestOf(rows, 'gfe', keys, quantity)[quantity.column],
  ];
}

/** By the published measure, and by how much clusters agree with those of real rows. */
const MEASURES = [OWN_SILHOUETTE, ARI];

/** PCA-Gauss at its best p by the published measure, and rows without data for the same p. */
function besideNoData(csv, set) {
  const own = best(clusters(csv), set, PUBLISHED, OWN_SILHOUETTE);
  return [own, rowsOf(clusters(csv), set, 'no-data').find(({ p }) => p === own.p)];
}

const beatsSilhouette = (name, keys, factor) => ({
  claim: `Clusters: more than ${factor} times the silhouette of ${name}.`,
  where: 'Table II',
  ours: (csv) => {
    const [silhouettes, agreements] = MEASURES.map((quantity) =>
      besideBaselines(csv, keys, quantity).map(plain).join(' against '),
    );
    const nothing = value(clusters(csv), 'gfe', 'no-data', OWN_SILHOUETTE);
    return `GFE, silhouette of synthetic rows: ${silhouettes}; N(0, I) without data has ${plain(nothing)}. Agreement with clusters of real rows (adjusted Rand index): ${agreements}`;
  },
  verdict: (csv) =>
    verdictOf(
      MEASURES.map((quantity) => {
        const [own, other] = besideBaselines(csv, keys, quantity);
        return own > factor * Math.max(0, other);
      }),
    ),
});

const clustering = [
  {
    claim: 'Clusters: the silhouette is 0.06 below that of real rows.',
    where: 'Table II',
    ours: (csv) => {
      const of = (quantity) =>
        ['real', PUBLISHED].map((key) => plain(value(clusters(csv), 'gfe', key, quantity)));
      const [[real, own], [clustered, ownClusters]] = [of(OWN_SILHOUETTE), of(SILHOUETTE)];
      return `GFE, rows themselves: real ${real}, synthetic ${own}. Real rows in the clusters of either: ${clustered} and ${ownClusters}`;
    },
    verdict: (csv) =>
      verdictOf(
        [OWN_SILHOUETTE, SILHOUETTE].map((quantity) => silhouetteGap(csv, quantity) <= 0.06),
      ),
  },
  beatsSilhouette('Li and Jiang', ['li', 'jiang'], 2),
  beatsSilhouette('Liu', ['liu'], 2),
  beatsSilhouette('Blum', ['blum'], 3),
  beatsSilhouette('Blocki', ['blocki', 'blocki-features'], 4),
  {
    claim: 'Clusters: the silhouette of synthetic rows says how useful they are.',
    where: 'VIII, Table II',
    ours: (csv) => {
      const of = (set) => {
        const [own, nothing] = besideNoData(csv, set);
        return `${plain(own.own_silhouette)} and ${plain(nothing.own_silhouette)} (p ${own.p})`;
      };
      return `As published, and N(0, I) without data: ${each(clusters(csv), of)}`;
    },
    verdict: (csv) =>
      verdictOf(
        setsOf(clusters(csv)).map((set) => {
          const [own, nothing] = besideNoData(csv, set);
          return own.own_silhouette_low > nothing.own_silhouette_high;
        }),
      ),
  },
];

// --- Classification ----------------------------------------------------------------------------

const accuracies = (csv) => csv('accuracy-p');

/** How many points better one method is than the best of others, at the best p of each. */
function ahead(csv, set, key, others) {
  const rows = accuracies(csv);
  const other = bestOf(rows, set, others, ACCURACY);
  return best(rows, set, key, ACCURACY).accuracy - other.accuracy;
}

const beatsAccuracy = (name, keys, margin) => ({
  claim: `Classes: more than ${100 * margin} points better than ${name}.`,
  where: 'Table III',
  ours: (csv) => {
    const rows = accuracies(csv);
    const of = (key) => each(rows, (set) => points(ahead(csv, set, key, keys)));
    return `As published, points: ${of(PUBLISHED)}. Joint sums: ${of(JOINT)}`;
  },
  verdict: (csv) =>
    verdictOf(setsOf(accuracies(csv)).map((set) => ahead(csv, set, PUBLISHED, keys) > margin)),
});

/** Sets on which a method is at least 10 points better than no data; elsewhere nothing can be lost. */
const learns = (csv, key) =>
  setsOf(accuracies(csv)).filter((set) => ahead(csv, set, key, ['no-data']) > 0.1);

const privateDirections = (name, from, to, cost) => ({
  claim: `Classes: directions by ${name} in place of public ones cost ${100 * cost} points.`,
  where: 'Table III',
  ours: (csv) =>
    `${method(to).label}, points: ${learns(csv, from)
      .map((set) => `${SET_NAMES[set]} ${points(ahead(csv, set, to, [from]))}`)
      .join(', ')} (where public directions are 10 points better than no data)`,
  verdict: (csv) => {
    const sets = learns(csv, from);
    if (sets.length === 0) return 'not tested';
    return verdictOf(sets.map((set) => ahead(csv, set, to, [from]) > -cost - 0.005));
  },
});

function belowReal(csv, set, key) {
  const rows = csv('accuracy-epsilon').filter((row) => row.set === set);
  const at = Math.max(...rows.map(({ epsilon }) => epsilon));
  const of = (method_) => rowsOf(rows, set, method_).find(({ epsilon }) => epsilon === at).accuracy;
  return of('real') - of(key);
}

const classification = [
  beatsAccuracy('Li and Jiang', ['li', 'jiang'], 0.1),
  beatsAccuracy('Blum, Liu and Blocki', ['blum', 'liu', 'blocki', 'blocki-features'], 0.15),
  privateDirections('Lap-PCA', PUBLISHED, 'pca-gauss-published-lap-pca', 0.02),
  privateDirections('AG-PCA', 'pca-gauss-corrected', 'pca-gauss-corrected-ag-pca', 0.05),
  {
    claim: 'Classes: at a larger epsilon 3.5 points below real data.',
    where: 'Figure',
    ours: (csv) => {
      const rows = accuracies(csv);
      const of = (key) =>
        each(rows, (set) => `${points(-belowReal(csv, set, key))} (p ${fixedComponents(set)})`);
      return `Epsilon 10, as published: ${of(PUBLISHED)}. Joint sums: ${of(JOINT)}`;
    },
    verdict: (csv) =>
      verdictOf(setsOf(accuracies(csv)).map((set) => belowReal(csv, set, PUBLISHED) <= 0.035)),
  },
  {
    claim: 'Classes: public rows alone are worse (62.71 %).',
    where: 'IX-B',
    ours: (csv) => {
      const rows = accuracies(csv);
      const of = (key) => each(rows, (set) => points(ahead(csv, set, key, ['public-only'])));
      return `Points above public rows alone, as published: ${of(PUBLISHED)}. Joint sums: ${of(JOINT)}`;
    },
    verdict: (csv) =>
      verdictOf(
        setsOf(accuracies(csv)).map((set) => ahead(csv, set, PUBLISHED, ['public-only']) > 0),
      ),
  },
];

// --- Regression --------------------------------------------------------------------------------

const errors = (csv) => csv('rmse-p');
const rmse = (csv, set, keys) => bestOf(errors(csv), set, keys, RMSE).rmse;

const beatsError = (name, keys, factor) => ({
  claim: `Numbers: ${factor} times less error than ${name}.`,
  where: 'Table IV',
  ours: (csv) => {
    const of = (key) =>
      each(errors(csv), (set) => times(rmse(csv, set, keys) / rmse(csv, set, [key])));
    return `Their error over that of PCA-Gauss as published: ${of(PUBLISHED)}. Over that of joint sums: ${of(JOINT)}`;
  },
  verdict: (csv) =>
    verdictOf(
      setsOf(errors(csv)).map(
        (set) => rmse(csv, set, keys) / rmse(csv, set, [PUBLISHED]) >= factor,
      ),
    ),
});

const regression = [
  {
    claim: 'Numbers: with public directions as good as real data.',
    where: 'Table IV',
    ours: (csv) => {
      const of = (key) => each(errors(csv), (set) => rmse(csv, set, [key]).toFixed(3));
      return `RMSE as published: ${of(PUBLISHED)}. Real data: ${of('real')}. The mean of the public labels for everyone: ${of('no-data')}`;
    },
    verdict: (csv) =>
      verdictOf(
        setsOf(errors(csv)).map(
          (set) =>
            best(errors(csv), set, PUBLISHED, RMSE).rmse_low <=
            best(errors(csv), set, 'real', RMSE).rmse_high,
        ),
      ),
  },
  beatsError(
    'Li, Jiang, Blum and Blocki',
    ['li', 'jiang', 'blum', 'blocki', 'blocki-features'],
    200,
  ),
  beatsError('Liu', ['liu'], 5),
  {
    claim: 'Numbers: public rows alone are worse (RMSE 0.07).',
    where: 'IX-B',
    ours: (csv) => {
      const of = (key) => each(errors(csv), (set) => rmse(csv, set, [key]).toFixed(3));
      return `RMSE of public rows alone: ${of('public-only')}. As published: ${of(PUBLISHED)}. Joint sums: ${of(JOINT)}`;
    },
    verdict: (csv) =>
      verdictOf(
        setsOf(errors(csv)).map(
          (set) => rmse(csv, set, [PUBLISHED]) < rmse(csv, set, ['public-only']),
        ),
      ),
  },
];

// --- Number of directions ----------------------------------------------------------------------

/** Whether the p of the largest ratio is as accurate as the best p tried, up to their intervals. */
function rightChoice(csv, set, gain, key) {
  const own = rowsOf(accuracies(csv), set, key);
  const tried = csv('sir').filter(
    (row) => row.set === set && row.gain === gain && own.some(({ p }) => p === row.p),
  );
  const { p } = tried.toSorted((a, b) => b.sir - a.sir)[0];
  const chosen = own.find((row) => row.p === p);
  return chosen.accuracy_high >= best(accuracies(csv), set, key, ACCURACY).accuracy_low;
}

const CHOICES = [
  ['as published, with the gain (m/p)²', 'sir-quadratic', PUBLISHED],
  ['for joint sums, with the corrected gain', 'sir-corrected', JOINT],
];

const directions = [
  {
    claim: 'The ratio of signal to sensitivity says how many directions to keep.',
    where: 'IX-A',
    ours: (csv) =>
      `Sets where its p is as accurate as the best p: ${CHOICES.map(([words, gain, key]) => {
        const sets = setsOf(accuracies(csv)).filter((set) => rightChoice(csv, set, gain, key));
        return `${words}, ${sets.map((set) => SET_NAMES[set]).join(', ') || 'none'}`;
      }).join('; ')}`,
    verdict: (csv) =>
      verdictOf(
        CHOICES.flatMap(([, gain, key]) =>
          setsOf(accuracies(csv)).map((set) => rightChoice(csv, set, gain, key)),
        ),
      ),
  },
];

export const claims = [...clustering, ...classification, ...regression, ...directions];
