// The manifest of a folder: the SHA-256 of each of its files, in the form that `sha256sum --check` takes.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The name of a manifest, which does not list itself. */
export const SUMS = 'SHA256SUMS';

/**
 * Writes the manifest of all files below a folder.
 * @param {string} folder
 * @param {string} file the manifest, a path in the folder
 */
export function writeSums(folder, file = SUMS) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== path.normalize(file) && statSync(path.join(folder, name)).isFile())
    .map((name) => name.replaceAll(path.sep, '/'))
    .sort();
  const lines = files.map((name) => {
    const digest = createHash('sha256').update(readFileSync(path.join(folder, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  writeFileSync(path.join(folder, file), lines.join(''));
}
