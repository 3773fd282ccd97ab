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
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { minify } from 'terser';

const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = ['private-moments', 'private-moments-analysis', 'private-moments-research'];

for (const name of modules) {
  for (const file of [`${name}.js`, `${name}.wasm`]) {
    if (existsSync(`${root}build/wasm/${file}`)) continue;
    console.error(`build/wasm/${file} is missing: build the WebAssembly modules first`);
    process.exit(1);
  }
}

rmSync(`${root}dist`, { recursive: true, force: true });
mkdirSync(`${root}dist`);

await build({
  absWorkingDir: root,
  entryPoints: ['index', 'report', 'research', 'worker'].map(
    (name) => `web/package/src/${name}.ts`,
  ),
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  chunkNames: 'chunk-[hash]',
  legalComments: 'none',
  mainFields: ['module'],
  alias: Object.fromEntries(
    modules.map((name) => [`${name}-glue`, `${root}build/wasm/${name}.js`]),
  ),
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

for (const name of modules) {
  cpSync(`${root}build/wasm/${name}.wasm`, `${root}dist/${name}.wasm`);
}

// The licences of what is bundled travel with it.
const bundled = ['@noble/hashes', 'canonicalize', 'fflate'];
const notices = bundled.map((name) => {
  const licence = readFileSync(`${root}node_modules/${name}/LICENSE`, 'utf8');
  return `${name}\n\n${licence.trim()}\n`;
});
const compiledIn =
  'Compiled into the .wasm files: Eigen (MPL-2.0, https://eigen.tuxfamily.org) and the Emscripten\n' +
  'runtime with musl libc and LLVM libc++ (MIT, Apache-2.0 with LLVM exception).\n';
writeFileSync(
  `${root}dist/THIRD-PARTY.txt`,
  [...notices, compiledIn].join(`\n${'-'.repeat(72)}\n\n`),
);

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', `${root}web/package/tsconfig.build.json`], {
  stdio: 'inherit',
});
