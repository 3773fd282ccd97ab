import type { MechanismName } from 'private-moments';
import type { ComparedMechanism } from 'private-moments-research';
import { hasValues } from 'private-moments/internal';
import { bound, probability, roundedUp, significant } from 'private-moments/words';
import { isWithin } from 'private-moments/internal/elements';
import type { Known } from './comparer.js';
import { FACTS, reasonForNone } from './mechanism-words.js';

/** A row of the comparison: a mechanism that a study can name, or a published form. */
export interface Contender {
  /** Unique id. */
  id: string;
  title: string;
  /** The title beside a line and in a sentence. */
  label: string;
  /** Where it was published; empty for a mechanism that a study can name. */
  source: string;
  mechanism: ComparedMechanism;
  isPublished: boolean;
  /** The promise it makes or claims: "ε" or "(ε, δ)". */
  promise: string;
  /** How far a published claim holds, in words. */
  truth: string;
  numerics: string;
  gives: 'matrix' | 'directions' | 'weights';
  /** Whether it takes a number of directions. */
  isOfDirections: boolean;
  /** The fixed part of its note. */
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
      !isOfDirections || hasValues({ name: facts.name as MechanismName }) ? 'matrix' : 'directions',
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
    // Published forms of matrices accept a number of directions too, and ignore it.
    isOfDirections: true,
    note: '',
  }));

export const CONTENDERS: readonly Contender[] = [...known, ...published];

/**
 * Whether a claim holds at the points where it was run: `none` if no promise holds, `less` if only a weaker
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
  return isWithin(at.holds, { epsilon, delta: promise === 'ε' ? 0 : delta }) ? 'yes' : 'less';
}

/** The proved promise and the claimed one, in the parameter in which they differ. */
export function lessInWords({ asked, holds }: Pick<Known, 'asked' | 'holds'>): {
  of: 'epsilon' | 'delta';
  proved: string;
  claimed: string;
} {
  const { epsilon, delta } = holds ?? asked;
  if (isWithin({ epsilon, delta: 0 }, asked)) {
    const proved = `δ = ${probability(roundedUp(delta, 2))}`;
    return { of: 'delta', proved, claimed: probability(asked.delta) };
  }
  return { of: 'epsilon', proved: significant(epsilon, 3), claimed: bound(asked.epsilon) };
}

/** The note of a row, from its registry and its runs. */
export function noteOf(contender: Contender, at: Known | undefined, components: number): string {
  const { truth, gives, note, isPublished, promise } = contender;
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
      said.push(`more noise than needed: ε = ${significant(at.holds.epsilon, 3)} holds`);
    } else said.push('holds as claimed');
  }
  if (gives === 'weights') said.push('regression weights, no matrix');
  else if (gives === 'directions') {
    const what = components === 1 ? '1 direction' : `${components} directions`;
    said.push(`${what} without values, no matrix`);
  }
  if (at !== undefined && at.problem !== '') said.push(`not here: ${at.problem}`);
  return said.join('; ');
}
