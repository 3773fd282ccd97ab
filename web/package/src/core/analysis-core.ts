import sha256 from 'private-moments-analysis-sha256';
import { loadCore } from './core.js';
import { LazyModule, type LazySource } from './loader.js';
import type { AnalysisCore, Core } from './raw.js';

/**
 * The analyst's module, loaded besides the participant's. What starts it is imported at the first use, as
 * the pages of participants do without.
 */
const analyses = new LazyModule<AnalysisCore>(
  () => new URL('./private-moments-analysis.wasm', import.meta.url),
  sha256,
  async (options) => {
    const { default: factory } = await import('private-moments-analysis-glue');
    return factory(options);
  },
);

/** Replaces the source of the analyst's .wasm file, from the next use on. */
export function useAnalysisFrom(wasm: LazySource): void {
  analyses.useFrom(wasm);
}

/** The compiled analyst's module, to post to a worker. After a failure, the next call tries again. */
export function analysisModule(): Promise<WebAssembly.Module> {
  return analyses.compiled();
}

/** Both modules, running in this thread, as one object. */
export async function loadAnalysis(): Promise<Core> {
  const [release, analysis] = await Promise.all([loadCore(), analyses.started()]);
  return { ...analysis, ...release };
}
