import { readFileSync } from 'node:fs';
import { withDeclarations } from './declarations.js';
import { docs, markdown, navigation, pageOf, slugOf, textOf } from './navigation.js';

/** What the search finds: a heading and the text below it, up to the next heading. */
export interface Section {
  /** Address of the section, relative to the folder of the pages. */
  address: string;
  page: string;
  /** The part of the navigation that the page is in; empty for the first page. */
  part: string;
  /** Empty for what comes before a page's first section. */
  heading: string;
  text: string;
}

/** The sections of Markdown files, by their paths in `docs/`. */
export async function sectionsOf(files: Iterable<string>): Promise<Section[]> {
  const found: Section[] = [];
  const parts = new Map(
    navigation().flatMap(({ title, pages }) => pages.map(({ file }) => [file, title])),
  );
  for (const file of files) {
    const text = await withDeclarations(readFileSync(docs + file, 'utf8'));
    found.push(...sectionsIn(file, text, parts.get(file) ?? ''));
  }
  return found;
}

function sectionsIn(file: string, markdownText: string, part: string): Section[] {
  const slugs = new Map<string, number>();
  const found: Section[] = [];
  const tokens = markdown.parse(markdownText, {});
  let page = '';
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[index + 1]);
      const slug = slugOf(heading, slugs);
      if (page === '') page = heading;
      const address = found.length === 0 ? pageOf(file) : `${pageOf(file)}#${slug}`;
      found.push({ address, page, part, heading: found.length === 0 ? '' : heading, text: '' });
    } else if (['inline', 'fence', 'code_block'].includes(token.type)) {
      const last = found.at(-1);
      const isHeading = tokens[index - 1]?.type === 'heading_open';
      const text = token.type === 'inline' ? textOf(token) : token.content;
      if (last !== undefined && !isHeading) {
        last.text = `${last.text} ${text.replaceAll(/\s+/g, ' ').trim()}`.trim();
      }
    }
  }
  return found;
}
