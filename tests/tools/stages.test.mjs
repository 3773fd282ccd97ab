// The runner of `make test`, with a Makefile of its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../tools/stages.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'private-moments-stages-'));
after(() => {
  rmSync(folder, { recursive: true });
});

// `left` and `right` each end only once the other has begun.
writeFileSync(
  join(folder, 'Makefile'),
  `.PHONY: first second left right broken built builds later leaving
first second:
	@echo "$@ ran"; echo "$@ complains" >&2
left: built
	@echo "left begins"; touch left.begun; while [ ! -e right.begun ]; do sleep .05; done; echo "left ends"
right: built
	@echo "right begins"; touch right.begun; while [ ! -e left.begun ]; do sleep .05; done; echo "right ends"
broken:
	@echo "broken: 3 of 4 passed"; exit 1
leaving:
	@(while [ ! -e let-go ] && [ -e Makefile ]; do sleep .1; done) & echo "left a process"
built:
	@echo built >>built.log
builds: built
later: built
	@cat built.log
`,
);

function stages(...lanes) {
  const { status, stdout } = spawnSync(process.execPath, [program, ...lanes], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, BUILT: 'built', MAKEFLAGS: '--no-print-directory' },
  });
  return { status, stdout };
}

/** The names in the first column of the table at the end. */
function rows(stdout) {
  const [, table] = stdout.split(/^stage .*\n/m);
  return table
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);
}

test('stages run one after another, and a table says what each took', () => {
  const { status, stdout } = stages('first second');
  assert.equal(status, 0);
  assert.match(stdout, /first ran\nfirst complains\n== first: passed\n== second\nsecond ran/);
  assert.deepEqual(rows(stdout), ['first', 'second', 'all']);
  assert.match(stdout, /^first +\d+ +\d+$/m);
});

test('lanes run side by side, the output of the second in one piece, and what `builds` makes is made once', () => {
  const { status, stdout } = stages('builds left', 'right second');
  assert.equal(status, 0);
  assert.match(stdout, /== right: what it printed\nright begins\nright ends\n== right: passed/);
  assert.match(stdout, /left ends/);
  assert.deepEqual(rows(stdout).sort(), ['all', 'builds', 'left', 'right', 'second']);
  assert.equal(readFileSync(join(folder, 'built.log'), 'utf8'), 'built\n');
});

test('a stage of the first lane is run once, and another lane that names it waits for it', () => {
  rmSync(join(folder, 'built.log'));
  const { status, stdout } = stages('first builds', 'builds later');
  assert.equal(status, 0);
  assert.match(stdout, /== later: what it printed\nbuilt\n== later: passed/);
  assert.deepEqual(rows(stdout), ['first', 'builds', 'later', 'all']);
});

test('a process that a stage leaves behind does not keep the others waiting', () => {
  const { status, stdout } = stages('leaving first');
  writeFileSync(join(folder, 'let-go'), '');
  assert.equal(status, 0);
  assert.match(stdout, /left a process\n== leaving: passed\n== first\n/);
});

test('after a stage that fails no other begins, and the status says so', () => {
  const { status, stdout } = stages('first broken second', 'broken later');
  assert.equal(status, 1);
  assert.match(stdout, /broken: 3 of 4 passed/);
  assert.deepEqual(rows(stdout), ['first', 'broken', 'all']);
  assert.match(stdout, /^broken .*FAILED$/m);
});
