import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}.github/workflows/`;
const workflows = readdirSync(folder).map((name) => [name, readFileSync(folder + name, 'utf8')]);
const release = workflows.find(([name]) => name === 'release.yml')[1];

test('workflows use actions by their commit, and say which version that is', () => {
  for (const [name, text] of workflows) {
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    assert.ok(actions.length > 0, name);
    for (const action of actions) {
      assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
    }
  }
});

test('workflows run targets that the Makefile has', () => {
  const makefile = readFileSync(`${root}Makefile`, 'utf8');
  const targets = new Set(
    [...makefile.matchAll(/^([\w -]+):/gm)].flatMap(([, all]) => all.split(' ')),
  );
  for (const [name, text] of workflows) {
    const runs = [...text.matchAll(/^ *(?:- run: )?make (.+)$/gm)].flatMap(([, all]) =>
      all.split(' '),
    );
    assert.ok(runs.includes('test'), name);
    for (const target of runs) assert.ok(targets.has(target), `${name}: ${target}`);
  }
});

test('tests in a container run at home, in a clone that git trusts', () => {
  for (const [name, text] of workflows) {
    const [, step] = /- name: Test\n(.*?)\n {6}\S/s.exec(`${text}\n      -`);
    assert.match(step, /export HOME=~root\n/, name);
    assert.match(step, /safe\.directory.*make test/s, name);
  }
});

test('a release attaches a site that is built after the packages, which remove it', () => {
  const makefile = readFileSync(`${root}Makefile`, 'utf8');
  assert.match(makefile, /^site: research$/m);
  assert.match(makefile, /^research: package /m);
  assert.match(release, /run: make pack site\n/);
  assert.match(release, /dist\/site\/private-moments\.html\n/);
});

test('a release publishes every package with its provenance, and nothing before the tests', () => {
  const { workspaces } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const packages = ['.', ...workspaces].map(
    (each) => JSON.parse(readFileSync(`${root}${each}/package.json`, 'utf8')).name,
  );
  const [, published] = /for name in (.*); do/.exec(release);
  assert.deepEqual(published.split(' ').sort(), packages.sort());
  assert.equal(published.split(' ')[0], 'private-moments');
  assert.match(release, /npm publish --provenance --access public/);
  assert.match(release, /id-token: write/);
  assert.ok(release.indexOf('make test') < release.indexOf('npm publish'));
  assert.match(release, /needs: build/);
});

test('a release signs the manifests, the packages and the saved copy before it publishes them', () => {
  const [, subjects] = /attest-build-provenance@[^]*?subject-path: \|\n((?: {12}.*\n)+)/.exec(
    release,
  );
  const signed = subjects.trim().split(/\s+/);
  const attached = release.slice(release.indexOf('gh release create'));
  for (const file of signed) assert.ok(attached.includes(file), file);
  assert.deepEqual(signed, [
    'build/packed/*.tgz',
    'build/packed/SHA256SUMS',
    'dist/site/private-moments.html',
    'site-SHA256SUMS',
  ]);
  assert.match(release, /attestations: write/);
  assert.ok(release.indexOf('attest-build-provenance') < release.indexOf('npm publish'));
});
