import { defineConfig } from 'vitest/config';
import { aliases } from '../../tools/source.mjs';

export default defineConfig({
  resolve: { alias: aliases },
  test: { include: ['tests/relay/**/*.test.ts'], testTimeout: 60_000, maxWorkers: 2 },
});
