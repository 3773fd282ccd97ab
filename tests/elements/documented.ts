import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** A file of the repository, by its path from the root. */
export function textOf(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
}

/** The paths of the TypeScript files in a folder. */
export function sourcesIn(folder: string): string[] {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(folder, name));
}

/** The source text of each element that a folder registers, by its name. */
export function elementsIn(folder: string): { name: string; code: string }[] {
  const found = new Map<string, string>();
  // Files that register elements: those of the rooms, the one for all, and elements that contain others.
  for (const registry of sourcesIn(folder)) {
    const code = textOf(registry);
    if (!/\/(define|[\w-]*room)\.ts$/.test(registry) && !code.includes('static readonly parts'))
      continue;
    for (const [, name = '', type = ''] of code.matchAll(/'(pm-[\w-]+)': (\w+)/g)) {
      const from = new RegExp(`\\b${type}\\b[^;]* from '(\\.[^']+)\\.js'`).exec(code)?.[1];
      // Others come from the package whose elements they are.
      if (from === undefined) continue;
      found.set(name, textOf(posix.join(posix.dirname(registry), `${from}.ts`)));
    }
  }
  return [...found].map(([name, code]) => ({ name, code }));
}

/** Checks that a page has a row for each element, with exactly its properties. */
export function expectRows(
  text: string,
  elements: readonly { name: string; code: string }[],
): void {
  for (const { name, code } of elements) {
    const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` `));
    const named = [...(row?.split(' | ')[2] ?? '').matchAll(/`([\w-]+)`/g)].map(([, own]) => own);
    expect(named.sort(), name).toEqual(taken(code).sort());
  }
}

/** Names of attributes, or of properties without an attribute. */
function taken(code: string): string[] {
  const block = /static override properties = \{(.*?)\n? *\};\n/s.exec(code)?.[1] ?? '';
  return [...block.matchAll(/(\w+): \{(.*?)\}/g)]
    .filter(([, , options = '']) => !options.includes('state: true'))
    .map(([, name = '', options = '']) => /attribute: '([\w-]+)'/.exec(options)?.[1] ?? name);
}
