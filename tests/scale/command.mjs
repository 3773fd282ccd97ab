import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `private-moments` as built. */
export const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Runs `private-moments`: its status, what it printed, what it said. */
export async function command(args, input = '') {
  const child = spawn(process.execPath, [program, ...args]);
  child.stdin.end(input);
  const [out, said] = [[], []];
  child.stdout.on('data', (part) => out.push(part));
  child.stderr.on('data', (part) => said.push(part));
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { status, out: Buffer.concat(out), said: Buffer.concat(said).toString() };
}

/** The text of a query that is shipped. */
export function sql(name) {
  return readFileSync(new URL(`../../web/cli/sql/${name}`, import.meta.url), 'utf8');
}
