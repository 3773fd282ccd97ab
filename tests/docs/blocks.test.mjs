// Runs the code of README and the guide as printed, in a folder into which the packages were installed
// as a user installs them. tools/markdown.mjs says how blocks are marked.

import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import { assemble, parseRelease, parseStudy, parseSum } from 'private-moments';
import { parseKeys, parseSession } from 'private-moments/federation';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOutput, pages, programs, ROOT } from '../../tools/markdown.mjs';

const PACKAGES = [
  'private-moments',
  'private-moments-research',
  'private-moments-relay',
  'private-moments-scale',
];
const FOLDERS = ['.', 'web/research', 'web/relay', 'web/scale'];
const TIMEOUT = 120_000;

const run = promisify(execFile);
const all = pages().map((page) => ({
  page,
  programs: programs(readFileSync(join(ROOT, page), 'utf8')),
}));
let installed;

beforeAll(async () => {
  installed = mkdtempSync(join(tmpdir(), 'private-moments-docs-'));
  writeFileSync(join(installed, 'package.json'), '{ "private": true, "type": "module" }\n');
  const folders = FOLDERS.map((folder) => join(ROOT, folder));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefer-offline', ...quiet, ...folders], { cwd: installed });
}, TIMEOUT);

afterAll(() => {
  rmSync(installed, { recursive: true });
});

/** A folder for the programs of one page, in which the samples are where a clone has them. */
function folderFor(page) {
  const folder = join(installed, page.replaceAll(/\W/g, '-'));
  mkdirSync(folder);
  for (const name of ['samples', 'Makefile']) symlinkSync(join(ROOT, name), join(folder, name));
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  // The copy of the package that pages without a bundler have beside them.
  symlinkSync(join(ROOT, 'dist'), join(folder, 'pm'));
  return folder;
}

/** Whether a command is there; says so where it is not, as its blocks are then not run. */
async function has(command, ...check) {
  try {
    await run(command, check);
    return true;
  } catch {
    console.log(`not run, because \`${command} ${check.join(' ')}\` fails here`);
    return false;
  }
}

async function outputOf({ language, code, line }, folder) {
  const options = { cwd: folder, timeout: TIMEOUT };
  if (language === 'sh')
    return (await run('bash', ['-euo', 'pipefail', '-c', code], options)).stdout;
  if (language === 'python') {
    if (!(await has('python3', '-c', 'import numpy'))) return undefined;
    return (await run('python3', ['-c', code], options)).stdout;
  }
  if (language === 'r') {
    if (!(await has('Rscript', '--version'))) return undefined;
    return (await run('Rscript', ['-e', code], options)).stdout;
  }
  if (language === 'cpp') return outputOfCpp(code, line, folder);
  const file = join(folder, `line-${line}.mjs`);
  const plain = language === 'ts' ? (await transform(code, { loader: 'ts' })).code : code;
  writeFileSync(file, plain);
  return (await run(process.execPath, [file], options)).stdout;
}

/** Compiles a program against the core, where that is built. */
async function outputOfCpp(code, line, folder) {
  const core = join(ROOT, 'build/tests/libprivate_moments.a');
  if (!(await has('ls', core)) || !(await has('c++', '--version'))) return undefined;
  const program = join(folder, `line-${line}`);
  writeFileSync(`${program}.cpp`, code);
  const headers = ['-I', join(ROOT, 'build/tests/include'), '-isystem', '/usr/include/eigen3'];
  await run('c++', ['-std=c++20', '-O1', ...headers, `${program}.cpp`, core, '-o', program]);
  return (await run(program)).stdout;
}

/** Reads JSON by the function of the package that reads its format. */
function expectJson(code) {
  const value = JSON.parse(code);
  const readers = {
    'private-moments/study@1': parseStudy,
    'private-moments/release@1': parseRelease,
    'private-moments/session@2': parseSession,
    'private-moments/sum@1': parseSum,
    'private-moments/keys@1': parseKeys,
  };
  readers[value.format]?.(code);
}

/** Bundles the scripts of a page's HTML, as a bundler would for a site. */
async function expectHtml(code, folder) {
  for (const [, script] of code.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)) {
    await build({
      stdin: { contents: script, resolveDir: folder },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      external: ['node:*'],
      // Not the paths to the sources, which are for this repository.
      tsconfigRaw: '{}',
      write: false,
      logLevel: 'silent',
    });
  }
}

/** Bundles a React program; React itself is the reader's. */
async function expectJsx(code, folder) {
  await build({
    stdin: { contents: code, resolveDir: folder, loader: 'jsx' },
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    external: ['node:*', 'react', 'react/*', 'react-dom/*'],
    tsconfigRaw: '{}',
    write: false,
    logLevel: 'silent',
  });
}

/** What a person types: the targets and the packages it names have to exist. */
function expectByHand(code) {
  const makefile = readFileSync(join(ROOT, 'Makefile'), 'utf8');
  for (const [, target] of code.matchAll(/^make ([\w-]+)/gm)) {
    expect(makefile).toMatch(new RegExp(`^(?:[\\w-]+ )*${target}(?: [\\w-]+)*:`, 'm'));
  }
  for (const [name] of code.matchAll(/(?<![\w/])private-moments(?:-\w+)*(?![\w/])/g)) {
    expect(PACKAGES).toContain(name);
  }
}

describe.each(all.filter((one) => one.programs.length > 0))('$page', ({ page, programs }) => {
  test(
    'does what it says, program by program',
    async () => {
      const folder = folderFor(page);
      for (const program of programs) {
        const place = `${page}:${program.line}`;
        if (program.byHand) expectByHand(program.code);
        else if (program.language === 'json') expectJson(program.code);
        else if (program.language === 'html') await expectHtml(program.code, folder);
        else if (program.language === 'jsx') await expectJsx(program.code, folder);
        else {
          const printed = await outputOf(program, folder).catch((error) => {
            throw new Error(`${place}: ${error.stderr || error.message}`);
          });
          if (program.output === undefined || printed === undefined) continue;
          const { output, allowed } = program;
          // Both texts are in the message where they do not agree.
          if (!isOutput(printed, output, allowed)) expect(printed, place).toBe(output);
        }
      }
    },
    4 * TIMEOUT,
  );
});

test('pages say by how much the decimals of an output may differ, where they allow a difference of their own', () => {
  const places = all.flatMap(({ page }) =>
    [
      ...readFileSync(join(ROOT, page), 'utf8').matchAll(
        /([^\n]+)\n\n```text output within=(\S+)/g,
      ),
    ].map(([, before, within]) => ({ page, before, within })),
  );
  expect(places.map(({ page }) => page)).toEqual(['README.md', 'docs/tutorial.md']);
  for (const { page, before, within } of places)
    expect(before, page).toContain(`by at most ${within}`);
});

test('README says of the best guess what the page that computes it prints', () => {
  const page = readFileSync(join(ROOT, 'docs/explanation/differential-privacy.md'), 'utf8');
  const [, times] = /\nepsilon 1: right at most (\d+) times in 100\n/.exec(page);
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(
    `guess right at most [${times} times in 100](docs/explanation/differential-privacy.md)`,
  );
});

test('the examples of the formats belong together', async () => {
  const { programs: examples } = all.find(({ page }) => page === 'docs/formats.md');
  const example = (format) =>
    examples.find(({ code }) => code.includes(`"format": "private-moments/${format}"`)).code;
  const study = parseStudy(example('study@1'));
  const release = parseRelease(example('release@1'));
  const sum = parseSum(example('sum@1'));
  const result = JSON.parse(example('result@1'));
  expect((await assemble(study, [release])).rows).toBe(release.rows);
  const moments = await assemble(study, [sum]);
  expect(moments.rows).toBe(result.rows);
  const [{ value }] = moments.cca().correlations;
  expect(value).toBeCloseTo(result.correlations[0].value, 9);
});

test('the TypeScript of all pages is typed as printed', { timeout: TIMEOUT }, () => {
  const files = all.flatMap(({ page, programs }) =>
    programs
      .filter(({ language }) => language === 'ts')
      .map(({ line, code }) => {
        const name = join(installed, `${page.replaceAll(/\W/g, '-')}-${line}.mts`);
        writeFileSync(name, code);
        return name;
      }),
  );
  expect(files.length).toBeGreaterThan(5);
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
  });
  const found = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    return `${file?.fileName ?? ''}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  expect(found).toEqual([]);
});

test('pages that name a package to install say where to get it, as none is registered', () => {
  const names = /\b(?:npm install|npx) private-moments/;
  for (const { page } of all) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    if (page.endsWith('how-to/install.md') || !names.test(text)) continue;
    expect(text, page).toMatch(/how-to\/install\.md|\]\(install\.md/);
  }
  expect(existsSync(join(ROOT, 'docs/how-to/install.md'))).toBe(true);
});
