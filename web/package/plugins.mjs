// For esbuild: what bundles of the package leave out of the libraries they contain, and the digests that they pin.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { boundedReaders } from './bounded.mjs';

/** Replaces each piece of a library's text wherever it is; one that is missing ends the build. */
function patched(path, pieces) {
  let contents = readFileSync(path, 'utf8');
  for (const [from, to] of pieces) {
    if (!contents.includes(from)) {
      throw new Error(`${path} is another version: update its patch in web/package/plugins.mjs`);
    }
    contents = contents.replaceAll(from, () => to);
  }
  return { contents };
}

/**
 * @hpke/core looks for Node's crypto where an engine has no WebCrypto: there it must fail instead. Without an
 * import, as bundles would get an empty file for it.
 */
const noNodeCrypto = {
  name: 'no-node-crypto',
  setup({ onLoad }) {
    onLoad({ filter: /@hpke\/common\/esm\/src\/(algorithm|utils\/misc)\.js$/ }, ({ path }) =>
      patched(path, [['await import("crypto")', '{}']]),
    );
  },
};

/**
 * fflate without the table of all numbers of 15 bits in reverse, which it makes when it is imported: most pages pack
 * and open no link. A number is reversed when it is needed.
 */
const noTableOnImport = {
  name: 'no-table-on-import',
  setup({ onLoad }) {
    onLoad({ filter: /fflate\/esm\/browser\.js$/ }, ({ path }) =>
      patched(path, [
        [
          'var rev = new u16(32768);\nfor (var i = 0; i < 32768; ++i) {',
          'var rev = function (i) {',
        ],
        ['rev[i] = (((x', 'return (((x'],
        ['rev[v] >> rvb', 'rev(v) >> rvb'],
        ['rev[le[cd[i] - 1]++] >> (15', 'rev(le[cd[i] - 1]++) >> (15'],
      ]),
    );
  },
};

/**
 * apache-arrow can make functions from text, for writing, which nothing here does and no policy of a
 * page should have to allow.
 */
const noCodeFromText = {
  name: 'no-code-from-text',
  setup({ onLoad }) {
    onLoad({ filter: /apache-arrow\/builder\/valid\.mjs$/ }, () => ({
      contents: 'export const createIsValidFunction = () => () => true;',
    }));
  },
};

/** hyparquet and its writer without what they have for files in Node. */
const noNodeFiles = {
  name: 'no-node-files',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^hyparquet(-writer)?$/ }, ({ path, kind, resolveDir }) =>
      resolve(`${path}/src/index.js`, { kind, resolveDir }),
    );
  },
};

/**
 * The glue of the WebAssembly modules without the address of its file, which the package finds itself. An
 * address that is not used makes bundlers copy the file, and fails in scripts that are not modules.
 */
const noGlueAddress = {
  name: 'no-glue-address',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]build[\\/]wasm[\\/][\w-]+\.js$/ }, ({ path }) => {
      const glue = readFileSync(path, 'utf8');
      const contents = glue
        .replace(/new URL\(("[\w-]+\.wasm"),\s*import\.meta\.url\)\.toString\(\)/, '$1')
        .replace('_scriptDir = import.meta.url', "_scriptDir = ''");
      if (contents.includes('import.meta')) throw new Error(`${path} has an address left`);
      return { contents };
    });
  },
};

/** The import names of the modules' digests, with the name of the module. */
export const DIGEST_NAME = /^(private-moments(?:-[a-z]+)?)-sha256$/;

const BUILD = new URL('../../build/wasm/', import.meta.url);

/** A module of JavaScript that exports the SHA-256 of a .wasm file in build/wasm, in hex. */
export function digestModule(name, folder = BUILD) {
  const [, module] = DIGEST_NAME.exec(name);
  const wasm = readFileSync(new URL(`${module}.wasm`, folder));
  return `export default ${JSON.stringify(createHash('sha256').update(wasm).digest('hex'))};`;
}

/** What is loaded is what was built: the scripts state the digests of the .wasm files that they load. */
export const moduleDigests = moduleDigestsOf(BUILD);

/** The same for modules that were built elsewhere. */
export function moduleDigestsOf(folder) {
  return {
    name: 'module-digests',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: DIGEST_NAME }, ({ path }) => ({ path, namespace: 'digest' }));
      onLoad({ filter: /.*/, namespace: 'digest' }, ({ path }) => ({
        contents: digestModule(path, folder),
      }));
    },
  };
}

/** All of them, for bundles that contain the package's readers, parts and cores. */
export const packagePlugins = [
  boundedReaders,
  moduleDigests,
  noCodeFromText,
  noGlueAddress,
  noNodeCrypto,
  noNodeFiles,
  noTableOnImport,
];
