// Writes one graph of sources in two layouts. Bundlers get a file for each module, so that they leave out
// what a program does not use, and copy only the .wasm files that it does use. Pages without a bundler
// and Node get a few larger files, so that a page makes few requests.
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the libraries that the sources use are bundled. */
const libraries = 'build/libraries/';

/** The names that the sources import, other than those of files: libraries. */
async function importedBy(entries, sources) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.values(entries),
    outdir: libraries,
    bundle: true,
    packages: 'external',
    alias: sources,
    format: 'esm',
    write: false,
    metafile: true,
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return [...new Set(imports.filter(({ external }) => external).map(({ path }) => path))].sort();
}

/**
 * Bundles each library that the sources use, apart from them, because what it contains is changed.
 * @param entries files by name
 * @param sources files by the names that other sources import them by
 * @param options those of esbuild for libraries
 * @returns files of libraries by the names that sources import them by, and what they were made from
 */
export async function bundleLibraries(entries, sources, options) {
  rmSync(root + libraries, { recursive: true, force: true });
  const names = await importedBy(entries, sources);
  const fileOf = (name) => name.replace(/^@|\.js$/g, '').replaceAll('/', '-');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(names.map((name) => [fileOf(name), name])),
    outdir: libraries,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    chunkNames: 'chunk-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    ...options,
  });
  return {
    files: Object.fromEntries(names.map((name) => [name, `${libraries}${fileOf(name)}.js`])),
    inputs: Object.keys(metafile.inputs),
  };
}

/**
 * Reads the sources.
 * @param entries files by name
 * @param names files by the names that sources import them by
 * @param hasEffects the entries that do something when they are imported
 */
export function readSources(entries, names, hasEffects) {
  const fromRoot = (files) =>
    Object.fromEntries(Object.entries(files).map(([name, file]) => [name, root + file]));
  const paths = fromRoot(names);
  const withEffects = new Set(hasEffects.map((name) => root + entries[name]));
  return rolldown({
    cwd: root,
    input: fromRoot(entries),
    platform: 'neutral',
    transform: { target: 'es2022' },
    treeshake: { moduleSideEffects: (id) => withEffects.has(id) },
    // What a worker does is imported by its file, and on demand by a page without workers.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: 'by-name',
        resolveId: { filter: { id: /^[^./\0]/ }, handler: (name) => paths[name] ?? null },
      },
      {
        // Source maps are for the code of this repository: libraries keep the places in what is shipped.
        name: 'no-maps-of-libraries',
        load: {
          filter: { id: /[\\/]build[\\/]libraries[\\/]/ },
          handler: (id) => ({ code: readFileSync(id, 'utf8'), map: { mappings: '' } }),
        },
      },
    ],
  });
}

/** The name of a module's file in a layout where all files are in one folder. */
function nameOf(id) {
  const library = /\/build\/libraries\/(.*)\.js$/.exec(id ?? '')?.[1];
  if (library !== undefined) return `library-${library}`;
  const [, room, path] = /\/web\/(package|elements)\/src\/(.*)\.ts$/.exec(id ?? '') ?? [];
  if (path === undefined) return undefined;
  return `${room === 'elements' ? 'elements-' : ''}${path.replaceAll('/', '-')}`;
}

/**
 * Writes a file for each module into one folder, where the modules find the files of workers. The .wasm files
 * are in the folder above. Own modules stay readable: bundlers minify them.
 */
export async function writeModules(sources, folder, entries) {
  const { output } = await sources.write({
    dir: folder,
    preserveModules: true,
    entryFileNames: ({ name, isEntry, facadeModuleId }) =>
      `${isEntry && name in entries ? name : (nameOf(facadeModuleId) ?? 'runtime')}.js`,
    comments: { annotation: true, legal: false, jsdoc: false },
    sourcemap: true,
    plugins: [
      {
        name: 'wasm-above',
        // One more character in a line leaves the source map as good as it was.
        renderChunk: (code) => ({
          code: code.replaceAll(/(new URL\(["'])\.(\/[\w-]+\.wasm["'])/g, '$1..$2'),
          map: null,
        }),
      },
    ],
  });
  return output.filter(({ type }) => type === 'chunk').map(({ fileName }) => fileName);
}

/** The modules that are needed to import `files`, from the root: without those that are loaded on demand. */
function neededBy(files, graph) {
  const needed = new Set();
  const pending = files.map((file) => root + file);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    pending.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return needed;
}

/**
 * For rolldown: entries import all files that they need, directly or not. A page then requests them together, and not
 * each after the one that imports it.
 */
const importsAtOnce = {
  name: 'imports-at-once',
  generateBundle(_, bundle) {
    for (const entry of Object.values(bundle).filter(({ isEntry }) => isEntry)) {
      const needed = new Set();
      const pending = [...entry.imports];
      for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
        if (needed.has(name) || bundle[name] === undefined) continue;
        needed.add(name);
        pending.push(...bundle[name].imports);
      }
      const missing = [...needed].filter((name) => !entry.imports.includes(name)).sort();
      entry.code += missing.map((name) => `\nimport './${name}';`).join('');
    }
  },
};

/**
 * Writes few files into one folder: the entries, what they share, and what is loaded on demand.
 * @param shared the files that entries share. Each holds the modules that importing one of `sources` needs
 * and, where it is stated, one of `others` needs too, except those in a file before it
 * @param apart sources of which no file but that of their entry may have the code
 */
export async function writeFiles(sources, folder, shared, apart) {
  const apartIds = new Set(apart.map((file) => root + file));
  const groups = shared.map(({ name, sources: files, others = files }, i) => {
    let needed;
    return {
      name: (id, graph) => {
        needed ??= [files, others].map((some) => neededBy(some, graph));
        const isShared = !apartIds.has(id) && needed.every((ids) => ids.has(id));
        return isShared ? name : null;
      },
      debugName: name,
      priority: shared.length - i,
    };
  });
  await sources.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name, facadeModuleId }) => `${nameOf(facadeModuleId) ?? name}.js`,
    comments: false,
    sourcemap: true,
    codeSplitting: { groups },
    plugins: [importsAtOnce],
  });
}
