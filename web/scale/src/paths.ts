import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface FoundPath {
  path: string;
  /** Under a folder that was given: whether its name says that it is a release. */
  isRelease: boolean;
}

/**
 * The files among paths: each as it is, those under a folder however deep, and for `-` those whose
 * paths come from standard input, one a line.
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
  if ((await stat(path)).isDirectory()) yield* filesUnder(path);
  else yield { path, isRelease: true };
}

/** One name at a time: there may be a million. The recursion of `opendir` itself loses names (Node 20). */
async function* filesUnder(folder: string): AsyncGenerator<FoundPath> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile()) yield { path, isRelease: entry.name.endsWith('.json') };
  }
}
