import { csvText, MECHANISM_FACTS, MECHANISM_WORDS } from 'private-moments/internal';
import type { AuditLook } from 'private-moments-research';
import { AUDITED_IN_STUDIES } from '../../src/generated/raw.js';
import type { AuditTrail } from './auditor.js';
import type { AuditFacts } from './audit-protocol.js';
import { fixed, significant } from 'private-moments/words';
import { isWithin } from 'private-moments/internal/elements';

/** A mechanism that can be audited. */
export interface Audited {
  name: string;
  title: string;
  /** What it promises, or what its paper claims. */
  promise: 'epsilon' | 'epsilon-delta' | 'none';
  /** Whether a study can name it; otherwise it is only a published form. */
  isInStudies: boolean;
  /** Why its promise is false, if that is known. */
  why?: string;
}

const IN_STUDIES = AUDITED_IN_STUDIES.map((name): Audited => ({
  name,
  title: MECHANISM_WORDS[name].title,
  promise: MECHANISM_FACTS[name].pure ? 'epsilon' : 'epsilon-delta',
  isInStudies: true,
}));

function published(
  name: string,
  title: string,
  promise: Audited['promise'],
  why?: string,
): Audited {
  return { name, title, promise, isInStudies: false, ...(why === undefined ? {} : { why }) };
}

const SUPPORT =
  'Its noise never lowers the sums, so an output below the sums of a data set rules that data set out.';

/** All auditable mechanisms, the default of a study first. */
export const AUDITED: readonly Audited[] = [
  ...IN_STUDIES,
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

/** The auditable mechanism of that name, else the default of a study. */
export function auditedBy(name: string): Audited {
  return AUDITED.find((known) => known.name === name) ?? DEFAULT;
}

/** Bounds below this are not reported. */
export const LEAST = 0.01;

/** A lower bound as text, rounded down. */
export function atLeast(value: number): string {
  return fixed(Math.floor(value * 100 + 1e-9) / 100, 2);
}

/** A promised epsilon as text. */
export function promisedText(epsilon: number): string {
  return epsilon >= 0.095 ? fixed(epsilon, 2) : significant(epsilon);
}

/**
 * What is known about a promise whatever attacks show: that it is proved, that it is false, or neither.
 * `none` if nothing is promised.
 */
export type Backing = 'proved' | 'false' | 'unproved' | 'none';

export function backingOf(
  { promised, guarantee, reads }: Pick<AuditFacts, 'promised' | 'guarantee' | 'reads'>,
  { why }: Audited,
): Backing {
  if (promised === null) return 'none';
  if (guarantee === null) return why === undefined ? 'unproved' : 'false';
  if (isWithin(guarantee, promised)) return 'proved';
  // The guarantee of normal noise is exact, so a stronger promise is false.
  return reads === 'normal' ? 'false' : 'unproved';
}

/**
 * The state of a promise: `broken` by attacks, `contradicted` by them although it is proved, or the backing
 * of one that they have not broken.
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

/** Verdicts in the order in which a finding states them. */
const VERDICT_ORDER: readonly Verdict[] = [
  'broken',
  'contradicted',
  'none',
  'false',
  'unproved',
  'proved',
];

/** The finding of several audits: the first, and one with another verdict, a proved one if possible. */
export function finding(audits: readonly Found[]): string {
  const [present, ...earlier] = audits.filter(({ verdict }) => verdict !== 'not-attacked');
  if (present === undefined) return 'The bound appears here as attacks run';
  const other = earlier
    .filter(({ verdict }) => verdict !== present.verdict)
    .sort((a, b) => VERDICT_ORDER.indexOf(b.verdict) - VERDICT_ORDER.indexOf(a.verdict))
    .at(present.verdict === 'proved' ? -1 : 0);
  const [first, second] = [present, ...(other === undefined ? [] : [other])].sort(
    (a, b) => VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict),
  ) as [Found, Found | undefined];
  const its = first.verdict === 'none' ? 'its promise' : 'its own';
  return `${verdictInWords(first, 'its promise')}${second === undefined ? '' : `; ${verdictInWords(second, its)}`}`;
}

function verdictInWords({ title, verdict, epsilon }: Found, promise: string): string {
  switch (verdict) {
    case 'not-attacked':
      return `${title} is not attacked yet`;
    case 'broken':
      return `${title} breaks ${promise}`;
    case 'contradicted':
      return `Attacks put ${title} above ${promise}, which is proved: chance or a bug`;
    case 'none':
      return `${title} promises nothing${epsilon < LEAST ? '' : `, and at least ε = ${atLeast(epsilon)} leaks`}`;
    case 'false':
      return `${title} has not been shown to break ${promise} yet, but is known to break it`;
    case 'unproved':
      return `${title} has not been shown to break ${promise}, which has no proof here`;
    case 'proved':
      return epsilon < LEAST ? `${title}: nothing shown yet` : `${title} stays below ${promise}`;
  }
}

/** How many of 100 guesses were right. */
export function rightGuesses({ tried, hits, alarms }: AuditLook): number {
  return (100 * (hits + tried - alarms)) / (2 * tried);
}

/** Every look at every audit, one line each. */
export function auditCsv(trails: readonly AuditTrail[]): string {
  const header = [
    ...['mechanism', 'promised_epsilon', 'delta', 'attacks', 'tried', 'first_of_first'],
    ...['first_of_second', 'epsilon_at_least'],
  ];
  const lines = trails.flatMap(({ question, facts, looks }) =>
    looks.map(({ runs, tried, hits, alarms, epsilon }) => [
      ...[question.mechanism, facts?.promised?.epsilon, facts?.delta],
      ...[runs, tried, hits, alarms, epsilon],
    ]),
  );
  return csvText(header, lines);
}

/** Shorter waits are not announced. */
const SHORT_SECONDS = 10;

/** How long attacks will take: "about 40 s", "about 3 min"; empty if unknown, or less than ten seconds. */
export function durationInWords(attacks: number, speed: number | undefined): string {
  if (speed === undefined || !(speed > 0)) return '';
  const seconds = attacks / speed;
  if (seconds < SHORT_SECONDS) return '';
  if (seconds < 90) return `about ${5 * Math.ceil(seconds / 5)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `about ${minutes} min` : `about ${Math.ceil(minutes / 60)} h`;
}
