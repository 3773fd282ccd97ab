import { coreModule } from './core.js';
import { Engine } from './engine.js';
import type { FromWorker, ReleaseOrder, ReleaseOutcome, ToWorker } from './protocol.js';
import { WorkerFile } from './threads.js';

/** What makes releases. */
export const releases = new Engine(
  new WorkerFile<ToWorker<ReleaseOrder>, FromWorker<ReleaseOutcome>>(
    'worker.js',
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
  ),
  coreModule,
);
