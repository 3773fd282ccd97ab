// The core as users of C++ get it: installed and moved, or inside the build of another project.

import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocks, isOutput, ROOT } from '../../tools/markdown.mjs';

const CORE = join(ROOT, 'build/tests');
const EXAMPLE = join(ROOT, 'examples/cpp');
const GUIDE = readFileSync(join(ROOT, 'docs/how-to/core-from-cpp.md'), 'utf8');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const [, major, minor] = /^(\d+)\.(\d+)/.exec(version);
const JOBS = `-j${availableParallelism()}`;

const run = promisify(execFile);
let folder;
let prefix;

/** Runs a program that should fail, and returns what it says. */
async function failing(file, args, options = {}) {
  const failed = await run(file, args, options).then(
    () => undefined,
    (error) => error,
  );
  expect(failed, `${file} ${args.join(' ')}`).toBeDefined();
  return `${failed.stdout}${failed.stderr}`;
}

function writeProject(name, files) {
  const project = join(folder, name);
  mkdirSync(project, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  return project;
}

/** The text of the guide's only block in a language. */
function fromGuide(language) {
  const [{ code }, ...others] = blocks(GUIDE).filter((block) => block.language === language);
  expect(others).toEqual([]);
  return code;
}

function filesUnder(place) {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const publicHeaders = () =>
  readFileSync(join(ROOT, 'cmake/public_headers.cmake'), 'utf8')
    .match(/^ {2}[\w/]+/gm)
    .map((line) => `${line.trim()}.hpp`);

function expectComponents(printed) {
  const output = blocks(GUIDE).find(({ flags }) => flags.includes('output')).code;
  if (!isOutput(printed, output)) expect(printed).toBe(output);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'private-moments-cpp-'));
  const first = join(folder, 'first');
  await run('cmake', ['--install', CORE, '--prefix', first]);
  // Nothing may depend on where it was installed.
  prefix = join(folder, 'moved');
  renameSync(first, prefix);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('installed', () => {
  const consume = (project, build, ...options) =>
    run('cmake', ['-S', project, '-B', build, `-DCMAKE_PREFIX_PATH=${prefix}`, ...options]);

  test('the lines of the guide build its program against the package, and it prints what they say', async () => {
    const project = writeProject('guide', {
      'CMakeLists.txt': fromGuide('cmake'),
      'components.cpp': fromGuide('cpp'),
    });
    const build = join(project, 'build');
    await consume(project, build, '-DCMAKE_CXX_FLAGS=-O1');
    await run('cmake', ['--build', build]);
    expectComponents((await run(join(build, 'components'))).stdout);
  });

  test('the program of the guide is that of examples/cpp, which finds the package, or the sources', async () => {
    expect(fromGuide('cpp')).toBe(readFileSync(join(EXAMPLE, 'components.cpp'), 'utf8'));
    const found = join(folder, 'found');
    await consume(EXAMPLE, found);
    const compiled = (build) => existsSync(join(build, '_deps/private_moments-build/Makefile'));
    expect(readFileSync(join(found, 'CMakeCache.txt'), 'utf8')).toContain(
      `private_moments_DIR:PATH=${prefix}`,
    );
    expect(compiled(found)).toBe(false);
    const sources = join(folder, 'sources');
    await run('cmake', ['-S', EXAMPLE, '-B', sources]);
    expect(compiled(sources)).toBe(true);
  });

  test('no file names a folder of the build, and no header another way to include it', () => {
    const files = filesUnder(prefix);
    expect(files.filter((file) => file.endsWith('.cmake')).length).toBeGreaterThan(3);
    for (const file of files) {
      const text = readFileSync(file, 'latin1');
      expect(text.includes(ROOT), file).toBe(false);
      expect(text.includes(join(folder, 'first')), file).toBe(false);
      if (file.endsWith('.hpp')) expect(text, file).not.toMatch(/#include "(?!private_moments\/)/);
    }
  });

  test('its headers are the public ones and what they include', () => {
    const place = join(prefix, 'include/private_moments');
    const found = filesUnder(place).map((file) => file.slice(place.length + 1));
    const included = found.flatMap((file) =>
      [...readFileSync(join(place, file), 'utf8').matchAll(/"private_moments\/(.*)"/g)].map(
        ([, name]) => name,
      ),
    );
    expect(found.sort()).toEqual([...new Set([...publicHeaders(), ...included])].sort());
    // The quantiser is nobody's business.
    expect(found).not.toContain('moments/quantiser.hpp');
  });

  test('the public headers compile with strict warnings, in either order', async () => {
    const flags = ['-std=c++20', '-fsyntax-only', '-Wall', '-Wextra', '-Wpedantic', '-Wshadow'];
    flags.push('-Wconversion', '-Werror', '-I', join(prefix, 'include'));
    flags.push('-isystem', '/usr/include/eigen3', '-x', 'c++', '-');
    for (const headers of [publicHeaders(), publicHeaders().reverse()]) {
      const compiled = run('c++', flags);
      const lines = headers.map((header) => `#include "private_moments/${header}"\n`);
      compiled.child.stdin.end(lines.join(''));
      await compiled;
    }
  });

  test('each public header refuses -ffast-math, and those with matrices other vectors', () => {
    const reached = (header, found = new Set()) => {
      if (found.has(header)) return found;
      found.add(header);
      const text = readFileSync(join(prefix, 'include/private_moments', header), 'utf8');
      for (const [, name] of text.matchAll(/"private_moments\/(.*)"/g)) reached(name, found);
      if (text.includes('<Eigen/')) found.add('Eigen');
      return found;
    };
    for (const header of publicHeaders()) {
      const found = reached(header);
      expect(found, header).toContain('arithmetic.hpp');
      if (found.has('Eigen')) expect(found, header).toContain('matrix/alignment.hpp');
    }
  });

  test('parts of -ffast-math are refused like the whole', async () => {
    const args = ['-std=c++20', '-fsyntax-only', '-I', join(prefix, 'include')];
    args.push('-include', 'private_moments/result.hpp', '-x', 'c++', '/dev/null');
    await run('c++', args);
    for (const flag of ['-Ofast', '-ffinite-math-only']) {
      expect(await failing('c++', [flag, ...args]), flag).toContain('breaks the guarantees');
    }
  });

  test('the version is that of the package on npm, and another minor version is refused', async () => {
    const project = (wanted) =>
      writeProject(`version-${wanted}`, {
        'CMakeLists.txt': `cmake_minimum_required(VERSION 3.25)
project(version LANGUAGES CXX)
find_package(private_moments ${wanted} REQUIRED)
message(STATUS "found \${private_moments_VERSION}")
`,
      });
    const wanted = project(`${major}.${minor}`);
    const { stdout } = await consume(wanted, join(wanted, 'build'));
    expect(stdout).toContain(`found ${version.replace(/-.*/, '')}`);
    for (const other of [`${major}.${Number(minor) + 1}`, `${major}.${Number(minor) - 1}`]) {
      const refused = project(other);
      const args = ['-S', refused, '-B', join(refused, 'build'), `-DCMAKE_PREFIX_PATH=${prefix}`];
      expect(await failing('cmake', args)).toContain(`version "${other}"`);
    }
  });

  test.runIf(process.arch === 'x64')(
    'a program for other vector instructions does not link, as it would free matrices wrongly',
    async () => {
      const flags = [
        '-std=c++20',
        '-I',
        join(prefix, 'include'),
        '-isystem',
        '/usr/include/eigen3',
      ];
      const archive = filesUnder(prefix).find((file) => file.endsWith('.a'));
      const source = join(EXAMPLE, 'components.cpp');
      const args = [...flags, '-mavx', source, archive, '-o', join(folder, 'avx')];
      expect(await failing('c++', args)).toContain('requireEigenAlignment<32>');
      expect(existsSync(join(folder, 'avx'))).toBe(false);
    },
  );
});

test('the library is configured without what tests and benchmarks need', async () => {
  const [{ code }] = blocks(GUIDE).filter(({ flags }) => flags.includes('by-hand'));
  const [options] = /(?<=^cmake -B \S+ ).*$/m.exec(code);
  const build = join(folder, 'library');
  const without = '-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON';
  const { stdout } = await run('cmake', ['-S', ROOT, '-B', build, ...options.split(' '), without]);
  expect(stdout).toContain('Build files have been written');
  const targets = (await run('cmake', ['--build', build, '--target', 'help'])).stdout;
  expect(targets).toMatch(/\bpm_core\b/);
  expect(targets).not.toMatch(/\b(?:pm_research|core_tests|bench)\b/);
  const cache = readFileSync(join(build, 'CMakeCache.txt'), 'utf8');
  expect(cache).not.toContain('CMAKE_COMPILE_WARNING_AS_ERROR');
});

describe('inside another project', () => {
  // Stays, so that the next run compiles only what has changed.
  const build = join(ROOT, 'build/surrounding');
  const env = { ...process.env, CCACHE_BASEDIR: ROOT, CCACHE_NOHASHDIR: '1' };
  const configure = async (into, ...options) => {
    const from = join(ROOT, 'tests/cpp/surrounding');
    return run('cmake', ['-S', from, '-B', into, `-DSOURCE=${ROOT}`, ...options]);
  };

  beforeAll(async () => {
    const options = [
      '-DPM_WHOLE_ROOMS=ON',
      '-DCMAKE_CXX_FLAGS=-O0 -ffast-math -Wall -Wextra -Wconversion -Werror',
    ];
    const cached = await run('ccache', ['--version']).catch(() => undefined);
    if (cached !== undefined) options.push('-DCMAKE_CXX_COMPILER_LAUNCHER=ccache');
    await configure(build, ...options);
  });

  test('it adds one library, asks for C++20 and leaves everything else alone', async () => {
    const fresh = join(folder, 'fresh');
    const { stdout } = await configure(fresh);
    const left = [...stdout.matchAll(/^-- left: (\w+)=(.*)$/gm)].map(([, ...entry]) => entry);
    expect(Object.fromEntries(left)).toEqual({
      targets: 'pm_eigen;pm_flags;pm_core;pm_headers',
      folders: '',
      tests: '',
      type: 'STATIC_LIBRARY',
      options: 'options-NOTFOUND',
      definitions: 'definitions-NOTFOUND',
      features: 'cxx_std_20',
      launcher: 'launcher-NOTFOUND',
      CMAKE_BUILD_TYPE: '',
      CMAKE_CXX_STANDARD: '17',
      CMAKE_COMPILE_WARNING_AS_ERROR: '',
      CMAKE_EXPORT_COMPILE_COMMANDS: '',
    });
    const rules = readFileSync(join(fresh, 'private_moments/cmake_install.cmake'), 'utf8');
    expect(rules).not.toContain('file(INSTALL');
  });

  test('it compiles with the arithmetic of its proofs, whatever warnings and arithmetic that asks for', async () => {
    await run('cmake', ['--build', build, JOBS, '--target', 'components'], { env });
    expectComponents((await run(join(build, 'components'))).stdout);
  });

  test('it can be part of a shared library', async () => {
    await run('cmake', ['--build', build, '--target', 'plugin']);
    expect(existsSync(join(build, 'libplugin.so'))).toBe(true);
  });

  test('a program with -ffast-math is refused, with what to do', async () => {
    const said = await failing('cmake', ['--build', build, '--target', 'fast']);
    expect(said).toContain('-ffast-math breaks the guarantees of private-moments');
    expect(said).toContain('compile this with -fno-fast-math');
  });
});
