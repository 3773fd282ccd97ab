import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (name) => readFileSync(root + name, 'utf8');
const { version } = JSON.parse(textOf('package.json'));

test('all packages have one version, and ask for it of each other', () => {
  const lock = JSON.parse(textOf('package-lock.json'));
  for (const folder of ['', 'web/relay/', 'web/research/', 'web/scale/']) {
    const manifest = JSON.parse(textOf(`${folder}package.json`));
    assert.equal(manifest.version, version, folder);
    const asked = manifest.peerDependencies?.['private-moments'] ?? `^${version}`;
    assert.equal(asked, `^${version}`, folder);
    assert.equal(lock.packages[folder.slice(0, -1)].version, version, folder);
  }
});

test('the citation, the formats and the changelog name the version of the packages', () => {
  assert.equal(/^version: (.*)$/m.exec(textOf('CITATION.cff'))?.[1], version);
  const stated = [...textOf('docs/formats.md').matchAll(/"private-moments\/([\d.]+)"/g)];
  assert.ok(stated.length > 2);
  for (const [, one] of stated) assert.equal(one, version);
  assert.match(textOf('docs/features.md'), new RegExp(`, version ${version}, `));
  assert.equal(/^## (\S+)/m.exec(textOf('CHANGELOG.md'))?.[1], version);
});
