/** For errors about files of the package that are not found: which setting of a bundler helps. */
import { builtin } from './host.js';

const OTHERS = 'docs/how-to/bundlers-and-frameworks.md has what each bundler needs';

/**
 * What helps where a .wasm file is not found beside the script.
 * @param address of the script, if it has one
 */
export function forCore(address: unknown = import.meta.url): string {
  // The folder into which Vite's development server moves packages.
  if (String(address).includes('/.vite/')) {
    return "in vite.config.js, set optimizeDeps: { exclude: ['private-moments'] }";
  }
  return (
    'esbuild and Rollup need the .wasm files and the workers beside the bundle, or their places by ' +
    `load({ wasm, worker }); Vite needs optimizeDeps: { exclude: ['private-moments'] }; ${OTHERS}`
  );
}

/** What helps where a .wasm file cannot be read, after "check that". */
export function forReading(
  onServer: boolean = typeof document !== 'object' && builtin('node:process') !== undefined,
): string {
  return onServer
    ? 'the .wasm file is there and that a server which bundles packages leaves out this one: ' +
        `in next.config.mjs, set serverExternalPackages: ['private-moments']; ${OTHERS}`
    : "the .wasm file is served and that the page's Content-Security-Policy allows 'wasm-unsafe-eval'";
}

/** In parts, as tools replace these words in texts, too. */
const ADDRESS = ['import', 'meta', 'url'].join('.');

/** What helps where the script has no address. */
export const FOR_NO_ADDRESS =
  `in the formats iife and cjs of esbuild, set define: { '${ADDRESS}': 'document.baseURI' }, ` +
  `or name the places of the files of the package with load({ wasm, worker }); ${OTHERS}`;

/**
 * What helps where a worker does not start, after "check that".
 * @param globals names
 */
export function forWorker(globals: readonly string[] = Object.keys(globalThis)): string {
  // Parcel puts what workers share with what they load into files that it does not load completely.
  if (globals.some((name) => name.startsWith('parcelRequire'))) {
    return 'package.json has "@parcel/bundler-default": { "disableSharedBundles": true }';
  }
  return `load() names its place where a bundler has moved it (${OTHERS})`;
}
