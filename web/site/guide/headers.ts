import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A line of Markdown that stands for public headers of the core, by their names without the ending. */
const PLACE = /^<!-- headers: ([\w/ ]+) -->$/gm;

/** A Markdown text with the headers that it asks for, as users include them. */
export function withHeaders(text: string): string {
  return text.replaceAll(PLACE, (_, names: string) =>
    names
      .split(' ')
      .map((name) => `### \`${name}.hpp\`\n\n\`\`\`cpp\n${declarationsOf(name)}\n\`\`\``)
      .join('\n\n'),
  );
}

/** The public headers that no page has, or more than one, and names of none, given the texts of all pages. */
export function misplacedHeaders(texts: string[]): string[] {
  const places = texts.flatMap((text) =>
    [...text.matchAll(PLACE)].flatMap(([, names = '']) => names.split(' ')),
  );
  const list = readFileSync(`${root}cmake/public_headers.cmake`, 'utf8');
  const headers = [...list.matchAll(/^ {2}([\w/]+)/gm)].map(([, name = '']) => name);
  return [...new Set([...headers, ...places])].filter(
    (name) => !headers.includes(name) || places.filter((placed) => placed === name).length !== 1,
  );
}

/** What a header declares, without its includes and what is private in its classes. */
function declarationsOf(name: string): string {
  return readFileSync(`${root}core/${name}.hpp`, 'utf8')
    .replaceAll(/^#(?:pragma|include) .*\n/gm, '')
    .replaceAll(/^ private:\n[\s\S]*?(?=^\};)/gm, '')
    .replaceAll(/^(?:namespace pm \{|\} {2}\/\/ namespace pm)\n/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/\n+(?=\};)/g, '\n')
    .trim();
}
