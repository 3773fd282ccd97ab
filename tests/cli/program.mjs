import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `private-moments` as built. */
export const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/**
 * Starts a program in a folder, with a ledger of its own there.
 * @param {string} folder
 * @param {string[]} command the program and its arguments
 * @param {Record<string, string>} more of its environment
 */
export function start(folder, [file, ...args], more = {}) {
  const env = { ...process.env, XDG_STATE_HOME: `${folder}/state`, ...more };
  const child = spawn(file, args, { cwd: folder, env });
  const texts = { out: '', said: '' };
  child.stdout.setEncoding('utf8').on('data', (part) => (texts.out += part));
  child.stderr.setEncoding('utf8').on('data', (part) => (texts.said += part));
  // A program that fails early does not read its input.
  child.stdin.on('error', () => undefined);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, ...texts }));
  });
  return { child, texts, ended };
}

/** Runs `private-moments` to its end. Returns its status, standard output and standard error. */
export async function run(folder, args, input = '') {
  const { child, ended } = start(folder, [process.execPath, PROGRAM, ...args]);
  child.stdin.end(input);
  return ended;
}
