// Every paper that is named by authors and year is in docs/papers.md, with a link wherever there is one.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../tools/markdown.mjs';

const CITED_IN = [
  ...['README.md', 'SECURITY.md', 'docs/*.md', 'docs/**/*.md', 'web/*/README.md'],
  ...['experiments/README.md', 'core/*.hpp', 'core/*.cpp', 'bindings/*', 'web/*.ts'],
];

const read = (file) => readFileSync(join(ROOT, file), 'utf8');
/** Lines of comments as running text. */
const prose = (text) => text.replaceAll(/\n\s*(?:\/\/\/?<?|\*)?\s*/g, ' ');
const unaccented = (name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '');

const NAME = String.raw`\p{Lu}[\p{L}'’-]+`;
const CITATION = new RegExp(
  String.raw`(?<!\p{L})(${NAME})(?: et al\.?|,? and others)?,? (?:ICASSP )?\(?((?:1[89]|20)\d\d)(?![\d-])`,
  'gu',
);
/** Words before a year other than names of authors. */
const OTHER = /^(?:In|Since|April|Nov|KDD|PLDI|ICASSP|RFC|Schemas|Among)$/;

/** Papers named in a text, as the last name before the year, or the first of several: `Sarwate 2019`. */
const citations = (text) =>
  [...prose(text).matchAll(CITATION)]
    .filter(([, name]) => !OTHER.test(name))
    .map(([, name, year]) => `${unaccented(name).replace(/['’]s$/, '')} ${year}`);

const [identified, described] = read('docs/papers.md').split('\n## Without an identifier\n');
const entries = (section) => section.split('\n').filter((line) => line.startsWith('- '));
/** Authors and year of an entry: `- Hardt, Talwar 2010, [*On …*](…)`. */
const head = (entry) => /^- (.+?) (\d{4}),/.exec(entry);
const namesOf = (entry) => {
  const [, authors, year] = head(entry);
  return authors.match(new RegExp(NAME, 'gu')).map((name) => `${unaccented(name)} ${year}`);
};

describe('docs/papers.md', () => {
  test('links each paper, or says in which journal, proceedings or series it is and where there', () => {
    for (const entry of entries(identified)) {
      expect(entry).toMatch(/^- [^[\]]+ \d{4}, \[\*[^*]+\*\]\(<?https:\/\/[^\s)]+/);
    }
    for (const entry of entries(described)) {
      expect(entry).toMatch(/^- [^[\]]+ \d{4}, \*[^*]+\*\. .{20,}/);
    }
    expect(entries(described).length).toBeLessThanOrEqual(10);
  });

  test('is in the order of the alphabet', () => {
    for (const section of [identified, described]) {
      const found = entries(section).map((entry) => unaccented(entry).replaceAll("'", ''));
      expect(found).toEqual(found.toSorted((a, b) => a.localeCompare(b, 'en')));
    }
  });

  const listed = new Set([...entries(identified), ...entries(described)].flatMap(namesOf));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...CITED_IN], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => file !== 'docs/papers.md');
  const cited = files.map((file) => ({ file, names: citations(read(file)) }));

  test('has every paper that the documents and the comments in the code name', () => {
    const missing = cited.flatMap(({ file, names }) =>
      names.filter((name) => !listed.has(name)).map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('has no paper that nothing names', () => {
    const used = new Set(cited.flatMap(({ names }) => names));
    const unused = [...entries(identified), ...entries(described)].filter(
      (entry) => !namesOf(entry).some((name) => used.has(name)),
    );
    expect(unused).toEqual([]);
  });
});

describe('lists of sources', () => {
  const urls = entries(identified).map((entry) => /\]\((<.+>|\S+)\)$/.exec(entry)[1]);
  const sourcesOf = (file) => read(file).split('\n## Sources\n')[1]?.split('\n## ')[0];
  const pages = execFileSync('git', ['ls-files', 'docs/*.md'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => sourcesOf(file) !== undefined);
  const LINK = /\[([^[\]]+)\]\((<[^>]+>|[^\s)]+)\)/g;

  test.each(pages)('%s links every paper as docs/papers.md does, or to its entry there', (file) => {
    const sources = prose(sourcesOf(file));
    expect(citations(sources.replaceAll(LINK, ''))).toEqual([]);
    for (const [, text, url] of sources.matchAll(LINK)) {
      if (citations(text).length === 0) continue;
      if (!url.endsWith('papers.md#without-an-identifier')) expect(urls, text).toContain(url);
    }
  });
});

test('CITATION.cff gives an identifier or an address of every paper', () => {
  const [, ...references] = read('CITATION.cff').split(/\n {2}- type: /);
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) expect(reference).toMatch(/\n {4}(?:doi|url): \S+/);
});
