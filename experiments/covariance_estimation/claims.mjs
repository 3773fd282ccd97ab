// What the paper claims, and what our results say of it.
import { distinct, share, verdictOf } from '../support/claims.mjs';
import { EPSILONS, SETS, short } from './tables.mjs';

const REAL = ['wine', 'adult'];
const listed = (epsilons) =>
  epsilons.length === EPSILONS.length ? 'every epsilon' : `epsilon ${epsilons.join(', ')}`;

/** The row of figure 1 for a method. */
function rowOf(csv, set, key, epsilon, delta = 0, postprocessing = 'clamp') {
  return csv('error-epsilon').find(
    (row) =>
      row.set === set &&
      row.method === key &&
      row.epsilon === epsilon &&
      row.delta === delta &&
      row.postprocessing === postprocessing,
  );
}

/** Where one method's interval is below the other's. */
function wins(csv, set, key, [other, delta = 0], postprocessing = 'clamp') {
  return EPSILONS.filter(
    (epsilon) =>
      rowOf(csv, set, key, epsilon, 0, postprocessing).error_high <
      rowOf(csv, set, other, epsilon, delta, postprocessing).error_low,
  );
}

/** A claim that AD has less error than another method. */
function beats(claim, other, delta, where = 'figure 1') {
  return {
    claim,
    where,
    ours: (csv) =>
      REAL.map((set) => {
        const at = wins(csv, set, 'ad-published', [other, delta]);
        return `${SETS[set]}: ${at.length > 0 ? `at ${listed(at)}` : 'nowhere'}`;
      }).join('; '),
    verdict: (csv) =>
      verdictOf(
        REAL.flatMap((set) => {
          const at = wins(csv, set, 'ad-published', [other, delta]);
          return EPSILONS.map((epsilon) => at.includes(epsilon));
        }),
      ),
  };
}

const ratios = (csv, one, other) =>
  REAL.flatMap((set) =>
    EPSILONS.map(
      (epsilon) => rowOf(csv, set, one, epsilon).error / rowOf(csv, set, other, epsilon).error,
    ),
  );

/** KT's error over AD's for the first and the last number of columns. */
function gaps(csv) {
  const rows = csv('error-dimension');
  return distinct(rows.map((row) => row.case)).map((name) => {
    const own = rows.filter((row) => row.case === name);
    const columns = distinct(own.map((row) => row.d));
    const error = (key, d) => own.find((row) => row.method === key && row.d === d).error;
    const [first, last] = [columns[0], columns.at(-1)].map((d) => error('kt', d) / error('ad', d));
    return { set: SETS[own[0].set], epsilon: own[0].epsilon, first, last };
  });
}

const realRidge = (csv) => csv('ridge-excess').filter((row) => row.set !== 'simulated');

/** For each real set, penalty and epsilon: the least excess of AD's forms, and output perturbation's. */
function ridgePairs(csv) {
  const rows = realRidge(csv);
  return rows
    .filter((row) => row.method === 'output-perturbation')
    .map((output) => {
      const same = (key) =>
        rows.find(
          (row) => row.method === key && row.case === output.case && row.epsilon === output.epsilon,
        );
      return { output, ad: same('ad-published'), wishart: same('two-sided-wishart') };
    });
}

export const claims = [
  {
    claim: 'The adaptive split (AD) and the uniform one (IT-U) do about equally well.',
    where: 'figure 1',
    ours: (csv) => {
      const all = ratios(csv, 'ad', 'it-u');
      return `AD / IT-U, same exponents: ${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`;
    },
    verdict: (csv) =>
      verdictOf(ratios(csv, 'ad', 'it-u').map((ratio) => Math.abs(ratio - 1) <= 0.1)),
  },
  beats('AD has less error than Laplace noise of scale 2d / epsilon.', 'laplace-published'),
  beats('AD has less error than Kapralov and Talwar’s method.', 'kt'),
  ...[1e-16, 1e-10, 1e-3].map((delta) =>
    beats(
      `AD has less error than Gaussian noise of delta ${delta.toExponential(0)}.`,
      'gaussian-classical',
      delta,
    ),
  ),
  {
    claim: 'AD estimates the covariance: it is closer to it than the zero matrix.',
    where: 'implied by figure 1',
    ours: (csv) =>
      REAL.map((set) => {
        const at = wins(csv, set, 'ad-published', ['zero']);
        return `${SETS[set]}: ${at.length > 0 ? `at ${listed(at)}` : 'at no epsilon'}`;
      }).join('; '),
    verdict: (csv) =>
      verdictOf(REAL.map((set) => wins(csv, set, 'ad-published', ['zero']).length > 0)),
  },
  {
    claim: 'Directions are drawn exactly and efficiently: few proposals are rejected.',
    where: 'section on sampling',
    ours: (csv) => {
      const rows = csv('proposals').filter(
        (row) => row.set !== 'simulated' && row.method === 'ad-published',
      );
      const mean = Math.max(...rows.map((row) => row.mean));
      const first = Math.max(...rows.map((row) => row.first));
      return `AD: median ${Math.max(...rows.map((row) => row.median))}, mean at most ${mean.toFixed(2)} proposals; ${first.toFixed(2)} for the first direction`;
    },
    verdict: (csv) =>
      verdictOf(
        csv('proposals')
          .filter((row) => row.set !== 'simulated' && row.method === 'ad-published')
          .map((row) => row.mean < 2),
      ),
  },
  {
    claim: 'The advantage over Kapralov and Talwar grows with the dimension.',
    where: 'comparison of the bounds',
    ours: (csv) =>
      gaps(csv)
        .map(
          ({ set, epsilon, first, last }) =>
            `${set}, epsilon ${epsilon}: KT / AD from ${first.toFixed(2)} to ${last.toFixed(2)}`,
        )
        .join('; '),
    verdict: (csv) => verdictOf(gaps(csv).map(({ first, last }) => last > 1.1 * first)),
  },
  {
    claim: 'Ridge regression from the released covariance beats output perturbation.',
    where: 'appendix C',
    ours: (csv) => {
      const pairs = ridgePairs(csv);
      const ad = pairs.map((pair) => pair.ad.excess_high < pair.output.excess_low);
      const wishart = pairs.map((pair) => pair.wishart.excess_high < pair.output.excess_low);
      return `AD in ${share(ad)} settings of set, alpha and epsilon; two-sided Wishart in ${share(wishart)}`;
    },
    verdict: (csv) =>
      verdictOf(ridgePairs(csv).map((pair) => pair.ad.excess_high < pair.output.excess_low)),
  },
  {
    claim: 'The loss of ridge regression is bounded by the error of the covariance.',
    where: 'lemma 1; our form',
    ours: (csv) => {
      const rows = csv('ridge-excess').filter((row) => row.ratio !== null);
      const most = Math.max(...rows.map((row) => row.ratio));
      return `in every run; the excess is at most ${short(most)} of our bound`;
    },
    verdict: (csv) =>
      verdictOf(
        csv('ridge-excess')
          .filter((row) => row.ratio !== null)
          .map((row) => row.ratio <= 1),
      ),
  },
];
