/** The orders to a synthesis worker, and its outcomes. */
import type { LocalCounts } from '../study/types.js';
import type { RawSynthesis } from '../generated/raw.js';
import type { RawDraw, SynthesisTerms } from './raw.js';

/** `public` reads public rows for a projection. `private` comes last and reads the rows to synthesise from. */
export type SynthesisOrder =
  | { task: 'public'; terms: SynthesisTerms }
  | {
      task: 'private';
      terms: SynthesisTerms;
      draw: Omit<RawDraw, 'seed'> & { seed: number | null };
    };

/** An outcome never contains rows that were read. */
export type SynthesisOutcome =
  | { task: 'public' }
  | { task: 'private'; version: string; local: LocalCounts; synthesis: RawSynthesis };
