import type { ComparedMechanism } from 'private-moments/research';
import { hasValues } from '../../package/src/mechanism.js';
import type { Known } from './comparer.js';
import { bound, probability, significant } from './format.js';
import { FACTS, reasonForNone } from './mechanism-words.js';
import { keeps } from './promise.js';
import { roundedUp } from './scale.js';

/** A row of the comparison: what a study can name, or what was published. */
export interface Contender {
  /** Tells it from all others. */
  id: string;
  title: string;
  /** The same beside a line and in a sentence. */
  label: string;
  /** Where it was published; empty for what a study can name. */
  source: string;
  mechanism: ComparedMechanism;
  isPublished: boolean;
  /** The promise it makes or claims: "ε" or "(ε, δ)". */
  promise: string;
  /** What holds of a published claim, in words. */
  truth: string;
  numerics: string;
  gives: 'matrix' | 'directions' | 'weights';
  /** Whether it draws as many directions as it is asked for. */
  isOfDirections: boolean;
  /** What its row says whatever the numbers are. */
  note: string;
}

const first = (promise: string): string =>
  FACTS.mechanisms.find(({ guarantee }) => guarantee === promise)?.name ?? '';
/** The registry has the default of each kind first. */
const DEFAULTS: Record<string, string> = {
  [first('(ε, δ)')]: 'default',
  [first('ε')]: 'default without δ',
};

const known = FACTS.mechanisms.flatMap((facts): Contender[] => {
  const isOfDirections = facts.releases === 'directions';
  const one: Contender = {
    id: facts.name,
    title: facts.title,
    label: facts.title,
    source: '',
    mechanism: { name: facts.name },
    isPublished: false,
    promise: facts.guarantee,
    truth: '',
    numerics: facts.numerics,
    gives:
      !isOfDirections || hasValues({ name: facts.name as 'ppca', components: 1 })
        ? 'matrix'
        : 'directions',
    isOfDirections,
    note: DEFAULTS[facts.name] ?? '',
  };
  if (facts.name !== 'gaussian') return [one];
  return [
    { ...one, title: `${facts.title}, rotation-invariant` },
    {
      ...one,
      id: 'gaussian upper-triangle',
      title: `${facts.title}, upper triangle`,
      label: 'upper triangle',
      mechanism: { name: facts.name, shape: 'upper-triangle' },
      note: 'the shape of the papers',
    },
  ];
});

const published = FACTS.published
  .filter(({ name }) => name !== 'non-private')
  .map(({ name, source, claim, truth, output }): Contender => ({
    id: name,
    title: name,
    label: name,
    source,
    mechanism: { name },
    isPublished: true,
    promise: claim,
    truth,
    numerics: 'idealized',
    gives: output as Contender['gives'],
    // Those that are not take any number of directions for an answer.
    isOfDirections: true,
    note: '',
  }));

export const CONTENDERS: readonly Contender[] = [...known, ...published];

/** What is drawn until somebody chooses. */
export const FIRST_LINES: readonly string[] = [
  'gaussian',
  'two-sided-wishart',
  'laplace',
  'eigenvector-sampling',
  'symmetric-noise',
];

/**
 * Whether what is claimed holds where it was run: `none` where no promise does, `less` where only a weaker
 * one is proved.
 */
export type Holding = 'yes' | 'less' | 'none';

export function holdingOf(
  { isPublished, promise, truth }: Contender,
  at: Known | undefined,
): Holding {
  if (!isPublished) return 'yes';
  if (reasonForNone(truth) !== undefined) return 'none';
  if (at?.holds == null) return 'yes';
  const { epsilon, delta } = at.asked;
  return keeps(at.holds, { epsilon, delta: promise === 'ε' ? 0 : delta }) ? 'yes' : 'less';
}

/** What is proved in place of what is claimed, and the claim. */
export function lessInWords({ asked, holds }: Pick<Known, 'asked' | 'holds'>): {
  of: 'epsilon' | 'delta';
  proved: string;
  claimed: string;
} {
  const { epsilon, delta } = holds ?? asked;
  if (keeps({ epsilon, delta: 0 }, asked)) {
    const proved = `δ = ${probability(roundedUp(delta, 2))}`;
    return { of: 'delta', proved, claimed: probability(asked.delta) };
  }
  return { of: 'epsilon', proved: significant(epsilon, 3), claimed: bound(asked.epsilon) };
}

/** What to know of a row, from its registry and its runs. */
export function noteOf(contender: Contender, at: Known | undefined, components: number): string {
  const { truth, gives, numerics, note, isPublished, promise } = contender;
  const said: string[] = [];
  if (note !== '') said.push(note);
  if (!isPublished && promise === 'ε' && note === '') said.push('no δ needed');
  const reason = reasonForNone(truth);
  if (reason !== undefined) said.push(`flawed: claims ${promise}; ${reason.split('. ')[0] ?? ''}`);
  else if (isPublished && at?.holds != null) {
    if (holdingOf(contender, at) === 'less') {
      const { of, proved, claimed } = lessInWords(at);
      said.push(
        of === 'epsilon'
          ? `flawed: claims ε = ${claimed}, ${proved} holds`
          : `claims δ = ${claimed}, ${proved} is proved`,
      );
    } else if (at.holds.epsilon < 0.95 * at.asked.epsilon) {
      said.push(`more noise than it takes: ε = ${significant(at.holds.epsilon, 3)} holds`);
    } else said.push('holds as claimed');
  }
  if (gives === 'weights') said.push('weights of a regression, no matrix');
  else if (gives === 'directions') {
    const what = components === 1 ? '1 direction' : `${components} directions`;
    said.push(`${what} without values, no matrix`);
  }
  if (!isPublished && numerics === 'idealized') said.push('safe in real arithmetic only');
  if (at !== undefined && at.problem !== '') said.push(`not here: ${at.problem}`);
  return said.join('; ');
}
