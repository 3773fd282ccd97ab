import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import {
  HEADINGS,
  between,
  comparison,
  inSigns,
  markdownTable,
  wrongHeadings,
} from '../../tools/mechanism-table.mjs';

const root = new URL('../../', import.meta.url);
const text = (path) => readFileSync(new URL(path, root), 'utf8');

/** The names in the registry, from the generated file, which needs no build. */
function registered() {
  const source = text('web/package/src/generated/mechanisms.ts');
  const records = /MECHANISM_FACTS[^=]*= \{\n([\s\S]*?)\n\};/.exec(source);
  return [...(records?.[1] ?? '').matchAll(/^ {2}'?([\w-]+)'?: \{/gm)].map(([, name]) => name);
}

/** The table, and how sites share the noise of mechanisms. */
const NO_MECHANISM = ['README.md', 'federation.md'];

test('every mechanism in the registry has a page with exactly the eight headings', () => {
  const names = registered();
  assert.ok(names.includes('gaussian'));
  const pages = readdirSync(new URL('docs/mechanisms/', root)).filter(
    (name) => !NO_MECHANISM.includes(name),
  );
  for (const name of names) assert.ok(pages.includes(`${name}.md`), `${name} has no page`);
  // Published mechanisms may share a page; a page for one of them has the same headings.
  for (const page of pages)
    assert.deepEqual(wrongHeadings(text(`docs/mechanisms/${page}`)), [], page);
});

test('a heading that is missing, added, renamed or out of place is found', () => {
  const page = (headings) => headings.map((heading) => `## ${heading}\n\nWords.\n`).join('\n');
  assert.deepEqual(wrongHeadings(page(HEADINGS)), []);
  assert.notDeepEqual(wrongHeadings(page(HEADINGS.slice(1))), []);
  assert.notDeepEqual(wrongHeadings(page([...HEADINGS, 'More'])), []);
  assert.notDeepEqual(wrongHeadings(page(HEADINGS.with(3, 'Proofs'))), []);
  assert.notDeepEqual(wrongHeadings(page([...HEADINGS].reverse())), []);
  assert.deepEqual(wrongHeadings(`${page(HEADINGS)}\n\`\`\`\n## no heading\n\`\`\`\n`), []);
});

test('formulas are written in symbols', () => {
  assert.equal(inSigns('d sqrt(log(1/delta)) / epsilon'), 'd √(log(1/δ)) / ε');
  assert.equal(inSigns('d^2 / epsilon'), 'd² / ε');
  assert.equal(inSigns('1 - e^-epsilon'), '1 − e^(−ε)');
  assert.equal(inSigns('pure epsilon'), 'ε');
  assert.equal(inSigns('replace-one, two-sided'), 'replace-one, two-sided');
});

test('mechanisms for rows only say so, and directions are not a matrix', () => {
  const info = {
    guarantee: '(epsilon, delta)',
    neighbours: ['replace-one', 'add-remove'],
    units: ['row'],
    content: 'components',
    psd: false,
    additive: false,
    errorOrder: 'd',
    summary: '',
  };
  const row = comparison(info);
  assert.equal(row.guarantee, '(ε, δ)');
  assert.equal(row.neighbours, 'either, of rows only');
  assert.equal(row.psd, 'no matrix');
});

test('a table replaces the text between its markers, and nothing else', () => {
  const columns = [
    ['A', ({ a }) => a],
    ['B', ({ b }) => b],
  ];
  const table = markdownTable(columns, [{ a: '1 | 2', b: '3' }]);
  assert.equal(table, '| A | B |\n|---|---|\n| 1 \\| 2 | 3 |');
  const marks = ['<!-- t: made by tools/mechanism-table.mjs -->', '<!-- /t -->'];
  const page = `before\n${marks[0]}\nold\n${marks[1]}\nafter`;
  assert.equal(between(page, 't', 'new'), `before\n${marks[0]}\n\nnew\n\n${marks[1]}\nafter`);
  assert.throws(() => between('no marks', 't', 'new'));
});
