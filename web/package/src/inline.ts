/**
 * The package in one file: the same calls and results, with the WebAssembly and the workers inside, for
 * pages that cannot load further files.
 *
 * @packageDocumentation
 */
import { packed } from 'private-moments-packed';
import { gunzipSync } from 'fflate';
import { useAnalysisFrom } from './core/analysis-core.js';
import { useCoreFrom } from './core/core.js';
import { synthesisModule } from './synthesis/engine.js';
import { useScripts } from './threads/threads.js';

export * from './index.js';

function unpack(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return gunzipSync(bytes);
}

useCoreFrom(() => unpack(packed.core));
useAnalysisFrom(() => unpack(packed.analysis));
synthesisModule.useFrom(() => unpack(packed.synthesis));

let script: string | undefined;
useScripts((name) => {
  script ??= new TextDecoder().decode(unpack(packed.worker));
  return `globalThis.privateMomentsWorker=${JSON.stringify(name)};${script}`;
});
