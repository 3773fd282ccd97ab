import { coreModule } from '../core/core.js';
import { Engine } from './engine.js';
import type { ReleaseOrder, ReleaseOutcome } from './protocol.js';
import { WorkerFile } from '../threads/threads.js';

/** The workers that make releases. */
export const releases = new Engine<ReleaseOrder, ReleaseOutcome>(
  new WorkerFile(
    'worker.js',
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
    () => import('./release-here.js'),
  ),
  coreModule,
);
