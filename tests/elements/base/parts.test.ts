import { posix } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  define,
  register,
  type ElementClass,
  type ElementClasses,
} from '../../../web/elements/src/base/register.js';
import { elementsIn, sourcesIn, textOf } from '../documented.js';

const folder = 'web/elements/src';

/** The registry of a page, with the names in the order in which they were registered. */
function fakePage(): string[] {
  const names: string[] = [];
  vi.stubGlobal('customElements', {
    get: (name: string) => (names.includes(name) ? Object : undefined),
    define: (name: string) => names.push(name),
  });
  return names;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('registering an element', () => {
  const elementWith = (parts?: ElementClasses): ElementClass =>
    Object.assign(() => undefined, { parts }) as unknown as ElementClass;
  const Inner = elementWith();
  const Outer = elementWith({ 'pm-inner': Inner });

  it('registers what it contains first, each name once', () => {
    const names = fakePage();
    register({ 'pm-outer': Outer });
    register({ 'pm-inner': Inner, 'pm-outer': Outer });
    expect(names).toEqual(['pm-inner', 'pm-outer']);
  });

  it('loads nothing on a server', async () => {
    const load = vi.fn();
    await define('pm-seal', load);
    expect(load).not.toHaveBeenCalled();
    const names = fakePage();
    load.mockResolvedValue(Inner);
    await define('pm-seal', load);
    expect(names).toEqual(['pm-seal']);
  });
});

describe('the elements', () => {
  const classes = new Map(elementsIn(folder).map(({ name, code }) => [code, name]));

  /** The tags in the templates of a file and of what it imports, without those of other elements. */
  function tagsFrom(file: string, found = new Set<string>(), read = new Set<string>()): string[] {
    read.add(file);
    const code = textOf(file);
    for (const [, tag = ''] of code.matchAll(/<(pm-[\w-]+)/g)) found.add(tag);
    for (const [, path = ''] of code.matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)) {
      const next = `${posix.join(posix.dirname(file), path)}.ts`;
      if (!read.has(next) && !classes.has(textOf(next))) tagsFrom(next, found, read);
    }
    return [...found].sort();
  }

  it('name those that their templates contain, and no others', () => {
    const files = sourcesIn(folder).filter((file) => classes.has(textOf(file)));
    expect(files.length).toBeGreaterThan(25);
    for (const file of files) {
      const block = /static readonly parts = \{(.*?)\};/s.exec(textOf(file))?.[1] ?? '';
      const parts = [...block.matchAll(/'(pm-[\w-]+)'/g)].map(([, name]) => name);
      expect(parts.sort(), file).toEqual(tagsFrom(file));
    }
  });

  it('can be imported one by one, those of the contract', () => {
    const contract = /interface PmElements \{(.*?)\}/s.exec(
      textOf(`${folder}/contract/elements.ts`),
    );
    const tags = [...(contract?.[1] ?? '').matchAll(/'pm-([\w-]+)'/g)].map(([, tag = '']) => tag);
    const files = sourcesIn(`${folder}/tags`);
    expect(files.map((file) => posix.basename(file, '.ts')).sort()).toEqual(tags.sort());
    for (const tag of tags) {
      const code = textOf(`${folder}/tags/${tag}.ts`);
      const name = tag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
      expect(code).toContain(`export function define${name}(): Promise<void>`);
      expect(code).toMatch(new RegExp(`return define\\(\\s*'pm-${tag}',`));
      expect(textOf(`${folder}/index.ts`)).toContain(`{ define${name} } from './tags/${tag}.js'`);
    }
  });
});
