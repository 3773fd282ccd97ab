import { requireOptions } from './base/check.js';
import { PrivateMomentsError } from './base/errors.js';
import { retireAnalyst, useAnalysisWorkerFrom } from './analysis/analyst.js';
import { useAnalysisFrom } from './core/analysis-core.js';
import { loadCore, useCoreFrom } from './core/core.js';
import type { WasmSource } from './core/loader.js';
import { releases } from './intake/release-workers.js';
import { workHere } from './threads/here.js';
import { synthesisModule, synthesisWorkers } from './synthesis/engine.js';

export interface LoadOptions {
  /** URL, bytes or compiled module of `private-moments.wasm`, for bundlers that move the file. */
  wasm?: WasmSource;
  /** The same for `private-moments-analysis.wasm`, which `assemble` and `forecast` load. */
  analysisWasm?: WasmSource;
  /** The same for `private-moments-synthesis.wasm`, which `synthesize` loads. */
  synthesisWasm?: WasmSource;
  /**
   * URL of worker.js, for bundlers that do not resolve it. With `false`, no workers are started from now on: what all
   * three would do is done on the calling thread, with the same results, until an address is set. It
   * pauses for other tasks while data are read, and for nothing while it computes.
   */
  worker?: string | URL | false;
  /** URL of analysis-worker.js, which `moments.inWorker` starts. */
  analysisWorker?: string | URL;
  /** URL of synthesis-worker.js, which `synthesize` starts. */
  synthesisWorker?: string | URL;
}

/**
 * Loads the WebAssembly core now and not at the first use, or sets where files are loaded from. Optional:
 * the other functions load what they need, once.
 * @throws PrivateMomentsError `core-unavailable`, `wrong-module`, `unsupported-option`
 *
 * @example
 * ```ts
 * await load({ wasm: '/assets/private-moments.wasm', worker: '/assets/worker.js' });
 * ```
 */
export async function load(options: LoadOptions = {}): Promise<void> {
  requireOptions(options, [
    ...['wasm', 'analysisWasm', 'synthesisWasm'],
    ...['worker', 'analysisWorker', 'synthesisWorker'],
  ]);
  const { wasm, analysisWasm, synthesisWasm, worker, analysisWorker, synthesisWorker } = options;
  if (worker === false && (analysisWorker ?? synthesisWorker) !== undefined) {
    throw new PrivateMomentsError(
      'unsupported-option',
      'worker: false is for all workers; leave out the addresses of others, or name that of worker.js',
      { field: 'worker' },
    );
  }
  if (wasm !== undefined) useCoreFrom(wasm);
  if (analysisWasm !== undefined) useAnalysisFrom(analysisWasm);
  if (synthesisWasm !== undefined) synthesisModule.useFrom(synthesisWasm);
  if (synthesisWorker !== undefined) synthesisWorkers.useFrom(synthesisWorker);
  if (worker !== undefined) workHere(worker === false);
  if (worker !== undefined && worker !== false) releases.useWorkerFrom(worker);
  if (analysisWorker !== undefined) useAnalysisWorkerFrom(analysisWorker);
  if ((analysisWasm ?? analysisWorker ?? worker) !== undefined) await retireAnalyst();
  if ((wasm ?? worker) !== undefined) await releases.retire();
  await loadCore();
}
