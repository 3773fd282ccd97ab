import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

test(
  'behind masks ten sites have little more noise than one data set, and no message is refused',
  { timeout: 60_000 },
  async () => {
    // It ends with an error if any role refuses a message.
    const { stdout } = await promisify(execFile)('node', ['samples/federation.mjs'], { cwd: root });
    const lines = new Map(
      [...stdout.matchAll(/^(\w[\w ,]*?) {2,}(\d+) {2,}(\.?[\d.]+)/gm)].map(
        ([, name, noise, first]) => [name, { noise: Number(noise), first: Number(first) }],
      ),
    );
    const { noise } = lines.get('one data set');
    // Ten sites, of which seven must be honest.
    expect(lines.get('ten sites, split').noise / noise).toBeCloseTo(Math.sqrt(10 / 7), 1);
    expect(lines.get('ten sites, ring').noise).toBe(lines.get('ten sites, split').noise);
    expect(lines.get('ten sites, independent').noise / noise).toBeCloseTo(Math.sqrt(10), 1);
    // Standard deviation .004.
    const truth = lines.get('all rows, no privacy').first;
    expect(truth).toBe(0.618);
    for (const mode of ['split', 'ring']) {
      expect(Math.abs(lines.get(`ten sites, ${mode}`).first - truth)).toBeLessThan(0.03);
    }
    expect(stdout).toContain('This holds if at least 7 of the 10 sites are honest');
  },
);
