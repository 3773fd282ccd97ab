#!/usr/bin/env node
// Writes the comparison of all mechanisms, from the registries of the built packages, into the tables of
// docs/api/studies.md, docs/mechanisms/README.md and docs/research.md and into the data for the site's pages.
// With --check it writes nothing and fails if any of them is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { transform } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = path.join(ROOT, 'docs/mechanisms');
const README = path.join(PAGES, 'README.md');
const RESEARCH = path.join(ROOT, 'docs/research.md');
const API = path.join(ROOT, 'docs/api/studies.md');
const FACTS = path.join(ROOT, 'web/package/src/generated/mechanisms.ts');
const DATA = path.join(ROOT, 'web/research/elements/comparison/mechanism-facts.json');

/** The headings of every page in docs/mechanisms, in this order. */
export const HEADINGS = [
  'What it releases',
  'Precondition',
  'Statement',
  'Proof',
  'Noise size and when to prefer it',
  'Numerics',
  'What its paper says differently',
  'Sources',
];

/** Descriptions of a page's second-level headings that are wrong, missing or out of order. */
export function wrongHeadings(text) {
  const outsideCode = text.replace(/^```[\s\S]*?^```/gm, '');
  const found = [...outsideCode.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading.trim());
  const length = Math.max(found.length, HEADINGS.length);
  return Array.from({ length }, (_, i) => [found[i], HEADINGS[i]])
    .filter(([is, shouldBe]) => is !== shouldBe)
    .map(([is, shouldBe]) => `"${is ?? 'nothing'}" instead of "${shouldBe ?? 'nothing'}"`);
}

/**
 * A text of the registry with its formulas in symbols: "d sqrt(log(1/delta))" as "d √(log(1/δ))".
 * Exponents other than 2 stay after a caret, in brackets.
 */
export function inSigns(text) {
  return text
    .replace(/sqrt\((\d+)\)/g, '√$1')
    .replaceAll('sqrt(', '√(')
    .replace(/\bpure epsilon\b/g, 'ε')
    .replaceAll('epsilon', 'ε')
    .replaceAll('delta', 'δ')
    .replace(/\^2\b/g, '²')
    .replace(/\^(-?\p{L})/gu, '^($1)')
    .replace(/(?<=[ (])-(?=[ \p{L}\d])/gu, '−');
}

/** One row of the first table, as strings. */
export function comparison(info) {
  const wholeNeighbours = info.neighbours.length === 2 ? 'either' : info.neighbours.join();
  return {
    name: info.name,
    title: info.title,
    summary: inSigns(info.summary),
    guarantee: inSigns(info.guarantee),
    neighbours: info.units.length === 2 ? wholeNeighbours : `${wholeNeighbours}, of rows only`,
    additive: info.additive ? 'yes' : 'no',
    psd: info.content === 'components' ? 'no matrix' : info.psd ? 'yes' : 'no',
    error: inSigns(info.errorOrder),
    numerics: info.numerics,
    releases: info.content === 'moments' ? 'second moments' : 'directions',
    source: info.source,
  };
}

const COLUMNS = [
  ['Mechanism', (row) => `[\`${row.name}\`](${row.name}.md)`],
  ['Guarantee', (row) => row.guarantee],
  ['Neighbours', (row) => row.neighbours],
  ['Additive across sites', (row) => row.additive],
  ['Positive semidefinite', (row) => row.psd],
  ['Error grows as', (row) => raised(row.error)],
  ['Arithmetic', (row) => row.numerics],
  ['Releases', (row) => row.releases],
  ['Source', (row) => row.source],
];

const PUBLISHED_COLUMNS = [
  ['Mechanism', (row) => linked(row.name)],
  ['What is claimed', (row) => row.claim],
  ['What holds', (row) => raised(row.truth)],
  ['Source', (row) => row.source],
];

const SYNTHESIZER_COLUMNS = [
  ['Synthesizer', (row) => `\`${row.name}\``],
  ['Labels', (row) => row.labels.join(', ')],
  ['What is claimed', (row) => row.claim],
  ['What holds', (row) => raised(row.truth)],
  ['Source', (row) => row.source],
];

const choices = (all) => all.map((choice) => `\`${choice}\``).join(', ');

/** An option in a study: its choices or range, and its default. */
function optionText({ name, choices: all, least, most, fallback }) {
  if (all === undefined) return `\`${name}\`: ${least} to ${most}, default ${fallback}`;
  const [first, ...others] = all;
  const last = others.pop();
  const rest = others.length > 0 ? `, ${choices(others)} or` : ' or';
  return `\`${name}\`: \`${first}\` (default)${rest} \`${last}\``;
}

const STUDY_COLUMNS = [
  [
    '`mechanism`',
    ([name, { directions }]) =>
      directions?.needsCount ? `\`{ name: '${name}', components }\`` : `\`'${name}'\``,
  ],
  [
    'releases',
    ([, { directions }]) =>
      directions === null ? 'moments' : `directions${directions.withValues ? ' with values' : ''}`,
  ],
  ['delta', ([, { pure }]) => (pure ? '0' : 'above 0')],
  [
    'other options',
    ([, { options, units }]) =>
      [
        ...options.map(optionText),
        ...(units.length === 1 ? [`only for unit \`${units[0]}\``] : []),
      ].join('; '),
  ],
];

function raised(text) {
  return text.replace(/\^\(([^)]*)\)/g, '<sup>$1</sup>');
}

function linked(name) {
  return existsSync(path.join(PAGES, `${name}.md`)) ? `[\`${name}\`](${name}.md)` : `\`${name}\``;
}

export function markdownTable(columns, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(columns.map(([heading]) => heading)),
    `|${columns.map(() => '---|').join('')}`,
    ...rows.map((row) => line(columns.map(([, cell]) => cell(row)))),
  ].join('\n');
}

/** The text with the content between the two markers of `name` replaced. */
export function between(text, name, content) {
  const [open, close] = [
    `<!-- ${name}: made by tools/mechanism-table.mjs -->`,
    `<!-- /${name} -->`,
  ];
  const from = text.indexOf(open);
  const to = text.indexOf(close);
  if (from < 0 || to < from) throw new Error(`the markers of ${name} are missing`);
  return `${text.slice(0, from + open.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** The facts about each mechanism, from the file generated from the registry. */
async function mechanismFacts() {
  const { code } = await transform(readFileSync(FACTS, 'utf8'), { loader: 'ts' });
  const { MECHANISM_FACTS } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return Object.entries(MECHANISM_FACTS);
}

/** All registries, from the built packages. */
async function registries() {
  const { mechanisms } = await import('private-moments');
  const { published, synthesizers } = await import('private-moments-research');
  const signed = ({ name, source, claim, truth, output }) => ({
    name,
    claim: inSigns(claim),
    truth: inSigns(truth),
    source: inSigns(source),
    output,
  });
  return {
    known: (await mechanisms()).map(comparison),
    research: (await published()).map(signed),
    rows: (await synthesizers()).map((info) => ({ ...signed(info), labels: info.labels })),
  };
}

async function main(check) {
  const { known, research, rows } = await registries();
  const wrong = known.flatMap(({ name }) => {
    const page = path.join(PAGES, `${name}.md`);
    if (!existsSync(page)) return [`docs/mechanisms/${name}.md is missing`];
    const headings = wrongHeadings(readFileSync(page, 'utf8'));
    return headings.map((heading) => `docs/mechanisms/${name}.md has the heading ${heading}`);
  });

  let readme = readFileSync(README, 'utf8');
  readme = between(readme, 'mechanisms', markdownTable(COLUMNS, known));
  readme = between(readme, 'published', markdownTable(PUBLISHED_COLUMNS, research));
  const researched = between(
    readFileSync(RESEARCH, 'utf8'),
    'synthesizers',
    markdownTable(SYNTHESIZER_COLUMNS, rows),
  );
  const api = between(
    readFileSync(API, 'utf8'),
    'study-mechanisms',
    markdownTable(STUDY_COLUMNS, await mechanismFacts()),
  );
  const data = await format(JSON.stringify({ mechanisms: known, published: research }), {
    ...(await resolveConfig(DATA)),
    filepath: DATA,
  });
  for (const [file, text] of [
    [README, readme],
    [RESEARCH, researched],
    [API, api],
    [DATA, data],
  ]) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    if (check) wrong.push(`${path.relative(ROOT, file)}: run node tools/mechanism-table.mjs again`);
    else writeFileSync(file, text);
  }
  for (const line of wrong) console.error(line);
  console.log(
    `mechanism table: ${known.length} in studies, ${research.length} published, ` +
      `${rows.length} synthesizers, ${wrong.length} wrong`,
  );
  return wrong.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = (await main(process.argv.includes('--check'))) ? 0 : 1;
  } catch (error) {
    // The stack of an error in a package would print its whole minified source.
    console.error(`mechanism table: ${error.message}: build the packages first`);
    process.exitCode = 1;
  }
}
