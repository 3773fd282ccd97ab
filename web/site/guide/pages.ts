import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import highlighter from 'highlight.js';
import type { Token } from 'markdown-it';
import type { Plugin } from 'vite';
import { docs, markdown, navigation, pageOf, slugOf, textOf, type Part } from './navigation.js';
import { misplaced, withDeclarations } from './declarations.js';
import { typeset } from './formulas.js';
import { sectionsOf } from './sections.js';

const place = fileURLToPath(new URL('../docs/', import.meta.url));

const files = new Map(
  readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => [place + pageOf(name), name]),
);

/** The JSON Schemas, which the site has beside `docs/` as the repository does. */
const schemaFolder = fileURLToPath(new URL('../../../schemas/', import.meta.url));
const schemas = readdirSync(schemaFolder);

/** The paths of the pages, which exist only in memory. */
export const guidePages: readonly string[] = [...files.keys()];

/** What the search reads, in the folder of the pages. */
export const SEARCH_FILE = 'search.json';

/** The sections of all pages, for the search. */
export async function searchText(): Promise<string> {
  return JSON.stringify(await sectionsOf(files.values()));
}

/** Serves the Markdown of `docs/` as pages with the site's frame. */
export function guide(): Plugin {
  return {
    name: 'guide',
    resolveId: { order: 'pre', handler: (id) => (files.has(id) ? id : undefined) },
    load: (id) => {
      const file = files.get(id);
      return file === undefined ? undefined : pageFor(file);
    },
    async generateBundle() {
      const listed = new Set(navigation().flatMap(({ pages }) => pages.map(({ file }) => file)));
      const left = [...files.values()].filter((file) => file !== 'README.md' && !listed.has(file));
      if (left.length > 0) this.error(`docs/README.md has no link to ${left.join(', ')}`);
      const astray = misplaced(
        [...files.values()].map((file) => readFileSync(docs + file, 'utf8')),
      );
      if (astray.length > 0) this.error(`not declared on exactly one page: ${astray.join(', ')}`);
      const source = await searchText();
      this.emitFile({ type: 'asset', fileName: `docs/${SEARCH_FILE}`, source });
      for (const name of schemas) {
        const schema = readFileSync(schemaFolder + name);
        this.emitFile({ type: 'asset', fileName: `schemas/${name}`, source: schema });
      }
    },
  };
}

/** The state of a page while it is rendered. */
interface Page {
  file: string;
  /** How many headings have had the same slug. */
  slugs: Map<string, number>;
}

/** Restores the type of the state, which the renderer passes through as `any`. */
function rendered(env: unknown): Page {
  return env as Page;
}

async function pageFor(file: string): Promise<string> {
  const page: Page = { file, slugs: new Map() };
  // To the folder of the pages, and from there to the site.
  const home = '../'.repeat(file.split('/').length - 1);
  const text = await withDeclarations(readFileSync(docs + file, 'utf8'));
  const tokens = markdown.parse(text, {});
  const parts = navigation();
  nameLinks(tokens, page, parts);
  const title = textOf(tokens[tokens.findIndex(({ type }) => type === 'heading_open') + 1]);
  const own = parts.find(({ pages }) => pages.some((one) => one.file === file));
  const isIndex = file === 'README.md';
  const trail = own === undefined ? '' : ` / ${escaped(own.title)}`;
  return `<!doctype html>
<html lang="en">
  <head>
    <!-- frame: head -->
    <title>${escaped(isIndex ? title : `${title} · Docs`)} · private-moments</title>
    <script type="module" src="${home}../guide/page.ts"></script>
  </head>
  <body>
    <!-- frame: header -->
    <div class="wrapper room">
      <div class="side">
        <div class="search" role="search" data-docs="${home}">
          <label class="unseen" for="search">Search the documentation</label>
          <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-describedby="search-keys" />
          <kbd aria-hidden="true">/</kbd>
          <p class="unseen" id="search-keys">Arrow keys move through the results, Escape closes them.</p>
          <p class="unseen" id="found" role="status"></p>
          <div id="results" hidden></div>
        </div>
        <nav aria-label="Documentation">
          <button class="button open" type="button" popovertarget="contents">Contents</button>
          <div id="contents" popover>
            <button class="button close" type="button" popovertarget="contents" popovertargetaction="hide">Close</button>
${parts.map((part) => partOf(part, page, { home, open: isIndex || part === own, tokens })).join('\n')}
          </div>
        </nav>
      </div>
      <main class="guide" id="main">
${isIndex ? '' : `<p class="up"><a href="${home}index.html">Docs</a>${trail}</p>\n`}${markdown.renderer.render(tokens, markdown.options, { ...page })}${neighbours(parts, page, home)}
      </main>
    </div>
    <!-- frame: footer -->
  </body>
</html>
`;
}

/** Gives links that are called like their file the name that the navigation has for it. */
function nameLinks(tokens: Token[], { file }: Page, parts: Part[]): void {
  const names = new Map(parts.flatMap(({ pages }) => pages.map((one) => [one.file, one.title])));
  for (const { children } of tokens) {
    for (const [index, token] of (children ?? []).entries()) {
      const text = children?.[index + 1];
      if (token.type !== 'link_open' || !/^[\w/.-]+\.md$/.test(text?.content ?? '')) continue;
      const [path = ''] = String(token.attrGet('href') ?? '').split('#');
      const name = names.get(posix.join(posix.dirname(file), path));
      if (text !== undefined && name !== undefined) text.content = name;
    }
  }
}

/** A part of the side navigation, with the sections of the page itself below its own link. */
function partOf(
  { title, pages }: Part,
  { file }: Page,
  { home, open, tokens }: { home: string; open: boolean; tokens: Token[] },
): string {
  const items = pages.map((one) => {
    const link = `href="${home}${pageOf(one.file)}"`;
    if (one.file !== file) return `<li><a ${link}>${escaped(one.title)}</a></li>`;
    return `<li><a ${link} aria-current="page">${escaped(one.title)}</a>${sectionList(tokens)}</li>`;
  });
  return `<details${open ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${items.join('')}</ul></details>`;
}

function sectionList(tokens: Token[]): string {
  const slugs = new Map<string, number>();
  const items = tokens.flatMap(({ type, tag }, index) => {
    if (type !== 'heading_open') return [];
    const heading = textOf(tokens[index + 1]);
    const slug = slugOf(heading, slugs);
    return tag === 'h2' ? [`<li><a href="#${slug}">${escaped(heading)}</a></li>`] : [];
  });
  return items.length < 2 ? '' : `<ul>${items.join('')}</ul>`;
}

/** Links to the pages before and after one, in the order of the navigation. */
function neighbours(parts: Part[], { file }: Page, home: string): string {
  const all = parts.flatMap(({ pages }) => pages);
  const at = all.findIndex((one) => one.file === file);
  if (at < 0) return '';
  const link = (one: Part['pages'][number] | undefined, rel: string, label: string): string =>
    one === undefined
      ? ''
      : `<a class="${rel}" rel="${rel}" href="${home}${pageOf(one.file)}"><span>${label}</span> ${escaped(one.title)}</a>`;
  return `<nav class="neighbours" aria-label="Pages before and after">${link(all[at - 1], 'prev', 'Before')}${link(all[at + 1], 'next', 'Next')}</nav>`;
}

const { escapeHtml: escaped } = markdown.utils;
const { rules } = markdown.renderer;

// Wide tables and code scroll within themselves, also by keyboard, so that the page does not.
rules.table_open = () => '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n';
rules.table_close = () => '</table></div>\n';
rules.text = (tokens, index) => typeset(escaped(tokens[index]?.content ?? ''));

// Indented blocks are formulas; programs are fenced.
rules.code_block = (tokens, index) =>
  `<pre tabindex="0"><code>${typeset(escaped(tokens[index]?.content ?? ''))}</code></pre>\n`;
rules.fence = (tokens, index) => {
  // Sentences that a program prints wrap; tables would lose their columns.
  const { info = '', content = '' } = tokens[index] ?? {};
  const isProse = info.startsWith('text output') && /.{100}/.test(content);
  return `<pre${isProse ? ' class="prose"' : ''} tabindex="0"><code>${coloured(tokens[index])}</code></pre>\n`;
};

rules.td_open = (tokens, index) => `<td${alignment(tokens[index])}>`;

/** Columns of numbers are aligned by a class, as the pages' policy allows no inline style. */
function alignment(cell: Token | undefined): string {
  return cell?.attrGet('style') === 'text-align:right' ? ' class="number"' : '';
}

/** Code with classes for its words, where its language is known; other text as it is. */
function coloured(token: Token | undefined): string {
  const code = token?.content ?? '';
  const language = /^\w*/.exec(token?.info ?? '')?.[0] ?? '';
  return language === 'text' || highlighter.getLanguage(language) === undefined
    ? escaped(code)
    : highlighter.highlight(code, { language }).value;
}

// The empty corner of a table is not a heading.
rules.th_open = (tokens, index) =>
  textOf(tokens[index + 1]) === '' ? '<td>' : `<th scope="col"${alignment(tokens[index])}>`;
rules.th_close = (tokens, index) => (textOf(tokens[index - 1]) === '' ? '</td>' : '</th>');

rules.heading_open = (tokens, index, _options, env) => {
  const slug = slugOf(textOf(tokens[index + 1]), rendered(env).slugs);
  return `<${tokens[index]?.tag ?? ''} id="${slug}">`;
};

// Links between the files become links between the pages; other files of the repository are not
// part of the site, and their names stay as plain text.
rules.link_open = (tokens, index, _options, env) => {
  const target = targetOf(tokens[index], rendered(env));
  return target === undefined ? '<span>' : `<a href="${escaped(target)}">`;
};
rules.link_close = (tokens, index, _options, env) => {
  let opening = index;
  while (tokens[opening]?.type !== 'link_open') opening--;
  return targetOf(tokens[opening], rendered(env)) === undefined ? '</span>' : '</a>';
};

// Pictures are stored beside the Markdown, not beside the page. A narrow window gets
// `NAME-narrow.png` in place of `NAME.png`, where there is one.
rules.image = (tokens, index, _options, env) => {
  const { file } = rendered(env);
  const source = posix.join(posix.dirname(file), String(tokens[index]?.attrGet('src') ?? ''));
  const up = '../'.repeat(file.split('/').length + 2);
  const words = textOf(tokens[index]);
  const image = `<img src="${escaped(`${up}docs/${source}`)}" alt="${escaped(words)}"${sizeOf(source)} loading="lazy" />`;
  const narrow = source.replace(/\.png$/, '-narrow.png');
  if (narrow === source || !existsSync(docs + narrow)) return image;
  const address = escaped(`${up}docs/${narrow}`);
  return `<picture><source media="(max-width: 759px)" srcset="${address} 2x" />${image}</picture>`;
};

/** The size of a drawing that states its width: so a page keeps its place while pictures load. */
function sizeOf(source: string): string {
  if (!source.endsWith('.svg')) return '';
  const drawing = readFileSync(docs + source, 'utf8');
  const found = /viewBox="0 0 ([\d.]+) ([\d.]+)" width="(\d+)"/.exec(drawing);
  if (!found) return '';
  const [across = 1, down = 1, width = 1] = found.slice(1).map(Number);
  return ` width="${width}" height="${Math.round((down / across) * width)}"`;
}

function targetOf(link: Token | undefined, { file }: Page): string | undefined {
  const href = String(link?.attrGet('href') ?? '');
  if (/^(#|https:)/.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  if (schemas.includes(posix.basename(path))) return path;
  if (!files.has(place + pageOf(posix.join(posix.dirname(file), path)))) return undefined;
  return pageOf(path) + (fragment === undefined ? '' : `#${fragment}`);
}
