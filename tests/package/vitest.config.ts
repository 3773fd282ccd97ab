import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/package/**/*.test.ts'],
    // The built package runs as users run it: its modules and its worker as plain files.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});
