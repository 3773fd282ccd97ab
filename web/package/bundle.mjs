// What the builds of this repository's packages share: bundling, minifying, types, and the licences of what
// is bundled.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { billOfMaterials, packagesOf } from './bom.mjs';
import { minified } from './minify.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const wasm = `${root}build/wasm/`;

/** What the WebAssembly modules contain besides the code of this repository. */
const COMPILED_IN =
  'Compiled into the .wasm files: Eigen (MPL-2.0, https://eigen.tuxfamily.org), fast_float\n' +
  '(MIT or Apache-2.0, https://github.com/fastfloat/fast_float) and the Emscripten\n' +
  'runtime with musl libc and LLVM libc++ (MIT, Apache-2.0 with LLVM exception).\n';

/** Fails where one of the WebAssembly modules is not built. */
export function requireModules(names) {
  for (const file of names.flatMap((name) => [`${name}.js`, `${name}.wasm`])) {
    if (existsSync(wasm + file)) continue;
    console.error(`build/wasm/${file} is missing: build the WebAssembly modules first`);
    process.exit(1);
  }
}

/** The import names of the modules' Emscripten glue, as esbuild takes them. */
export function glueOf(names) {
  return Object.fromEntries(names.map((name) => [`${name}-glue`, `${wasm}${name}.js`]));
}

/** Removes the source map of a file and returns it, undefined without one or if it names no source. */
function takeMap(path) {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  return JSON.parse(text).sources.length === 0 ? undefined : text;
}

/** The build of one package into a folder, which it empties first. */
export class PackageBuild {
  /** The packages that what is built was made from. */
  #bundled = new Set();
  folder;

  /** @param folder path from the root */
  constructor(folder) {
    this.folder = `${root}${folder}/`;
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder);
  }

  /** Bundles entries; `options` are those of esbuild. */
  async bundle(options) {
    const { metafile } = await build({
      absWorkingDir: root,
      outdir: this.folder,
      bundle: true,
      format: 'esm',
      target: 'es2022',
      chunkNames: 'chunk-[hash]',
      legalComments: 'none',
      logLevel: 'warning',
      ...options,
      metafile: true,
    });
    this.noteInputs(Object.keys(metafile.inputs));
  }

  /** Notes the packages of files that something was made from, for their licences. */
  noteInputs(paths) {
    for (const name of packagesOf(paths)) this.#bundled.add(name);
  }

  /**
   * Minifies scripts, and their source maps where they have any. Emscripten's glue is one closure full of functions
   * nobody calls, which bundlers keep.
   * @param files default: all in the folder
   */
  async minify(files = readdirSync(this.folder).filter((name) => name.endsWith('.js'))) {
    for (const file of files) {
      const path = this.folder + file;
      const before = takeMap(`${path}.map`);
      const { code, map } = await minified(readFileSync(path, 'utf8'), { map: before });
      const link = map === undefined ? '' : `\n//# sourceMappingURL=${basename(file)}.map\n`;
      writeFileSync(path, code + link);
      if (map !== undefined) writeFileSync(`${path}.map`, map);
    }
  }

  copyModules(names) {
    for (const name of names) cpSync(`${wasm}${name}.wasm`, `${this.folder}${name}.wasm`);
  }

  /** What entries that are types alone have for those who import them at run time. */
  writeEmptyModule(name) {
    writeFileSync(`${this.folder}${name}.js`, 'export {};\n');
  }

  /** For a package whose own folder has no licence file. */
  copyLicence() {
    cpSync(`${root}LICENSE`, `${this.folder}LICENSE`);
  }

  /** The licences of what is bundled travel with it. */
  writeLicences() {
    const notices = [...this.#bundled].sort().map((name) => {
      const texts = ['LICENSE', 'LICENSE.txt', 'NOTICE.txt']
        .map((file) => `${root}node_modules/${name}/${file}`)
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, 'utf8').trim());
      if (texts.length === 0) throw new Error(`${name} has no licence file where it is looked for`);
      return [name, ...texts, ''].join('\n\n');
    });
    writeFileSync(
      `${this.folder}THIRD-PARTY.txt`,
      [...notices, COMPILED_IN].join(`\n${'-'.repeat(72)}\n\n`),
    );
  }

  /** @param manifest path of package.json, from the root */
  writeBillOfMaterials(manifest) {
    const parsed = JSON.parse(readFileSync(root + manifest, 'utf8'));
    writeFileSync(`${this.folder}sbom.json`, billOfMaterials(parsed, this.#bundled, true));
  }

  /** Writes the types of a project of TypeScript, whose tsconfig names the folder. */
  declareProject(config) {
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', root + config], { stdio: 'inherit' });
  }

  /** Writes the types of single files, which need nothing but each other and packages. */
  declareFiles(targets) {
    for (const [source, target] of Object.entries(targets)) {
      const { outputText } = ts.transpileDeclaration(readFileSync(root + source, 'utf8'), {
        compilerOptions: { stripInternal: true },
      });
      const path = `${this.folder}types/${target}.d.ts`;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, outputText);
    }
  }
}
