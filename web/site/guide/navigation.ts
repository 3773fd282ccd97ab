import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import markdownIt, { type Token } from 'markdown-it';

/** The folder of the Markdown that the pages are made of. */
export const docs: string = fileURLToPath(new URL('../../../docs/', import.meta.url));

export const markdown = markdownIt({ html: true });

/** A part of the side navigation. The files are Markdown, by their paths in `docs/`. */
export interface Part {
  title: string;
  pages: { file: string; title: string }[];
}

/** The side navigation: the headings and links of docs/README.md, which code hosts show as the index. */
export function navigation(): Part[] {
  const parts: Part[] = [];
  const tokens = markdown.parse(readFileSync(`${docs}README.md`, 'utf8'), {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && token.tag === 'h2') {
      parts.push({ title: textOf(tokens[index + 1]), pages: [] });
    } else if (token.type === 'inline') {
      parts.at(-1)?.pages.push(...linksIn(token));
    }
  }
  return parts;
}

function linksIn({ children }: Token): Part['pages'] {
  const inline = children ?? [];
  return inline.flatMap((token, index) => {
    const file = token.type === 'link_open' ? String(token.attrGet('href') ?? '') : '';
    return file.endsWith('.md') ? [{ file, title: inline[index + 1]?.content ?? '' }] : [];
  });
}

/** The path of a Markdown file's page; both are relative to their folders. */
export function pageOf(file: string): string {
  return file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
}

/** The text of a heading, a cell or a picture, without its marks. */
export function textOf(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');
}

/** The fragment of a heading, formed as code hosts form it; `slugs` counts those of the page so far. */
export function slugOf(heading: string, slugs: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const times = slugs.get(slug) ?? 0;
  slugs.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}
