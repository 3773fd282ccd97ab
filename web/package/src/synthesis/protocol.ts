/** What the page and the workers that synthesise say to each other. */
import type { LocalCounts } from '../study/types.js';
import type { RawSynthesis } from '../generated/raw.js';
import type { RawDraw, SynthesisTerms } from './raw.js';

/** `public` reads rows that a projection is made of; `private`, last, those to synthesise from. */
export type SynthesisOrder =
  | { task: 'public'; terms: SynthesisTerms }
  | {
      task: 'private';
      terms: SynthesisTerms;
      draw: Omit<RawDraw, 'seed'> & { seed: number | null };
    };

/** Never rows that were read. */
export type SynthesisOutcome =
  | { task: 'public' }
  | { task: 'private'; version: string; local: LocalCounts; synthesis: RawSynthesis };
