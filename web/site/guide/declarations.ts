import { existsSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import ts from 'typescript';
import { misplacedHeaders, withHeaders } from './headers.js';

/** The declarations that the packages are published with, and the files that pages import. */
const PACKAGES = [
  {
    folder: fileURLToPath(new URL('../../../dist/types/', import.meta.url)),
    under: '',
    entries: ['index', 'federation', 'node', 'report', 'words'],
  },
  {
    folder: fileURLToPath(new URL('../../research/dist/types/', import.meta.url)),
    under: 'research',
    entries: ['index'],
  },
];

/** Something that a package exports, and the source file it is from. */
interface Exported {
  name: string;
  /** Path of the source file without its ending, such as `study/types`. */
  from: string;
  isType: boolean;
  nodes: ts.Declaration[];
}

/** A line of Markdown that stands for the declarations of some sources, by the starts of their paths. */
const PLACE = /^<!-- declarations: ([\w/ -]+) -->$/gm;

let all: Exported[] | undefined;

/**
 * A Markdown text with the declarations and the headers that it asks for; without any declarations
 * before the packages are built.
 */
export async function withDeclarations(text: string): Promise<string> {
  let filled = withHeaders(text);
  for (const [place, sources = ''] of text.matchAll(PLACE)) {
    filled = filled.replace(place, (await sectionOf(sources.split(' '))).replaceAll('$', '$$$$'));
  }
  return filled;
}

/** The names and headers that no page declares, or more than one, given the texts of all pages. */
export function misplaced(texts: string[]): string[] {
  const places = texts.flatMap((text) =>
    [...text.matchAll(PLACE)].map(([, sources = '']) => sources.split(' ')),
  );
  const names = exported()
    .filter(({ from }) => places.filter((sources) => isFrom(from, sources)).length !== 1)
    .map(({ name, from }) => `${name} (${from})`);
  return [...names, ...misplacedHeaders(texts)];
}

function isFrom(from: string, sources: string[]): boolean {
  return sources.some((source) => from === source || from.startsWith(`${source}/`));
}

async function sectionOf(sources: string[]): Promise<string> {
  const own = exported().filter(({ from }) => isFrom(from, sources));
  if (own.length === 0) return '';
  const parts = await Promise.all(own.map((one) => entryOf(one)));
  return ['## Declarations', 'Made from the types of the package.', ...parts].join('\n\n');
}

/** Functions and values before types, each in alphabetical order. */
function exported(): Exported[] {
  if (all !== undefined) return all;
  const found = new Map<string, Exported>();
  for (const { folder, under, entries } of PACKAGES) {
    const files = entries.map((entry) => `${folder}${entry}.d.ts`);
    if (!files.every((file) => existsSync(file))) continue;
    const program = ts.createProgram(files, { noLib: true, types: [], skipLibCheck: true });
    const checker = program.getTypeChecker();
    for (const file of files) {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      for (const symbol of module === undefined ? [] : checker.getExportsOfModule(module)) {
        const target =
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        const nodes = target.declarations ?? [];
        const path = relative(folder, nodes[0]?.getSourceFile().fileName ?? '..');
        // What a package hands on from another one is declared there.
        if (path.startsWith('..')) continue;
        const from = posix.join(under, path.replaceAll('\\', '/').replace(/\.d\.ts$/, ''));
        const isType = nodes.every(
          (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
        );
        found.set(`${from} ${symbol.name}`, { name: symbol.name, from, isType, nodes });
      }
    }
  }
  all = [...found.values()].sort(
    (a, b) => Number(a.isType) - Number(b.isType) || a.name.localeCompare(b.name, 'en'),
  );
  return all;
}

async function entryOf({ name, nodes }: Exported): Promise<string> {
  const statements = nodes.map((node) =>
    ts.isVariableDeclaration(node) ? node.parent.parent : node,
  );
  const words = statements.map((node) => commentOf(node)).find((text) => text !== '') ?? '';
  const text = statements.map((node) => node.getText()).join('\n');
  const code = await format(withoutPrivate(text), {
    parser: 'typescript',
    singleQuote: true,
    printWidth: 100,
  });
  const shown = code.replaceAll(/^(?:export )?(?:declare )?/gm, '').trim();
  return [`### ${name}`, words, `\`\`\`ts\n${shown}\n\`\`\``]
    .filter((part) => part !== '')
    .join('\n\n');
}

function withoutPrivate(text: string): string {
  return text
    .replaceAll(/^ *(?:#private|private [^;{]*);\n/gm, '')
    .replaceAll(/import\("[^"]*"\)\./g, '');
}

/** The comment above a declaration as Markdown, with its parameters and what it throws as a list. */
function commentOf(node: ts.Node): string {
  const parts: string[] = [];
  const tags: string[] = [];
  for (const part of ts.getJSDocCommentsAndTags(node)) {
    if (!ts.isJSDoc(part)) continue;
    parts.push(textOf(part.comment));
    for (const tag of part.tags ?? []) {
      const text = textOf(tag.comment);
      if (ts.isJSDocParameterTag(tag)) tags.push(`- \`${tag.name.getText()}\`: ${text}`);
      else if (tag.tagName.text === 'returns') tags.push(`- Returns ${text}`);
      else if (tag.tagName.text === 'throws') {
        const code = ts.isJSDocThrowsTag(tag) ? (tag.typeExpression?.getText() ?? '') : '';
        tags.push(`- Throws ${[code, text].filter((one) => one !== '').join(' ')}`);
      }
    }
  }
  return [parts.join('\n\n'), tags.join('\n')].filter((part) => part !== '').join('\n\n');
}

function textOf(comment: Parameters<typeof ts.getTextOfJSDocComment>[0]): string {
  const text = ts.getTextOfJSDocComment(comment) ?? '';
  // Angle brackets outside code do not open HTML.
  return text
    .replaceAll(/\{@link ([^}\s]+)[^}]*\}/g, '`$1`')
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('');
}
