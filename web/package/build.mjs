// Builds the npm package into dist/: the entries and what they share, in two layouts (layouts.mjs), the
// .wasm files, types.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { bundleProgram } from './bundle-program.mjs';
import { glueOf, PackageBuild, requireModules } from './bundle.mjs';
import { writeInline } from './inline.mjs';
import { bundleLibraries, readSources, writeFiles, writeModules } from './layouts.mjs';
import { packagePlugins } from './plugins.mjs';

const modules = ['', '-analysis', '-synthesis'].map((name) => `private-moments${name}`);
const ofPackage = (path) => `web/package/src/${path}.ts`;
const ofElements = (path) => `web/elements/src/${path}.ts`;

/** What the elements import by the name of the package. */
const named = {
  'private-moments/federation': ofPackage('federation'),
  'private-moments/internal': ofPackage('internal'),
  'private-moments/internal/core': ofPackage('internal-core'),
  'private-moments/report': ofPackage('report'),
  'private-moments/words': ofPackage('words'),
  'private-moments': ofPackage('index'),
};

/** The frameworks in whose markup the elements have types. */
const frameworks = ['preact', 'react', 'solid', 'svelte', 'vue'];

/** The elements that can be imported one by one. */
const tags = readdirSync(new URL('../elements/src/tags', import.meta.url))
  .sort()
  .map((file) => basename(file, '.ts'));

const workers = {
  worker: ofPackage('intake/worker'),
  'analysis-worker': ofPackage('analysis/analysis-worker'),
  'synthesis-worker': ofPackage('synthesis/synthesis-worker'),
  'designer-worker': ofElements('design/designer-worker'),
};

/** The modules that package.json exports. */
const entries = {
  index: ofPackage('index'),
  federation: ofPackage('federation'),
  internal: ofPackage('internal'),
  'internal-core': ofPackage('internal-core'),
  node: ofPackage('node'),
  report: ofPackage('report'),
  words: ofPackage('words'),
  elements: ofElements('index'),
  'internal-elements': ofElements('internal'),
  'internal-worker': ofElements('internal-worker'),
  ...workers,
};

/** The files that entries share where there is no bundler. */
const shared = [
  // Apart from the other workers' part: the worker of a release is waited for until it has read all its files.
  // Without what starts workers, which bundlers would take for workers that start each other.
  { name: 'shared-rows', sources: [entries.index], others: [workers.worker] },
  {
    name: 'shared',
    sources: [entries.index],
    others: [workers['analysis-worker'], workers['synthesis-worker']],
  },
  { name: 'page', sources: [entries.index] },
  { name: 'rows', sources: [ofPackage('intake/release-service')] },
  // Without elements: workers have no document, and neither have servers.
  {
    name: 'shared-words',
    sources: ['words', 'internal', 'elements', 'internal-worker', 'designer-worker'].map(
      (name) => entries[name],
    ),
  },
  // Those of one element are within it: elements share nearly everything.
  { name: 'all-elements', sources: [ofElements('define')] },
];

requireModules(modules);
const build = new PackageBuild('dist');

const ofLibraries = {
  platform: 'neutral',
  mainFields: ['module', 'main'],
  alias: glueOf(modules),
  plugins: packagePlugins,
};
const libraries = await bundleLibraries(entries, named, ofLibraries);
build.noteInputs(libraries.inputs);

const sources = await readSources(entries, { ...named, ...libraries.files }, Object.keys(workers));
// Workers do something when they are imported, and elements.js loads elements on demand.
await writeFiles(sources, build.folder, shared, [
  ...Object.values(workers),
  entries.elements,
  ...tags.map((tag) => ofElements(`tags/${tag}`)),
]);
await build.minify();
const written = await writeModules(sources, `${build.folder}modules`, entries);
await build.minify(
  written.filter((name) => name.startsWith('library-')).map((name) => `modules/${name}`),
);
await sources.close();
await writeInline(build.folder, ofLibraries);

build.noteInputs(await bundleProgram('dist', ['web/cli/src/cli.ts'], ['private-moments']));

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
  ...Object.fromEntries(tags.map((tag) => [`web/elements/src/tags/${tag}.ts`, `tags/${tag}`])),
});
build.writeEmptyModule('declarations');
