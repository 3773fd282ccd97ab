#!/usr/bin/env node
// Checks comments, strings, documents and names for phrases at which a native reader stumbles. Prints
// every finding with what to write instead, and exits 1 if there is one.
//   node tools/check-words.mjs           the paths in CHECKED
//   node tools/check-words.mjs PATH...   any other files and folders
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Files and folders that must have no findings. */
export const CHECKED = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs',
  'web/cli',
  'web/elements/src',
  'web/package/src/core',
  'web/package/src/federation',
  'web/package/src/forecast',
  'web/package/src/generated',
  'web/package/src/intake',
  'web/package/src/synthesis',
  'web/package/src/threads',
  'web/relay',
  'web/research',
  'web/scale',
  'web/site',
  'tests',
  'bench',
  'bindings',
  'core/mechanisms',
  'examples',
  'experiments',
  'samples',
  'tools',
];

/** The history stays as it was written; the tests of this check quote what it finds. */
const EXEMPT = ['CHANGELOG.md', 'tests/tools/check-words.test.mjs'];

const START = String.raw`(?:^|(?<=[.!?;:]\s))`;

/** Phrases, each with what to write instead. `^` in a phrase is the start of a sentence. */
const PHRASES = [
  [
    /^Who (?:has|have|knows?|sees|holds?|runs?|wants?|needs?|keeps?|takes|carries|answers|collects) [^?]*?\b(?:can|may|must|should|will|needs?|sees|gets|knows)\b(?=[^?]*$)/,
    'name the person: "Anyone with them can", "The collector sees"',
  ],
  [
    /\b(?:for|to|of|by|with|tells?|helps?|lets?|gives?|asks?) who\b/i,
    'name the person: "the sender", "people who"',
  ],
  [/\bwho(?:so)?ever\b/i, '"anyone who", or name the person'],
  [
    /\b(?:is|are|was|were|be|been|being) (?:told|heard)\b(?! (?:from|apart)\b)/i,
    '"calls", "receives", "shows", "ignores"',
  ],
  [/\b(?:nobody|no one|who) minds\b/i, 'say what happens: "resending is idempotent"'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|\w+er\b|(?:one|other|use)\b)/i,
    '"is not a", "is invalid"',
  ],
  [/(?<!\bthere )\b(?:is|are|was|were) none\b/i, '"is invalid", "is not one"'],
  [
    /\b(?:as|than) (?:it |they )?must be\b(?! \w+(?:ed|en)\b)/i,
    'say what is wrong: "is invalid", "with too few"',
  ],
  [
    /\bso (?:many|few)\b(?!,?(?: \w+)? (?:that|as)\b)/i,
    'name the number: "this number of", "the maximum"',
  ],
  [/\btakes? (?:\w+ ){1,4}for (?:spent|given|granted)\b/i, '"assume the budget is spent"'],
  [/^(?:Of (?!course\b)|By (?:how much|them|it|what|which)\b)/, 'start with the subject'],
  [/\bmend(?:s|ed|ing)?\b/i, '"correct", "fix"'],
  [/\banew\b/i, '"again"'],
  [
    /\b(?:to it|there|here) stands?\b|\bstands? (?:behind|before|after|beside) (?:it|the #)/i,
    '"is", "follows", "comes before"',
  ],
].map(([phrase, instead]) => {
  const source = phrase.source.replace(/^\^/, START);
  return { phrase: new RegExp(source, `g${phrase.flags}`), instead };
});

/** Names that are participles or metaphors where a noun of the field belongs. */
const NAMES = new Set(['given', 'told', 'seat', 'crew', 'sight']);

/** A comment as one text: without its marks, and with its lines joined. */
function proseOf(comment) {
  return comment
    .replace(/^\/\*+|\*+\/$|^<!--|-->$/g, '')
    .replace(/^[ \t]*(?:\*|\/\/+|#)[ \t]?/gm, '')
    .replace(/\b@(?:param \w+|returns|throws)\b/g, '. ');
}

/** Comments that follow each other line by line make one text. */
function lineComments(text, mark) {
  const lines = new RegExp(`(?:^[ \\t]*${mark}[^\\n]*\\n?)+|${mark}[^\\n]*`, 'gm');
  return [...text.matchAll(lines)].map(({ index, 0: words }) => ({ index, words: proseOf(words) }));
}

/** The texts for people in a TypeScript or JavaScript file, and its identifiers. */
function partsOfScript(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const prose = [];
  const names = [];
  const comments = new Map();
  const visit = (node) => {
    for (const ranges of [
      ts.getLeadingCommentRanges(text, node.pos),
      ts.getTrailingCommentRanges(text, node.end),
    ]) {
      for (const { pos, end } of ranges ?? []) comments.set(pos, text.slice(pos, end));
    }
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      names.push({ index: node.getStart(source), name: node.text.replace(/^#/, '') });
    } else if (ts.isTemplateExpression(node)) {
      // Whatever is filled in stands for one word.
      const words = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
      prose.push({ index: node.getStart(source), words: words.join('X') });
    } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      prose.push({ index: node.getStart(source), words: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  let open;
  for (const [index, comment] of [...comments].sort(([a], [b]) => a - b)) {
    const isNext = open !== undefined && /^\s*$/.test(text.slice(open.end, index));
    const isLine = comment.startsWith('//');
    if (isNext && isLine && open.isLine) open.words += ` ${proseOf(comment)}`;
    else {
      open = { index, words: proseOf(comment), isLine };
      prose.push(open);
    }
    open.end = index + comment.length;
  }
  return { prose, names };
}

function partsOfCpp(text) {
  const blocks = [...text.matchAll(/\/\*[^]*?\*\//g)].map(({ index, 0: words }) => ({
    index,
    words: proseOf(words),
  }));
  const strings = [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(({ index, 1: words }) => ({
    index,
    words,
  }));
  const code = text.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"/g, (part) =>
    part.replace(/[^\n]/g, ' '),
  );
  const names = [...code.matchAll(/\b[A-Za-z_]\w*\b/g)].map(({ index, 0: name }) => ({
    index,
    name: name.replace(/_$/, ''),
  }));
  return { prose: [...lineComments(text, '//'), ...blocks, ...strings], names };
}

/** Paragraphs, items and cells outside code. */
function partsOfMarkdown(text) {
  const words = text
    .replace(/^```[^]*?^```/gm, (code) => code.replace(/[^\n]/g, ' '))
    .replace(/`[^`\n]*`/g, (code) => 'X'.padEnd(code.length));
  const parts = words.matchAll(/(?:[^\n|]+\n?(?![ \t]*(?:[-*#|]|\d+\.|\n)))*[^\n|]+/g);
  const prose = [...parts].map(({ index, 0: part }) => ({
    index,
    words: part.replace(/^\s*(?:[-*#]+|\d+\.)\s/, ''),
  }));
  return { prose, names: [] };
}

function partsOfHtml(text) {
  const prose = [...text.matchAll(/>([^<]+)<|(?:content|aria-label|alt|title)="([^"]*)"/g)];
  return {
    prose: prose.map(({ index, 1: body, 2: attribute }) => ({ index, words: body ?? attribute })),
    names: [],
  };
}

function partsOf(file, text) {
  if (/\.(?:ts|mjs|js)$/.test(file)) return partsOfScript(file, text);
  if (/\.(?:cpp|hpp|inc)$/.test(file)) return partsOfCpp(text);
  if (file.endsWith('.md')) return partsOfMarkdown(text);
  if (file.endsWith('.html')) return partsOfHtml(text);
  if (file.endsWith('.css')) return { prose: partsOfCpp(text).prose, names: [] };
  return { prose: [], names: [] };
}

/** What to rewrite in a file: the line, the words found, and what to write instead. */
export function findings(file, text) {
  const { prose, names } = partsOf(file, text);
  const found = [];
  const add = (index, words, instead) => {
    found.push({ line: text.slice(0, index).split('\n').length, words, instead });
  };
  for (const { index, words } of prose) {
    const flat = words.replace(/\s+/g, ' ').trim();
    for (const { phrase, instead } of PHRASES) {
      for (const match of flat.matchAll(phrase)) {
        const from = Math.max(0, match.index - 20);
        add(index, flat.slice(from, match.index + match[0].length + 20), instead);
      }
    }
  }
  for (const { index, name } of names) {
    if (NAMES.has(name.toLowerCase())) add(index, name, 'a noun or verb of the field');
  }
  return found.sort((a, b) => a.line - b.line);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2);
  const paths = asked.length > 0 ? asked : CHECKED;
  const files = execFileSync('git', ['ls-files', ...paths], { encoding: 'utf8' });
  let count = 0;
  for (const file of files.trim().split('\n')) {
    if (EXEMPT.includes(file)) continue;
    for (const { line, words, instead } of findings(file, readFileSync(file, 'utf8'))) {
      console.error(`${file}:${line}: "${words}": ${instead}`);
      count++;
    }
  }
  console.log(`words: ${count} findings`);
  process.exitCode = count > 0 ? 1 : 0;
}
