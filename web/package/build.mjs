// Bundles the npm package into dist/: the entries, their shared chunks, the .wasm files, types.
import { bundleProgram } from './bundle-program.mjs';
import { glueOf, PackageBuild, requireModules } from './bundle.mjs';
import {
  boundedReaders,
  noCodeFromText,
  noGlueAddress,
  noNodeCrypto,
  noNodeFiles,
} from './plugins.mjs';

const modules = ['', '-analysis', '-synthesis'].map((name) => `private-moments${name}`);

/** The public modules of the package, as package.json exports them. */
const entries = ['index', 'federation', 'internal-core', 'node', 'report'];

/** The frameworks in whose markup the elements have types. */
const frameworks = ['react', 'svelte', 'vue'];

/** Those without state, of which a page may have several copies. */
const leaves = ['internal', 'words'];

requireModules(modules);
const build = new PackageBuild('dist');

await build.bundle({
  entryPoints: {
    ...Object.fromEntries(entries.map((name) => [name, `web/package/src/${name}.ts`])),
    worker: 'web/package/src/intake/worker.ts',
    'analysis-worker': 'web/package/src/analysis/analysis-worker.ts',
    'synthesis-worker': 'web/package/src/synthesis/synthesis-worker.ts',
  },
  splitting: true,
  platform: 'neutral',
  mainFields: ['module'],
  alias: glueOf(modules),
  plugins: [boundedReaders, noCodeFromText, noGlueAddress, noNodeCrypto, noNodeFiles],
});

// Apart: shared files would cut what participants load into smaller ones, which compress worse.
await build.bundle({
  entryPoints: leaves.map((name) => `web/package/src/${name}.ts`),
  platform: 'neutral',
});

/** The elements use the package's own entries beside them. */
const besidePackage = {
  name: 'beside-package',
  setup({ onResolve }) {
    onResolve(
      { filter: /^private-moments(\/(federation|internal|report|words))?$/ },
      ({ path }) => ({
        path: `./${path.split('/')[1] ?? 'index'}.js`,
        external: true,
      }),
    );
  },
};

// Lit is bundled: no page has to know that the elements are made with it.
await build.bundle({
  entryPoints: {
    elements: 'web/elements/src/index.ts',
    'internal-elements': 'web/elements/src/internal.ts',
    'internal-worker': 'web/elements/src/internal-worker.ts',
    'designer-worker': 'web/elements/src/design/designer-worker.ts',
  },
  splitting: true,
  platform: 'browser',
  plugins: [besidePackage],
});

await build.minify();

await bundleProgram('dist', ['web/cli/src/cli.ts'], ['private-moments']);

build.copyModules(modules);
build.writeLicences();
build.writeBillOfMaterials('package.json');
build.declareProject('web/package/tsconfig.build.json');
// The types of the elements need nothing but those of the package.
build.declareFiles({
  'web/elements/src/index.ts': 'elements',
  ...Object.fromEntries(
    ['elements', 'markup', 'frameworks', ...frameworks].map((name) => [
      `web/elements/src/contract/${name}.ts`,
      `contract/${name}`,
    ]),
  ),
});
build.writeEmptyModule('declarations');
