import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { instantiate } from '../../web/package/src/core/loader.js';

/** A module of the package in this thread, for tests of the layers above it. */
export async function builtCore<T>(name: string): Promise<T> {
  const built = (extension: string) =>
    fileURLToPath(new URL(`../../build/wasm/${name}.${extension}`, import.meta.url));
  const { default: factory } = (await import(built('js'))) as {
    default: Parameters<typeof instantiate>[1];
  };
  return instantiate<T>(await WebAssembly.compile(readFileSync(built('wasm'))), factory);
}
