import analysisFactory from 'private-moments-analysis-glue';
import factory from 'private-moments-glue';
import { instantiate, LazyModule, type WasmSource } from './loader.js';
import type { AnalysisCore, Core, ReleaseCore } from './raw.js';

/** What a participant needs: rows in, one release out. */
const releases = new LazyModule<ReleaseCore>(
  () => new URL('./private-moments.wasm', import.meta.url),
  factory,
);

/** What an analyst needs besides. */
const analyses = new LazyModule<AnalysisCore>(
  () => new URL('./private-moments-analysis.wasm', import.meta.url),
  analysisFactory,
);

/** Names another place for a .wasm file; the next use loads from there. */
export function useCoreFrom(wasm: WasmSource): void {
  releases.useFrom(wasm);
}

export function useAnalysisFrom(wasm: WasmSource): void {
  analyses.useFrom(wasm);
}

/** The compiled module. A failure is forgotten, so that a later call tries again. */
export function coreModule(): Promise<WebAssembly.Module> {
  return releases.compiled();
}

/** The compiled module of the analyses, for a thread of their own. */
export function analysisModule(): Promise<WebAssembly.Module> {
  return analyses.compiled();
}

/** The running core of this thread. */
export function loadCore(): Promise<ReleaseCore> {
  return releases.started();
}

/** Both cores of this thread as one. */
export async function loadAnalysis(): Promise<Core> {
  const [release, analysis] = await Promise.all([releases.started(), analyses.started()]);
  return { ...analysis, ...release };
}

/** A core of its own from a module compiled elsewhere: what the worker does with what it is sent. */
export function startCore(module: WebAssembly.Module): Promise<ReleaseCore> {
  return instantiate<ReleaseCore>(module, factory);
}
