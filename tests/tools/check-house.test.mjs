import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roomOf, unusedNames, uses, violations } from '../../tools/check-house.mjs';

const check = (files) => violations(Object.keys(files), (file) => files[file]);

test('a file belongs to its innermost room', () => {
  assert.equal(roomOf('core/analysis/cca.cpp'), 'core/analysis');
  assert.equal(roomOf('core/result.hpp'), 'core');
  assert.equal(roomOf('samples/demo/demo.mjs'), undefined);
});

test('includes and imports of every spelling are seen', () => {
  assert.deepEqual(uses('core/a.cpp', '#include "core/result.hpp"\n#include <vector>\n'), [
    'core/result.hpp',
  ]);
  assert.deepEqual(uses('web/site/main.ts', "import '../elements/src/a.js';\n"), [
    'web/elements/src/a.js',
  ]);
  assert.deepEqual(uses('web/site/main.ts', "const m = await import('private-moments');"), [
    'web/package/src/index.ts',
  ]);
  assert.deepEqual(uses('web/site/main.ts', "new URL('../elements/x.js', import.meta.url)"), [
    'web/elements/x.js',
  ]);
});

test('an arrow against the one-way order is a violation', () => {
  assert.equal(check({ 'core/random/a.cpp': '#include "core/moments/gram.hpp"' }).length, 1);
  assert.equal(
    check({ 'core/analysis/a.cpp': '#include "core/mechanisms/gaussian.hpp"' }).length,
    1,
  );
  assert.equal(check({ 'web/package/src/a.ts': "import '../../elements/src/a.js';" }).length, 1);
  assert.equal(check({ 'web/elements/src/a.ts': "import '../../site/main.js';" }).length, 1);
});

test('an arrow along the order is none', () => {
  assert.deepEqual(check({ 'core/mechanisms/a.cpp': '#include "core/moments/gram.hpp"' }), []);
  assert.deepEqual(
    check({ 'web/elements/src/a.ts': "import { assemble } from 'private-moments';" }),
    [],
  );
});

test('only its own bindings may use the research room', () => {
  const include = '#include "core/research/non_private.hpp"';
  assert.equal(check({ 'bindings/moments.cpp': include }).length, 1);
  assert.equal(check({ 'bindings/analysis_research.cpp': include }).length, 1);
  assert.equal(check({ 'bindings/researcher.cpp': include }).length, 1);
  assert.deepEqual(check({ 'bindings/research.cpp': include }), []);
  assert.deepEqual(check({ 'bindings/research_synthesis.cpp': include }), []);
});

test('the core may not know Emscripten, though it may ask whether it is there', () => {
  assert.equal(check({ 'core/a.cpp': '#include <emscripten.h>' }).length, 1);
  assert.deepEqual(check({ 'core/a.cpp': '#ifdef __EMSCRIPTEN__\n#endif\n' }), []);
});

test('a using declaration or a namespace alias that nothing uses is a violation', () => {
  assert.deepEqual(unusedNames('using std::list;\nnamespace fs = std::filesystem;\n'), [
    'list',
    'fs',
  ]);
  assert.deepEqual(unusedNames('using Eigen::Index;\nEigen::Index i; // Index\n'), ['Index']);
  assert.equal(check({ 'core/analysis/a.cpp': '  using std::list;\n' }).length, 1);
});

test('one that is used is none', () => {
  assert.deepEqual(
    unusedNames('using std::list;\nnamespace fs = std::filesystem;\nlist<fs::path> paths;\n'),
    [],
  );
  assert.deepEqual(unusedNames('using namespace std;\nusing enum Kind;\nusing A = B;\n'), []);
});

test('what a merge left behind is a violation, in prose too', () => {
  const mark = '<'.repeat(7);
  assert.equal(check({ 'docs/analysis.md': `One.\n${mark} HEAD\nTwo.\n` }).length, 1);
  assert.deepEqual(check({ 'docs/analysis.md': `One, ${mark} and a shift: 1 << 7\n` }), []);
});
