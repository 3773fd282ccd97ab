// The declarations as users get them: the packed package, below several versions of TypeScript and of frameworks.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import TypeScript from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Below the root, where the types of frameworks are found.
const folder = join(root, 'build/types-as-packed');
const require = createRequire(import.meta.url);
const { ModuleKind, ModuleResolutionKind } = TypeScript;
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types?: string }>;
};

/** Compilers take long on a busy machine. */
const TIMEOUT = 180_000;

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  const installed = join(folder, 'node_modules/private-moments');
  mkdirSync(installed, { recursive: true });
  const options = { cwd: root, encoding: 'utf8' } as const;
  const file = execFileSync(process.execPath, ['tools/pack.mjs', '.'], options).trim();
  execFileSync('tar', ['-xzf', join(root, file), '--strip-components=1', '-C', installed]);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', type: 'module' }));
}, TIMEOUT);

/** What a version of TypeScript, by its package, says about a program: the texts of its errors. */
function complaints(
  version: string,
  name: string,
  source: string,
  options: TypeScript.CompilerOptions = {},
): string[] {
  const ts = require(version) as typeof TypeScript;
  const file = join(folder, name);
  writeFileSync(file, source);
  const all: TypeScript.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.ReactJSX,
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...options,
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], all, hostOf(ts, all)));
  return found.map(({ file: at, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    return at?.fileName === file ? text : `${at?.fileName.replace(folder, '') ?? ''}: ${text}`;
  });
}

/** Programs share what they read: most of it are TypeScript's own declarations. */
const read = new Map<string, TypeScript.SourceFile | undefined>();

function hostOf(ts: typeof TypeScript, options: TypeScript.CompilerOptions) {
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, settings, ...rest) => {
    if (!name.includes('/node_modules/')) return getSourceFile(name, settings, ...rest);
    const format = typeof settings === 'object' ? settings.impliedNodeFormat : undefined;
    const key = `${ts.version} ${format} ${name}`;
    if (!read.has(key)) read.set(key, getSourceFile(name, settings, ...rest));
    return read.get(key);
  };
  return host;
}

const TYPED = Object.entries(exports)
  .filter(
    ([name, entry]) =>
      typeof entry === 'object' &&
      'types' in entry &&
      !/\/(preact|react|solid|svelte|vue)$/.test(name),
  )
  .map(([name]) => name.replace('.', 'private-moments'));

/** A program that loads every entry and uses some of what they declare; its last line is wrong. */
const EVERYTHING = `
${TYPED.map((name, i) => `import * as entry${i} from '${name}';`).join('\n')}
import { defineStudy, type Release, type Study } from 'private-moments';
import type { ReleaseDetail } from 'private-moments/elements';
export const entries = [${TYPED.map((_, i) => `entry${i}`).join()}];
export const study: Study = defineStudy({
  title: 'Age',
  columns: [{ name: 'age', type: 'number', min: 18, max: 90 }],
  privacy: { epsilon: 1, delta: 1e-6 },
});
export const detail = (event: CustomEvent<ReleaseDetail>): Release => event.detail.release;
export const budget = (page: Document): number | undefined =>
  page.createElement('pm-participate').budgetEpsilon;
export const wrong: number = study.title;
`;

describe('the declarations compile whole with TypeScript 5.0', () => {
  it.each([
    ['bundler', { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler }],
    ['node16', { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 }],
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- current in TypeScript 5.0
    ['node10', { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Node10 }],
  ])(
    'and the module resolution %s',
    (_, options) => {
      const strict = { skipLibCheck: false, skipDefaultLibCheck: true, ...options };
      const name = 'everything.ts';
      expect(complaints('typescript-5.0', name, EVERYTHING, strict)).toEqual([
        "Type 'string' is not assignable to type 'number'.",
      ]);
    },
    TIMEOUT,
  );
});

/** Types of React 18 in place of those of React 19. */
const REACT_18 = {
  paths: {
    react: [join(root, 'node_modules/types-react-18')],
    'react/*': [join(root, 'node_modules/types-react-18/*')],
  },
};

const JSX = `
import type {} from 'private-moments/react';
import type { PmParticipateElement } from 'private-moments/elements';
const use = (element: PmParticipateElement | null) => element?.budgetEpsilon;
export const right = [
  <pm-participate study="https://example.org/#study=a" compact budget-epsilon="1" className="wide" />,
  <pm-participate id="a" key="b" ref={(element) => void use(element)} />,
  <pm-participate onpm-release={(event) => event.detail.name.trim()} />,
];
export const wrong = [
  <pm-participate studdy="a" />,
  <pm-participate compact="yes" />,
  <pm-participate budget-epsilon={{}} />,
  <pm-participate onpm-release={(event) => event.detail.study} />,
  <pm-analysis trySample={() => undefined} />,
];
`;

describe('the elements have types', () => {
  it.each([
    ['19', 'typescript', {}],
    ['18', 'typescript', REACT_18],
    ['19, with TypeScript 5.0', 'typescript-5.0', {}],
  ])(
    'in JSX of React %s: their properties, attributes and events, and those of every element',
    (_, version, options) => {
      expect(complaints(version, 'page.tsx', JSX, options)).toEqual([
        expect.stringContaining("Property 'studdy' does not exist"),
        expect.stringMatching(/^Type '(string|"yes")' is not assignable to type 'boolean/),
        expect.stringContaining("is not assignable to type 'string | number"),
        "Property 'study' does not exist on type 'ReleaseDetail'.",
        expect.stringContaining("Property 'trySample' does not exist"),
      ]);
    },
    TIMEOUT,
  );

  it(
    'in JSX of Preact',
    () => {
      const program = `
        import type {} from 'private-moments/preact';
        export const right = [
          <pm-participate study="a" compact budget-epsilon="1" budgetDelta={1e-6} class="wide" key="b" />,
          <pm-participate onpm-release={(event) => event.detail.name.trim()} />,
        ];
        export const wrong = [
          <pm-participate studdy="a" />,
          <pm-participate onpm-release={(event) => event.detail.study} />,
        ];`;
      const options = { jsxImportSource: 'preact' };
      expect(complaints('typescript', 'preact.tsx', program, options)).toEqual([
        expect.stringContaining("Property 'studdy' does not exist"),
        "Property 'study' does not exist on type 'ReleaseDetail'.",
      ]);
    },
    TIMEOUT,
  );

  it(
    'in JSX of Solid, which writes names in lower case unless they are properties',
    () => {
      const program = `
        import type {} from 'private-moments/solid';
        export const right = [
          <pm-participate study="a" compact budget-epsilon="1" prop:budgetDelta={1e-6} class="wide" />,
          <pm-participate on:pm-release={(event) => event.detail.name.trim()} />,
        ];
        export const wrong = [
          <pm-participate studdy="a" />,
          <pm-participate budgetDelta={1e-6} />,
          <pm-participate on:pm-release={(event) => event.detail.study} />,
        ];`;
      const options = { jsx: TypeScript.JsxEmit.Preserve, jsxImportSource: 'solid-js' };
      expect(complaints('typescript', 'solid.tsx', program, options)).toEqual([
        expect.stringContaining("Property 'studdy' does not exist"),
        expect.stringContaining("Property 'budgetDelta' does not exist"),
        "Property 'study' does not exist on type 'ReleaseDetail'.",
      ]);
    },
    TIMEOUT,
  );

  it(
    'in templates of Vue, as components',
    () => {
      const program = `
        import type {} from 'private-moments/vue';
        import type { GlobalComponents } from 'vue';
        type Props = InstanceType<GlobalComponents['pm-participate']>['$props'];
        export const right: Props[] = [
          { study: 'a', budgetEpsilon: 1, class: 'wide', key: 'b' },
          { onPmRelease: (event) => event.detail.name },
        ];
        export const wrong: Props[] = [
          { studio: 'a' },
          { onPmRelease: (event) => event.detail.study },
        ];`;
      expect(complaints('typescript', 'vue.ts', program)).toEqual([
        expect.stringContaining("'studio' does not exist"),
        "Property 'study' does not exist on type 'ReleaseDetail'.",
      ]);
    },
    TIMEOUT,
  );

  it(
    'in components of Svelte',
    () => {
      const program = `
        import type {} from 'private-moments/svelte';
        import type { SvelteHTMLElements } from 'svelte/elements';
        type Props = SvelteHTMLElements['pm-participate'];
        export const right: Props[] = [
          { study: 'a', 'budget-epsilon': '1', class: 'wide' },
          { 'onpm-release': (event) => event.detail.name },
        ];
        export const wrong: Props[] = [
          { studio: 'a' },
          { 'on:pm-release': (event) => event.detail.study },
        ];`;
      expect(complaints('typescript', 'svelte.ts', program)).toEqual([
        expect.stringContaining("'studio' does not exist"),
        "Property 'study' does not exist on type 'ReleaseDetail'.",
      ]);
    },
    TIMEOUT,
  );
});

/** The imports and variables that the examples in the declarations use. */
const CONTEXT = `
import { advise, assemble, compose, createLedger, defineStudy, forecast, inspect, load } from 'private-moments';
import { parseRelease, parseStudy, privatize, studyFromLink, studyPreset, weightedColumns } from 'private-moments';
import type { Column, Moments, Release, Study } from 'private-moments';
import { report } from 'private-moments/report';
declare const file: File;
declare const study: Study;
declare const releases: Release[];
declare const moments: Moments;
`;

describe('the examples in the declarations', () => {
  it(
    'are there for what users call most, and compile',
    () => {
      const types = join(folder, 'node_modules/private-moments/dist/types');
      const files = readdirSync(types, { recursive: true, encoding: 'utf8' });
      const examples = files
        .filter((name) => name.endsWith('.d.ts'))
        .flatMap((name) =>
          [
            ...readFileSync(join(types, name), 'utf8').matchAll(
              /@example\s+\* ```ts\n(.*?)\* ```/gs,
            ),
          ].map(([, text = '']) => text.replaceAll(/^ *\* ?/gm, '')),
        );
      expect(examples.length).toBeGreaterThanOrEqual(18);
      const program = (added: string) =>
        [...examples, added].map((text, i) => `export async function example${i}() {\n${text}}`);
      const source = (added: string) => CONTEXT + program(added).join('\n');
      expect(complaints('typescript', 'examples.ts', source(''))).toEqual([]);
      expect(
        complaints('typescript', 'examples.ts', source('moments.pca({ level: "high" });\n')),
      ).toEqual(["Type 'string' is not assignable to type 'number'."]);
    },
    TIMEOUT,
  );
});
