import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import markdownIt, { type Token } from 'markdown-it';
import type { Plugin } from 'vite';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const place = fileURLToPath(new URL('docs/', import.meta.url));

/** The path of a Markdown file's page; both paths are relative to their folders. */
function pageOf(file: string): string {
  return file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
}

const files = new Map(
  readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => [place + pageOf(name), name]),
);

/** The paths of the guide's pages, which exist only in memory. */
export const guidePages: readonly string[] = [...files.keys()];

/** Serves the Markdown of `docs/` as pages with the site's frame. */
export function guide(): Plugin {
  return {
    name: 'guide',
    resolveId: { order: 'pre', handler: (id) => (files.has(id) ? id : undefined) },
    load: (id) => {
      const file = files.get(id);
      return file === undefined ? undefined : pageFor(file);
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

function pageFor(file: string): string {
  const page: Page = { file, slugs: new Map() };
  const up = '../'.repeat(file.split('/').length);
  const tokens = markdown.parse(readFileSync(docs + file, 'utf8'), {});
  const title = textOf(tokens[tokens.findIndex(({ type }) => type === 'heading_open') + 1]);
  const isIndex = file === 'README.md';
  const home = isIndex ? '' : `<p class="up"><a href="${up}docs/index.html">Guide</a></p>\n`;
  return `<!doctype html>
<html lang="en">
  <head>
    <!-- frame: head -->
    <title>${escaped(isIndex ? title : `${title} · Guide`)} · private-moments</title>
    <script type="module" src="${up}guide-page.ts"></script>
  </head>
  <body>
    <!-- frame: header -->
    <main class="wrapper guide" id="main">
${home}${markdown.renderer.render(tokens, markdown.options, { ...page })}
    </main>
    <!-- frame: footer -->
  </body>
</html>
`;
}

const markdown = markdownIt({ html: true });
const { escapeHtml: escaped } = markdown.utils;
const { rules } = markdown.renderer;

// Wide tables and code scroll within themselves, also by keyboard, so that the page does not.
rules.table_open = () => '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n';
rules.table_close = () => '</table></div>\n';
rules.fence = rules.code_block = (tokens, index) =>
  `<pre tabindex="0"><code>${escaped(tokens[index]?.content ?? '')}</code></pre>\n`;

// The empty corner of a table is not a heading.
rules.th_open = (tokens, index) => (textOf(tokens[index + 1]) === '' ? '<td>' : '<th scope="col">');
rules.th_close = (tokens, index) => (textOf(tokens[index - 1]) === '' ? '</td>' : '</th>');

rules.heading_open = (tokens, index, _options, env) => {
  const { slugs } = rendered(env);
  const slug = slugOf(textOf(tokens[index + 1]));
  const times = slugs.get(slug) ?? 0;
  slugs.set(slug, times + 1);
  return `<${tokens[index]?.tag ?? ''} id="${times === 0 ? slug : `${slug}-${times}`}">`;
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

// Pictures are stored beside the Markdown, not beside the page.
rules.image = (tokens, index, _options, env) => {
  const { file } = rendered(env);
  const source = posix.join(posix.dirname(file), String(tokens[index]?.attrGet('src') ?? ''));
  const up = '../'.repeat(file.split('/').length + 2);
  const words = textOf(tokens[index]);
  return `<img src="${escaped(`${up}docs/${source}`)}" alt="${escaped(words)}" loading="lazy" />`;
};

function targetOf(link: Token | undefined, { file }: Page): string | undefined {
  const href = String(link?.attrGet('href') ?? '');
  if (/^(#|https:)/.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  if (!files.has(place + pageOf(posix.join(posix.dirname(file), path)))) return undefined;
  return pageOf(path) + (fragment === undefined ? '' : `#${fragment}`);
}

/** The fragment of a heading, formed as code hosts form it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

function textOf(inline: Token | undefined): string {
  return (inline?.children ?? []).map(({ content }) => content).join('');
}
