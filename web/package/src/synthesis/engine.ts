/** The page's side of the workers that synthesise. */
import { Engine } from '../engine.js';
import { ModuleFile } from '../loader.js';
import type { FromWorker, ToWorker } from '../protocol.js';
import { WorkerFile } from '../threads.js';
import type { LocalCounts } from '../types.js';
import type { RawDraw, RawSynthesis, SynthesisTerms } from './raw.js';

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

/** Holds the rows, and draws others; on the page it is only compiled. */
export const synthesisModule = new ModuleFile(
  () => new URL('./private-moments-synthesis.wasm', import.meta.url),
);

export const synthesisWorkers = new WorkerFile<
  ToWorker<SynthesisOrder>,
  FromWorker<SynthesisOutcome>
>(
  'synthesis-worker.js',
  () => new Worker(new URL('./synthesis-worker.js', import.meta.url), { type: 'module' }),
);

/** For one synthesis, whose rows are in the memory of its worker until it is retired. */
export function newSynthesis(): Engine<SynthesisOrder, SynthesisOutcome> {
  return new Engine(synthesisWorkers, () => synthesisModule.compiled());
}
