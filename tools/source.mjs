// Runs the packages, the elements and the site from their sources, without building dist/, for `npm test`
// and `npm run dev`. Code that runs in its own thread or process is bundled into build/source/ in less
// than a second, next to links to the .wasm files. For all modules of the sources, import.meta.url is
// replaced by an address in that folder, so that they find these files as the modules of dist/ do.
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { DIGEST_NAME, digestModule, packagePlugins } from '../web/package/plugins.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = `${root}build/source`;
const PACKAGE = 'private-moments';

/** The package with its elements: WebAssembly modules, what is imported by its name, workers. */
export const PRODUCT = {
  modules: [PACKAGE, `${PACKAGE}-analysis`, `${PACKAGE}-synthesis`],
  imports: ['', '/federation', '/internal', '/node', '/report', '/words'].map(
    (entry) => PACKAGE + entry,
  ),
  workers: ['worker', 'analysis-worker', 'synthesis-worker', 'designer-worker'],
  sources: ['web/package/src/', 'web/elements/src/'],
};

/** The same with web/research. */
export const WITH_RESEARCH = {
  modules: [...PRODUCT.modules, `${PACKAGE}-research`],
  imports: [...PRODUCT.imports, `${PACKAGE}-research`],
  workers: [
    ...PRODUCT.workers,
    ...['audit-worker', 'comparison-worker', 'consortium-worker', 'find-me-worker'],
  ],
  sources: [...PRODUCT.sources, 'web/research/elements/'],
};

const { paths } = JSON.parse(readFileSync(`${root}tsconfig.base.json`, 'utf8')).compilerOptions;

/** Import names to files: the entries of the package, and the glue of the WebAssembly modules. */
export const aliases = Object.fromEntries([
  ...WITH_RESEARCH.modules.map((name) => [`${name}-glue`, `${root}build/wasm/${name}.js`]),
  // An alias applies to every name that begins with it, so the longest comes first.
  ...Object.entries(paths)
    .sort(([a], [b]) => b.length - a.length)
    .map(([name, [file]]) => [name, `${root}${file}`]),
]);

/** Exits with instructions if the WebAssembly modules are not built. */
export function requireModules({ modules } = PRODUCT) {
  const missing = modules.find((name) => !existsSync(`${root}build/wasm/${name}.wasm`));
  if (missing === undefined) return;
  const target = PRODUCT.modules.includes(missing) ? 'wasm' : 'wasm-research';
  console.error(
    `build/wasm/${missing}.wasm is missing: run "make ${target}" once, then this again.`,
  );
  process.exit(1);
}

/** The options of esbuild that bundles of the sources share. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
  mainFields: ['module'],
  alias: aliases,
  plugins: packagePlugins,
  logLevel: 'warning',
};

/** The source files of what is imported by its name and of workers, by the names of their bundles. */
export function entryPointsOf({ imports, workers, sources }) {
  return Object.fromEntries([
    ...imports.map((name) => [fileOf(name), aliases[name]]),
    ...workers.map((worker) => [worker, sourceOf(worker, sources)]),
  ]);
}

/** Bundles workers and entries. Returns their source files. */
export async function bundleSources(product = PRODUCT) {
  const { metafile } = await build({
    ...bundling,
    entryPoints: entryPointsOf(product),
    chunkNames: 'chunk-[hash]',
    outdir: folder,
    splitting: true,
    format: 'esm',
    metafile: true,
    sourcemap: 'linked',
  });
  const made = Object.keys(metafile.outputs).map((file) => basename(file));
  for (const file of readdirSync(folder)) {
    if (file.startsWith('chunk-') && !made.includes(file)) rmSync(`${folder}/${file}`);
  }
  for (const name of product.modules) {
    rmSync(`${folder}/${name}.wasm`, { force: true });
    symlinkSync(`${root}build/wasm/${name}.wasm`, `${folder}/${name}.wasm`);
  }
  // Processes started in this folder import the entries by the package's name.
  writeFileSync(`${folder}/package.json`, JSON.stringify(manifestOf('.')));
  return Object.keys(metafile.inputs).map((file) => root + file);
}

/** A package.json that lets files beside it import bundles by the package's name. */
export function manifestOf(bundles) {
  const exported = PRODUCT.imports.map((name) => [
    name.replace(PACKAGE, '.'),
    `${bundles}/${fileOf(name)}.js`,
  ]);
  return { name: PACKAGE, type: 'module', exports: Object.fromEntries(exported) };
}

/** The name of an entry's bundle: `index` for `private-moments`, `words` for `private-moments/words`. */
function fileOf(name) {
  return name === PACKAGE ? 'index' : name.replace(`${PACKAGE}/`, '');
}

/** The source file of a worker, in any of the folders. */
function sourceOf(worker, folders) {
  for (const sources of folders) {
    const files = readdirSync(root + sources, { recursive: true, encoding: 'utf8' });
    const found = files.find((file) => basename(file) === `${worker}.ts`);
    if (found !== undefined) return sources + found;
  }
  throw new Error(`web/ has no ${worker}.ts`);
}

const isSource = (id) =>
  /\/web\/((package|elements|research)\/src|research\/elements)\/[^?]*\.ts(\?|$)/.test(id);

/**
 * A Vite plugin that replaces import.meta.url in the sources by an address in the folder of the bundles, and knows
 * the digests of the .wasm files there.
 * @param base an expression for the address
 */
export function beside(base = JSON.stringify(pathToFileURL(`${folder}/index.js`).href)) {
  return {
    name: 'beside-bundles',
    enforce: 'pre',
    resolveId: (name) => (DIGEST_NAME.test(name) ? `\0${name}` : undefined),
    load: (id) => (DIGEST_NAME.test(id.slice(1)) ? digestModule(id.slice(1)) : undefined),
    transform: (code, id) =>
      isSource(id) && code.includes('import.meta.url')
        ? { code: code.replaceAll('import.meta.url', base), map: null }
        : undefined,
  };
}
