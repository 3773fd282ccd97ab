import factory from 'private-moments-glue';
import sha256 from 'private-moments-sha256';
import { instantiate, LazyModule, type LazySource } from './loader.js';
import type { ReleaseCore } from './raw.js';

/** The participant's module: rows in, one release out. */
const releases = new LazyModule<ReleaseCore>(
  () => new URL('./private-moments.wasm', import.meta.url),
  sha256,
  factory,
);

/** Replaces the source of the participant's .wasm file, from the next use on. */
export function useCoreFrom(wasm: LazySource): void {
  releases.useFrom(wasm);
}

/** The compiled participant's module. After a failure, the next call tries again. */
export function coreModule(): Promise<WebAssembly.Module> {
  return releases.compiled();
}

/** The participant's module, running in this thread. */
export function loadCore(): Promise<ReleaseCore> {
  return releases.started();
}

/** Starts another instance of a compiled module, as a worker does with the one posted to it. */
export function startCore(module: WebAssembly.Module): Promise<ReleaseCore> {
  return instantiate<ReleaseCore>(module, factory);
}
