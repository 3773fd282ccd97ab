// Builds the package from its sources with the modules of build/wasm/refusing, whose digests it pins.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { aliases, bundling, PRODUCT } from '../../../tools/source.mjs';
import { moduleDigests, moduleDigestsOf } from '../../../web/package/plugins.mjs';

const modules = new URL('../../../build/wasm/refusing/', import.meta.url);

/**
 * Builds into an empty folder: index.js and federation.js.
 * @returns the folder's address, with a slash
 */
export async function buildRefusing(folder) {
  if (!existsSync(modules)) {
    throw new Error('build/wasm/refusing is missing: run "make refusing-modules"');
  }
  mkdirSync(folder, { recursive: true });
  const glue = PRODUCT.modules.map((name) => [
    `${name}-glue`,
    fileURLToPath(new URL(`${name}.js`, modules)),
  ]);
  await build({
    ...bundling,
    alias: { ...aliases, ...Object.fromEntries(glue) },
    plugins: bundling.plugins.map((plugin) =>
      plugin === moduleDigests ? moduleDigestsOf(modules) : plugin,
    ),
    entryPoints: {
      index: aliases['private-moments'],
      federation: aliases['private-moments/federation'],
    },
    chunkNames: 'chunk-[hash]',
    outdir: folder,
    format: 'esm',
    splitting: true,
  });
  for (const name of PRODUCT.modules) {
    symlinkSync(fileURLToPath(new URL(`${name}.wasm`, modules)), `${folder}/${name}.wasm`);
  }
  writeFileSync(`${folder}/package.json`, JSON.stringify({ type: 'module' }));
  return folder;
}
