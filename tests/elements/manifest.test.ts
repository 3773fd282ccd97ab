import { describe, expect, it } from 'vitest';
import { elementsIn, textOf } from './documented.js';

interface Declaration {
  tagName: string;
  members: { kind: string; name: string }[];
  attributes: { name: string; fieldName: string }[];
  events: { name: string }[];
}

const { modules } = JSON.parse(textOf('custom-elements.json')) as {
  modules: { path: string; declarations: [Declaration]; exports: [{ name: string }] }[];
};
const declarations = modules.map(({ declarations: [declaration] }) => declaration);
const contract = textOf('web/elements/src/contract/elements.ts');

/** The attributes of an element, by its properties, as its source has them. */
function attributesIn(code: string): Record<string, string> {
  const block = /static override properties = \{(.*?)\n? *\};\n/s.exec(code)?.[1] ?? '';
  const entries = [...block.matchAll(/(\w+): \{(.*?)\}/gs)].flatMap(
    ([, name = '', options = '']) => {
      if (/state: true|attribute: false/.test(options)) return [];
      const attribute = /attribute: '([\w-]+)'/.exec(options)?.[1];
      return [[name, attribute ?? name.toLowerCase()] as const];
    },
  );
  return Object.fromEntries(entries);
}

describe('custom-elements.json', () => {
  it('has the elements of the contract, each from the module that bundlers import', () => {
    const map = /interface PmElements \{(.*?)\}/s.exec(contract)?.[1] ?? '';
    const tags = [...map.matchAll(/'(pm-[\w-]+)'/g)].map(([, tag]) => tag);
    expect(tags.length).toBeGreaterThan(15);
    expect(declarations.map(({ tagName }) => tagName)).toEqual(tags);
    expect(modules.map(({ exports: [{ name }] }) => name)).toEqual(tags);
    const manifest = JSON.parse(textOf('package.json')) as { exports: Record<string, unknown> };
    for (const {
      path,
      exports: [{ name }],
    } of modules) {
      expect(manifest.exports[`./elements/${name.replace('pm-', '')}`]).toMatchObject({
        module: `./${path}`,
      });
    }
  });

  it('has exactly the attributes that the elements observe', () => {
    const codes = new Map(elementsIn('web/elements/src').map(({ name, code }) => [name, code]));
    for (const { tagName, attributes } of declarations) {
      const described = attributes.map(({ name, fieldName }) => [fieldName, name] as const);
      expect(Object.fromEntries(described), tagName).toEqual(
        attributesIn(codes.get(tagName) ?? ''),
      );
    }
  });

  it('has the events that the types of the package know', () => {
    const all = declarations.flatMap(({ events }) => events.map(({ name }) => name));
    expect(all).toContain('pm-release');
    for (const name of all) expect(contract).toContain(`'${name}': CustomEvent`);
  });
});
