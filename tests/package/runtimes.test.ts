import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const index = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** From rows to results, with every kind of worker and one cancelled call. */
const JOB = `
  import { openAsBlob } from 'node:fs';
  import { assemble, defineStudy, privatize, synthesize } from ${JSON.stringify(index)};
  const study = defineStudy({
    title: 'runtimes',
    columns: ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 9 })),
    views: { x: ['a'], y: ['b'] },
    privacy: { epsilon: 1, delta: 1e-6 },
  });
  const rows = Array.from({ length: 100 }, (_, i) => ({ a: i % 7, b: i % 5 }));
  const text = 'a,b\\n' + rows.map(({ a, b }) => a + ',' + b + '\\n').join('');
  const releases = [
    await privatize(study, rows),
    await privatize(study, text, { workers: 2 }),
    await privatize(study, await openAsBlob(process.argv[2]), { workers: 2 }),
  ];
  const abort = new AbortController();
  abort.abort();
  const cancelled = await privatize(study, rows, { signal: abort.signal }).catch(({ code }) => code);
  const refused = await privatize(study, 'a,b\\n1').catch(({ code, row }) => code + ' ' + row);
  const moments = await assemble(study, releases);
  const here = moments.cca();
  const there = await moments.inWorker({ workers: 2 }).cca();
  const drawn = await synthesize(study, rows, { rows: 10, task: 'density' });
  console.log(JSON.stringify({
    rows: releases.map(({ rows }) => rows),
    cancelled,
    refused,
    same: here.correlations[0].value === there.correlations[0].value,
    pairs: there.correlations.length,
    drawn: drawn.rows,
  }));
`;

const runtimes: [name: string, command: string, args: string[]][] = [
  ['Node', process.execPath, []],
  ['Bun', process.env.BUN_PATH ?? 'bun', []],
  ['Deno', process.env.DENO_PATH ?? 'deno', ['run', '--allow-all']],
];

function isThere(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

describe('the package in', () => {
  for (const [name, command, args] of runtimes) {
    const missing = !isThere(command);
    if (missing) console.log(`${name} is not installed: its test is skipped`);
    it.skipIf(missing)(`${name} makes releases and results, and lets the process exit`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'runtimes-'));
      try {
        const job = join(folder, 'job.mjs');
        const file = join(folder, 'rows.csv');
        writeFileSync(job, JOB);
        writeFileSync(file, 'a,b\n1,2\n3,4\n');
        // Fails if the process does not exit.
        const printed = execFileSync(command, [...args, job, file], {
          encoding: 'utf8',
          timeout: 15_000,
        });
        expect(JSON.parse(printed)).toEqual({
          rows: [100, 100, 2],
          cancelled: 'cancelled',
          refused: 'ragged-row 1',
          same: true,
          pairs: 1,
          drawn: 10,
        });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
