import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { unreadable } from '../../command/src/input.js';

export interface FoundPath {
  path: string;
  /** Whether it is an argument, or a file in a folder whose name ends in .json. */
  isRelease: boolean;
}

/**
 * The files that paths name: a file itself, all files in a folder at any depth, and for `-` the paths
 * from standard input, one per line.
 */
export async function* filesAmong(paths: readonly string[]): AsyncGenerator<FoundPath> {
  for (const path of paths) {
    if (path !== '-') {
      yield* filesAt(path);
      continue;
    }
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
      if (line !== '') yield* filesAt(line);
    }
  }
}

async function* filesAt(path: string): AsyncGenerator<FoundPath> {
  const about = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (about.isDirectory()) yield* filesUnder(path);
  else yield { path, isRelease: true };
}

/** Reads one name at a time, as there may be a million. Recursive `opendir` loses names (Node 20). */
async function* filesUnder(folder: string): AsyncGenerator<FoundPath> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile()) yield { path, isRelease: entry.name.endsWith('.json') };
  }
}
