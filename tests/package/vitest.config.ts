import { readFileSync, readdirSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { aliases, beside, requireModules } from '../../tools/source.mjs';

requireModules();

const files = ['tests/package', 'tests/elements'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`),
);
/** About the files of the built package, and what programs do that import it. */
const ofBuild = ['package', 'types', 'runtimes', 'hostile-files'].map(
  (name) => `tests/package/**/${name}.test.ts`,
);

/** Tests of threads, which a page keeps, and those that replace something that others would find replaced. */
const alone = files.filter(
  (file) =>
    /\/(?:intake|threads)\//.test(file) ||
    /\bvi\.(?:mock|stubGlobal|spyOn|resetModules)\b|\bglobalThis\b/.test(
      readFileSync(file, 'utf8'),
    ),
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
      // In two processes that keep their modules: loading them for each file would take a third of the time.
      project('source', {
        include: files,
        exclude: [...ofBuild, ...alone],
        globalSetup: 'tests/package/bundles.ts',
        isolate: false,
      }),
      project('alone', { include: alone, exclude: ofBuild, sequence: { groupOrder: 1 } }),
      project('build', { include: ofBuild }),
    ],
  },
});
