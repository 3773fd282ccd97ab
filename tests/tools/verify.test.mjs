import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./verify_mathematics.py', import.meta.url));
const python = process.env.PYTHON ?? 'python3';

test('the mathematics of tools/verify agree with sums and searches by definition', () => {
  const { error, status, stderr } = spawnSync(python, [program], { encoding: 'utf8' });
  assert.equal(error, undefined);
  assert.equal(status, 0, stderr);
});
