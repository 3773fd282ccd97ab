import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { errorCodes } from 'private-moments';
import { publint } from 'publint';
import ts from 'typescript';
import * as vite from 'vite';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  version: string;
  exports: Record<string, unknown>;
  dependencies?: object;
};
const dist = readdirSync(`${root}dist`);
/** The elements that can be imported one by one. */
const tags = readdirSync(`${root}web/elements/src/tags`)
  .map((file) => file.replace('.ts', ''))
  .sort();
/** Entries for pages and workers; the command line runs only in Node. */
const scripts = dist.filter((name) => name.endsWith('.js') && name !== 'cli.js');

/** Runs a module in a fresh Node and returns what it prints. */
function inNode(source: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', source], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH, TMPDIR: tmpdir() },
  }).trim();
}

let tarball: string | undefined;

/** Packs the package, once, and returns the path of the file. */
function packed(): string {
  const options = { cwd: root, encoding: 'utf8' } as const;
  tarball ??= root + execFileSync(process.execPath, ['tools/pack.mjs', '.'], options).trim();
  return tarball;
}

/** What tar says of the packed package. */
function inPacked(...args: string[]): string {
  return execFileSync('tar', ['-zf', packed(), ...args], { encoding: 'utf8' }).trim();
}

/** Counts calls that could load or start something. */
const WATCHED = `
  let touched = [];
  const watch = (holder, name) => {
    const original = holder[name];
    holder[name] = (...args) => { touched.push(name); return original.apply(holder, args); };
  };
  watch(globalThis, 'fetch');
  watch(process, 'getBuiltinModule');
  watch(WebAssembly, 'compile');
  watch(WebAssembly, 'instantiate');
`;

describe('the package', () => {
  it('does not need other packages at run time', () => {
    expect(manifest.dependencies).toBeUndefined();
  });

  it('does nothing when any of its entries is imported', () => {
    const entries = Object.keys(manifest.exports).filter(
      (entry) => !entry.endsWith('.wasm') && !entry.endsWith('.json'),
    );
    expect(entries).toEqual([
      '.',
      './elements',
      ...tags.map((tag) => `./elements/${tag}`),
      './federation',
      './inline',
      './internal',
      './internal/core',
      './internal/elements',
      './internal/worker',
      './node',
      './preact',
      './react',
      './report',
      './solid',
      './svelte',
      './umd',
      './vue',
      './words',
      './worker.js',
      './analysis-worker.js',
      './synthesis-worker.js',
      './designer-worker.js',
    ]);
    // What elements extend is in pages alone.
    for (const entry of entries.filter((name) => name !== './internal/elements')) {
      const name = entry.replace('.', 'private-moments');
      const printed = inNode(
        `${WATCHED} await import('${name}');
         // The workers look for their port, which takes no more than asking Node for one.
         console.log(touched.filter((name) => name !== 'getBuiltinModule').join(' ') || 'nothing');`,
      );
      expect(printed, entry).toBe('nothing');
    }
  });

  it('can be loaded by require.resolve, import and require', () => {
    const require = createRequire(`${root}package.json`);
    expect(require.resolve('private-moments')).toBe(`${root}dist/index.js`);
    expect(require.resolve('private-moments/private-moments.wasm')).toMatch(/\.wasm$/);
    expect(require.resolve('private-moments/schemas/release.json')).toBe(
      `${root}schemas/release.schema.json`,
    );
  });

  it('has types that need nothing outside it', () => {
    const entries = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'object' && entry !== null && 'types' in entry ? [String(entry.types)] : [],
    );
    const program = ts.createProgram(
      entries.map((entry) => join(root, entry)),
      {
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        ...{ strict: true, noEmit: true, types: [] },
      },
    );
    const wrong = ts.getPreEmitDiagnostics(program);
    expect(wrong.map(({ messageText }) => messageText)).toEqual([]);
  }, 300_000);

  it('makes no requests: everything from rows to results works without a network', () => {
    const printed = inNode(`
      globalThis.fetch = () => { console.log('fetched'); throw new Error('no network'); };
      const { defineStudy, privatize, assemble } = await import('private-moments');
      const study = defineStudy({
        title: 'offline',
        columns: ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 9 })),
        views: { x: ['a'], y: ['b'] },
        privacy: { epsilon: 1, delta: 1e-6 },
      });
      const rows = Array.from({ length: 100 }, (_, i) => ({ a: i % 7, b: i % 5 }));
      const moments = await assemble(study, [await privatize(study, rows)]);
      console.log(moments.cca().correlations.length);
    `);
    expect(printed).toBe('1');
  });

  it('lets a Node process exit when its work is done', () => {
    // `inNode` fails if the process does not exit.
    const printed = inNode(`
      import { defineStudy, privatize } from 'private-moments';
      const columns = [{ name: 'a', type: 'number', min: 0, max: 1 }];
      const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
      const release = await privatize(study, [{ a: 1 }]);
      console.log(release.rows);
    `);
    expect(printed).toBe('1');
  });

  it('loads its files from other addresses', () => {
    const printed = inNode(`
      import { readFileSync } from 'node:fs';
      import { defineStudy, load, privatize } from 'private-moments';
      await load({
        wasm: readFileSync('dist/private-moments.wasm'),
        worker: new URL('dist/worker.js', 'file://${root}'),
      });
      const columns = [{ name: 'a', type: 'number', min: 0, max: 1 }];
      const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
      console.log((await privatize(study, [{ a: 1 }])).library);
    `);
    expect(printed).toBe(`private-moments/${manifest.version}`);
  });

  it('says which file could not be loaded, and recovers', () => {
    const printed = inNode(`
      import { defineStudy, load, privatize } from 'private-moments';
      await load({ wasm: new URL('file:///nowhere.wasm') }).catch((e) => console.log(e.code));
      await load({ wasm: Uint8Array.of(1, 2, 3) }).catch((e) => console.log(e.code));
      const columns = [{ name: 'a', type: 'number', min: 0, max: 1 }];
      const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
      const wasm = new URL('dist/private-moments.wasm', 'file://${root}');
      await load({ wasm, worker: new URL('file:///nowhere.js') });
      await privatize(study, [{ a: 1 }]).catch((e) => console.log(e.code));
      await load({ worker: new URL('dist/worker.js', 'file://${root}') });
      console.log((await privatize(study, [{ a: 1 }])).rows);
    `);
    expect(printed.split('\n')).toEqual(['core-unavailable', 'wrong-module', 'worker-failed', '1']);
  });

  it('runs under the strict content policy of the site: no eval, no other origin', () => {
    const entries = Object.entries(manifest.exports).flatMap(([entry, files]) => {
      if (/elements|wasm|json/.test(entry)) return [];
      const file = typeof files === 'string' ? files : (files as { default: string }).default;
      return [file.replace('./dist/', '')];
    });
    const rest = new Set(entries.flatMap((entry) => [...importsOf(entry, { later: true })]));
    for (const file of scripts) {
      const source = readFileSync(`${root}dist/${file}`, 'utf8');
      // Emscripten tests for WebAssembly.Function, which does not compile text.
      const forbidden = /\beval\(|(?<!WebAssembly\.)\bFunction\(|https?:\/\//;
      // The elements cite what is public.
      const ofElements = /\beval\(|\bFunction\(|\bfetch\("/;
      expect((rest.has(file) ? forbidden : ofElements).exec(source)?.[0], file).toBeUndefined();
    }
  });

  it('has the expressions for worker and core that bundlers look for, each in one module', () => {
    const modules = readdirSync(`${root}dist/modules`);
    const sources = modules.map((name) => readFileSync(`${root}dist/modules/${name}`, 'utf8'));
    for (const expression of [
      ...['worker', 'analysis-worker', 'synthesis-worker', 'designer-worker'].map(
        (name) => `new Worker(new URL("./${name}.js", import.meta.url), { type: "module" })`,
      ),
      ...['', '-analysis', '-synthesis'].map(
        (name) => `new URL("../private-moments${name}.wasm", import.meta.url)`,
      ),
    ]) {
      expect(sources.filter((source) => source.includes(expression)).length, expression).toBe(1);
    }
  });

  it('gives bundlers only what a program uses, and each .wasm file once', async () => {
    const study = await bundled('defineStudy');
    expect(study.other).toEqual([]);
    expect(study.bytes).toBeLessThan(38_000);
    expect((await bundled('defineStudy, privatize')).other).toEqual([
      'private-moments.wasm',
      'worker.js',
    ]);
    expect((await bundled('assemble, privatize, synthesize')).other).toEqual([
      'analysis-worker.js',
      'private-moments-analysis.wasm',
      'private-moments-synthesis.wasm',
      'private-moments.wasm',
      'synthesis-worker.js',
      'worker.js',
    ]);
  }, 120_000);

  it('bundles one element with those that it contains, without the others', async () => {
    const made = async (
      entry: string,
      name: string,
    ): Promise<{ bytes: number; named: string[] }> => {
      const program = `import { ${name} } from '${entry}';\n${name}();`;
      const text = (await bundledFrom(entry, program)).scripts.join('\n');
      const isNamed = (tag: string): boolean => new RegExp(`["'\`]pm-${tag}["'\`]`).test(text);
      return { bytes: text.length, named: tags.filter(isNamed) };
    };
    const all = await made('private-moments/elements', 'defineElements');
    expect(all.named).toEqual(tags);
    const ledger = await made('private-moments/elements/ledger', 'defineLedger');
    expect(ledger.named).toEqual(['budget-bar', 'ledger']);
    expect(ledger.bytes).toBeLessThan(all.bytes / 20);
    for (const entry of ['private-moments/elements/guess-bar', 'private-moments/elements']) {
      const one = await made(entry, 'defineGuessBar');
      expect(one.named, entry).toEqual(['guess-bar']);
      expect(one.bytes, entry).toBeLessThan(all.bytes / 50);
    }
  }, 120_000);

  it('has all in one file too, with the same results to the last bit, with workers and without', () => {
    const printed = inNode(`
      import { createRequire } from 'node:module';
      import { cpSync, mkdtempSync, rmSync } from 'node:fs';
      import { pathToFileURL } from 'node:url';
      import * as files from 'private-moments';
      // Alone in a folder, where there is nothing to load.
      const folder = mkdtempSync(process.env.TMPDIR + '/inline-');
      cpSync('dist/inline.js', folder + '/inline.mjs');
      cpSync('dist/umd', folder + '/umd', { recursive: true });
      const one = await import(pathToFileURL(folder + '/inline.mjs').href);
      const script = createRequire(folder + '/x.js')('./umd/private-moments.js');
      const columns = ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 9 }));
      const definition = { title: 't', columns, views: { x: ['a'], y: ['b'] }, privacy: { epsilon: 1, delta: 1e-6 } };
      const rows = Array.from({ length: 100 }, (_, i) => ({ a: i % 7, b: i % 5 }));
      const release = JSON.stringify(await one.privatize(one.defineStudy(definition), rows));
      const results = [];
      for (const it of [files, one, script]) for (const worker of [undefined, false]) {
        if (worker === false) await it.load({ worker });
        const study = it.defineStudy(definition);
        const moments = await it.assemble(study, [it.parseRelease(release)]);
        const drawn = await it.synthesize(study, rows, { rows: 10, task: 'density' });
        results.push(JSON.stringify(await moments.inWorker().cca({ level: 0.9, seed: 1 })) + drawn.rows);
      }
      rmSync(folder, { recursive: true });
      console.log(results.length, new Set(results).size);
    `);
    expect(printed).toBe('6 1');
    const { size } = statSync(`${root}dist/inline.js`);
    expect(size).toBeLessThan(1_622_000);
  }, 120_000);

  it('has source maps, by which a stack trace names the lines of the TypeScript sources', () => {
    for (const entry of ['private-moments', './dist/modules/index.js']) {
      const printed = inNode(`
        process.setSourceMapsEnabled(true);
        const { defineStudy } = await import('${entry}');
        try { defineStudy({ title: 't', columns: [] }); } catch ({ stack }) { console.log(stack); }
      `);
      const [, file = '', line] = /\/(web\/package\/src\/[\w/.-]+\.ts):(\d+)/.exec(printed) ?? [];
      expect(file, printed).not.toBe('');
      const source = readFileSync(root + file, 'utf8').split('\n')[Number(line) - 1];
      expect(source, `${file}:${line}`).toContain('new PrivateMomentsError(');
    }
  });

  it('has the sources in its source maps, those of this repository and no others', () => {
    const maps = readdirSync(`${root}dist`, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.js.map') && !file.startsWith('site'),
    );
    const mapped = new Set<string>();
    for (const map of maps) {
      const file = join(root, 'dist', map);
      const { sources, sourcesContent } = JSON.parse(readFileSync(file, 'utf8')) as {
        sources: string[];
        sourcesContent: string[];
      };
      expect(sources.length, map).toBeGreaterThan(0);
      for (const [i, source] of sources.entries()) {
        const path = join(dirname(file), source);
        expect(path).toMatch(/\/web\/(package|elements)\/src\/.*\.ts$/);
        expect(sourcesContent[i] === readFileSync(path, 'utf8'), `${map}: ${source}`).toBe(true);
        mapped.add(path);
      }
    }
    expect(mapped).toContain(`${root}web/elements/src/session/ledger-view.ts`);
    for (const map of maps) {
      const script = readFileSync(join(root, 'dist', map.replace(/\.map$/, '')), 'utf8');
      expect(script.trimEnd().split('\n').at(-1), map).toBe(
        `//# sourceMappingURL=${basename(map)}`,
      );
    }
  });

  it('is one copy in a process: Node loads no module that is for bundlers', () => {
    const printed = inNode(`
      console.log(import.meta.resolve('private-moments').endsWith('/dist/index.js'));
      console.log(import.meta.resolve('private-moments/federation').endsWith('/dist/federation.js'));
    `);
    expect(printed.split('\n')).toEqual(['true', 'true']);
  });

  it('ships its files, its licences and nothing else', () => {
    const kinds = ['study', 'release', 'sum', 'session', 'result'];
    const files = inPacked('--list')
      .split('\n')
      .map((path) => path.replace(/^package\//, ''));
    const expected =
      /^((package|custom-elements)\.json|README\.md|LICENSE|dist\/(modules\/)?[\w-]+\.js(\.map)?|dist\/umd\/private-moments\.js|dist\/umd\/package\.json|dist\/private-moments(-analysis|-synthesis)?\.wasm|dist\/THIRD-PARTY\.txt|dist\/sbom\.json|dist\/SHA256SUMS|schemas\/\w+\.schema\.json|dist\/types\/([\w-]+\/)*[\w-]+\.d\.ts)$/;
    expect(files.filter((path) => !expected.test(path))).toEqual([]);
    for (const needed of [
      'dist/index.js',
      'dist/worker.js',
      'dist/cli.js',
      'dist/SHA256SUMS',
      'dist/types/index.d.ts',
      'custom-elements.json',
      ...kinds.map((kind) => `schemas/${kind}.schema.json`),
    ]) {
      expect(files).toContain(needed);
    }
  }, 300_000);

  it('ships a bill of materials with everything whose licence it ships, and the versions', async () => {
    const text = readFileSync(`${root}dist/sbom.json`, 'utf8');
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
    expect(await validator.validate(text)).toBeNull();
    const { components, metadata } = JSON.parse(text) as {
      components: { name: string; version: string }[];
      metadata: { component: { version: string } };
    };
    expect(metadata).toMatchObject({ component: { version: manifest.version } });
    const names = components.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['Eigen', 'fast_float', 'Emscripten', 'musl', 'libc++']),
    );
    const licences = readFileSync(`${root}dist/THIRD-PARTY.txt`, 'utf8').split(/^-{72}$/m);
    const licensed = licences.slice(0, -1).map((notice) => notice.trim().split('\n')[0]);
    expect(names.slice(0, licensed.length)).toEqual(licensed);
    for (const { version } of components) expect(version).toMatch(/^\d+\.\d+/);
    // What differs between two builds of the same sources.
    expect(text).not.toMatch(/serialNumber|timestamp/);
  });

  it('ships a package.json without what only its repository needs', () => {
    const shipped = JSON.parse(inPacked('--extract', '-O', 'package/package.json')) as object;
    const { scripts, devDependencies, workspaces, ...rest } = manifest as Record<string, unknown>;
    expect([scripts, devDependencies, workspaces]).not.toContain(undefined);
    expect(shipped).toEqual(rest);
  }, 300_000);

  it('passes publint, and says where its home is, as the other packages do', async () => {
    for (const folder of ['.', 'web/relay', 'web/research', 'web/scale']) {
      const own = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as object;
      expect(own, folder).toMatchObject({
        homepage: expect.stringMatching(/^https:.*#readme$/) as string,
        bugs: { url: expect.stringMatching(/^https:.*\/issues$/) as string },
      });
    }
    const { buffer } = Uint8Array.from(readFileSync(packed()));
    const { messages } = await publint({ pack: { tarball: buffer }, strict: true });
    expect(messages).toEqual([]);
  }, 300_000);

  it('has types for every way to resolve modules', async () => {
    const tarball = Uint8Array.from(readFileSync(packed()));
    const result = await checkPackage(createPackageFromTarballData(tarball));
    if (result.types === false) throw new Error('the package has no types');
    // Code for workers, bytes and what is between the packages have no types.
    const untyped = Object.entries(manifest.exports)
      .filter(([, entry]) => typeof entry === 'string' || !('types' in (entry as object)))
      .map(([name]) => name);
    const wrong = result.problems
      // The package has ES modules only, which CommonJS loads by import() or, from Node 22 on, by require.
      .filter(({ kind }) => kind !== 'CJSResolvesToESM')
      .filter((problem) => !('entrypoint' in problem && untyped.includes(problem.entrypoint)));
    expect(wrong).toEqual([]);
  }, 300_000);

  it('is under 243 kB compressed for a participant and 241 kB more for an analyst, without synthesis', () => {
    const production = new Set([...importsOf('index.js'), ...importsOf('worker.js')]);
    const files = [...production, 'private-moments.wasm'];
    const compressed = (file: string): number =>
      gzipSync(readFileSync(`${root}dist/${file}`), { level: 9 }).length;
    const total = files.map(compressed).reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThan(243_000);
    expect(compressed('private-moments-analysis.wasm')).toBeLessThan(241_000);
    expect(compressed('private-moments-synthesis.wasm')).toBeLessThan(178_000);
  });

  it('comes to its first release in eight requests at most', () => {
    const files = new Set([...importsOf('index.js'), ...importsOf('worker.js')]);
    expect(files.size + ['private-moments.wasm'].length).toBeLessThanOrEqual(8);
  });

  it('has entries that request all their files together, also those that others of them import', () => {
    const entries = Object.values(manifest.exports)
      .map((entry) => (typeof entry === 'string' ? entry : (entry as { default?: string }).default))
      .filter((file) => /^\.\/dist\/[\w-]+\.js$/.test(file ?? ''))
      .map((file = '') => file.replace('./dist/', ''));
    expect(entries).toContain('worker.js');
    for (const entry of entries) {
      const direct = new Set([entry, ...importedBy(entry)]);
      expect(
        [...importsOf(entry)].filter((file) => !direct.has(file)),
        entry,
      ).toEqual([]);
    }
  });

  it('makes no large table when it is imported, and links that others can unpack and pack', () => {
    const printed = inNode(`
      import { deflateRawSync, inflateRawSync } from 'node:zlib';
      let largest = 0;
      const Numbers = globalThis.Uint16Array;
      globalThis.Uint16Array = class extends Numbers {
        constructor(...all) {
          super(...all);
          largest = Math.max(largest, this.length);
        }
      };
      const { defineStudy, studyFromLink } = await import('private-moments');
      console.log(largest < 4096);
      const columns = Array.from({ length: 40 }, (_, i) => ({ name: 'x' + i, type: 'number', min: 0, max: i + 1 }));
      const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
      const link = study.toLink('https://example.org/');
      const [start, part] = link.split(/\\.(?=[\\w-]+$)/);
      const text = inflateRawSync(Buffer.from(part, 'base64url'));
      console.log(JSON.parse(text).columns.length);
      const packed = deflateRawSync(text, { level: 1 }).toString('base64url');
      console.log(studyFromLink(start + '.' + packed).id === study.id);
    `);
    expect(printed).toBe('true\n40\ntrue');
  });

  it('has no empty file', () => {
    expect(scripts.filter((file) => statSync(`${root}dist/${file}`).size === 0)).toEqual([]);
  });

  it('knows nothing of private-moments-research', () => {
    // But for the command line, which runs its audits where it is installed.
    const ofProgram = importsOf('cli.js', { later: true });
    for (const file of scripts.filter((name) => !ofProgram.has(name))) {
      const source = readFileSync(`${root}dist/${file}`, 'utf8');
      expect(source, file).not.toContain('private-moments-research');
    }
  });

  it('gives each worker its own core, and participants no synthesis', () => {
    const textOf = (entry: string): string =>
      [...importsOf(entry)].map((file) => readFileSync(`${root}dist/${file}`, 'utf8')).join('\n');
    // Calls that only one of them makes.
    expect(textOf('worker.js')).toContain('createIntake');
    expect(textOf('analysis-worker.js')).not.toContain('createIntake');
    expect(textOf('synthesis-worker.js')).toContain('createTable');
    expect(textOf('worker.js') + textOf('index.js')).not.toMatch(/\bcreateTable\b/);
  });
});

describe('the command line', () => {
  const run = (file: string, ...args: string[]) =>
    spawnSync(process.execPath, [file, ...args], { encoding: 'utf8', timeout: 60_000 });

  it('prints how to install the missing package of a command', () => {
    // Like an installation without the packages that the repository links into its node_modules.
    const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
    cpSync(`${root}package.json`, join(folder, 'package.json'));
    for (const name of dist.filter((file) => file.endsWith('.js'))) {
      cpSync(`${root}dist/${name}`, join(folder, 'dist', name));
    }
    try {
      for (const [command, name] of [
        ['relay', 'private-moments-relay'],
        ['export', 'private-moments-scale'],
        ['import', 'private-moments-scale'],
        ['sum', 'private-moments-scale'],
        ['audit', 'private-moments-research'],
      ] as const) {
        const option = command === 'audit' ? '--list' : '--help';
        const { status, stderr } = run(join(folder, 'dist/cli.js'), command, option);
        expect(status, command).toBe(1);
        expect(stderr).toMatch(/^private-moments: package-missing: /);
        expect(stderr).toContain(`\n  npm install ${name}@${manifest.version}\n`);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('lists its commands, prints its version, and refuses unknown commands', () => {
    const cli = `${root}dist/cli.js`;
    expect(run(cli).stdout).toContain('private-moments COMMAND');
    expect(run(cli, '--version').stdout).toBe(`${manifest.version}\n`);
    const { status, stderr } = run(cli, 'toString');
    expect([status, stderr]).toEqual([2, 'private-moments: there is no command toString\n']);
  });

  it('is small, and loads the package and its commands only when they are called', () => {
    const loaded = [...importsOf('cli.js')].map((file) =>
      readFileSync(`${root}dist/${file}`, 'utf8'),
    );
    expect(loaded.join('').length).toBeLessThan(16_100);
    expect(loaded.join('')).not.toMatch(/^import .*"private-moments(?:\/|")/m);
  });
});

describe('the error codes', () => {
  it('are documented with what to do, all of them and no others', () => {
    const documentation = readFileSync(`${root}docs/formats.md`, 'utf8');
    const table = documentation.slice(documentation.indexOf('| code | meaning |'));
    const documented = [...table.matchAll(/^\| `([a-z-]+)` \| [a-z].* \| .+ \|$/gm)].map(
      ([, code]) => code,
    );
    expect(documented).toEqual(errorCodes);
  });
});

/**
 * What Vite makes of a program that uses some names of the package: the bytes of its own script, and the other
 * files, without those that are loaded on demand.
 */
async function bundled(names: string): Promise<{ bytes: number; other: string[] }> {
  const program = `import { ${names} } from 'private-moments';\nconsole.log(${names});`;
  const { bytes, files } = await bundledFrom('private-moments', program);
  return { bytes, other: files.filter((file) => /worker\.js$|\.wasm$/.test(file)).sort() };
}

/** The same of a program that imports one entry: also the names of the other files, and the texts of all scripts. */
async function bundledFrom(
  entry: string,
  program: string,
): Promise<{ bytes: number; files: string[]; scripts: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  try {
    writeFileSync(join(folder, 'program.js'), program);
    await vite.build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      resolve: { alias: { [entry]: `${root}${moduleOf(entry.replace('private-moments', '.'))}` } },
      build: {
        rolldownOptions: {
          input: join(folder, 'program.js'),
          output: { entryFileNames: '[name].js' },
          // Without it, Vite copies the files that any module mentions.
          experimental: { lazyBarrel: true },
        },
      },
    });
    const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
    return {
      bytes: statSync(join(folder, 'dist/program.js')).size,
      files: files.map((file) => file.replace(/^assets\//, '').replace(/-[\w-]{8}(?=\.\w+$)/, '')),
      scripts: files
        .filter((file) => file.endsWith('.js'))
        .map((file) => readFileSync(join(folder, 'dist', file), 'utf8')),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The file that an entry leads bundlers to. */
function moduleOf(entry: string): string {
  return (manifest.exports[entry] as { module: string }).module.replace('./', '');
}

/** A file of dist/ and everything it imports, directly or not; with `later` also what it loads on demand. */
function importsOf(file: string, { later = false, found = new Set<string>() } = {}): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const name of importedBy(file, { later })) importsOf(name, { later, found });
  return found;
}

/** The files of dist/ that one imports itself; with `later` also those that it loads on demand. */
function importedBy(file: string, { later = false } = {}): string[] {
  const source = readFileSync(`${root}dist/${file}`, 'utf8');
  const imports = later ? /["']\.\/([\w-]+\.js)["']/g : /(?<!import\()["']\.\/([\w-]+\.js)["']/g;
  return [...source.matchAll(imports)]
    .map(([, name = '']) => name)
    .filter((name) => !name.endsWith('worker.js') && dist.includes(name));
}
