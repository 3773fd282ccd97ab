import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig, type ViteDevServer } from 'vite';
import {
  aliases,
  beside,
  bundleSources,
  requireModules,
  WITH_RESEARCH,
} from '../../tools/source.mjs';
import { divergingSteps } from '../elements/src/figures/diverging.js';
import { buttonStyles } from '../elements/src/look/styles.js';
import { publicTokens } from '../elements/src/look/tokens.js';
import { writeSums } from '../../tools/sums.mjs';
import { brokenLinks } from './guide/links.js';
import { guide, guidePages, searchText, SEARCH_FILE } from './guide/pages.js';
import { withIntegrity } from './integrity.js';
import { savedCopy } from './saved/build.js';
import { HEADERS, headersFor } from './headers.js';
import { sharedFiles } from './shared-files.js';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const root = pathOf('.');
const outDir = pathOf('../../dist/site');
/** The modules of the built package, of which each page takes what it uses. */
const packageEntry = pathOf('../../dist/modules/index.js');
const researchEntry = pathOf('../research/dist/index.js');
const { version } = JSON.parse(readFileSync(pathOf('../../package.json'), 'utf8')) as {
  version: string;
};

/** The look of the elements, for the pages around them. */
function look(): Plugin {
  const styles: Record<string, string> = {
    'virtual:tokens.css': `:root {\n${publicTokens}\n}\n`,
    'virtual:look.css': [buttonStyles, divergingSteps]
      .map(({ cssText }) => cssText.replaceAll('var(--_', 'var(--pm-'))
      .join('\n'),
  };
  return {
    name: 'look',
    resolveId: (source) => (source in styles ? `\0${source}` : undefined),
    load: (source) => styles[source.slice(1)],
  };
}

/** Replaces `<!-- frame: NAME -->` by the parts that all pages share. */
function frame(): Plugin {
  const parts = (html: string): string =>
    html.replaceAll(/^( *)<!-- frame: (\w+) -->$/gm, (_, indent: string, name: string) =>
      readFileSync(pathOf(`frame/${name}.html`), 'utf8')
        .trimEnd()
        .replaceAll(/^/gm, indent),
    );
  return {
    name: 'frame',
    transformIndexHtml: {
      // Runs before Vite collects the scripts and links of the page.
      order: 'pre',
      handler: (html, { filename }) => {
        const link = `<a href="./${relative(root, filename)}"`;
        const up = relative(dirname(filename), root);
        // A page of the documentation is in the room that its first page stands for.
        const room = relative(root, filename).startsWith('docs/')
          ? '<a href="./docs/index.html"'
          : link;
        const page = parts(html)
          .replace(`${link}>`, `${link} aria-current="page">`)
          .replace(`${room}>`, `${room} aria-current="true">`)
          // Most readers of link previews want whole addresses.
          .replaceAll('%SITE%', process.env.PM_SITE ?? `${up || '.'}/`);
        return up === '' ? page : page.replaceAll(/(href|src|save-page)="\.\//g, `$1="${up}/`);
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

/** Writes the sample study and its ten files beside the pages. */
function sample(): Plugin {
  return {
    name: 'sample',
    closeBundle: () => writeSampleTo(join(outDir, 'sample')),
  };
}

async function writeSampleTo(folder: string): Promise<void> {
  const address = new URL('../../samples/split.mjs', import.meta.url).href;
  const { writeSample } = (await import(address)) as { writeSample: (folder: string) => void };
  writeSample(folder);
}

/**
 * While developing: the package and the elements from their sources. Workers and .wasm files come from
 * the folder of bundles, which is made again before the page reloads. What Vite puts into pages needs
 * a wider policy than theirs.
 */
function fromSource(): Plugin[] {
  const folder = pathOf('../../build/');
  const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.csv': 'text/csv' };
  return [
    beside("new URL('/source/index.js', location.origin).href"),
    {
      name: 'from-source',
      config: () => ({ appType: 'mpa', server: { fs: { allow: [pathOf('../..')] } } }),
      configureServer: async (server) => {
        await bundleSources(WITH_RESEARCH);
        await writeSampleTo(join(folder, 'sample'));
        server.middlewares.use((request, response, next) => {
          const { pathname } = new URL(request.url ?? '/', 'http://localhost');
          const file = join(folder, pathname);
          if (/^\/(source|sample)\/[\w-]+\.\w+$/.test(pathname) && existsSync(file)) {
            const type = Object.entries(types).find(([end]) => file.endsWith(end))?.[1];
            response.setHeader('Content-Type', type ?? 'application/json');
            response.end(readFileSync(file));
          } else if (pathname === `/docs/${SEARCH_FILE}`) {
            response.setHeader('Content-Type', 'application/json');
            void searchText().then((text) => response.end(text), next);
          } else if (guidePages.includes(pathOf(`.${pathname}`))) {
            void sendGuide(server, pathname, response).catch(next);
          } else {
            next();
          }
        });
      },
      handleHotUpdate: async ({ file, server }) => {
        if (!/\/web\/(package|elements|research)\//.test(file)) return undefined;
        await bundleSources(WITH_RESEARCH);
        server.ws.send({ type: 'full-reload' });
        return [];
      },
      transformIndexHtml: {
        order: 'post',
        handler: (html) =>
          html
            .replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, '')
            .replace(/<script src="[^"]*workers\.js"[^>]*><\/script>/, ''),
      },
    },
  ];
}

async function sendGuide(
  server: ViteDevServer,
  pathname: string,
  response: ServerResponse,
): Promise<void> {
  const page = await server.environments.client.pluginContainer.load(pathOf(`.${pathname}`));
  const html = typeof page === 'string' ? page : (page?.code ?? '');
  response.setHeader('Content-Type', 'text/html');
  response.end(await server.transformIndexHtml(pathname, html));
}

/** What the pages hold beside the packages, with the files of their licences. */
const BESIDE = { minisearch: 'LICENSE.txt' };

/** The licences of this project and of everything in the pages. */
function licenceText(): string {
  const rule = `${'-'.repeat(72)}\n\n`;
  const own = readFileSync(pathOf('../../LICENSE'), 'utf8');
  const beside = Object.entries(BESIDE).map(([name, file]) => {
    const licence = readFileSync(pathOf(`../../node_modules/${name}/${file}`), 'utf8');
    return `${name}\n\n${licence.trim()}\n`;
  });
  const listed = readFileSync(pathOf('../../dist/THIRD-PARTY.txt'), 'utf8');
  return [`private-moments\n\n${own}`, ...beside, listed].join(`\n${rule}`);
}

/** The landing page's worker, which starts no others. */
const ALONE = 'landing/consortium-worker';

/**
 * The site has workers: what does their work without them is left out, of which each worker would have a copy. The
 * landing page's worker does it all, but its sites have files of text, and nobody makes rows.
 */
function withWorkers(): Plugin {
  const none = '\0none';
  let unused = /-service\.js$/;
  return {
    name: 'with-workers',
    enforce: 'pre',
    buildStart: ({ input }) => {
      if (JSON.stringify(input).includes(ALONE)) unused = /synthesis-|-arrow|-parquet/;
    },
    resolveId: (name, _, { kind }) =>
      kind === 'dynamic-import' && unused.test(name) ? none : null,
    load: (id) => (id === none ? 'export {};' : undefined),
  };
}

/** Writes the licences of everything in the pages, and fails if one is missing. */
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_, files) {
      const listed = licenceText();
      for (const file of Object.values(files)) {
        for (const path of file.type === 'chunk' ? file.moduleIds : []) {
          const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
          if (name === undefined || listed.includes(`\n${name}\n`)) continue;
          this.error(`${name} has no licence in dist/THIRD-PARTY.txt or BESIDE`);
        }
      }
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: listed });
    },
  };
}

const SAVED_COPY = 'private-moments.html';

/** Writes the saved copy and its hash: into the page that offers it, and in the form that `sha256sum --check` takes. */
function saved(): Plugin {
  const fileName = SAVED_COPY;
  const make = async () => {
    const source = await savedCopy({ licences: licenceText() });
    return { source, hash: createHash('sha256').update(source).digest('hex') };
  };
  let made: ReturnType<typeof make> | undefined;
  return {
    name: 'saved',
    async transformIndexHtml(html) {
      if (!html.includes('%SAVED_HASH%')) return html;
      const { hash } = await (made ??= make());
      return html.replace('%SAVED_HASH%', hash);
    },
    async generateBundle() {
      const { source, hash } = await (made ??= make());
      this.emitFile({ type: 'asset', fileName, source });
      const line = `${hash}  ${fileName}\n`;
      this.emitFile({ type: 'asset', fileName: `${fileName}.sha256`, source: line });
      this.emitFile({ type: 'asset', fileName: HEADERS, source: headersFor(source) });
      console.log(`${fileName}: ${Buffer.byteLength(source)} bytes, SHA-256 ${hash}`);
    },
  };
}

/** Fails where a link or a source in the pages leads nowhere. */
function links(): Plugin {
  return {
    name: 'links',
    closeBundle() {
      // The saved copy has scripts in it, which write links of their own.
      const broken = brokenLinks(outDir, [SAVED_COPY]);
      if (broken.length > 0) this.error(`links that lead nowhere:\n${broken.join('\n')}`);
    },
  };
}

/** States in the pages which scripts and styles they were built with. */
function integrity(): Plugin {
  return {
    name: 'integrity',
    closeBundle() {
      for (const page of listFiles(outDir)) {
        if (!page.endsWith('.html') || page === SAVED_COPY) continue;
        const path = join(outDir, page);
        const hashOf = (address: string): string | undefined => {
          const file = join(dirname(path), address);
          if (!relative(outDir, file).startsWith('assets/') || !existsSync(file)) return undefined;
          return `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`;
        };
        writeFileSync(path, withIntegrity(readFileSync(path, 'utf8'), hashOf));
      }
    },
  };
}

/** Writes the manifest of the site, last of all. */
function sums(): Plugin {
  return {
    name: 'sums',
    closeBundle: () => {
      writeSums(outDir);
    },
  };
}

/** Writes the service worker with the list of all files of the site. */
function offline(): Plugin {
  return {
    name: 'offline',
    closeBundle() {
      const files = listFiles(outDir).filter((file) => !['sw.js', HEADERS].includes(file));
      const digest = createHash('sha256');
      for (const file of files) digest.update(file).update(readFileSync(join(outDir, file)));
      const source = readFileSync(pathOf('sw.js'), 'utf8')
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

const pages = [look(), guide(), frame(), pageVersion()];

const site: UserConfig = {
  root,
  // Relative, so that the site works under any path of any static host.
  base: './',
  resolve: {
    alias: {
      // From their sources, so that each page loads only what it uses of them. An alias holds of
      // whatever begins with it: the longest name comes first.
      'private-moments/internal/elements': pathOf('../elements/src/internal.ts'),
      'private-moments/internal/worker': pathOf('../elements/src/internal-worker.ts'),
      'private-moments/internal/core': pathOf('../../dist/modules/internal-core.js'),
      ...Object.fromEntries(
        ['internal', 'words'].map((entry) => [
          `private-moments/${entry}`,
          pathOf(`../package/src/${entry}.ts`),
        ]),
      ),
      ...Object.fromEntries(
        ['federation', 'report'].map((entry) => [
          `private-moments/${entry}`,
          pathOf(`../../dist/modules/${entry}.js`),
        ]),
      ),
      'private-moments-research': researchEntry,
      'private-moments': packageEntry,
    },
  },
  // One file per worker: Firefox checks a worker's imports against worker-src, which allows none of them
  // (public/workers.js).
  worker: {
    format: 'es',
    plugins: () => [withWorkers()],
    rolldownOptions: { output: { codeSplitting: false } },
  },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // Keeps light-dark() and field-sizing untransformed.
    cssTarget: 'esnext',
    modulePreload: { polyfill: false },
    // connect-src allows files of this site, not data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: sharedFiles(dirname(packageEntry), pathOf('guide/')) } },
      input: [
        ...['index.html', 'design.html', 'analyse.html', 'explore.html'].map(pathOf),
        ...['find-me.html', 'help.html', 'mechanisms.html', 'save.html'].map(pathOf),
        ...guidePages,
      ],
    },
  },
};

export default defineConfig(({ command }) => {
  if (command === 'serve') {
    requireModules(WITH_RESEARCH);
    return { ...site, plugins: [...pages, fromSource()], resolve: { alias: aliases } };
  }
  for (const entry of [packageEntry, researchEntry]) {
    if (!existsSync(entry)) throw new Error(`${entry} is missing: build the packages first`);
  }
  return {
    ...site,
    plugins: [
      ...pages,
      withWorkers(),
      licences(),
      saved(),
      sample(),
      links(),
      integrity(),
      offline(),
      sums(),
    ],
  };
});
