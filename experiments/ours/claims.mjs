// What this library's pages claim, and what the CSVs say, at the worst real set.
import { share, verdictOf } from '../support/claims.mjs';
import { method } from '../support/methods.mjs';
import {
  ccaCases,
  centringCases,
  clippingCases,
  expectedGrowth,
  isReal,
  largest,
  named,
  pureRatios,
  roundedGrowth,
  short,
  TARGETS,
} from './tables.mjs';

const smallest = (rows, value) => largest(rows, (row) => -value(row));

const count = (rows, holds) => `${share(rows.map(holds))} cases`;
const verdictFor = (rows, holds) => verdictOf(rows.map(holds));

const link = (page, words) => `[${words}](../${page})`;

// Pure epsilon

const fromThree = (csv) =>
  csv('pure-dimension').filter(
    (row) =>
      row.neighbours === 'replace-one' &&
      row.features >= 3 &&
      ['frobenius', 'laplace', 'laplace-published'].includes(row.method),
  );
const atTwo = (csv) =>
  csv('pure-dimension').filter(
    (row) =>
      row.neighbours === 'replace-one' &&
      row.features === 2 &&
      ['frobenius', 'laplace', 'laplace-published'].includes(row.method),
  );
const beforeGaussian = (csv) =>
  csv('pure-dimension').filter(
    (row) =>
      row.method === 'gaussian' && row.features <= (row.neighbours === 'replace-one' ? 6 : 15),
  );

// Shape

const shapes = (csv) => {
  const rows = csv('noise-shape');
  return rows
    .filter((row) => row.method === 'gaussian-upper' && isReal(row))
    .map((row) => ({
      ...row,
      formula: rows.find((o) => o.method === 'theory' && o.features === row.features).ratio,
    }))
    .map((row) => ({ ...row, off: Math.abs(row.ratio / row.formula - 1) }));
};

// CCA

/** Difference of a quantity to the best of the other ways, and the margin of both. */
function againstBest({ set, epsilon, of }, name, sign) {
  const own = of('cca-aware');
  const others = ['cca-floor', 'cca-ridge', 'cca-raw', 'random'].map(of);
  const best = largest(others, (row) => sign * row[name]);
  const margin = (row) => (row[`${name}_high`] - row[`${name}_low`]) / 2;
  return {
    set,
    epsilon,
    best,
    behind: sign * (best[name] - own[name]),
    doubt: Math.hypot(margin(own), margin(best)),
  };
}
const captured = (csv) =>
  ccaCases(csv)
    .filter(isReal)
    .map((c) => againstBest(c, 'captured', 1));
const errors = (csv) =>
  ccaCases(csv)
    .filter(isReal)
    .map((c) => againstBest(c, 'error', -1));
/** Behind the best other way by no more than chance and a twentieth. */
const keepsUp = (row) => row.behind <= row.doubt + 0.05;
const overRaw = (csv) =>
  ccaCases(csv)
    .filter(isReal)
    .map(({ set, epsilon, of }) => ({
      set,
      epsilon,
      ahead: of('cca-aware').captured - of('cca-raw').captured,
      lucky: of('cca-raw').captured_low <= of('random').captured_high,
    }));

// Attack

const attacks = (csv, key) => csv('joint-attack').filter((row) => row.method === key);
const asPredicted = (row) =>
  row.achieved_low <= row.predicted && row.predicted <= row.achieved_high;
const exceeds = (row) => row.achieved_low > row.claimed_delta;
const worstTrue = (csv, key) =>
  largest(
    csv('joint-accounting').filter((row) => row.method === key),
    (row) => row.epsilon / row.claimed_epsilon,
  );

// Split

const sums = (csv, mechanism) =>
  csv('split-pooled').filter(
    (row) => row.mechanism === mechanism && row.method.startsWith('split') && isReal(row),
  );
/** At most 3 % of noise more than expected, or no more than chance explains. */
const asExpected = (row) => row.ratio_low <= 1.03 * expectedGrowth(row);

// People

const peopleRatios = (csv, over, under) => {
  const rows = csv('people');
  const of = (row, key) =>
    rows.find((o) => o.set === row.set && o.people === row.people && o.method === key).error;
  return rows
    .filter((row) => row.method === over && row.people >= 100)
    .map((row) => ({ ...row, ratio: row.error / of(row, under) }));
};

// Denoise

const denoised = (csv) => csv('denoise-worst').filter(isReal);

// Clipping

const clipped = (csv) => clippingCases(csv).filter(isReal);
const gained = (csv) => clipped(csv).filter((row) => row.toWide < 0.9);

/** 3 % more noise than with the wide bound, or no more than chance explains. */
const costsLittle = (row) => row.toWide * (row.error_low / row.error) <= 1.04;

const caseOf = (row) => `${named(row.set)} at epsilon ${row.epsilon}`;

/** A claim about private centring: one of its targets, over all numbers of sites. */
function centringClaim(claim, { bar, cases, ratio }) {
  const found = (csv) => {
    const all = centringCases(csv);
    return cases(all)
      .filter(isReal)
      .map((row) => ({ ...row, value: ratio(row, all) }));
  };
  return {
    claim,
    where: link('mechanisms/centring.md', 'centring'),
    ours: (csv) => {
      const rows = found(csv);
      const worst = largest(rows, (row) => row.value);
      return `${count(rows, (row) => row.value <= bar)}; worst ${short(worst.value)} (${named(worst.set)}, ${worst.bounds} bounds, ${worst.sites === 1 ? 'one site' : `${worst.sites} sites`}, epsilon ${worst.epsilon})`;
    },
    verdict: (csv) => verdictFor(found(csv), (row) => row.value <= bar),
  };
}

export const claims = [
  {
    claim: 'Without delta, `two-sided-wishart` has the least error on every real set.',
    where: link(
      'mechanisms/two-sided-wishart.md#noise-size-and-when-to-prefer-it',
      'two-sided-wishart',
    ),
    ours: (csv) => {
      const worst = largest(pureRatios(csv).filter(isReal), (row) => row.ratio);
      return `at most ${short(worst.ratio)} times the best other (${named(worst.set)}, ${worst.features} columns)`;
    },
    verdict: (csv) => verdictFor(pureRatios(csv).filter(isReal), (row) => row.ratio < 1),
  },
  {
    claim: 'Under replace-one it loses to `frobenius` with up to two columns only.',
    where: link(
      'mechanisms/two-sided-wishart.md#noise-size-and-when-to-prefer-it',
      'two-sided-wishart',
    ),
    ours: (csv) => {
      const two = smallest(atTwo(csv), (row) => row.ratio);
      const more = smallest(fromThree(csv), (row) => row.ratio);
      return `two columns: ${method(two.method).label} has ${short(two.ratio)} of its error; from three on at least ${short(more.ratio)}`;
    },
    verdict: (csv) =>
      fromThree(csv).every((row) => row.ratio_high >= 1) &&
      atTwo(csv).some((row) => row.ratio_high < 1)
        ? 'agrees'
        : 'does not agree',
  },
  {
    claim:
      'At epsilon 1 it has less error than `gaussian` with delta 1e-6 with up to 6 columns (replace-one) and 15 (add-remove).',
    where: link(
      'mechanisms/two-sided-wishart.md#noise-size-and-when-to-prefer-it',
      'two-sided-wishart',
    ),
    ours: (csv) => {
      const least = smallest(beforeGaussian(csv), (row) => row.ratio);
      return `\`gaussian\` has at least ${short(least.ratio)} times its error there (${least.features} columns, ${least.neighbours})`;
    },
    verdict: (csv) => verdictFor(beforeGaussian(csv), (row) => row.ratio > 1),
  },
  {
    claim:
      'Rotation-invariant noise has √(2D/(D+1)) less root mean square error than the upper triangle, free.',
    where: link('mechanisms/gaussian.md', 'gaussian'),
    ours: (csv) => {
      const worst = largest(shapes(csv), (row) => row.off);
      return `measured within ${short(100 * worst.off)} % of the formula on every set (worst: ${named(worst.set)})`;
    },
    verdict: (csv) => verdictFor(shapes(csv), (row) => row.off < 0.01),
  },
  {
    claim: 'Noise-aware CCA captures more than raw whitening.',
    where: link('analysis.md', 'analysis'),
    ours: (csv) => {
      const rows = overRaw(csv);
      const worst = smallest(rows, (row) => row.ahead);
      const behind = rows.filter((row) => row.ahead <= 0);
      return `${count(rows, (row) => row.ahead > 0)}; worst: ${short(-worst.ahead)} behind (${caseOf(worst)}); where it is behind, raw whitening does no better than random directions in ${count(behind, (row) => row.lucky)}`;
    },
    verdict: (csv) => verdictFor(overRaw(csv), (row) => row.ahead > 0),
  },
  {
    claim: 'It captures as much as the best of floor, ridge, raw whitening and random directions.',
    where: link('analysis.md', 'analysis'),
    ours: (csv) => {
      const rows = captured(csv);
      const worst = largest(rows, (row) => row.behind - row.doubt);
      const clear = rows.filter((row) => row.best.captured >= 0.5);
      return `${count(rows, keepsUp)}, and ${count(clear, keepsUp)} where the best captures at least half; worst: ${short(worst.behind)} behind ${method(worst.best.method).label} (${caseOf(worst)})`;
    },
    verdict: (csv) => verdictFor(captured(csv), keepsUp),
  },
  {
    claim: 'Its correlations have no more error than the best of them.',
    where: link('analysis.md', 'analysis'),
    ours: (csv) => {
      const rows = errors(csv);
      const worst = largest(rows, (row) => row.behind - row.doubt);
      return `${count(rows, keepsUp)}; worst: ${short(worst.behind)} more than ${method(worst.best.method).label} (${caseOf(worst)})`;
    },
    verdict: (csv) => verdictFor(errors(csv), keepsUp),
  },
  {
    claim: 'Calibrated for one message, capeCCA does not keep its claim against all messages.',
    where: link('mechanisms/federation.md#who-sees-what-in-capecca', 'federation'),
    ours: (csv) => {
      const worst = worstTrue(csv, 'cape-message');
      const rows = attacks(csv, 'cape-message');
      return `epsilon up to ${short(worst.epsilon)} for ${worst.claimed_epsilon}; the attack exceeds the claimed delta in ${count(rows, exceeds)}`;
    },
    verdict: (csv) => verdictFor(attacks(csv, 'cape-message'), exceeds),
  },
  {
    claim: 'Nor does the formula of the paper, beyond the slack that it has.',
    where: link('mechanisms/federation.md#who-sees-what-in-capecca', 'federation'),
    ours: (csv) => {
      const rows = attacks(csv, 'cape-published');
      const worst = largest(rows, (row) => row.achieved);
      const small = rows.filter((row) => row.setting.startsWith('epsilon 1'));
      return `the attack exceeds the claimed delta in ${count(rows, exceeds)}, up to ${short(worst.achieved / worst.claimed_delta)} times; at epsilon 1 and delta 0.01 in ${count(small, exceeds)}`;
    },
    verdict: (csv) => verdictFor(attacks(csv, 'cape-published'), exceeds),
  },
  {
    claim: 'What the attack reaches is what the joint accounting says.',
    where: link('mechanisms/federation.md#who-sees-what-in-capecca', 'federation'),
    ours: (csv) => {
      const rows = csv('joint-attack').filter((row) => row.method !== 'claim');
      return `the prediction is within the interval in ${count(rows, asPredicted)}`;
    },
    verdict: (csv) => {
      const rows = csv('joint-attack').filter((row) => row.method !== 'claim');
      // Intervals are of 95 %, so some miss by chance.
      return rows.filter(asPredicted).length >= 0.9 * rows.length ? 'agrees' : 'does not agree';
    },
  },
  {
    claim: 'Calibrated jointly, no attack on all messages exceeds the claim.',
    where: link('mechanisms/federation.md', 'federation'),
    ours: (csv) => {
      const rows = attacks(csv, 'cape-joint');
      const worst = largest(rows, (row) => row.achieved);
      return `exceeds it in ${count(rows, exceeds)}; largest delta reached ${short(worst.achieved)} for ${worst.claimed_delta}`;
    },
    verdict: (csv) => verdictFor(attacks(csv, 'cape-joint'), (row) => !exceeds(row)),
  },
  {
    claim: 'Masks cancel exactly.',
    where: link('federation.md', 'federation'),
    ours: (csv) => {
      const rows = csv('split-pooled').filter((row) => row.method.startsWith('split'));
      return `every word of every sum is the same without masks in ${count(rows, (row) => row.masks === 'equal')}`;
    },
    verdict: (csv) =>
      csv('split-pooled')
        .filter((row) => row.method.startsWith('split'))
        .every((row) => row.masks === 'equal')
        ? 'agrees'
        : 'does not agree',
  },
  {
    claim:
      'With `gaussian`, a sum behind masks has the error of pooled rows if all sites are honest, and √(S/h) times that if h of S are.',
    where: link('mechanisms/federation.md', 'federation'),
    ours: (csv) => {
      const worst = largest(sums(csv, 'gaussian'), (row) => row.ratio / expectedGrowth(row));
      return `at most ${short(worst.ratio / expectedGrowth(worst))} times that (${named(worst.set)}, ${worst.sites} sites)`;
    },
    verdict: (csv) => verdictFor(sums(csv, 'gaussian'), asExpected),
  },
  {
    claim: 'The same with `two-sided-wishart`.',
    where: link('mechanisms/federation.md', 'federation'),
    ours: (csv) => {
      const rows = sums(csv, 'two-sided-wishart');
      const worst = largest(rows, (row) => row.ratio / expectedGrowth(row));
      return `${count(rows, asExpected)}; worst ${short(worst.ratio)} times pooled rows for ${short(expectedGrowth(worst))} (${named(worst.set)}, ${worst.sites} sites)`;
    },
    verdict: (csv) => verdictFor(sums(csv, 'two-sided-wishart'), asExpected),
  },
  {
    claim:
      'It loses a factor of up to 1 + h/(D + 2) in variance, by rounding degrees of freedom up.',
    where: link('mechanisms/federation.md#noise-size-and-when-to-prefer-it', 'federation'),
    ours: (csv) => {
      const rows = sums(csv, 'two-sided-wishart');
      const worst = largest(rows, (row) => row.ratio / roundedGrowth(row));
      return `at most ${short(worst.ratio / roundedGrowth(worst))} times that (${named(worst.set)}, ${worst.sites} sites)`;
    },
    verdict: (csv) =>
      verdictFor(
        sums(csv, 'two-sided-wishart'),
        (row) => row.ratio_low <= 1.03 * roundedGrowth(row),
      ),
  },
  {
    claim:
      'Unit participant protects people at the error of one row a person, times √1.5 for a third that may collude.',
    where: link('how-to/several-rows-a-person.md', 'several rows a person'),
    ours: (csv) => {
      const rows = peopleRatios(csv, 'participant', 'first-row');
      const worst = largest(rows, (row) => row.ratio);
      return `at most ${short(worst.ratio)} times (${worst.set}, ${worst.people} people); unit row claims epsilon ${short(csv('people').find((row) => row.method === 'row-claimed').epsilon_of_a_person)} as 1`;
    },
    verdict: (csv) =>
      verdictFor(peopleRatios(csv, 'participant', 'first-row'), (row) => row.ratio < 1.35),
  },
  {
    claim: '`denoise` is never more than 5 % worse than the best of eight other estimates.',
    where: link('analysis.md#denoise', 'analysis'),
    ours: (csv) => {
      const worst = largest(denoised(csv), (row) => row.ratio);
      return `${count(denoised(csv), (row) => row.ratio <= 1.05)} of set and mechanism; at most ${short(worst.ratio)} times (${named(worst.set)}, \`${worst.mechanism}\`)`;
    },
    verdict: (csv) => verdictFor(denoised(csv), (row) => row.ratio <= 1.05),
  },
  {
    claim: 'An adaptive radius makes up for a bound that is four times too wide.',
    where: link('mechanisms/adaptive-clipping.md', 'adaptive clipping'),
    ours: (csv) => {
      const rows = clipped(csv);
      const worst = largest(rows, (row) => row.toRight);
      return `at most 1.1 times the error of the right bound in ${count(rows, (row) => row.toRight <= 1.1)}; worst ${short(worst.toRight)} times (${caseOf(worst)})`;
    },
    verdict: (csv) => verdictFor(clipped(csv), (row) => row.toRight <= 1.1),
  },
  {
    claim: 'Where it cannot, it costs 3 % of noise.',
    where: link('mechanisms/adaptive-clipping.md', 'adaptive clipping'),
    ours: (csv) => {
      const rows = clipped(csv);
      const worst = largest(rows, (row) => row.toWide);
      return `gains in ${gained(csv).length} of ${rows.length} cases; at most ${short(worst.toWide)} times the error of the wide bound elsewhere (${caseOf(worst)})`;
    },
    verdict: (csv) => verdictFor(clipped(csv), costsLittle),
  },
  centringClaim('Private centring is never more than 5 % worse than no centring.', TARGETS[0]),
  centringClaim(
    'With careful bounds it halves the error wherever n epsilon / D is above 50.',
    TARGETS[1],
  ),
  centringClaim(
    'Careful bounds cost at most 1.3 times the error of an expert’s, with n epsilon / D above 100.',
    TARGETS[2],
  ),
];
