import { MECHANISM_FACTS, MECHANISM_WORDS, type MechanismWords } from '../generated/mechanisms.js';
import { MECHANISMS } from '../study/mechanism.js';
import type { Content, MechanismName, Neighbours, Numerics, Unit } from '../study/types.js';

/** A mechanism that a study can name. d features, rows of length at most 1, delta as in the study. */
export interface MechanismInfo extends MechanismWords {
  name: MechanismName;
  content: Content;
  numerics: Numerics;
  /** Releases of several participants sum to a release of their sum. */
  additive: boolean;
  /** What is released is positive semidefinite. */
  psd: boolean;
  guarantee: 'epsilon' | '(epsilon, delta)';
  neighbours: Neighbours[];
  units: Unit[];
}

/** Every mechanism that a study can name, the default for delta above 0 first. */
export function mechanisms(): Promise<MechanismInfo[]> {
  return Promise.resolve(
    MECHANISMS.map((name) => {
      const { content, numerics, additive, psd, pure, neighbours, units } = MECHANISM_FACTS[name];
      return {
        name,
        content,
        numerics,
        additive,
        psd,
        ...MECHANISM_WORDS[name],
        guarantee: pure ? 'epsilon' : '(epsilon, delta)',
        neighbours: [...neighbours],
        units: [...units],
      };
    }),
  );
}
