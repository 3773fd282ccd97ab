import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packedManifest, packedReadme } from '../../tools/pack.mjs';

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

test('the links of the README that users get lead to files of its version, and no others change', () => {
  for (const folder of folders) {
    const manifest = manifestOf(folder);
    const own = readFileSync(`${root}${folder}/README.md`, 'utf8');
    const links = (text) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
    const before = links(own);
    const packed = links(packedReadme(own, manifest, folder));
    const home = manifest.repository.url.replace('git+', '').replace('.git', '');
    assert.ok(
      before.some((link) => !link.startsWith('http')),
      folder,
    );
    for (const [i, link] of packed.entries()) {
      const [, file] =
        new RegExp(`^${home}/(?:blob|raw)/v${manifest.version}/([^#]+)`).exec(link) ?? [];
      if (file === undefined) assert.equal(link, before[i]);
      else assert.ok(existsSync(root + file), `${folder}: ${link}`);
      assert.match(link, /^(https?:|#)/);
    }
  }
});

test('pictures of a README are addresses of files, not of pages about them', () => {
  const manifest = { repository: { url: 'git+https://example.org/a.git' }, version: '1.2.3' };
  const text = '![one](images/a.png) [two](../b.md#c) [three](#d) [four](https://example.com/)';
  assert.equal(
    packedReadme(text, manifest, 'web/relay'),
    '![one](https://example.org/a/raw/v1.2.3/web/relay/images/a.png) ' +
      '[two](https://example.org/a/blob/v1.2.3/web/b.md#c) [three](#d) [four](https://example.com/)',
  );
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
