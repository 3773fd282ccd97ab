/** All workers in one script, for the package in one file: a name says which of them this is. */
import { service as analysis } from './analysis/analysis-service.js';
import { service as release } from './intake/release-service.js';
import { service as synthesis } from './synthesis/synthesis-service.js';
import { serve } from './threads/serve.js';

const { privateMomentsWorker } = globalThis as { privateMomentsWorker?: string };
if (privateMomentsWorker === 'worker.js') serve(release());
else if (privateMomentsWorker === 'analysis-worker.js') serve(analysis());
else serve(synthesis());
