// From a run of the census study to what the report draws.

import { capitalised, list } from './words.mjs';

/** What a high value of a feature means, to be read after "goes with". */
const GLOSS = {
  age: 'age',
  education: 'schooling',
  female: 'being a woman',
  married: 'being married',
  hours: 'hours of work',
  over_50k: 'an income over $50,000',
  'occupation=professional': 'professional work',
  'occupation=office': 'office work',
  'occupation=service': 'service work',
  'occupation=other': 'craft, transport or farm work',
};

// Below this a structure correlation is too weak to name in a sentence.
const WORTH_NAMING = 0.3;

const entry = (matrix, i, j) => matrix.values[i * matrix.columns.length + j];

/** Loadings of the first pair of one view, by feature name. */
function firstLoadings({ loadings }) {
  return Object.fromEntries(loadings.rows.map((name, i) => [name, entry(loadings, i, 0)]));
}

/** The features that rise and fall with a score, strongest first, as one sentence. */
function sentenceOf(features) {
  const named = features
    .filter((feature) => Math.abs(feature.private) >= WORTH_NAMING)
    .sort((a, b) => Math.abs(b.private) - Math.abs(a.private));
  const words = (sign) =>
    list(named.filter((f) => f.private * sign > 0).map((f) => GLOSS[f.name] ?? f.name));
  const more = words(1);
  const less = words(-1);
  if (more === '') return `A high score goes against ${less}.`;
  return `A high score goes with ${more}${less === '' ? '' : `, and against ${less}`}.`;
}

/** "occupation=office" as { group: "occupation", name: "office" }. */
function labelOf(feature) {
  const at = feature.indexOf('=');
  if (at < 0) return { group: '', name: feature };
  return { group: feature.slice(0, at), name: feature.slice(at + 1) };
}

/**
 * Structure correlations of the first canonical pair, private and not, for both views. Signs of a canonical pair
 * are arbitrary: the private one is turned so that income rises with it, the other to agree with it.
 */
export function firstPairBars(run) {
  const ours = run.views.map((view) => firstLoadings(run.result.views[view]));
  const theirs = run.views.map((view) => firstLoadings(run.reference.views[view]));
  const turn = ours[1].over_50k < 0 ? -1 : 1;
  const overlap = ours.reduce(
    (sum, loadings, v) =>
      sum + Object.keys(loadings).reduce((s, name) => s + loadings[name] * theirs[v][name], 0),
    0,
  );
  const turnReference = overlap < 0 ? -turn : turn;
  return run.views.map((view, v) => {
    const features = Object.keys(ours[v]).map((name) => ({
      name,
      label: labelOf(name).name,
      private: turn * ours[v][name],
      reference: turnReference * theirs[v][name],
    }));
    return { title: capitalised(view), sentence: sentenceOf(features), features };
  });
}

/** The assembled noisy covariance as correlations, D x D. */
export function correlationMap({ moments }) {
  const { rows, values } = moments.covariance;
  const d = rows.length;
  const sd = rows.map((_, i) => Math.sqrt(Math.max(values[i * d + i], 0)));
  const shown = (i, j) => {
    if (i === j) return 1;
    const value = values[i * d + j] / (sd[i] * sd[j]);
    return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
  };
  return {
    labels: rows.map(labelOf),
    values: rows.flatMap((_, i) => rows.map((__, j) => shown(i, j))),
  };
}

/** Standard deviations of the noise between two features: in one release, in the sums, in a scaled covariance. */
export function noiseOf({ sites, moments }) {
  const sum = moments.noise.sdOffDiagonal;
  return { perRelease: sites[0].noise.sdOffDiagonal, sum, perEntry: sum / moments.rows };
}
