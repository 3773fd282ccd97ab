import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** `private-moments-scale` as built. */
export const program = fileURLToPath(new URL('web/scale/dist/cli.js', root));

/** `private-moments` as built, which finds the same commands. */
export const dispatcher = fileURLToPath(new URL('dist/cli.js', root));

/** Runs a program. Returns its status, standard output and standard error. */
export async function command(args, input = '', file = program) {
  const child = spawn(process.execPath, [file, ...args]);
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

/** The text of one of the package's queries. */
export function sql(name) {
  return readFileSync(new URL(`web/scale/sql/${name}`, root), 'utf8');
}
