import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, totalmem } from 'node:os';

/** First line of a program's output, or undefined if it cannot be run. */
export function firstLine(program, ...args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .split('\n')[0];
  } catch {
    return undefined;
  }
}

function processor() {
  try {
    const text = readFileSync('/proc/cpuinfo', 'utf8');
    const field = (name) => new RegExp(`^${name}\\s*: (.*)$`, 'm').exec(text)?.[1];
    const flags = ` ${field('flags') ?? ''} `;
    const vectors = ['sse2', 'avx2', 'fma', 'avx512f'].filter((name) =>
      flags.includes(` ${name} `),
    );
    return `${field('model name') ?? 'unknown'} (${arch()}; ${vectors.join(', ')})`;
  } catch {
    return arch();
  }
}

/** A description of the machine, without its name. */
export const machine = () => [
  ['processor', processor()],
  ['cores', String(availableParallelism())],
  ['memory', `${Math.round(totalmem() / 2 ** 30)} GiB`],
];
