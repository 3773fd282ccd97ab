// Runs the package, the elements and the site from their sources, without building dist/, for `npm test`
// and `npm run dev`. Code that runs in its own thread or process is bundled into build/source/ in less
// than a second, next to links to the .wasm files. For all modules of the sources, import.meta.url is
// replaced by an address in that folder, so that they find these files as the modules of dist/ do.
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import {
  boundedReaders,
  noCodeFromText,
  noNodeCrypto,
  noNodeFiles,
} from '../web/package/plugins.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = `${root}build/source`;
const PACKAGE = 'private-moments';
const modules = ['', '-analysis', '-synthesis', '-research'].map((name) => PACKAGE + name);

const { paths } = JSON.parse(readFileSync(`${root}tsconfig.base.json`, 'utf8')).compilerOptions;

/** Import names to files: the entries of the package, and the glue of the WebAssembly modules. */
export const aliases = Object.fromEntries([
  ...modules.map((name) => [`${name}-glue`, `${root}build/wasm/${name}.js`]),
  // An alias applies to every name that begins with it, so the longest comes first.
  ...Object.entries(paths)
    .sort(([a], [b]) => b.length - a.length)
    .map(([name, [file]]) => [name, `${root}${file}`]),
]);

const entries = ['index', 'federation', 'internal', 'node', 'report', 'research', 'words'];
const workers = [
  ...['worker', 'analysis-worker', 'synthesis-worker'],
  ...['designer-worker', 'audit-worker', 'comparison-worker', 'consortium-worker'],
];

/** Exits with instructions if the WebAssembly modules are not built. */
export function requireModules() {
  const missing = modules.find((name) => !existsSync(`${root}build/wasm/${name}.wasm`));
  if (missing === undefined) return;
  console.error(`build/wasm/${missing}.wasm is missing: run "make wasm" once, then this again.`);
  process.exit(1);
}

/** Bundles workers and entries. Returns their source files. */
export async function bundleSources() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...entries.map((name) => aliases[name === 'index' ? PACKAGE : `${PACKAGE}/${name}`]),
      ...workers.map(fileOf),
    ],
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    mainFields: ['module'],
    alias: aliases,
    plugins: [boundedReaders, noCodeFromText, noNodeCrypto, noNodeFiles],
    metafile: true,
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  const made = Object.keys(metafile.outputs).map((file) => basename(file));
  for (const file of readdirSync(folder)) {
    if (file.startsWith('chunk-') && !made.includes(file)) rmSync(`${folder}/${file}`);
  }
  for (const name of modules) {
    rmSync(`${folder}/${name}.wasm`, { force: true });
    symlinkSync(`${root}build/wasm/${name}.wasm`, `${folder}/${name}.wasm`);
  }
  // Processes started in this folder import the entries by the package's name.
  const exported = entries.map((name) => [name === 'index' ? '.' : `./${name}`, `./${name}.js`]);
  const manifest = { name: PACKAGE, type: 'module', exports: Object.fromEntries(exported) };
  writeFileSync(`${folder}/package.json`, JSON.stringify(manifest));
  return Object.keys(metafile.inputs).map((file) => root + file);
}

/** The source file of a worker, in any folder. */
function fileOf(worker) {
  for (const sources of ['web/package/src/', 'web/elements/src/']) {
    const files = readdirSync(root + sources, { recursive: true, encoding: 'utf8' });
    const found = files.find((file) => basename(file) === `${worker}.ts`);
    if (found !== undefined) return sources + found;
  }
  throw new Error(`web/ has no ${worker}.ts`);
}

const isSource = (id) => /\/web\/(package|elements)\/src\/[^?]*\.ts(\?|$)/.test(id);

/**
 * A Vite plugin that replaces import.meta.url in the sources by an address in the folder of the bundles.
 * @param base an expression for the address
 */
export function beside(base = JSON.stringify(pathToFileURL(`${folder}/index.js`).href)) {
  return {
    name: 'beside-bundles',
    enforce: 'pre',
    transform: (code, id) =>
      isSource(id) && code.includes('import.meta.url')
        ? { code: code.replaceAll('import.meta.url', base), map: null }
        : undefined,
  };
}
