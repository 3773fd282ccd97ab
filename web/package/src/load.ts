import { requireKnown } from './check.js';
import { retireAnalyst, useAnalysisWorkerFrom } from './analyst.js';
import { loadCore, useAnalysisFrom, useCoreFrom } from './core.js';
import type { WasmSource } from './loader.js';
import { releases } from './releases.js';
import { synthesisModule, synthesisWorkers } from './synthesis/engine.js';

export interface LoadOptions {
  /** `private-moments.wasm`, its bytes, or the compiled module, for bundlers that move it elsewhere. */
  wasm?: WasmSource;
  /** Likewise `private-moments-analysis.wasm`, which is loaded when releases are assembled. */
  analysisWasm?: WasmSource;
  /** Likewise `private-moments-synthesis.wasm`, which `synthesize` loads. */
  synthesisWasm?: WasmSource;
  /** The address of worker.js, for bundlers that do not find it by themselves. */
  worker?: string | URL;
  /** Likewise of analysis-worker.js, which `moments.inWorker` starts. */
  analysisWorker?: string | URL;
  /** Likewise of synthesis-worker.js, which `synthesize` starts. */
  synthesisWorker?: string | URL;
}

/**
 * Loads the WebAssembly core now instead of at the first use, or from another place. Optional:
 * importing this package loads nothing, and using it loads what it needs, once.
 */
export async function load(options: LoadOptions = {}): Promise<void> {
  requireKnown(options, [
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
