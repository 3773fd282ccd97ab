// The tools that the examples are tried with.

/**
 * How an example is tried: `script` of its package.json ends with files to serve (`build`) or to load
 * as an extension (`extension`), serves them itself (`dev`), prints the line (`print`) or tests it (`test`);
 * without a script, its folder is served (`page`).
 * `setting` is what the example sets for this package, in Markdown. It is tried without that first: with
 * the script `plain:…` if there is one, without the files `without` and the fields `withoutFields` of package.json.
 *
 * @typedef {object} Way
 * @property {string} name
 * @property {'build' | 'extension' | 'dev' | 'print' | 'test' | 'page'} kind
 * @property {string} [script]
 * @property {string} [setting]
 * @property {string[]} [without]
 * @property {string[]} [withoutFields]
 * @property {string} [before] a script to run first
 * @property {string} [path] of the page on the tool's own server
 * @property {Record<string, string>} [headers] of the served page
 * @property {boolean} [isElsewhere] the package is served at another origin, in place of https://cdn.example/
 */

/**
 * A tool, and the folder of its example. `pins` replaces versions of its package.json.
 *
 * @typedef {{ name: string, title: string, folder: string, tool?: string, pins?: Record<string, string>, ways: Way[] }} Tool
 */

const CORS = { 'access-control-allow-origin': '*' };
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'";

const viteConfig = { without: ['vite.config.js'] };
const build = { name: 'build', kind: 'build', script: 'build' };
const dev = { name: 'development server', kind: 'dev', script: 'dev' };

/** @returns {Tool} */
function vite(version) {
  const major = version.split('.')[0];
  return {
    name: `vite-${major}`,
    title: 'Vite',
    folder: 'vite',
    tool: 'vite',
    pins: { vite: version },
    ways: [
      { ...build, ...viteConfig, setting: "`worker: { format: 'es' }`" },
      { ...dev, ...viteConfig, setting: "`optimizeDeps: { exclude: ['private-moments'] }`" },
    ],
  };
}

/** @returns {Tool} */
function node([name, version]) {
  return {
    name,
    title: 'Node',
    folder: 'node',
    tool: 'node',
    pins: { node: version },
    ways: [
      { name: '`import`', kind: 'print', script: 'import' },
      {
        name: '`require`',
        kind: 'print',
        script: 'require',
        setting: "`await import('private-moments')` in place of `require`",
      },
    ],
  };
}

const nextBuild = { kind: 'dev', script: 'start', before: 'build' };
const nextDev = { kind: 'dev', script: 'dev' };
const nextConfig = {
  without: ['next.config.mjs'],
  setting: "`serverExternalPackages: ['private-moments']`",
};
/** @returns {Tool} */
function types([framework, tool, name]) {
  return {
    name: `types-${framework.toLowerCase()}`,
    title: `Types in ${framework}`,
    folder: `types-${framework.toLowerCase()}`,
    tool,
    ways: [{ name, kind: 'test', script: 'check' }],
  };
}

const parcelFields = { withoutFields: ['@parcel/bundler-default', '@parcel/resolver-default'] };
const parcelSetting =
  '`"@parcel/bundler-default": { "disableSharedBundles": true }` in `package.json`';
const excluded = "`vite: { optimizeDeps: { exclude: ['private-moments'] } }`";
const beside = 'the workers as entries, and the `.wasm` files copied beside the bundle';
const named = `\`define: { 'import.meta.url': 'document.baseURI' }\`, ${beside}`;

/** @type {Tool[]} */
export const TOOLS = [
  ...['5.4.21', '6.4.6', '7.3.8', '8.3.8'].map(vite),
  { name: 'webpack-5', title: 'webpack', folder: 'webpack', tool: 'webpack', ways: [build, dev] },
  {
    name: 'esbuild-esm',
    title: 'esbuild, `esm` with splitting',
    folder: 'esbuild-esm',
    tool: 'esbuild',
    ways: [{ ...build, setting: beside }],
  },
  {
    name: 'esbuild-iife',
    title: 'esbuild, `iife`',
    folder: 'esbuild-iife',
    tool: 'esbuild',
    ways: [{ ...build, setting: named }],
  },
  {
    name: 'esbuild-cjs',
    title: 'esbuild, `cjs`',
    folder: 'esbuild-cjs',
    tool: 'esbuild',
    ways: [{ ...build, setting: named }],
  },
  {
    name: 'rollup',
    title: 'Rollup',
    folder: 'rollup',
    tool: 'rollup',
    ways: [{ ...build, setting: beside }],
  },
  {
    name: 'rsbuild',
    title: 'Rsbuild',
    folder: 'rsbuild',
    tool: '@rsbuild/core',
    ways: [build, dev],
  },
  {
    name: 'parcel',
    title: 'Parcel',
    folder: 'parcel',
    tool: 'parcel',
    ways: [
      { ...build, ...parcelFields, setting: parcelSetting },
      { ...dev, ...parcelFields, setting: parcelSetting },
    ],
  },
  {
    name: 'astro',
    title: 'Astro',
    folder: 'astro',
    tool: 'astro',
    ways: [
      { ...build, without: ['astro.config.mjs'], setting: excluded },
      { ...dev, without: ['astro.config.mjs'], setting: excluded },
    ],
  },
  {
    name: 'sveltekit',
    title: 'SvelteKit',
    folder: 'sveltekit',
    tool: '@sveltejs/kit',
    ways: [build, dev],
  },
  {
    name: 'next',
    title: 'Next',
    folder: 'next',
    tool: 'next',
    ways: [
      { name: 'client component, build', ...nextBuild },
      { name: 'client component, development server', ...nextDev },
      { name: 'server component, build', ...nextBuild, path: 'server', ...nextConfig },
      { name: 'server component, development server', ...nextDev, path: 'server', ...nextConfig },
    ],
  },
  {
    name: 'import-map',
    title: 'An import map, no bundler',
    folder: 'import-map',
    ways: [{ name: 'page', kind: 'page' }],
  },
  {
    name: 'other-origin',
    title: 'An import map to another origin',
    folder: 'other-origin',
    ways: [{ name: 'page', kind: 'page', isElsewhere: true }],
  },
  {
    name: 'sandboxed',
    title: 'A sandboxed iframe, `private-moments/inline`',
    folder: 'sandboxed',
    // A sandboxed page has an origin of its own, to which its files must be allowed.
    ways: [{ name: '`allow-scripts`', kind: 'page', headers: CORS }],
  },
  {
    name: 'policy',
    title: 'A strict content policy',
    folder: 'vite',
    tool: 'vite',
    ways: [{ ...build, name: 'Vite, build', headers: { 'content-security-policy': POLICY } }],
  },
  {
    name: 'extension',
    title: 'An extension page (Manifest V3)',
    folder: 'extension',
    tool: 'vite',
    ways: [{ name: 'Vite, build', kind: 'extension', script: 'build' }],
  },
  ...[
    ['node-20.16', '20.16.0'],
    ['node-22', '22.23.3'],
    ['node-24', '24.21.0'],
    ['node-26', '26.10.0'],
  ].map(node),
  {
    name: 'deno',
    title: 'Deno',
    folder: 'deno',
    tool: 'deno',
    ways: [{ name: '`import`', kind: 'print', script: 'import' }],
  },
  {
    name: 'bun',
    title: 'Bun',
    folder: 'bun',
    tool: 'bun',
    ways: [{ name: '`import`', kind: 'print', script: 'import' }],
  },
  {
    name: 'vitest',
    title: 'Vitest',
    folder: 'vitest',
    tool: 'vitest',
    ways: ['node', 'jsdom', 'happy-dom'].map((name) => ({ name, kind: 'test', script: name })),
  },
  {
    name: 'jest',
    title: 'Jest',
    folder: 'jest',
    tool: 'jest',
    ways: [
      {
        name: 'node',
        kind: 'test',
        script: 'node',
        setting: '`NODE_OPTIONS=--experimental-vm-modules`',
      },
      {
        name: 'jsdom',
        kind: 'test',
        script: 'jsdom',
        setting:
          "`NODE_OPTIONS=--experimental-vm-modules`, and `testEnvironment: 'jest-fixed-jsdom'` (a package)",
      },
    ],
  },
  ...[
    ['React', 'react', '`tsc`'],
    ['Preact', 'preact', '`tsc`'],
    ['Solid', 'solid-js', '`tsc`'],
    ['Vue', 'vue', '`vue-tsc`'],
    ['Svelte', 'svelte', '`svelte-check`'],
  ].map(types),
];
