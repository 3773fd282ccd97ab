import { defineConfig } from 'vitest/config';
import { aliases, beside, requireModules, WITH_RESEARCH } from '../../tools/source.mjs';

requireModules(WITH_RESEARCH);

export default defineConfig({
  resolve: { alias: aliases },
  plugins: [beside()],
  test: {
    name: 'research',
    include: ['tests/research/**/*.test.ts'],
    globalSetup: 'tests/research/bundles.ts',
    // Modules of Emscripten run as Node loads them.
    server: { deps: { external: [/\/build\/wasm\//] } },
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
