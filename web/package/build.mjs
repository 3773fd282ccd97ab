// Bundles the npm package into dist/: the entries, their shared chunks, the .wasm files, types.
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
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import { minify } from 'terser';
import ts from 'typescript';
import { bundleProgram } from './bundle-program.mjs';
import { boundedReaders, noCodeFromText, noNodeCrypto, noNodeFiles } from './plugins.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = ['', '-analysis', '-synthesis', '-research'].map(
  (name) => `private-moments${name}`,
);

/** The public modules of the package, as package.json exports them. */
const entries = ['index', 'federation', 'internal-core', 'node', 'report', 'research'];

/** Those without state, of which a page may have several copies. */
const leaves = ['internal', 'words'];

for (const name of modules) {
  for (const file of [`${name}.js`, `${name}.wasm`]) {
    if (existsSync(`${root}build/wasm/${file}`)) continue;
    console.error(`build/wasm/${file} is missing: build the WebAssembly modules first`);
    process.exit(1);
  }
}

rmSync(`${root}dist`, { recursive: true, force: true });
mkdirSync(`${root}dist`);

/** The packages that what is built was made from. */
const bundled = new Set();

async function build(options) {
  const { metafile } = await bundle({ ...options, metafile: true });
  for (const path of Object.keys(metafile.inputs)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    if (name !== undefined) bundled.add(name);
  }
}

await build({
  absWorkingDir: root,
  entryPoints: {
    ...Object.fromEntries(entries.map((name) => [name, `web/package/src/${name}.ts`])),
    worker: 'web/package/src/intake/worker.ts',
    'analysis-worker': 'web/package/src/analysis/analysis-worker.ts',
    'synthesis-worker': 'web/package/src/synthesis/synthesis-worker.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  chunkNames: 'chunk-[hash]',
  legalComments: 'none',
  mainFields: ['module'],
  alias: {
    ...Object.fromEntries(modules.map((name) => [`${name}-glue`, `${root}build/wasm/${name}.js`])),
  },
  plugins: [boundedReaders, noCodeFromText, noNodeCrypto, noNodeFiles],
  logLevel: 'warning',
});

// Apart: shared files would cut what participants load into smaller ones, which compress worse.
await build({
  absWorkingDir: root,
  entryPoints: leaves.map((name) => `web/package/src/${name}.ts`),
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
});

/** The elements use the package's own entries beside them. */
const besidePackage = {
  name: 'beside-package',
  setup({ onResolve }) {
    onResolve(
      { filter: /^private-moments(\/(federation|internal|report|research|words))?$/ },
      ({ path }) => ({
        path: `./${path.split('/')[1] ?? 'index'}.js`,
        external: true,
      }),
    );
  },
};

// Lit is bundled: no page has to know that the elements are made with it.
await build({
  absWorkingDir: root,
  entryPoints: {
    elements: 'web/elements/src/index.ts',
    'designer-worker': 'web/elements/src/design/designer-worker.ts',
    'comparison-worker': 'web/elements/src/explore/comparison/comparison-worker.ts',
    'consortium-worker': 'web/elements/src/explore/consortium/consortium-worker.ts',
    'audit-worker': 'web/elements/src/explore/audit/audit-worker.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  chunkNames: 'chunk-[hash]',
  legalComments: 'none',
  plugins: [besidePackage],
  logLevel: 'warning',
});

// Emscripten's glue is one closure full of functions nobody calls, which esbuild keeps.
for (const file of readdirSync(`${root}dist`)) {
  const path = `${root}dist/${file}`;
  const { code } = await minify(readFileSync(path, 'utf8'), {
    module: true,
    compress: { passes: 3 },
  });
  writeFileSync(path, code);
}

await bundleProgram('dist', ['web/cli/src/cli.ts'], ['private-moments']);

for (const name of modules) {
  cpSync(`${root}build/wasm/${name}.wasm`, `${root}dist/${name}.wasm`);
}

// The licences of what is bundled travel with it.
const notices = [...bundled].sort().map((name) => {
  const texts = ['LICENSE', 'LICENSE.txt', 'NOTICE.txt']
    .map((file) => `${root}node_modules/${name}/${file}`)
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8').trim());
  if (texts.length === 0) throw new Error(`${name} has no licence file where it is looked for`);
  return [name, ...texts, ''].join('\n\n');
});
const compiledIn =
  'Compiled into the .wasm files: Eigen (MPL-2.0, https://eigen.tuxfamily.org), fast_float\n' +
  '(MIT or Apache-2.0, https://github.com/fastfloat/fast_float) and the Emscripten\n' +
  'runtime with musl libc and LLVM libc++ (MIT, Apache-2.0 with LLVM exception).\n';
writeFileSync(
  `${root}dist/THIRD-PARTY.txt`,
  [...notices, compiledIn].join(`\n${'-'.repeat(72)}\n\n`),
);

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', `${root}web/package/tsconfig.build.json`], {
  stdio: 'inherit',
});

// The types of the elements need nothing but those of the package.
for (const [source, target] of [
  ['index', 'elements'],
  ['contract/elements', 'contract/elements'],
]) {
  const types = readFileSync(`${root}web/elements/src/${source}.ts`, 'utf8');
  const { outputText } = ts.transpileDeclaration(types, {
    compilerOptions: { stripInternal: true },
  });
  mkdirSync(dirname(`${root}dist/types/${target}.d.ts`), { recursive: true });
  writeFileSync(`${root}dist/types/${target}.d.ts`, outputText);
}
