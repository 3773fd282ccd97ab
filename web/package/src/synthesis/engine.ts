/** The page's side of the workers that synthesise. */
import { Engine } from '../intake/engine.js';
import { ModuleFile } from '../core/loader.js';
import { WorkerFile } from '../threads/threads.js';
import type { SynthesisOrder, SynthesisOutcome } from './protocol.js';

/** Holds the rows, and draws others; on the page it is only compiled. */
export const synthesisModule = new ModuleFile(
  () => new URL('./private-moments-synthesis.wasm', import.meta.url),
);

export const synthesisWorkers = new WorkerFile(
  'synthesis-worker.js',
  () => new Worker(new URL('./synthesis-worker.js', import.meta.url), { type: 'module' }),
);

/** For one synthesis, whose rows are in the memory of its worker until it is retired. */
export function newSynthesis(): Engine<SynthesisOrder, SynthesisOutcome> {
  return new Engine(synthesisWorkers, () => synthesisModule.compiled());
}
