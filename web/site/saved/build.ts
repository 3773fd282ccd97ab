/** Writes the saved copy: Take part as one HTML file, which loads nothing and opens from a disk. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build as bundle, type BuildOptions, type Plugin } from 'esbuild';
import { bundling } from '../../../tools/source.mjs';
import { publicTokens } from '../../elements/src/look/tokens.js';
import { RULES } from './policy.js';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const textOf = (path: string): string => readFileSync(pathOf(path), 'utf8');

export interface SavedCopyOptions {
  /** Default: the one that makes releases. */
  worker?: string;
  /** The licences of everything in it. */
  licences: string;
}

/**
 * The text of the file. It depends on the sources and the WebAssembly module only, not on the folder or the
 * time of the build.
 */
export async function savedCopy({ worker, licences }: SavedCopyOptions): Promise<string> {
  const script = await bundled(pathOf('page.ts'), worker ?? (await bundledWorker()));
  const style = await minifiedStyle();
  const { version } = JSON.parse(textOf('../../../package.json')) as { version: string };
  const [mark = ''] = /<svg class="mark"[^]*?<\/svg>/.exec(textOf('../frame/header.html')) ?? [];
  const parts: Record<string, string> = {
    POLICY: policyFor(script, style),
    ICON: Buffer.from(textOf('../public/mark.svg')).toString('base64'),
    STYLE: style,
    MARK: mark,
    VERSION: version,
    LICENCES: licences.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    SCRIPT: script,
  };
  return textOf('page.html').replaceAll(/%([A-Z]+)%/g, (_, name: string) => parts[name] ?? '');
}

function policyFor(script: string, style: string): string {
  const hashes: Record<string, string> = {
    'script-src': `'${hashOf(script)}' 'wasm-unsafe-eval'`,
    'style-src': `'${hashOf(style)}'`,
  };
  return RULES.map(({ name, value }) => `${name} ${value ?? hashes[name] ?? ''}`).join('; ');
}

/** The hash of an inline text, as a content policy states it. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

const common: BuildOptions = {
  ...bundling,
  format: 'iife',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  // Classic scripts have no address. What they use is inside, so any will do that others can be relative to.
  define: { 'import.meta.url': '"file:///"', 'import.meta.env.PROD': 'false' },
  // No text in it may end the element that it stands in.
  supported: { 'inline-script': false, 'inline-style': false },
};

function bundledWorker(): Promise<string> {
  return outputOf({ ...common, entryPoints: [pathOf('../../package/src/intake/worker.ts')] });
}

function bundled(entry: string, worker: string): Promise<string> {
  return outputOf({
    ...common,
    entryPoints: [entry],
    // The page states its styles itself.
    loader: { '.css': 'empty', '.wasm': 'binary' },
    plugins: [...bundling.plugins, inOneFile(worker)],
  });
}

/** Puts the worker and the WebAssembly module inside. */
function inOneFile(worker: string): Plugin {
  return {
    name: 'in-one-file',
    setup(build) {
      build.onResolve({ filter: /^private-moments\.wasm$/ }, ({ path }) => ({
        path: pathOf(`../../../build/wasm/${path}`),
      }));
      // The copy has its worker inside, so what does the work without one is left out.
      build.onResolve({ filter: /-service\.js$/ }, ({ path, kind }) =>
        kind === 'dynamic-import' ? { path, namespace: 'without-workers' } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'without-workers' }, () => ({ contents: '' }));
      build.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: 'virtual' }));
      build.onLoad({ filter: /^virtual:worker$/, namespace: 'virtual' }, () => ({
        contents: worker,
        loader: 'text',
      }));
      build.onLoad({ filter: /^virtual:tokens\.css$/, namespace: 'virtual' }, () => ({
        contents: '',
        loader: 'empty',
      }));
    },
  };
}

function minifiedStyle(): Promise<string> {
  const files = [textOf('../site.css'), textOf('page.css')];
  return outputOf({
    ...common,
    stdin: { contents: [`:root {\n${publicTokens}\n}`, ...files].join('\n'), loader: 'css' },
    // Keeps light-dark() untransformed.
    target: 'esnext',
  });
}

async function outputOf(options: BuildOptions): Promise<string> {
  const { outputFiles } = await bundle({ ...options, write: false });
  return (outputFiles[0]?.text ?? '').trim();
}
