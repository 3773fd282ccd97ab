import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { aliases, beside, requireModules } from '../../tools/source.mjs';

requireModules();

const files = ['tests/package/**/*.test.ts', 'tests/elements/**/*.test.ts'];
/** About the files of the built package, and what programs do that import it. */
const ofBuild = ['package', 'types', 'runtimes', 'hostile-files'].map(
  (name) => `tests/package/**/${name}.test.ts`,
);

function project(
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return {
    resolve: { alias: aliases },
    plugins: [beside()],
    test: {
      name,
      // Modules of Emscripten and of dist/ run as Node loads them.
      server: { deps: { external: [/\/(dist|build\/wasm)\//] } },
      testTimeout: 60_000,
      ...test,
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('source', {
        include: files,
        exclude: ofBuild,
        globalSetup: 'tests/package/bundles.ts',
      }),
      project('build', { include: ofBuild }),
    ],
  },
});
