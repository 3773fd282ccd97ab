/** The page's side of the synthesis workers. */
import sha256 from 'private-moments-synthesis-sha256';
import { Engine } from '../intake/engine.js';
import { ModuleFile } from '../core/loader.js';
import { WorkerFile } from '../threads/threads.js';
import type { SynthesisOrder, SynthesisOutcome } from './protocol.js';

/** The module that holds the rows and draws synthetic ones. The page only compiles it. */
export const synthesisModule = new ModuleFile(
  () => new URL('./private-moments-synthesis.wasm', import.meta.url),
  sha256,
);

export const synthesisWorkers = new WorkerFile(
  'synthesis-worker.js',
  () => new Worker(new URL('./synthesis-worker.js', import.meta.url), { type: 'module' }),
  () => import('./synthesis-service.js'),
);

/** Workers for one synthesis. The rows stay in a worker's memory until `retire` is called. */
export function newSynthesis(): Engine<SynthesisOrder, SynthesisOutcome> {
  return new Engine(synthesisWorkers, () => synthesisModule.compiled());
}
