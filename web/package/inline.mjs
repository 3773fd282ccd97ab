// Builds the package as one file, with the WebAssembly modules and the workers inside: as an ES module, and
// as a script that sets `privateMoments` and that CommonJS can require.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minified } from './minify.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param options those of esbuild for the sources and the libraries */
async function scriptOf(options) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    // What is inside has no address.
    define: { 'import.meta.url': '"about:blank"' },
    write: false,
    ...options,
  });
  const { code } = await minified(outputFiles[0].text, { module: options.format === 'esm' });
  return code;
}

const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString('base64');

/**
 * @param folder absolute, of the files
 * @param names files by the names that the sources import them by
 */
export async function writeInline(folder, options) {
  const wasm = (name) => packed(readFileSync(`${root}build/wasm/private-moments${name}.wasm`));
  const worker = await scriptOf({
    ...options,
    entryPoints: ['web/package/src/inline-worker.ts'],
    format: 'iife',
  });
  const contents = `export const packed = ${JSON.stringify({
    core: wasm(''),
    analysis: wasm('-analysis'),
    synthesis: wasm('-synthesis'),
    worker: packed(worker),
  })};`;
  const inside = {
    name: 'inside',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^private-moments-packed$/ }, ({ path }) => ({
        path,
        namespace: 'inside',
      }));
      onLoad({ filter: /.*/, namespace: 'inside' }, () => ({ contents }));
    },
  };
  const page = {
    ...options,
    entryPoints: ['web/package/src/inline.ts'],
    plugins: [inside, ...options.plugins],
  };
  writeFileSync(`${folder}inline.js`, await scriptOf({ ...page, format: 'esm' }));
  mkdirSync(`${folder}umd`, { recursive: true });
  writeFileSync(`${folder}umd/package.json`, '{ "type": "commonjs" }\n');
  const footer = { js: 'if (typeof module === "object") module.exports = privateMoments;' };
  const global = { ...page, format: 'iife', globalName: 'privateMoments', footer };
  writeFileSync(`${folder}umd/private-moments.js`, await scriptOf(global));
}
