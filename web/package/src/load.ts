import { requireOptions } from './base/check.js';
import { retireAnalyst, useAnalysisWorkerFrom } from './analysis/analyst.js';
import { useAnalysisFrom } from './core/analysis-core.js';
import { loadCore, useCoreFrom } from './core/core.js';
import type { WasmSource } from './core/loader.js';
import { releases } from './intake/release-workers.js';
import { synthesisModule, synthesisWorkers } from './synthesis/engine.js';

export interface LoadOptions {
  /** URL, bytes or compiled module of `private-moments.wasm`, for bundlers that move the file. */
  wasm?: WasmSource;
  /** The same for `private-moments-analysis.wasm`, which `assemble` and `forecast` load. */
  analysisWasm?: WasmSource;
  /** The same for `private-moments-synthesis.wasm`, which `synthesize` loads. */
  synthesisWasm?: WasmSource;
  /** URL of worker.js, for bundlers that do not resolve it. */
  worker?: string | URL;
  /** URL of analysis-worker.js, which `moments.inWorker` starts. */
  analysisWorker?: string | URL;
  /** URL of synthesis-worker.js, which `synthesize` starts. */
  synthesisWorker?: string | URL;
}

/**
 * Loads the WebAssembly core now and not at the first use, or sets where files are loaded from. Optional:
 * the other functions load what they need, once.
 * @throws PrivateMomentsError `core-unavailable`, `unsupported-option`
 */
export async function load(options: LoadOptions = {}): Promise<void> {
  requireOptions(options, [
    ...['wasm', 'analysisWasm', 'synthesisWasm'],
    ...['worker', 'analysisWorker', 'synthesisWorker'],
  ]);
  const { wasm, analysisWasm, synthesisWasm, worker, analysisWorker, synthesisWorker } = options;
  if (wasm !== undefined) useCoreFrom(wasm);
  if (analysisWasm !== undefined) useAnalysisFrom(analysisWasm);
  if (synthesisWasm !== undefined) synthesisModule.useFrom(synthesisWasm);
  if (synthesisWorker !== undefined) synthesisWorkers.useFrom(synthesisWorker);
  if (worker !== undefined) releases.useWorkerFrom(worker);
  if (analysisWorker !== undefined) useAnalysisWorkerFrom(analysisWorker);
  if (analysisWasm !== undefined || analysisWorker !== undefined) await retireAnalyst();
  if (wasm !== undefined || worker !== undefined) await releases.retire();
  await loadCore();
}
