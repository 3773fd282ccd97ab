import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { SUMS, writeSums } from '../../tools/sums.mjs';

test('a manifest lists every file but itself, and sha256sum finds what was changed or is missing', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sums-'));
  try {
    mkdirSync(path.join(folder, 'dist'));
    writeFileSync(path.join(folder, 'b'), 'two');
    writeFileSync(path.join(folder, 'dist/a'), 'one');
    for (const file of [SUMS, `dist/${SUMS}`]) {
      writeSums(folder, file);
      // Again: it is still not in itself.
      writeSums(folder, file);
      const names = readFileSync(path.join(folder, file), 'utf8').match(/(?<= {2}).*/g);
      assert.deepEqual(
        names.filter((name) => !name.endsWith(SUMS)),
        ['b', 'dist/a'],
      );
      assert.ok(!names.includes(file));
      rmSync(path.join(folder, file));
    }
    writeSums(folder);
    const check = () =>
      spawnSync('sha256sum', ['--check', '--quiet', SUMS], { cwd: folder }).status;
    assert.equal(check(), 0);
    writeFileSync(path.join(folder, 'dist/a'), 'onf');
    assert.notEqual(check(), 0);
    rmSync(path.join(folder, 'dist/a'));
    assert.notEqual(check(), 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
