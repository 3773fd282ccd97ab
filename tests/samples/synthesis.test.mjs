import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

test(
  'rows like those of the census keep what goes together there',
  { timeout: 60_000 },
  async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'rows.csv');
    const args = ['samples/synthesis.mjs', '--out', file];
    const { stdout } = await promisify(execFile)('node', args, { cwd: root });
    const figures = new Map(
      [...stdout.matchAll(/^(\w.*?) {2,}(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+)/gm)].map(
        ([, name, released, , , drawn]) => [name, { released, drawn: Number(drawn) }],
      ),
    );
    // The model is of 48 842 rows, so noise changes both figures by far less.
    expect(Math.abs(figures.get('mean age').drawn - 38.5)).toBeLessThan(2);
    expect(Math.abs(figures.get('canonical correlation 1').drawn - 0.618)).toBeLessThan(0.1);
    expect(stdout).toContain('ε = 1 ');
    expect(stdout).toMatch(/\d+ of \d+ means/);
    const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\r\n');
    expect(header).toBe('age,education,female,married,hours,over_50k,occupation');
    expect(lines.length).toBe(Number(/^(\d+) rows drawn/m.exec(stdout)[1]));
    expect(lines.every((row) => /,(professional|office|service|other)$/.test(row))).toBe(true);
  },
);
