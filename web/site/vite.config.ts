import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { publicTokens } from '../elements/src/tokens.js';
import { guide, guidePages } from './guide.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const root = here('.');
const outDir = here('../../dist/site');
const packageEntry = here('../../dist/index.js');
const reportEntry = here('../../dist/report.js');
const federationEntry = here('../../dist/federation.js');
const researchEntry = here('../../dist/research.js');
const { version } = JSON.parse(readFileSync(here('../../package.json'), 'utf8')) as {
  version: string;
};

/** The tokens of the elements, for the page around them. */
function tokens(): Plugin {
  const id = 'virtual:tokens.css';
  return {
    name: 'tokens',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `:root {\n${publicTokens}\n}\n` : undefined),
  };
}

/** What stands on every page, where it has `<!-- frame: NAME -->`. */
function frame(): Plugin {
  const parts = (html: string): string =>
    html.replaceAll(/^( *)<!-- frame: (\w+) -->$/gm, (_, indent: string, name: string) =>
      readFileSync(here(`frame/${name}.html`), 'utf8')
        .trimEnd()
        .replaceAll(/^/gm, indent),
    );
  return {
    name: 'frame',
    transformIndexHtml: {
      // Before the scripts and links of the page are looked for.
      order: 'pre',
      handler: (html, { filename }) => {
        const link = `<a href="./${relative(root, filename)}"`;
        const page = parts(html).replace(`${link}>`, `${link} aria-current="page">`);
        const up = relative(dirname(filename), root);
        return up === '' ? page : page.replaceAll(/(href|src)="\.\//g, `$1="${up}/`);
      },
    },
  };
}

function pageVersion(): Plugin {
  return {
    name: 'page-version',
    transformIndexHtml: (html) => html.replaceAll('%VERSION%', version),
  };
}

/** The sample study and its ten files, beside the pages. */
function sample(): Plugin {
  return {
    name: 'sample',
    async closeBundle() {
      const address = new URL('../../samples/split.mjs', import.meta.url).href;
      const { writeSample } = (await import(address)) as { writeSample: (folder: string) => void };
      writeSample(join(outDir, 'sample'));
    },
  };
}

/** The licences of everything that the pages are made of. */
function licences(): Plugin {
  const known = readFileSync(here('../../dist/THIRD-PARTY.txt'), 'utf8');
  return {
    name: 'licences',
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        for (const path of file.type === 'chunk' ? file.moduleIds : []) {
          const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
          if (name === undefined || known.includes(`\n${name}\n`)) continue;
          this.error(`${name} has no licence in dist/THIRD-PARTY.txt`);
        }
      }
      const own = readFileSync(here('../../LICENSE'), 'utf8');
      const source = `private-moments\n\n${own}\n${'-'.repeat(72)}\n\n${known}`;
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
    },
  };
}

/** The service worker, knowing every file of the site, so that it works without the network. */
function offline(): Plugin {
  return {
    name: 'offline',
    closeBundle() {
      const files = listFiles(outDir).filter((file) => file !== 'sw.js');
      const digest = createHash('sha256');
      for (const file of files) digest.update(file).update(readFileSync(join(outDir, file)));
      const source = readFileSync(here('sw.js'), 'utf8')
        .replace('%FILES%', JSON.stringify(files.map((file) => `./${file}`)))
        .replace('%DIGEST%', digest.digest('hex').slice(0, 16));
      writeFileSync(join(outDir, 'sw.js'), source);
    },
  };
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(folder, path).replaceAll('\\', '/'))
    .sort();
}

if (!existsSync(packageEntry)) throw new Error('dist/index.js is missing: build the package first');

export default defineConfig({
  root,
  // Relative, so that the site works under any path of any static host.
  base: './',
  plugins: [tokens(), guide(), frame(), pageVersion(), licences(), sample(), offline()],
  resolve: {
    alias: {
      'private-moments/federation': federationEntry,
      'private-moments/report': reportEntry,
      'private-moments/research': researchEntry,
      'private-moments': packageEntry,
    },
  },
  // One file each: Firefox holds what a worker's file imports against worker-src, which allows none of
  // them (public/workers.js).
  worker: { format: 'es', rolldownOptions: { output: { codeSplitting: false } } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // light-dark() and field-sizing stay as they are written.
    cssTarget: 'esnext',
    modulePreload: { polyfill: false },
    // connect-src allows files of this site, not data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: [
        ...['index.html', 'design.html', 'analyse.html', 'explore.html'].map(here),
        ...['help.html', 'mechanisms.html'].map(here),
        ...guidePages,
      ],
    },
  },
});
