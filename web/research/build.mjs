// Bundles private-moments-research into web/research/dist. Private-moments stays outside: a page has one copy.
import { glueOf, PackageBuild, requireModules } from '../package/bundle.mjs';
import { moduleDigests } from '../package/plugins.mjs';

const modules = ['private-moments-research'];

requireModules(modules);
const build = new PackageBuild('web/research/dist');

await build.bundle({
  entryPoints: {
    index: 'web/research/src/index.ts',
    elements: 'web/research/elements/index.ts',
    'audit-worker': 'web/research/elements/audit/audit-worker.ts',
    'comparison-worker': 'web/research/elements/comparison/comparison-worker.ts',
    'find-me-worker': 'web/research/elements/find-me/find-me-worker.ts',
    'consortium-worker': 'web/research/elements/consortium/consortium-worker.ts',
  },
  splitting: true,
  platform: 'browser',
  external: ['private-moments', 'private-moments/*'],
  plugins: [moduleDigests],
  alias: { ...glueOf(modules), 'private-moments-research': './web/research/src/index.ts' },
});

await build.minify();
build.copyModules(modules);
build.writeLicences();
build.writeBillOfMaterials('web/research/package.json');
build.copyLicence();
build.declareProject('web/research/tsconfig.build.json');
build.declareFiles({
  'web/research/elements/index.ts': 'elements',
  'web/research/elements/contract.ts': 'contract',
});
