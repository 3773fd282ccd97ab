import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/engines/**/*.test.ts'],
    server: { deps: { external: [/\/dist\//] } },
    // Runs one browser at a time, with the whole machine to itself.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
