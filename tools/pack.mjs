#!/usr/bin/env node
// Packs the packages as users install them: their package.json without what only this repository needs, their README
// with addresses in place of links to files. The arguments are the folders of packages; without one, all are packed,
// into build/packed. With `--refuse`, as npm calls it before it packs a folder here itself, it says so.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SUMS, writeSums } from './sums.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = ['.', 'web/relay', 'web/research', 'web/scale'];
const OURS = ['scripts', 'devDependencies', 'workspaces'];

/** The manifest that users get. */
export function packedManifest(manifest) {
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => !OURS.includes(field)));
}

/**
 * The README that users get, on npm too, where nothing is beside it: its links to files of the repository are
 * addresses, of the version that is packed.
 * @param folder of the README, from the root
 */
export function packedReadme(text, { repository, version }, folder) {
  const home = repository.url.replace(/^git\+|\.git$/g, '');
  const address = (link, view) => {
    const [name, anchor] = link.split('#');
    const file = path.posix.normalize(path.posix.join(folder, name));
    return `${home}/${view}/v${version}/${file}${anchor === undefined ? '' : `#${anchor}`}`;
  };
  const isNear = (link) => !/^([a-z]+:|#|\/)/.test(link);
  return text.replace(/(!?)(\[[^\]]*\]\()([^)\s]+)\)/g, (whole, mark, label, link) =>
    isNear(link) ? `${mark}${label}${address(link, mark === '' ? 'blob' : 'raw')})` : whole,
  );
}

/** Writes the package of a folder to `to` and returns the file's name. */
export function pack(folder, to) {
  const from = path.join(ROOT, folder);
  const manifest = JSON.parse(readFileSync(path.join(from, 'package.json'), 'utf8'));
  const staged = path.join(to, manifest.name);
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  const shipped = manifest.files.filter((name) => !name.startsWith('!'));
  for (const name of [...shipped, 'README.md', 'LICENSE']) {
    const own = path.join(from, name);
    const file = existsSync(own) ? own : path.join(ROOT, name);
    const isLeftOut = (each) => manifest.files.includes(`!${path.relative(from, each)}`);
    cpSync(file, path.join(staged, name), { recursive: true, filter: (each) => !isLeftOut(each) });
  }
  const readme = path.join(staged, 'README.md');
  writeFileSync(readme, packedReadme(readFileSync(readme, 'utf8'), manifest, folder));
  const text = JSON.stringify(packedManifest(manifest), null, 2);
  writeFileSync(path.join(staged, 'package.json'), `${text}\n`);
  writeSums(staged, `dist/${SUMS}`);
  // Its progress goes to standard error.
  const stdio = ['ignore', 'pipe', 'ignore'];
  const packed = execFileSync('npm', ['pack', '--json', staged], {
    cwd: to,
    encoding: 'utf8',
    stdio,
  });
  rmSync(staged, { recursive: true });
  return Object.values(JSON.parse(packed))[0].filename;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folders = process.argv.slice(2);
  if (folders.includes('--refuse')) {
    console.error('Run `make pack`: npm alone would pack fields that only this repository needs.');
    process.exit(1);
  }
  const to = path.join(ROOT, 'build/packed');
  mkdirSync(to, { recursive: true });
  for (const folder of folders.length > 0 ? folders : FOLDERS) {
    console.log(path.join('build/packed', pack(folder, to)));
  }
  writeSums(to);
}
