// Compares the library's speed with the alternatives, and writes the output to RESULTS.md. QUICK=1 uses
// small sizes and few turns, and writes to build/bench/ instead. PARTS=clipping,files runs these alone, and
// replaces their sections in RESULTS.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { open } from './lib/browser.mjs';
import { firstLine, machine } from './lib/machine.mjs';
import { algebra } from './parts/algebra.mjs';
import { cca } from './parts/cca.mjs';
import { clipping } from './parts/clipping.mjs';
import { files } from './parts/files.mjs';
import { growth } from './parts/growth.mjs';
import { programs } from './parts/programs.mjs';
import { sliders } from './parts/sliders.mjs';
import { start } from './parts/start.mjs';
import { workers } from './parts/workers.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const quick = Boolean(process.env.QUICK);
const turns = quick ? 3 : 5;
const folder = quick ? `${root}build/bench/` : `${root}bench/`;
mkdirSync(folder, { recursive: true });

const all = [algebra, cca, files, clipping, workers, start, sliders, growth, programs];
const chosen = (process.env.PARTS ?? '').split(',').filter((name) => name !== '');

/** RESULTS.md with the sections of `text` in place of its own; new ones come last. */
function withSections(text) {
  const sectionsOf = (all) => all.split(/^(?=## )/m);
  const sections = sectionsOf(readFileSync(`${root}bench/RESULTS.md`, 'utf8'));
  const titleOf = (section) => section.split('\n', 1)[0];
  for (const section of sectionsOf(text).slice(1)) {
    const at = sections.findIndex((old) => titleOf(old) === titleOf(section));
    if (at === -1) sections.push(`\n${section}`);
    else sections[at] = `${section.trim()}\n\n`;
  }
  return `${sections.join('').trim()}\n`;
}

const said = [];
const say = (text) => {
  console.log(text);
  said.push(text);
};
const save = (name, content) => writeFileSync(`${folder}${name}`, content);

const browser = await open();
try {
  say('# Speed, compared with the alternatives\n');
  say(
    `Written by \`make bench\`${quick ? ' with QUICK=1: small sizes and few turns, only to try it out' : ''}. ` +
      `Contenders take ${turns} turns each, after one that does not count; those of one table ran together. ` +
      'Times are medians, followed in brackets by the minimum and by the interquartile range as a share of the median. ' +
      'Ratios are medians of the ratios in each turn, followed in brackets by their quartiles.\n',
  );
  const { dependencies } = JSON.parse(readFileSync(`${root}bench/peers/package.json`, 'utf8'));
  const peers = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  const facts = [
    ...machine(),
    ['Chromium', browser.version],
    ['Node', process.version],
    ['compiler, native', firstLine('c++', '--version') ?? 'unknown'],
    ['compiler, WebAssembly', firstLine('em++', '--version') ?? 'unknown'],
    ['compared with', peers.join(', ')],
  ];
  say(facts.map(([name, value]) => `- ${name}: ${value}`).join('\n'));
  say('');
  const context = { root, browser, quick, turns, say, save };
  for (const part of all.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    await part(context);
    say('');
  }
} finally {
  await browser.close();
}
const text = `${said.join('\n').trim()}\n`;
save('RESULTS.md', chosen.length === 0 ? text : withSections(text));
console.log(`written to ${quick ? 'build/bench' : 'bench'}/RESULTS.md`);
