import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { billOfMaterials, packagesOf } from '../../web/package/bom.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const manifestOf = (folder) => JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);

test('the bill of a program has what is in its files and what npm installs with it, and nothing compiled in', async () => {
  for (const [folder, bundled, expected] of [
    ['web/relay', [], ['classic-level optional']],
    ['web/scale', ['fflate'], ['fflate required', 'hyparquet-writer required']],
  ]) {
    const text = billOfMaterials(manifestOf(folder), new Set(bundled), false);
    assert.equal(await validator.validate(text), null, folder);
    const { components, dependencies, metadata } = JSON.parse(text);
    assert.deepEqual(
      components.map(({ name, scope }) => `${name} ${scope}`),
      expected,
    );
    assert.equal(metadata.component.name, manifestOf(folder).name);
    assert.equal(dependencies[0].dependsOn.length, expected.length);
  }
});

test('the packages of a bundle are found in the paths of its files, and must be in package-lock.json', () => {
  const paths = ['web/cli/src/cli.ts', 'node_modules/@a/b/x.js', 'node_modules/c/lib/y.js'];
  assert.deepEqual([...packagesOf(paths)], ['@a/b', 'c']);
  assert.throws(() => billOfMaterials(manifestOf('web/relay'), new Set(['not-installed']), false));
});
