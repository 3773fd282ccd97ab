import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packedManifest } from '../../tools/pack.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the manifest that users get', () => {
  it.each(['.', 'web/relay', 'web/research', 'web/scale'])(
    'has no development fields: %s',
    (folder) => {
      const manifest = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
      const packed = packedManifest(manifest);
      for (const field of ['scripts', 'devDependencies', 'workspaces']) {
        expect(packed).not.toHaveProperty(field);
      }
      for (const field of ['name', 'version', 'license', 'files', 'engines', 'exports']) {
        expect(packed[field]).toEqual(manifest[field]);
      }
    },
  );

  it.each(['.', 'web/relay', 'web/research', 'web/scale'])('is not left to npm: %s', (folder) => {
    const { scripts } = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
    const [, script, argument] = scripts.prepack.split(' ');
    const run = spawnSync(process.execPath, [script, argument], {
      cwd: `${root}${folder}`,
      encoding: 'utf8',
    });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('make pack');
  });
});
