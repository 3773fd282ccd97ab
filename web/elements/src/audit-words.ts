import type { AuditLook } from 'private-moments/research';
import type { AuditTrail } from './auditor.js';
import type { AuditFacts } from './audit-protocol.js';
import { fixed, significant } from './format.js';
import { keeps } from './promise.js';

/** A mechanism that can be audited. */
export interface Audited {
  name: string;
  title: string;
  /** What it promises, or its paper did. */
  promise: 'epsilon' | 'epsilon-delta' | 'none';
  /** Whether a study can name it, or only papers do. */
  isInStudies: boolean;
  /** Why its promise is false, where it is known to be. */
  why?: string;
}

function inStudies(name: string, title: string, promise: Audited['promise']): Audited {
  return { name, title, promise, isInStudies: true };
}

function published(
  name: string,
  title: string,
  promise: Audited['promise'],
  why?: string,
): Audited {
  return { name, title, promise, isInStudies: false, ...(why === undefined ? {} : { why }) };
}

const SUPPORT =
  'Its noise never lowers the sums, so an output below those of a data set shows that this was not the one.';

/** All of them, the default of a study first. */
export const AUDITED: readonly Audited[] = [
  inStudies('gaussian', 'Gaussian', 'epsilon-delta'),
  inStudies('two-sided-wishart', 'Two-sided Wishart', 'epsilon'),
  inStudies('laplace', 'Laplace', 'epsilon'),
  inStudies('frobenius', 'Frobenius', 'epsilon'),
  inStudies('wishart', 'Wishart', 'epsilon-delta'),
  inStudies('eigenvector-sampling', 'Eigenvector sampling', 'epsilon'),
  inStudies('power-method', 'Power method', 'epsilon-delta'),
  inStudies('ppca', 'PPCA', 'epsilon'),
  published('non-private', 'No noise', 'none', 'Nothing is added: every guess is right.'),
  published('laplace-2d', 'Laplace of scale 2d/ε', 'epsilon'),
  published(
    'analyze-gauss-classical',
    'Analyze Gauss, classical formula',
    'epsilon-delta',
    'Its formula is for ε up to 1, and gives too little noise where ε is much larger.',
  ),
  published(
    'analyze-gauss-one-over-n',
    'Analyze Gauss with sensitivity 1/n',
    'epsilon-delta',
    'Its noise is for a row replaced by zeros. Two rows can be further apart.',
  ),
  published('symmetric-noise', 'Symmetric noise (SN), withdrawn', 'epsilon', SUPPORT),
  published('jiang-wishart', 'Wishart mechanism of 2016', 'epsilon', SUPPORT),
  published('sheffet-wishart', 'Additive Wishart noise', 'epsilon-delta'),
  published('kapralov-talwar', 'Kapralov and Talwar', 'epsilon'),
  published('amin-iterative', 'Amin et al., adaptive split', 'epsilon'),
  published('ppca-gibbs', 'PPCA by a Markov chain', 'epsilon'),
  published('hardt-price', 'Hardt and Price', 'epsilon-delta'),
  published('output-perturbation', 'Output perturbation', 'epsilon'),
];

const [DEFAULT] = AUDITED as [Audited];

/** By name; the default of a study where there is none. */
export function auditedBy(name: string): Audited {
  return AUDITED.find((known) => known.name === name) ?? DEFAULT;
}

/** Bounds below this are not worth telling. */
export const LEAST = 0.01;

/** A lower bound is never shown larger than it is. */
export function atLeast(value: number): string {
  return fixed(Math.floor(value * 100 + 1e-9) / 100, 2);
}

/** An epsilon of a promise. */
export function promisedText(epsilon: number): string {
  return epsilon >= 0.095 ? fixed(epsilon, 2) : significant(epsilon);
}

/**
 * What is known of a promise whatever attacks show: a proof of it, that it is false, or neither. `none`
 * where nothing is promised.
 */
export type Backing = 'proved' | 'false' | 'unproved' | 'none';

export function backingOf(
  { promised, guarantee, reads }: Pick<AuditFacts, 'promised' | 'guarantee' | 'reads'>,
  { why }: Audited,
): Backing {
  if (promised === null) return 'none';
  if (guarantee === null) return why === undefined ? 'unproved' : 'false';
  if (keeps(guarantee, promised)) return 'proved';
  // What holds of normal noise is exact, so that less does not.
  return reads === 'normal' ? 'false' : 'unproved';
}

/**
 * What to say of a promise: `broken` by attacks, `contradicted` where it has a proof all the same, or
 * what is known of one that they have not broken.
 */
export type Verdict = 'not-attacked' | 'broken' | 'contradicted' | Backing;

export function verdictOf({ question, looks, facts }: AuditTrail): Verdict {
  const last = looks.at(-1);
  if (last === undefined || facts === undefined) return 'not-attacked';
  const backing = backingOf(facts, auditedBy(question.mechanism));
  if (facts.promised === null || last.epsilon <= facts.promised.epsilon) return backing;
  return backing === 'proved' ? 'contradicted' : 'broken';
}

/** One audit, for a sentence about several. */
export interface Found {
  title: string;
  verdict: Verdict;
  /** At least so much leaks. */
  epsilon: number;
}

/** In the order in which they are told. */
const TOLD: readonly Verdict[] = ['broken', 'contradicted', 'none', 'false', 'unproved', 'proved'];

/** What audits have found: of the first, and of another that came out otherwise, the proved before all. */
export function finding(audits: readonly Found[]): string {
  const [present, ...earlier] = audits.filter(({ verdict }) => verdict !== 'not-attacked');
  if (present === undefined) return 'The bound will climb here';
  const other = earlier
    .filter(({ verdict }) => verdict !== present.verdict)
    .sort((a, b) => TOLD.indexOf(b.verdict) - TOLD.indexOf(a.verdict))
    .at(present.verdict === 'proved' ? -1 : 0);
  const [first, second] = [present, ...(other === undefined ? [] : [other])].sort(
    (a, b) => TOLD.indexOf(a.verdict) - TOLD.indexOf(b.verdict),
  ) as [Found, Found | undefined];
  const its = first.verdict === 'none' ? 'its promise' : 'its own';
  return `${toldOf(first, 'its promise')}${second === undefined ? '' : `; ${toldOf(second, its)}`}`;
}

function toldOf({ title, verdict, epsilon }: Found, promise: string): string {
  switch (verdict) {
    case 'not-attacked':
      return `${title} is not attacked yet`;
    case 'broken':
      return `${title} breaks ${promise}`;
    case 'contradicted':
      return `Attacks put ${title} above ${promise}, which is proved: by chance, or by a fault`;
    case 'none':
      return `${title} promises nothing${epsilon < LEAST ? '' : `, and at least ε = ${atLeast(epsilon)} leaks`}`;
    case 'false':
      return `${title} is not shown to break ${promise} yet, but is known to`;
    case 'unproved':
      return `${title} is not shown to break ${promise}, which has no proof here`;
    case 'proved':
      return `${title} keeps below ${promise}`;
  }
}

/** How often the guess was right, in 100. */
export function rightGuesses({ tried, hits, alarms }: AuditLook): number {
  return (100 * (hits + tried - alarms)) / (2 * tried);
}

export function auditCsv(trails: readonly AuditTrail[]): string {
  const lines = trails.flatMap(({ question, facts, looks }) =>
    looks.map((look) =>
      [
        question.mechanism,
        facts?.promised?.epsilon ?? '',
        facts?.delta ?? '',
        look.runs,
        look.tried,
        look.hits,
        look.alarms,
        look.epsilon,
      ].join(','),
    ),
  );
  return [
    'mechanism,promised_epsilon,delta,attacks,tried,first_of_first,first_of_second,epsilon_at_least',
    ...lines,
    '',
  ].join('\n');
}
