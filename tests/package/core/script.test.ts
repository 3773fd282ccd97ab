import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { bundling } from '../../../tools/source.mjs';

const bundles = new URL('../../../build/source/', import.meta.url);

it('a bundle that is not a module says what to name, and works with it', async () => {
  const { outputFiles } = await build({
    ...bundling,
    entryPoints: [fileURLToPath(new URL('../../../web/package/src/index.ts', import.meta.url))],
    format: 'iife',
    globalName: 'library',
    write: false,
    // It warns that import.meta is empty, which is what this is about.
    logLevel: 'error',
  });
  const act = `(async () => {
    const { defineStudy, load, privatize } = library;
    const columns = [{ name: 'a', type: 'number', min: 0, max: 9 }];
    const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
    await privatize(study, [{ a: 1 }]).catch(({ code, message }) => console.log(code, message));
    await load({
      wasm: new URL('private-moments.wasm', '${bundles.href}'),
      worker: new URL('worker.js', '${bundles.href}'),
    });
    console.log((await privatize(study, [{ a: 1 }])).rows);
  })();`;
  const printed = execFileSync(process.execPath, ['--input-type=commonjs', '-'], {
    input: `${outputFiles[0]?.text ?? ''}\n${act}`,
    encoding: 'utf8',
  });
  const [refused, made] = printed.trim().split('\n');
  expect(refused).toMatch(/^core-unavailable .*load\(\{ wasm, worker \}\)/);
  expect(made).toBe('1');
}, 60_000);
