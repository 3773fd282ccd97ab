// Draws docs/images/centring.svg from build/experiments/centring.csv: the error of the covariance of
// one site's release without private centring and with it, for each set and three kinds of bounds.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = fileURLToPath(new URL('../', import.meta.url));
const [names, ...lines] = readFileSync(path.join(root, 'build/experiments/centring.csv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(','));
const cases = lines
  .map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i], cell])))
  .filter(({ sites, delta }) => sites === '1' && Number(delta) > 0);
const sets = [...new Set(cases.map(({ set }) => set))];
const epsilons = [...new Set(cases.map(({ epsilon }) => Number(epsilon)))].sort((a, b) => a - b);

const BOUNDS = [
  ['expert', 'an expert’s bounds'],
  ['table', 'careful bounds'],
  ['wide', 'three times as wide'],
];

// The picture is 360 units wide, so that its texts are readable on a telephone.
const WIDTH = 360;
const COLUMNS = 2;
const PANEL = { width: 148, height: 92, left: 28, top: 22, across: 178, down: 134 };
const HEAD = 74;
const ERRORS = [0.01, 0.1, 1, 10, 100, 1000];
const LOWEST = 0.01;
const HIGHEST = 3000;
const height = HEAD + Math.ceil(sets.length / COLUMNS) * PANEL.down + 4;

const share = (value, from, to) => Math.log(value / from) / Math.log(to / from);
const [first, last] = [epsilons[0], epsilons.at(-1)];
const x = (epsilon) => Number((share(epsilon, first, last) * PANEL.width).toFixed(1));
const y = (error) =>
  Number(
    (
      (1 - share(Math.min(Math.max(error, LOWEST), HIGHEST), LOWEST, HIGHEST)) *
      PANEL.height
    ).toFixed(1),
  );

const text = (kind, at, words) => `<text class="${kind}" x="${at[0]}" y="${at[1]}">${words}</text>`;

function panel(set, index) {
  const left = PANEL.left + (index % COLUMNS) * PANEL.across;
  const top = HEAD + PANEL.top + Math.floor(index / COLUMNS) * PANEL.down;
  const own = cases.filter((c) => c.set === set);
  const grid = ERRORS.map(
    (error) =>
      `<path class="${error === 1 ? 'one' : 'grid'}" d="M0 ${y(error)}H${PANEL.width}"/>` +
      text('number end', [-4, y(error) + 3], error),
  );
  const ticks = epsilons.map((epsilon) =>
    text('number middle', [x(epsilon), PANEL.height + 12], epsilon),
  );
  const curves = BOUNDS.flatMap(([bounds]) =>
    ['uncentred', 'centred'].map((which) => {
      const points = epsilons.map((epsilon) => {
        const found = own.find((c) => c.bounds === bounds && Number(c.epsilon) === epsilon);
        return `${x(epsilon)} ${y(Number(found[which]))}`;
      });
      return `<path class="${bounds} ${which}" d="M${points.join('L')}"/>`;
    }),
  );
  const { rows, features } = own[0];
  return [
    `<g transform="translate(${left} ${top})">`,
    text('title', [0, -7], `${set.replaceAll('_', ' ')}, ${rows} × ${features}`),
    ...grid,
    ...ticks,
    ...curves,
    '</g>',
  ].join('\n');
}

const legend = [
  ...BOUNDS.map(
    ([bounds, words], i) =>
      `<path class="${bounds} centred" d="M${[4, 128, 238][i]} 42h16"/>` +
      text('key', [[24, 148, 258][i], 46], words),
  ),
  '<path class="ink uncentred" d="M4 60h16"/>' + text('key', [24, 64], 'without centring'),
  '<path class="ink centred" d="M128 60h16"/>' + text('key', [148, 64], 'with private centring'),
];

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title description">
<title id="title">Error of a covariance without and with private centring</title>
<desc id="description">One panel for each set, rows by features in its title. Errors fall with epsilon, and are mostly several times smaller with private centring, most where bounds are wide.</desc>
<style>
svg { --paper: #ffffff; --ink: #1c2430; --quiet: #5b6675; --line: #dde2e8; --expert: #1b7f5c; --table: #1f5fbf; --wide: #b4470e; font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { svg { --paper: #12171e; --ink: #e8ecf1; --quiet: #a3aebb; --line: #2c3540; --expert: #58c99d; --table: #7fb0ff; --wide: #ff9d66; } }
.paper { fill: var(--paper); }
text { fill: var(--ink); font-size: 10px; }
.head { font-size: 12px; font-weight: 600; }
.title { font-weight: 600; }
.number, .note { fill: var(--quiet); font-size: 9px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
path { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.grid { stroke: var(--line); stroke-width: 0.6; }
.one { stroke: var(--quiet); stroke-width: 0.8; }
.expert { stroke: var(--expert); }
.table { stroke: var(--table); }
.wide { stroke: var(--wide); }
.ink { stroke: var(--ink); }
.uncentred { stroke-dasharray: 3 2.5; stroke-width: 1.2; }
</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
${text('head', [4, 15], 'Error of the covariance, by epsilon (delta 1e-6)')}
${text('note', [4, 29], 'Medians, one site, both axes logarithmic. 1: as much as answering zero.')}
${legend.join('\n')}
${sets.map(panel).join('\n')}
</svg>
`;

const out = path.join(root, 'docs/images/centring.svg');
writeFileSync(out, svg);
console.log(`${path.relative(root, out)}: ${sets.length} sets`);
