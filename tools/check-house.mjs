#!/usr/bin/env node
// The one-way dependencies of docs/architecture.md, checked on the includes and imports in the
// tree, that C++ sources use the names they declare, and that no merge left its marks. Prints every
// violation and exits 1 if there is one.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

// Room -> rooms it may use. Every room may use itself; `core` is the few files at its top.
const ALLOWED = {
  core: [],
  'core/matrix': ['core'],
  'core/random': ['core'],
  'core/privacy': ['core'],
  'core/ingest': ['core'],
  'core/moments': ['core', 'core/privacy', 'core/ingest'],
  'core/mechanisms': [
    'core',
    'core/matrix',
    'core/random',
    'core/privacy',
    'core/ingest',
    'core/moments',
  ],
  'core/federation': ['core', 'core/random', 'core/privacy', 'core/moments', 'core/mechanisms'],
  'core/synthesis': [
    'core',
    'core/matrix',
    'core/random',
    'core/privacy',
    'core/moments',
    'core/mechanisms',
    'core/analysis',
  ],
  'core/analysis': ['core', 'core/matrix', 'core/random'],
  'core/research': [
    'core',
    'core/matrix',
    'core/random',
    'core/privacy',
    'core/moments',
    'core/mechanisms',
    'core/federation',
    'core/analysis',
    'core/synthesis',
  ],
  bindings: [
    'core',
    'core/matrix',
    'core/random',
    'core/privacy',
    'core/ingest',
    'core/moments',
    'core/mechanisms',
    'core/federation',
    'core/synthesis',
    'core/analysis',
    'core/research',
  ],
  'web/package': [],
  'web/cli': ['web/package'],
  'web/elements': ['web/package'],
  'web/site': ['web/elements', 'web/package'],
};
// The bindings that may see the research room: production modules must not link them.
const RESEARCH_BINDING = /^bindings\/research(_\w+)?\.cpp$/;
const PACKAGE_NAME = 'private-moments';

export function roomOf(file) {
  const rooms = Object.keys(ALLOWED).filter((room) => file.startsWith(`${room}/`));
  return rooms.sort((a, b) => b.length - a.length)[0];
}

/** The project files or package entries that a source text names, as paths from the root. */
export function uses(file, text) {
  const found = [];
  if (/\.(cpp|hpp|inc)$/.test(file)) {
    for (const [, name] of text.matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)) found.push(name);
  } else {
    const imports = /(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)(['"])([^'"]+)\1/g;
    for (const [, , name] of text.matchAll(imports)) {
      if (name === PACKAGE_NAME || name.startsWith(`${PACKAGE_NAME}/`)) {
        const entry = name.slice(PACKAGE_NAME.length + 1);
        found.push(
          entry === 'elements' ? 'web/elements/src/public.ts' : 'web/package/src/index.ts',
        );
      } else if (name.startsWith('.')) {
        found.push(path.posix.normalize(path.posix.join(path.posix.dirname(file), name)));
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

export function violations(files, read) {
  const found = [];
  for (const file of files) {
    // Text in a template is no error to any compiler.
    if (/^([<>|])\1{6} /m.test(read(file))) found.push(`${file} has the marks of a merge`);
    const room = roomOf(file);
    if (!room) continue;
    for (const used of uses(file, read(file))) {
      const target = roomOf(used);
      if (!target || target === room) continue;
      if (!ALLOWED[room].includes(target))
        found.push(`${file} uses ${used}: ${room} may not use ${target}`);
      if (target === 'core/research' && room === 'bindings' && !RESEARCH_BINDING.test(file)) {
        found.push(`${file} uses ${used}: only bindings/research*.cpp may`);
      }
    }
    // clang-tidy sees several files as one, and looks for these in the outermost alone.
    if (file.endsWith('.cpp')) {
      for (const name of unusedNames(read(file))) found.push(`${file} does not use its ${name}`);
    }
    if (
      room.startsWith('core') &&
      /emscripten/.test(read(file).replace(/__EMSCRIPTEN__|\/\/.*$/gm, ''))
    ) {
      found.push(`${file} knows Emscripten; only bindings/ may`);
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
  const found = violations(files, (file) => readFileSync(path.join(root, file), 'utf8'));
  for (const line of found) console.error(line);
  console.log(`house: ${files.length} files, ${found.length} violations`);
  process.exit(found.length === 0 ? 0 : 1);
}
