#!/usr/bin/env node
// Checks every include and import in the tree against the plan of the house (tools/rooms.mjs): rooms use
// each other in one direction only, imports have no circles, packages use each other's entries, and no
// folder has too many files. Also checks that C++ sources use the names they declare, that no conflict
// markers are left from a merge, and that the table of rooms in docs/architecture.md is up to date;
// --write updates it. Prints every violation and exits 1 if there is one.
import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { MOST_FILES, ROOMS, roomTable } from './rooms.mjs';

const PACKAGE_NAME = 'private-moments';
/** The sources of entries whose files do not have their names. */
const ENTRIES = new Map([
  ['private-moments', 'web/package/src/index.ts'],
  ['private-moments/elements', 'web/elements/src/index.ts'],
  ['private-moments/internal/core', 'web/package/src/internal-core.ts'],
  ['private-moments/internal/elements', 'web/elements/src/internal.ts'],
  ['private-moments/internal/worker', 'web/elements/src/internal-worker.ts'],
  ['private-moments-research', 'web/research/src/index.ts'],
  ['private-moments-research/elements', 'web/research/elements/index.ts'],
]);
/** Packages of which others may import only what package.json exports. */
const WITH_ENTRIES = ['web/package', 'web/cli', 'web/relay', 'web/scale', 'web/research'];
const ALLOWED = new Map(ROOMS.map(({ room, uses }) => [room, uses]));
const ARCHITECTURE = 'docs/architecture.md';

export function roomOf(file) {
  const rooms = [...ALLOWED.keys()].filter((room) => file.startsWith(`${room}/`));
  return rooms.sort((a, b) => b.length - a.length)[0];
}

/** The modules and files that JavaScript or TypeScript imports, as written there. */
function imported(text) {
  const imports = /(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)(['"])([^'"]+)\1/g;
  return [...text.matchAll(imports)].map(([, , name]) => name);
}

function fromRoot(file, name) {
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), name));
}

/** Imports from the sources of another package that has entries, as paths from the root. */
export function deepImports(file, text) {
  const folder = file.split('/').slice(0, 2).join('/');
  if (!folder.startsWith('web/')) return [];
  return imported(text)
    .filter((name) => name.startsWith('.'))
    .map((name) => fromRoot(file, name))
    .filter((used) =>
      WITH_ENTRIES.some((other) => other !== folder && used.startsWith(`${other}/src/`)),
    );
}

/** The project files or package entries that a source text names, as paths from the root. */
export function uses(file, text) {
  const found = [];
  if (/\.(cpp|hpp|inc)$/.test(file)) {
    for (const [, name] of text.matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)) found.push(name);
  } else {
    for (const name of imported(text)) {
      // The package itself names its entries in code that it generates for users.
      const isOwn = file.startsWith('web/package/');
      if (!isOwn && ENTRIES.has(name)) {
        found.push(ENTRIES.get(name));
      } else if (!isOwn && name.startsWith(`${PACKAGE_NAME}/`)) {
        found.push(`web/package/src/${name.slice(PACKAGE_NAME.length + 1)}.ts`);
      } else if (name.startsWith('.')) {
        found.push(fromRoot(file, name));
      }
    }
  }
  return found;
}

/** Names of a C++ source file's using declarations and namespace aliases that it does not use. */
export function unusedNames(text) {
  const code = text.replace(/\/\/.*$/gm, '');
  const declared = code.matchAll(/^\s*(?:using\s+(?:\w*::)+(\w+)\s*;|namespace\s+(\w+)\s*=)/gm);
  return [...declared].flatMap(([, used, alias]) => {
    const name = used ?? alias;
    const uses = code.match(new RegExp(`(?<!::)\\b${name}\\b`, 'g')) ?? [];
    return uses.length > (alias ? 1 : 0) ? [] : [name];
  });
}

/** Files that import each other in a circle, types included: each circle once, in order. */
export function circles(files, read) {
  const sources = new Set(files.filter((file) => file.endsWith('.ts')));
  const arrows = new Map();
  for (const file of sources) {
    // Starting a worker from a file does not import it.
    const text = read(file).replace(/new URL\([^)]*\)/g, '');
    const targets = uses(file, text).map((used) => used.replace(/\.js$/, '.ts'));
    arrows.set(
      file,
      targets.filter((target) => sources.has(target)),
    );
  }
  // Tarjan: a component of more than one file is a circle.
  const found = [];
  const index = new Map();
  const low = new Map();
  const stack = [];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const target of arrows.get(file)) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)));
    }
    if (low.get(file) !== index.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) found.push(component.sort());
  };
  for (const file of sources) if (!index.has(file)) visit(file);
  return found;
}

/** Folders of rooms with too many source files. A pair of C++ files counts once. */
export function crowded(files) {
  const folders = new Map();
  for (const file of files) {
    if (roomOf(file) === undefined || !/\.(cpp|hpp|ts)$/.test(file)) continue;
    const folder = path.posix.dirname(file);
    const names = folders.get(folder) ?? new Set();
    folders.set(folder, names.add(path.posix.basename(file).replace(/\.(cpp|hpp|ts)$/, '')));
  }
  return [...folders].flatMap(([folder, { size }]) =>
    size > MOST_FILES ? [`${folder} has ${size} source files: at most ${MOST_FILES}`] : [],
  );
}

/** The text of docs/architecture.md with the current table of rooms. */
export function withTable(text) {
  return text.replace(
    /(<!-- rooms: .*? -->\n\n).*?(\n\n<!-- \/rooms -->)/s,
    (_, open, close) => `${open}${roomTable()}${close}`,
  );
}

export function violations(files, read) {
  const found = [
    ...circles(files, read).map((circle) => `a circle of imports: ${circle.join(', ')}`),
    ...crowded(files),
  ];
  for (const file of files) {
    // In a template string, a compiler would not notice them.
    if (/^([<>|])\1{6} /m.test(read(file))) found.push(`${file} has conflict markers of a merge`);
    const room = roomOf(file);
    if (!room) continue;
    for (const used of uses(file, read(file))) {
      const target = roomOf(used);
      if (!target || target === room) continue;
      if (!ALLOWED.get(room).includes(target))
        found.push(`${file} uses ${used}: ${room} may not use ${target}`);
    }
    for (const used of deepImports(file, read(file))) {
      found.push(`${file} imports ${used}: import an entry of its package instead`);
    }
    // clang-tidy compiles several files as one and reports unused names in the outermost only.
    if (file.endsWith('.cpp')) {
      for (const name of unusedNames(read(file))) found.push(`${file} does not use its ${name}`);
    }
    if (
      room.startsWith('core') &&
      /emscripten/.test(read(file).replace(/__EMSCRIPTEN__|\/\/.*$/gm, ''))
    ) {
      found.push(`${file} mentions Emscripten; only bindings/ may`);
    }
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(cpp|hpp|inc|ts|mjs|js|html|md|json|R|py)$/.test(file));
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const found = violations(files, read);
  const text = read(ARCHITECTURE);
  if (process.argv.includes('--write')) {
    writeFileSync(path.join(root, ARCHITECTURE), withTable(text));
  } else if (withTable(text) !== text) {
    found.push(`${ARCHITECTURE}: run node tools/check-house.mjs --write`);
  }
  for (const line of found) console.error(line);
  console.log(`house: ${files.length} files, ${found.length} violations`);
  process.exit(found.length === 0 ? 0 : 1);
}
