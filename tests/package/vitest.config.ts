import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // As the bundler has it; for tests of what runs in a worker.
  resolve: {
    alias: {
      'private-moments-glue': fileURLToPath(
        new URL('../../build/wasm/private-moments.js', import.meta.url),
      ),
    },
  },
  test: {
    include: ['tests/package/**/*.test.ts', 'tests/elements/**/*.test.ts'],
    // The built package runs as users run it: its modules and its worker as plain files.
    server: { deps: { external: [/\/(dist|build\/wasm)\//] } },
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});
