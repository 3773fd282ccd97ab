import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inShort, merged, parseResults, withResults, worse } from '../../examples/results.mjs';
import { TOOLS } from '../../examples/tools.mjs';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const row = (tool, version, outcome, detail = '', without = '') => ({
  tool,
  version,
  way: 'build',
  outcome,
  detail,
  without,
  date: '2026-11-26',
});
const page =
  '# Results\n\n<!-- results: written by make test-ecosystem -->\n<!-- /results -->\n\nEnd.\n';

test('rows of results are read as they were written', () => {
  const rows = [
    row('Vite', '8.3.8', 'works'),
    row('An import map', '', 'fails', 'Error: a | b'),
    row('Rollup', '4.0.0', 'needs a setting', '`input`', 'Error: no input'),
  ];
  const written = withResults(page, rows);
  assert.deepEqual(parseResults(written), rows);
  assert.equal(withResults(written, rows), written);
  assert.match(written, /^# Results\n[^]*\nEnd\.\n$/);
  assert.deepEqual(parseResults(page), []);
});

test('a run replaces the rows of what it tried, and drops those of no tool', () => {
  const last = [
    row('Old', '1.0.0', 'works'),
    row('Vite', '8.0.0', 'fails', 'x'),
    row('A', '', 'works'),
  ];
  const now = [row('Vite', '8.3.8', 'works'), row('Vite', '5.0.0', 'works')];
  const wanted = [now[1], now[0], last[2]];
  assert.deepEqual(merged(last, now, wanted), wanted);
});

test('a result is worse only than that of the same tool, major version and way', () => {
  const last = [row('Vite', '8.0.0', 'works'), row('Vite', '5.0.0', 'needs a setting')];
  const isWorse = (...now) => worse(last, now).length > 0;
  assert.ok(isWorse(row('Vite', '8.3.8', 'needs a setting')));
  assert.ok(isWorse(row('Vite', '5.0.0', 'fails')));
  assert.ok(!isWorse(row('Vite', '5.0.0', 'works'), row('Vite', '8.0.0', 'works')));
  assert.ok(!isWorse(row('Vite', '9.0.0', 'fails'), { ...last[0], way: 'page', outcome: 'fails' }));
});

test('errors are kept without colours, folders and ports, in one line', () => {
  const said = '\u001b[31mError\u001b[0m in /tmp/x/main.js\n  at http://localhost:5173/main.js';
  assert.equal(inShort(said, '/tmp/x'), 'Error in ./main.js at http://localhost/main.js');
  assert.equal(inShort('a'.repeat(1000), '/tmp').length, 360);
});

test('every example has pinned versions, and its tools run scripts that it has', () => {
  for (const { name, folder, tool, pins = {}, ways } of TOOLS) {
    const manifest = JSON.parse(readFileSync(`${examples}${folder}/package.json`, 'utf8'));
    const versions = { ...manifest.devDependencies, ...pins };
    for (const version of Object.values(versions)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
    if (tool !== undefined) assert.ok(versions[tool], name);
    for (const { script, before, without = [], withoutFields = [] } of ways) {
      for (const each of [script, before]) assert.ok(!each || manifest.scripts[each], name);
      for (const file of without) assert.ok(existsSync(`${examples}${folder}/${file}`), name);
      for (const field of withoutFields) assert.ok(manifest[field], name);
    }
  }
});
