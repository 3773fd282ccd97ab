import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COLOURS } from '../../web/package/src/report/palette.js';

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const text = readFileSync(path('docs/elements.md'), 'utf8');
const source = (name: string): string => readFileSync(path(`web/elements/src/${name}`), 'utf8');
const files = readdirSync(path('web/elements/src'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts'),
);

/** The files that register elements: those of the rooms, and the one for all. */
const registries = files.filter((name) => /(^define|[/-]room)\.ts$/.test(name));

/** The source text of each element, by its name. */
const elements = [
  ...new Map(
    registries.flatMap((registry) => {
      const code = source(registry);
      return named(code).map(([name, type]): [string, string] => {
        const from = new RegExp(`\\b${type}\\b[^;]* from '([^']+)\\.js'`).exec(code)?.[1] ?? '';
        return [name, source(posix.join(posix.dirname(registry), `${from}.ts`))];
      });
    }),
  ),
].map(([name, code]) => ({ name, code }));

function named(code: string): [name: string, type: string][] {
  return [...code.matchAll(/'(pm-[\w-]+)': (\w+)/g)].map(([, name = '', type = '']) => [
    name,
    type,
  ]);
}

/** Names of attributes, or of properties without an attribute. */
function taken(code: string): string[] {
  const block = /static override properties = \{(.*?)\n? *\};\n/s.exec(code)?.[1] ?? '';
  return [...block.matchAll(/(\w+): \{(.*?)\}/g)]
    .filter(([, , options = '']) => !options.includes('state: true'))
    .map(([, name = '', options = '']) => /attribute: '([\w-]+)'/.exec(options)?.[1] ?? name);
}

describe('docs/elements.md', () => {
  it('names every element with exactly its properties', () => {
    expect(elements.length).toBeGreaterThan(20);
    for (const { name, code } of elements) {
      const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` `));
      const named = [...(row?.split(' | ')[2] ?? '').matchAll(/`([\w-]+)`/g)].map(([, own]) => own);
      expect(named.sort(), name).toEqual(taken(code).sort());
    }
  });

  it('names every event, part and colour', () => {
    const all = files.map(source).join('\n');
    for (const [, event = ''] of all.matchAll(/new CustomEvent\('(pm-\w+)'/g)) {
      expect(text).toContain(`\`${event}\``);
    }
    for (const [, part = ''] of all.matchAll(/\spart="([\w-]+)"/g)) {
      expect(text).toMatch(new RegExp(`\`${part}\`.*\\| \`pm-`));
    }
    for (const role of Object.keys(COLOURS).filter((name) => !/diverging-[2-8]/.test(name))) {
      expect(text).toContain(`\`--pm-${role}\``);
    }
  });
});
