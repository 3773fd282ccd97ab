import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packedManifest } from '../../tools/pack.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = ['.', 'web/relay', 'web/research', 'web/scale'];
const manifestOf = (folder) => JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));

test('the manifest that users get has no development fields, and all others', () => {
  for (const folder of folders) {
    const manifest = manifestOf(folder);
    const packed = packedManifest(manifest);
    const left = ['scripts', 'devDependencies', 'workspaces'].filter((field) => field in packed);
    assert.deepEqual(left, [], folder);
    for (const field of ['name', 'version', 'license', 'files', 'engines', 'exports']) {
      assert.deepEqual(packed[field], manifest[field], folder);
    }
  }
});

test('npm refuses to pack a folder by itself', () => {
  for (const folder of folders) {
    const [, script, argument] = manifestOf(folder).scripts.prepack.split(' ');
    const cwd = `${root}${folder}`;
    const run = spawnSync(process.execPath, [script, argument], { cwd, encoding: 'utf8' });
    assert.equal(run.status, 1, folder);
    assert.match(run.stderr, /make pack/);
  }
});
