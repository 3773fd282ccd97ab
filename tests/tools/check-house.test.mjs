import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  circles,
  crowded,
  deepImports,
  roomOf,
  unusedNames,
  uses,
  violations,
  withTable,
} from '../../tools/check-house.mjs';
import { MOST_FILES, roomTable } from '../../tools/rooms.mjs';

const check = (files) => violations(Object.keys(files), (file) => files[file]);

test('a file belongs to its innermost room', () => {
  assert.equal(roomOf('core/analysis/methods/cca.cpp'), 'core/analysis/methods');
  assert.equal(roomOf('core/result.hpp'), 'core');
  assert.equal(roomOf('samples/demo/demo.mjs'), undefined);
});

test('includes and imports are found in every form', () => {
  assert.deepEqual(uses('core/a.cpp', '#include "core/result.hpp"\n#include <vector>\n'), [
    'core/result.hpp',
  ]);
  assert.deepEqual(uses('web/site/main.ts', "import '../elements/src/a.js';\n"), [
    'web/elements/src/a.js',
  ]);
  assert.deepEqual(uses('web/site/main.ts', "const m = await import('private-moments');"), [
    'web/package/src/index.ts',
  ]);
  assert.deepEqual(uses('web/site/main.ts', "import 'private-moments/words';"), [
    'web/package/src/words.ts',
  ]);
  assert.deepEqual(uses('web/site/main.ts', "new URL('../elements/x.js', import.meta.url)"), [
    'web/elements/x.js',
  ]);
});

test('an arrow against the one-way order is a violation', () => {
  assert.equal(check({ 'core/random/a.cpp': '#include "core/moments/gram.hpp"' }).length, 1);
  assert.equal(
    check({ 'core/analysis/methods/a.cpp': '#include "core/mechanisms/gaussian.hpp"' }).length,
    1,
  );
  assert.equal(
    check({ 'web/package/src/a.ts': "import '../../elements/src/base/a.js';" }).length,
    1,
  );
  assert.equal(check({ 'web/elements/src/a.ts': "import '../../site/main.js';" }).length, 1);
});

test('a room of the web uses the rooms above it, and none beside or below it', () => {
  const imports = (file, target) => check({ [file]: `import '${target}';` }).length;
  assert.equal(imports('web/package/src/ledger/a.ts', '../base/b.js'), 0);
  assert.equal(imports('web/package/src/base/a.ts', '../ledger/b.js'), 1);
  assert.equal(imports('web/elements/src/design/a.ts', '../session/b.js'), 0);
  assert.equal(imports('web/elements/src/design/a.ts', '../analyse/b.js'), 1);
  assert.equal(imports('web/research/elements/a.ts', './audit/b.js'), 0);
  assert.equal(imports('web/research/elements/audit/a.ts', '../b.js'), 1);
});

test('the product uses nothing of research, and research uses its entries alone', () => {
  const imports = (file, target) => check({ [file]: `import '${target}';` }).length;
  assert.equal(imports('web/package/src/a.ts', '../../research/src/b.js'), 2);
  assert.equal(imports('web/elements/src/a.ts', 'private-moments-research'), 1);
  assert.equal(imports('web/research/src/a.ts', 'private-moments/internal/core'), 0);
  assert.equal(imports('web/research/src/a.ts', 'private-moments/internal/elements'), 1);
  assert.equal(imports('web/research/elements/a.ts', 'private-moments/internal/elements'), 0);
  assert.equal(imports('web/research/elements/a.ts', '../../elements/src/look/b.js'), 1);
  assert.equal(imports('web/research/elements/audit/a.ts', 'private-moments-research'), 0);
});

test('a package imports the entries of another, not its sources', () => {
  const imports = (file, target) => deepImports(file, `import '${target}';`).length;
  assert.equal(imports('web/elements/src/base/a.ts', '../../../package/src/base/b.js'), 1);
  assert.equal(imports('web/site/a.ts', '../package/src/words.js'), 1);
  assert.equal(imports('web/site/a.ts', 'private-moments/words'), 0);
  assert.equal(imports('web/site/a.ts', '../elements/src/base/b.js'), 0);
  assert.equal(imports('web/package/src/base/a.ts', './b.js'), 0);
  assert.equal(imports('tests/package/a.test.ts', '../../web/package/src/base/b.js'), 0);
});

test('files that import each other in a circle are a violation, even if they import only types', () => {
  const files = {
    'web/package/src/base/a.ts': "import './b.js';",
    'web/package/src/base/b.ts': "import type { C } from './c.js';",
    'web/package/src/base/c.ts': "export const load = () => import('./a.js');",
    'web/package/src/base/d.ts': "import './a.js';",
  };
  const found = circles(Object.keys(files), (file) => files[file]);
  assert.deepEqual(
    found.map((circle) => circle.map((file) => file.slice(-4))),
    [['a.ts', 'b.ts', 'c.ts']],
  );
  assert.equal(check(files).length, 1);
});

test('a worker that imports from the file that starts it does not make a circle', () => {
  const files = {
    'web/package/src/intake/a.ts': "new Worker(new URL('./b.js', import.meta.url))",
    'web/package/src/intake/b.ts': "import './a.js';",
  };
  assert.deepEqual(check(files), []);
});

test('a folder with too many source files is a violation, and a C++ pair counts once', () => {
  const names = Array.from({ length: MOST_FILES + 1 }, (_, i) => `file${i}`);
  const some = names.slice(1);
  assert.equal(crowded(names.map((name) => `web/package/src/base/${name}.ts`)).length, 1);
  assert.deepEqual(crowded(some.flatMap((name) => [`core/${name}.cpp`, `core/${name}.hpp`])), []);
});

test('the table of rooms is written between its markers and nowhere else', () => {
  const page = '# Title\n\n<!-- rooms: x -->\n\nold\n\n<!-- /rooms -->\n\nMore.\n';
  assert.equal(
    withTable(page),
    page.replace('old', () => roomTable()),
  );
});

test('an arrow along the order is allowed', () => {
  assert.deepEqual(check({ 'core/mechanisms/a.cpp': '#include "core/moments/gram.hpp"' }), []);
  assert.deepEqual(
    check({ 'web/elements/src/a.ts': "import { assemble } from 'private-moments';" }),
    [],
  );
});

test('only its own bindings may use the research room', () => {
  const include = '#include "core/research/published/non_private.hpp"';
  assert.equal(check({ 'bindings/moments.cpp': include }).length, 1);
  assert.equal(check({ 'bindings/analysis_research.cpp': include }).length, 1);
  assert.equal(check({ 'bindings/researcher.cpp': include }).length, 1);
  assert.equal(
    check({ 'bindings/analysis.cpp': '#include "bindings/research/fields.hpp"' }).length,
    1,
  );
  assert.equal(check({ 'bindings/fields/release.hpp': include }).length, 1);
  assert.deepEqual(check({ 'bindings/research/fields.hpp': include }), []);
  assert.deepEqual(check({ 'bindings/research/audit.cpp': include }), []);
});

test('the core may not mention Emscripten, except to test for it', () => {
  assert.equal(check({ 'core/a.cpp': '#include <emscripten.h>' }).length, 1);
  assert.deepEqual(check({ 'core/a.cpp': '#ifdef __EMSCRIPTEN__\n#endif\n' }), []);
});

test('a using declaration or a namespace alias that nothing uses is a violation', () => {
  assert.deepEqual(unusedNames('using std::list;\nnamespace fs = std::filesystem;\n'), [
    'list',
    'fs',
  ]);
  assert.deepEqual(unusedNames('using Eigen::Index;\nEigen::Index i; // Index\n'), ['Index']);
  assert.equal(check({ 'core/analysis/methods/a.cpp': '  using std::list;\n' }).length, 1);
});

test('one that is used is not a violation', () => {
  assert.deepEqual(
    unusedNames('using std::list;\nnamespace fs = std::filesystem;\nlist<fs::path> paths;\n'),
    [],
  );
  assert.deepEqual(unusedNames('using namespace std;\nusing enum Kind;\nusing A = B;\n'), []);
});

test('conflict markers of a merge are a violation, in prose too', () => {
  const mark = '<'.repeat(7);
  assert.equal(check({ 'docs/analysis.md': `One.\n${mark} HEAD\nTwo.\n` }).length, 1);
  assert.deepEqual(check({ 'docs/analysis.md': `One, ${mark} and a shift: 1 << 7\n` }), []);
});
