import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../web/research/', import.meta.url));
const dist = `${root}dist/`;
const source = (name: string): string => readFileSync(dist + name, 'utf8');
const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));

/** Runs a module in a fresh Node and returns what it prints. */
function inNode(text: string): string {
  const options = { cwd: root, encoding: 'utf8', timeout: 60_000 } as const;
  return execFileSync(process.execPath, ['--input-type=module', '-e', text], options).trim();
}

describe('the built package', () => {
  it('imports private-moments by its entries, and contains no copy of it', () => {
    const all = scripts.map(source).join('\n');
    const imports = [...all.matchAll(/from"(private-moments[^"]*)"/g)].map(([, name]) => name);
    expect([...new Set(imports)].sort()).toEqual([
      'private-moments',
      'private-moments/internal',
      'private-moments/internal/core',
      'private-moments/internal/elements',
      'private-moments/internal/worker',
      'private-moments/words',
    ]);
    expect(all).not.toContain('private-moments-analysis.wasm');
  });

  it('runs beside private-moments, and computes exact moments for its studies', () => {
    const printed = inNode(`
      import { defineStudy } from 'private-moments';
      import { exactMoments } from 'private-moments-research';
      const columns = [{ name: 'a', type: 'number', min: 0, max: 1 }];
      const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
      const { rows, mean } = await exactMoments(study, [{ a: 0.25 }, { a: 0.75 }]);
      console.log(rows, mean.values[0].toFixed(6));
      await exactMoments({}, []).catch(({ name }) => console.log(name));
    `);
    expect(printed).toBe('2 0.500000\nPrivateMomentsError');
  });

  it('ships a bill of materials with everything whose licence it ships', async () => {
    const text = source('sbom.json');
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
    expect(await validator.validate(text)).toBeNull();
    const bom = JSON.parse(text) as { components: { name: string }[]; metadata: object };
    expect(bom.metadata).toMatchObject({ component: { name: 'private-moments-research' } });
    const names = bom.components.map(({ name }) => name);
    const licences = source('THIRD-PARTY.txt').split(/^-{72}$/m);
    const licensed = licences.slice(0, -1).map((notice) => notice.trim().split('\n')[0]);
    const compiled = ['Eigen', 'fast_float', 'Emscripten', 'musl', 'libc++'];
    expect(names).toEqual([...licensed, ...compiled]);
  });

  it('registers no element without a document, and no worker loads elements', () => {
    const elements = "import { defineExplorer } from 'private-moments-research/elements';";
    expect(inNode(`${elements} await defineExplorer(); console.log('done');`)).toBe('done');
    for (const name of ['audit-worker', 'comparison-worker', 'consortium-worker']) {
      expect(inNode(`await import('private-moments-research/${name}.js'); console.log(1);`)).toBe(
        '1',
      );
    }
  });

  it('keeps the expressions by which bundlers find its workers and its core', () => {
    const all = scripts.map(source).join('\n');
    for (const name of ['audit-worker', 'comparison-worker', 'consortium-worker']) {
      expect(all).toContain(`new Worker(new URL("./${name}.js",import.meta.url),{type:"module"})`);
    }
    expect(all).toContain('new URL("./private-moments-research.wasm",import.meta.url)');
  });
});
