import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../../tools/check-words.mjs';

const words = (file, text) => findings(file, text).map((found) => found.words);
const count = (text) => findings('a.md', text).length;

test('phrases at which a native reader stumbles are found', () => {
  for (const text of [
    'Who has them can send you sealed files.',
    'It helps who keeps count.',
    'Ask whoever sent it.',
    'The page is told why it failed.',
    'Nobody minds.',
    'The key of the collector is none.',
    'The options hold something that is no data.',
    'Something in it is not as it must be.',
    'At most so many take part.',
    'Take the privacy budget for spent.',
    'Of 100 guesses at most 55 are right.',
    'The bound holds. By how much it may be exceeded is delta.',
    'Ask the sender to mend it.',
    'Each attempt costs privacy anew.',
    'The study stands behind the #.',
  ]) {
    assert.notEqual(count(text), 0, text);
  }
});

test('plain English is not a finding', () => {
  for (const text of [
    'Anyone with them can send you sealed files.',
    'Who has to be trusted?',
    'There is no budget, and if there are none left, nothing is released.',
    'It is no longer there, and no larger than before.',
    'It cannot be told from noise, and the two cannot be told apart.',
    'Unless told otherwise, one row must be one person.',
    'So many rows that one more does not matter.',
    'Of course. By default it waits; by hand it does not.',
    'Keys must be made first. The file is as it must be stored.',
  ]) {
    assert.equal(count(text), 0, text);
  }
});

test('comments, strings and templates are read, across their lines', () => {
  const comment = '/**\n * Calls back. The caller is\n * told why.\n */\nexport const a = 1;\n';
  assert.deepEqual(words('a.ts', comment), ['ls back. The caller is told why.']);
  assert.equal(words('a.ts', '// The caller is\n// told why.\nlet a;\n').length, 1);
  assert.equal(words('a.ts', "fail('the key is none');\n").length, 1);
  assert.equal(words('a.ts', 'html`<p>Ask ${name} to mend it.</p>`;\n').length, 1);
  assert.equal(words('a.cpp', '// At most so many\n// rows.\nint a;\n').length, 1);
  assert.equal(words('a.html', '<p>Nobody minds.</p>').length, 1);
});

test('a finding has its line and what to write instead', () => {
  const [found] = findings('a.ts', "const a = 1;\nfail('the key is none');\n");
  assert.equal(found.line, 2);
  assert.match(found.instead, /invalid/);
});

test('code in documents is not read', () => {
  assert.equal(count('Call `isNone` twice.\n\n```js\n// nobody minds\n```\n'), 0);
});

test('names that are participles or metaphors are found, and words that contain them are not', () => {
  assert.deepEqual(words('a.ts', 'const given = 1;\n'), ['given']);
  assert.deepEqual(words('a.ts', 'class A { #told = 1; }\n'), ['told']);
  assert.deepEqual(words('a.hpp', 'struct Crew { int seat_; };\n'), ['Crew', 'seat']);
  assert.deepEqual(words('a.ts', 'const insight = forgiven;\n'), []);
});
