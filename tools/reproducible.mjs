// Builds the latest commit in two new folders, each file compiled again, and compares what users get byte for byte:
// the WebAssembly modules, the packages and the pages. With two folders as arguments, compares what is
// built there. Prints the SHA-256 of what others may want to compare with their own build; exits 1 if a file differs.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** What users get. */
const BUILT = ['dist', 'web/relay/dist', 'web/research/dist', 'web/scale/dist'];
const SHOWN = /^dist\/([\w-]+\.wasm|inline\.js|site\/private-moments\.html)$/;

/** @returns the SHA-256 of every built file, by its path from the folder */
function hashes(folder) {
  const files = BUILT.filter((built) => existsSync(path.join(folder, built))).flatMap((built) =>
    readdirSync(path.join(folder, built), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))),
  );
  const hash = (file) =>
    createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex');
  return new Map(files.sort().map((file) => [file, hash(file)]));
}

function buildIn(folder) {
  mkdirSync(path.dirname(folder), { recursive: true });
  execFileSync('git', ['clone', '--quiet', ROOT, folder]);
  const env = { ...process.env, CCACHE_DISABLE: '1' };
  execFileSync('make', ['packages', 'site'], { cwd: folder, env, stdio: ['ignore', 2, 2] });
}

function compare([one, other]) {
  const [ours, theirs] = [hashes(one), hashes(other)];
  const names = [...new Set([...ours.keys(), ...theirs.keys()])];
  const different = names.filter((name) => ours.get(name) !== theirs.get(name));
  for (const name of names.filter((file) => SHOWN.test(file))) {
    console.log(`${ours.get(name) ?? 'missing'}  ${name}`);
  }
  for (const name of different) console.log(`differs: ${name}`);
  console.log(`${names.length} files, ${different.length} different`);
  if (names.length === 0 || different.length > 0) process.exitCode = 1;
}

if (process.argv.length === 4) {
  compare(process.argv.slice(2));
} else {
  const parent = mkdtempSync(path.join(tmpdir(), 'reproducible-'));
  const folders = [path.join(parent, 'a'), path.join(parent, 'another', 'further', 'down')];
  try {
    folders.forEach(buildIn);
    compare(folders);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
