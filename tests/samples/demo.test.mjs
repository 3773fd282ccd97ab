import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

test(
  'the demo ends well, close to the exact answer, and leaves a report and the files',
  { timeout: 60_000 },
  async () => {
    const { stdout } = await promisify(execFile)('node', ['samples/demo/demo.mjs', '--once'], {
      cwd: root,
    });
    const [census, cohort] = [...stdout.matchAll(/^ +1st .*$/gm)].map(([line]) =>
      [...line.matchAll(/[+\u2212]?\.\d{3}/g)].map(([text]) => Number(text.replace('\u2212', '-'))),
    );
    expect(census[0]).toBe(0.618);
    // Standard deviation 0.011.
    expect(Math.abs(census[1] - census[0])).toBeLessThan(0.065);
    expect(cohort[0]).toBe(0.62);
    expect(Math.abs(cohort[2] - cohort[0])).toBeLessThan(0.05);
    expect(stdout.replace(/\s+/g, ' ')).toContain('right at most 55 times in 100');

    expect(readFileSync(`${root}demo-report/report.html`, 'utf8')).toContain('<h1>People and work');
    expect(readFileSync(`${root}demo-report/cohort.html`, 'utf8')).toContain('What was planted');
    const files = readdirSync(`${root}demo-report/census`);
    expect(files.filter((name) => name.endsWith('.release.json'))).toHaveLength(10);
  },
);
