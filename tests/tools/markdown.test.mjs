import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import markdownIt from 'markdown-it';
import {
  anchors,
  brokenLinks,
  documents,
  isOutput,
  links,
  pages,
  programs,
  ROOT,
} from '../../tools/markdown.mjs';

/** The text of a file, an empty one for a folder; undefined where there is neither. */
function read(file) {
  const path = join(ROOT, file);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return '';
  return stat === undefined ? undefined : readFileSync(path, 'utf8');
}

/** Emphasis that begins or ends inside a norm, such as |x|_F, whose marks Markdown would swallow. */
function garbledNorms(text) {
  const html = markdownIt({ html: true }).render(text);
  return html.match(/[|\]]<em>|<em>(?:(?!<\/em>)[^|])*\|(?:(?!<\/em>).)*<\/em>/gs) ?? [];
}

const fence = (info, code) => `\`\`\`${info}\n${code}\n\`\`\`\n\n`;

test('every link of every Markdown file leads to a file and a heading that exist', () => {
  const broken = documents().flatMap((file) =>
    brokenLinks(file, read).map((link) => `${file}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('no norm of a page loses its index to emphasis', () => {
  for (const file of documents()) assert.deepEqual(garbledNorms(read(file)), [], file);
  assert.notDeepEqual(garbledNorms('|.|_F is one norm, |.|_* another, |x|_2'), []);
  assert.deepEqual(garbledNorms('|.|\\_F is one norm, |.|\\_\\* *another*, |x|\\_2'), []);
});

test('placeholders for the owner are only where CONTRIBUTING.md says how to replace them', () => {
  const [section] = /## Placeholders to replace[\s\S]*?(?=\n## )/.exec(read('CONTRIBUTING.md'));
  const named = [...section.matchAll(/`([^`]+\.(?:json|cff|md))`/g)].flatMap(([, name]) =>
    name.includes('*') ? ['relay', 'research', 'scale'].map((one) => name.replace('*', one)) : name,
  );
  const placeholder = /github\.com\/OWNER|@private-moments\.example/;
  const files = execFileSync('git', ['grep', '-lE', placeholder.source], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of files.trim().split('\n')) {
    assert.ok(['CONTRIBUTING.md', 'tests/tools/markdown.test.mjs', ...named].includes(file), file);
  }
});

test('papers are linked by DOI where one is known', () => {
  for (const page of pages()) {
    for (const link of links(read(page))) {
      assert.doesNotMatch(link, /arxiv\.org|dl\.acm\.org|link\.springer\.com/, page);
    }
    const unlinked = read(page).match(/(?<!\[)\barXiv \d{4}\.\d{4,5}/);
    assert.equal(unlinked, null, `${page}: ${unlinked}`);
  }
});

test('the citation names this version, and papers of the guide for every mechanism of a study', () => {
  const citation = read('CITATION.cff');
  assert.ok(citation.includes(`\nversion: ${JSON.parse(read('package.json')).version}\n`));
  const guide = pages().map(read).join('\n');
  for (const [, doi] of citation.matchAll(/^ {4}doi: (.+)$/gm)) assert.ok(guide.includes(doi), doi);
  const generated = read('web/package/src/generated/mechanisms.ts');
  const [words] = /MECHANISM_WORDS[^=]*= \{\n[\s\S]*?\n\};/.exec(generated);
  const records = [...words.matchAll(/^ {2}'?([\w-]+)'?: \{([\s\S]*?)^ {2}\}/gm)];
  assert.ok(records.length >= 8);
  for (const [, name, record] of records) {
    if (record.includes("source: 'this library'")) continue;
    assert.match(citation, new RegExp(`notes: Mechanism ${name}\n`), name);
  }
});

test('every code block of README and the guide has a language that is checked or only read', () => {
  for (const page of pages()) assert.doesNotThrow(() => programs(read(page)), page);
});

test('links to missing files and headings are found, in HTML too', () => {
  const files = {
    'docs/a.md': '[b](b.md) [there](b.md#one-two) [gone](c.md) [no](b.md#three) <img src="x.png">',
    'docs/b.md': '# One, two\n',
  };
  assert.deepEqual(
    brokenLinks('docs/a.md', (file) => files[file]),
    ['c.md', 'b.md#three', 'x.png'],
  );
});

test('anchors of equal headings are numbered', () => {
  assert.deepEqual([...anchors('# A `b`\n\n## A b\n')], ['a-b', 'a-b-1']);
});

test('a block without a known language, or with an unknown flag, is refused', () => {
  assert.throws(() => programs(fence('', 'x')), /line 1: .* not ""/);
  assert.throws(() => programs(fence('tsx', 'x')), /not "tsx"/);
  assert.throws(() => programs(fence('sh later', 'x')), /sh has no flag later/);
});

test('a continued block is run after what it continues, and what both print is expected', () => {
  const page =
    fence('ts', 'a') + fence('text output', '1') + fence('ts continued', 'b') + fence('ts', 'c');
  const [both, other] = programs(page);
  assert.deepEqual([both.code, both.output], ['a\n\nb\n', '1\n...\n']);
  assert.deepEqual([other.code, other.output], ['c\n', undefined]);
  assert.throws(() => programs(fence('ts continued', 'b')), /continues no script/);
});

test('output belongs to the program before it, once', () => {
  const [program] = programs(fence('sh', 'ls') + fence('text output exact', 'x'));
  assert.equal(program.output, 'x\n');
  assert.equal(program.allowed[0].exact, true);
  assert.throws(() => programs(fence('text output', 'x')), /output without a program/);
});

test('decimals may differ as noise makes them differ, everything else must be equal', () => {
  assert.ok(isOutput('r = 0.58, n = 600\n', 'r = 0.62,  n = 600'));
  assert.ok(!isOutput('r = 0.48, n = 600', 'r = 0.62, n = 600'));
  assert.ok(!isOutput('r = 0.62, n = 601', 'r = 0.62, n = 600'));
  assert.ok(!isOutput('r = 0.62', 'r = 0.62\nmore'));
  assert.ok(isOutput('a 100.0', 'a 119.0') && !isOutput('a 90.0', 'a 119.0'));
});

test('an output may state how far its decimals may be, and only outputs may', () => {
  const stated = 'r = 0.51 (0.47 to 0.55), n = 600';
  assert.ok(isOutput('r = 0.57 (0.41 to 0.55), n = 600', stated, { within: 0.06 }));
  assert.ok(!isOutput('r = 0.58 (0.47 to 0.55), n = 600', stated, { within: 0.06 }));
  assert.ok(!isOutput('r = 0.51 (0.47 to 0.55), n = 601', stated, { within: 0.06 }));
  const [program] = programs(`${fence('js', '1')}${fence('text output within=0.06', '0.5')}`);
  assert.equal(program.allowed[0].within, 0.06);
  assert.throws(() => programs(fence('text within=0.06', '0.5')), /no flag within=0.06/);
});

test('a line of a program in several blocks is compared as its own block says', () => {
  const [{ output, allowed }] = programs(
    [
      ...[fence('js', '1'), fence('text output within=0.06', 'r = 0.50')],
      ...[fence('js continued', '2'), fence('text output exact', 'exact: 0.504')],
    ].join(''),
  );
  assert.ok(isOutput('r = 0.55\nexact: 0.504', output, allowed));
  assert.ok(!isOutput('r = 0.50\nexact: 0.505', output, allowed));
});

test('exact output allows no difference, and three points stand for any lines', () => {
  assert.ok(!isOutput('0.61', '0.62', { exact: true }));
  assert.ok(isOutput('a\nb\nc\nd', 'a\n...\nd', { exact: true }));
  assert.ok(isOutput('a\nb', 'a\n...') && !isOutput('a\nb', 'a\n...\nc'));
});
