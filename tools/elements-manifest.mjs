#!/usr/bin/env node
// Writes custom-elements.json, which editors read to complete and check elements in HTML, and contract/markup.ts, from
// which the types of the elements in frameworks are made: from the contract of the elements, which has their types, and
// the table in docs/elements.md, which has attributes and events. With `--check` it writes nothing and fails if a file
// is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CONTRACT = 'web/elements/src/contract/elements.ts';
const MANIFEST = 'custom-elements.json';
const MARKUP = 'web/elements/src/contract/markup.ts';
/** The module that defines an element, as bundlers get it. */
const moduleOf = (tag) => `dist/modules/elements-tags-${tag.replace('pm-', '')}.js`;

const textOf = (name) => readFileSync(path.join(ROOT, name), 'utf8');
const camelCase = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
const plain = (markdown) =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim();

/** The interfaces of the contract by name: for each member its type, whether that is a function, and its comment. */
function interfacesOf(source) {
  const found = new Map();
  const visit = (node) => {
    if (ts.isInterfaceDeclaration(node)) {
      const members = node.members.map((member) => ({
        name: member.name.text,
        type: member.type.getText(source),
        isFunction: ts.isFunctionTypeNode(member.type),
        description: plain(ts.getTextOfJSDocComment(member.jsDoc?.[0]?.comment) ?? ''),
      }));
      found.set(node.name.text, members);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What the row of an element says: a summary, its properties with their attributes, its events. */
function rowOf(table, tag) {
  const row = table.split('\n').find((line) => line.startsWith(`| \`${tag}\` |`));
  if (row === undefined) throw new Error(`docs/elements.md has no row for ${tag}`);
  const [, , summary = '', properties = '', events = ''] = row.split(/(?<=[^\\]) ?\| ?|^\| /);
  return {
    summary: plain(summary),
    // A star is behind those without an attribute.
    properties: [...properties.matchAll(/`([\w-]+)`(\\\*)?/g)].map(([, name, star]) => ({
      field: camelCase(name),
      attribute: star === undefined ? name : undefined,
    })),
    events: [...events.matchAll(/`(pm-[\w-]+)`/g)].map(([, name]) => name),
  };
}

function declarationOf(tag, type, members, table, eventTypes) {
  const { summary, properties, events } = rowOf(table, tag);
  const documented = properties.map(({ field }) => field);
  // A function that can be set is a property, others are methods.
  const isMethod = ({ name, isFunction }) => isFunction && !documented.includes(name);
  const fields = members.filter((member) => !isMethod(member));
  const own = fields.map(({ name }) => name);
  const names = (list) => list.toSorted().join(', ');
  if (names(own) !== names(documented)) {
    throw new Error(`${tag} has ${names(own)}, and docs/elements.md says ${names(documented)}`);
  }
  const described = (description) => (description === '' ? {} : { description });
  const attributes = properties.flatMap(({ field, attribute }) => {
    const { type: text, description } = fields.find(({ name }) => name === field);
    if (attribute === undefined) return [];
    return [{ name: attribute, fieldName: field, type: { text }, ...described(description) }];
  });
  return {
    kind: 'class',
    customElement: true,
    tagName: tag,
    name: type,
    summary,
    superclass: { name: 'HTMLElement' },
    members: members.map((member) => ({
      kind: isMethod(member) ? 'method' : 'field',
      name: member.name,
      ...(isMethod(member) ? {} : { type: { text: member.type } }),
      ...described(member.description),
    })),
    attributes,
    events: events.map((name) => ({ name, type: { text: eventTypes.get(name) ?? 'CustomEvent' } })),
  };
}

/** The declarations of all elements, as in a custom elements manifest. */
function declarations() {
  const source = ts.createSourceFile('elements.ts', textOf(CONTRACT), ts.ScriptTarget.ES2022, true);
  const interfaces = interfacesOf(source);
  const table = textOf('docs/elements.md');
  const events = new Map(
    interfaces.get('HTMLElementEventMap').map(({ name, type }) => [name, type]),
  );
  return interfaces
    .get('PmElements')
    .map(({ name, type }) => declarationOf(name, type, interfaces.get(type), table, events));
}

async function formatted(name, text) {
  const style = await resolveConfig(path.join(ROOT, 'package.json'));
  return format(text, { ...style, filepath: path.join(ROOT, name) });
}

/** The text of custom-elements.json. */
export async function manifestText() {
  const elements = declarations();
  const manifest = {
    schemaVersion: '2.1.0',
    modules: elements.map((element) => {
      const { name, tagName } = element;
      const module = moduleOf(tagName);
      return {
        kind: 'javascript-module',
        path: module,
        declarations: [element],
        exports: [
          { kind: 'custom-element-definition', name: tagName, declaration: { name, module } },
        ],
      };
    }),
  };
  return formatted(MANIFEST, JSON.stringify(manifest));
}

const union = (names) => names.map((name) => `'${name}'`).join(' | ') || 'never';

/** The text of contract/markup.ts. */
export async function markupText() {
  const entries = declarations().map(({ tagName, members, attributes, events }) => {
    const properties = members.filter(({ kind }) => kind === 'field').map(({ name }) => name);
    const pairs = attributes.map(({ name, fieldName }) => `'${name}': '${fieldName}';`);
    return `'${tagName}': {
      properties: ${union(properties)};
      attributes: ${pairs.length === 0 ? 'object' : `{${pairs.join('')}}`};
      events: ${union(events.map(({ name }) => name))};
    };`;
  });
  const text = `// Written by tools/elements-manifest.mjs.

/** The properties of each element that can be set, the property of each attribute, and the events that it sends. */
export interface PmMarkup {
  ${entries.join('\n')}
}
`;
  return formatted(MARKUP, text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of [
    [MANIFEST, manifestText],
    [MARKUP, markupText],
  ]) {
    const wanted = await text();
    const file = path.join(ROOT, name);
    if (!process.argv.includes('--check')) writeFileSync(file, wanted);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== wanted) {
      console.error(`${name} is out of date: run node tools/elements-manifest.mjs`);
      process.exitCode = 1;
    }
  }
}
