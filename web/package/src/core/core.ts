import analysisFactory from 'private-moments-analysis-glue';
import factory from 'private-moments-glue';
import { instantiate, LazyModule, type WasmSource } from './loader.js';
import type { AnalysisCore, Core, ReleaseCore } from './raw.js';

/** The participant's module: rows in, one release out. */
const releases = new LazyModule<ReleaseCore>(
  () => new URL('./private-moments.wasm', import.meta.url),
  factory,
);

/** The analyst's module, loaded besides. */
const analyses = new LazyModule<AnalysisCore>(
  () => new URL('./private-moments-analysis.wasm', import.meta.url),
  analysisFactory,
);

/** Replaces the source of the participant's .wasm file, from the next use on. */
export function useCoreFrom(wasm: WasmSource): void {
  releases.useFrom(wasm);
}

/** Replaces the source of the analyst's .wasm file, from the next use on. */
export function useAnalysisFrom(wasm: WasmSource): void {
  analyses.useFrom(wasm);
}

/** The compiled participant's module. After a failure, the next call tries again. */
export function coreModule(): Promise<WebAssembly.Module> {
  return releases.compiled();
}

/** The compiled analyst's module, to post to a worker. After a failure, the next call tries again. */
export function analysisModule(): Promise<WebAssembly.Module> {
  return analyses.compiled();
}

/** The participant's module, running in this thread. */
export function loadCore(): Promise<ReleaseCore> {
  return releases.started();
}

/** Both modules, running in this thread, as one object. */
export async function loadAnalysis(): Promise<Core> {
  const [release, analysis] = await Promise.all([releases.started(), analyses.started()]);
  return { ...analysis, ...release };
}

/** Starts another instance of a compiled module, as a worker does with the one posted to it. */
export function startCore(module: WebAssembly.Module): Promise<ReleaseCore> {
  return instantiate<ReleaseCore>(module, factory);
}
