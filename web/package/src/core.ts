import factory from 'private-moments-glue';
import { compile, instantiate, type WasmSource } from './loader.js';
import type { Core } from './raw.js';

let source: WasmSource | undefined;
let compiled: Promise<WebAssembly.Module> | undefined;
let started: Promise<Core> | undefined;

/** Names another place for the .wasm file; the next use loads from there. */
export function useCoreFrom(wasm: WasmSource): void {
  source = wasm;
  compiled = undefined;
  started = undefined;
}

/** The compiled module. A failure is forgotten, so that a later call tries again. */
export function coreModule(): Promise<WebAssembly.Module> {
  compiled ??= compile(source ?? new URL('./private-moments.wasm', import.meta.url)).catch(
    (error: unknown) => {
      compiled = undefined;
      throw error;
    },
  );
  return compiled;
}

/** The running core of this thread. */
export function loadCore(): Promise<Core> {
  started ??= coreModule()
    .then((module) => instantiate<Core>(module, factory))
    .catch((error: unknown) => {
      started = undefined;
      throw error;
    });
  return started;
}

/** A core of its own from a module compiled elsewhere: what the worker does with what it is sent. */
export function startCore(module: WebAssembly.Module): Promise<Core> {
  return instantiate<Core>(module, factory);
}
