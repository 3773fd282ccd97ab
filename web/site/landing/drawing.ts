import { svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import {
  bytes,
  correlation,
  count,
  countWord,
  divergingStep,
  list,
  ordinal,
} from 'private-moments/words';
import { stepSamples } from '../../elements/src/figures/diverging.js';
import { PAIRS, type Learned, type Pair, type Round } from './consortium-protocol.js';
import type { Triangle } from './sample-sites.js';

/** Length of the drawing, and the moment at which nothing moves any more, in ms. */
export const LENGTH = 6000;
export const REST = 5400;

const NAMES = [
  'alder',
  'brook',
  'cedar',
  'dunes',
  'harbour',
  'northgate',
  'oakley',
  'pinewood',
  'quayside',
  'riverside',
];

/** When noise begins to fall on the first site's sums, and how. */
const NOISE = { from: 1000, apart: 90, takes: 700 };
/** When the first noisy file leaves, and how. */
const LEAVING = { from: 2500, apart: 120, takes: 800 };
/** How long a bar takes to follow an arrival. */
const FOLLOWS = 200;

/** Correlations of this size and more have the strongest colours. */
const LIMIT = 0.4;

interface Place {
  x: number;
  y: number;
}

/** Where everything is, in px. */
interface Layout {
  width: number;
  height: number;
  box: { size: number; inset: number; radius: number };
  /** The top left corner of a site's box. */
  at: (site: number) => Place;
  named: boolean;
  wall: { x1: number; x2: number; y1: number; y2: number };
  sum: Place & { pitch: number };
  sumLabel: Place;
  titles: readonly [Place, Place, Place];
  arrow: boolean;
  bars: {
    left: number;
    right: number;
    first: number;
    apart: number;
    width: number;
    base: number;
    top: number;
  };
  floorLabel: Place;
}

const WIDE: Layout = {
  width: 1056,
  height: 316,
  box: { size: 84, inset: 8, radius: 8 },
  at: (site) => ({ x: 93 * (site % 5), y: site < 5 ? 66 : 206 }),
  named: true,
  wall: { x1: 500.5, x2: 500.5, y1: 2, y2: 312 },
  sum: { x: 640, y: 96, pitch: 16.6 },
  sumLabel: { x: 640, y: 282 },
  titles: [
    { x: 0, y: 14 },
    { x: 540, y: 14 },
    { x: 852, y: 14 },
  ],
  arrow: true,
  bars: { left: 852, right: 1056, first: 862, apart: 52, width: 28, base: 262, top: 66 },
  floorLabel: { x: 852, y: 308 },
};

const SLIM: Layout = {
  width: 296,
  height: 536,
  box: { size: 52, inset: 5, radius: 6 },
  at: (site) => ({ x: 61 * (site % 5), y: site < 5 ? 74 : 140 }),
  named: false,
  wall: { x1: 0, x2: 296, y1: 222.5, y2: 222.5 },
  sum: { x: 0, y: 374, pitch: 11.9 },
  sumLabel: { x: 0, y: 510 },
  titles: [
    { x: 0, y: 14 },
    { x: 0, y: 310 },
    { x: 156, y: 310 },
  ],
  arrow: false,
  bars: { left: 156, right: 293, first: 166, apart: 33, width: 18, base: 492, top: 366 },
  floorLabel: { x: 156, y: 532 },
};

export interface Scene {
  round: Round;
  exact: readonly Triangle[];
  rows: readonly number[];
  /** Since the drawing began, in ms. */
  time: number;
}

/** The live consortium at one moment, without the cells. */
export function drawing(scene: Scene, isNarrow: boolean): TemplateResult {
  const layout = isNarrow ? SLIM : WIDE;
  const sites = scene.exact.map((_, site) => site);
  return svg`<svg
    width=${layout.width}
    height=${layout.height}
    viewBox="0 0 ${layout.width} ${layout.height}"
    role="img"
    aria-label=${guard([scene.round, scene.exact], () => description(scene))}
  >
    <defs>
      <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line class="hatch-line" x1="0" y1="0" x2="0" y2="5"></line>
      </pattern>
      ${stepSamples}
    </defs>
    ${titles(scene, layout)}
    ${sites.map((site) => siteBox(site, layout))}
    <line class="wall" x1=${layout.wall.x1} x2=${layout.wall.x2} y1=${layout.wall.y1} y2=${layout.wall.y2}></line>
    ${theirSum(scene, layout)}
    ${bars(scene, layout)}
  </svg>`;
}

/** Fills for the steps of the diverging scale, from the first. */
export type StepColours = readonly string[];

/** Where cells are painted, and with which colours. */
interface Paper {
  context: CanvasRenderingContext2D;
  colours: StepColours;
}

/**
 * Paints the cells of the drawing at one moment. They are thousands, and move: as elements they would keep
 * a slow processor busy.
 * @param canvas lies over the drawing
 */
export function paintCells(
  canvas: HTMLCanvasElement,
  scene: Scene,
  isNarrow: boolean,
  colours: StepColours,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const layout = isNarrow ? SLIM : WIDE;
  const ratio = Math.max(1, devicePixelRatio);
  const [width, height] = [layout.width * ratio, layout.height * ratio].map(Math.round);
  if (canvas.width !== width) canvas.width = width ?? 0;
  if (canvas.height !== height) canvas.height = height ?? 0;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, layout.width, layout.height);
  const paper = { context, colours };
  const sites = scene.exact.map((_, site) => site);
  for (const site of sites) paintSite(paper, scene, site, layout);
  paintSum(paper, scene, layout);
  for (const site of sites) paintCrossing(paper, scene, site, layout);
  context.globalAlpha = 1;
}

function description({ round, exact }: Scene): string {
  const learned = round.learned.get(exact.length);
  const clear = (learned?.pairs ?? []).filter(({ isClear }) => isClear);
  const lost = (learned?.pairs.length ?? 0) - clear.length;
  const found =
    clear.length === 0
      ? 'No correlation stands'
      : `${list(clear.map(({ value }) => correlation(value)))} stand`;
  return (
    'Ten sites, each with a small triangle of sums. Noise falls on every triangle. The noisy triangles ' +
    `cross a wall into one sum. ${found} above the noise floor${lost === 0 ? '' : `; ${count(lost)} more may be noise`}.`
  );
}

function titles(
  { round, rows }: Scene,
  { titles: [stays, leaves, learned] }: Layout,
): TemplateResult {
  const title = ({ x, y }: Place, words: string, below: string): TemplateResult =>
    svg`<text class="strong" x=${x} y=${y}>${words}</text><text class="below" x=${x} y=${y + 20}>${below}</text>`;
  return svg`${title(stays, 'Stays in ten buildings', `${count(Math.min(...rows))} rows each, and their exact sums`)}
    ${title(leaves, 'Leaves', leaves.x === 0 ? `ten files, ${bytes(round.bytes)}` : `ten files of noisy sums, ${bytes(round.bytes)} each`)}
    ${title(learned, 'What you learn', 'correlations')}`;
}

/** From 0 to 1 while something that begins at `from` takes `takes` ms. */
function progress(time: number, from: number, takes: number): number {
  return Math.max(0, Math.min(1, (time - from) / takes));
}

const easeIn = (share: number): number => share ** 2;
const easeInOut = (share: number): number => share * share * (3 - 2 * share);

const noiseOn = (time: number, site: number): number =>
  progress(time, NOISE.from + NOISE.apart * site, NOISE.takes);
const leavingOf = (time: number, site: number): number =>
  progress(time, LEAVING.from + LEAVING.apart * site, LEAVING.takes);

function siteBox(site: number, { box, at, named }: Layout): TemplateResult {
  const { x, y } = at(site);
  return svg`<rect class="box" x=${x + 0.5} y=${y + 0.5} width=${box.size - 1} height=${box.size - 1} rx=${box.radius}></rect>
    ${named ? svg`<text x=${x + box.size / 2} y=${y + box.size + 17} text-anchor="middle">${NAMES[site]}</text>` : undefined}`;
}

function paintSite(paper: Paper, scene: Scene, site: number, { box, at }: Layout): void {
  const place = at(site);
  const [x, y] = [place.x + box.inset, place.y + box.inset];
  const { time, exact, round } = scene;
  const fallen = noiseOn(time, site);
  const values = (fallen < 1 ? exact : round.noisy)[site] ?? [];
  const hasLeft = leavingOf(time, site) > 0 && time < REST;
  const pitch = (box.size - 2 * box.inset) / sideOf(values);
  paintTriangle(paper, values, { x, y, pitch }, hasLeft ? 0.3 : 1);
  if (fallen > 0 && fallen < 1) paintNoise(paper, scene, site, { x, y, pitch });
}

const sideOf = (values: Triangle): number => Math.round((Math.sqrt(8 * values.length + 1) - 1) / 2);

/** Where a triangle is: its corner, and the distance between its cells. */
type Spot = Layout['sum'];

function paintTriangle(
  { context, colours }: Paper,
  values: Triangle,
  { x, y, pitch }: Spot,
  opacity: number,
): void {
  const size = pitch * 0.87;
  context.globalAlpha = opacity;
  let next = 0;
  for (let row = 0; row < sideOf(values); row++) {
    for (let column = 0; column <= row; column++) {
      context.fillStyle = colours[divergingStep(values[next++] ?? 0, LIMIT) - 1] ?? '';
      context.fillRect(x + column * pitch, y + row * pitch, size, size);
    }
  }
}

/** Where triangles will be. */
function emptyTriangle({ x, y, pitch }: Spot, side: number): TemplateResult {
  const size = (pitch * 0.87).toFixed(1);
  const squares = Array.from({ length: side }, (_, row) =>
    Array.from(
      { length: row + 1 },
      (__, column) =>
        `M${(x + column * pitch + 0.5).toFixed(1)} ${(y + row * pitch + 0.5).toFixed(1)}h${size}v${size}h-${size}z`,
    ).join(''),
  );
  return svg`<path class="empty" d=${squares.join('')}></path>`;
}

/** The trail above each cell of falling noise: how far behind, and how opaque. */
const TRAIL = [
  { behind: 0, opacity: 1 },
  { behind: 0.09, opacity: 0.42 },
  { behind: 0.18, opacity: 0.2 },
];

/** The falling noise has the colours of what it adds. */
function paintNoise(
  { context, colours }: Paper,
  { time, exact, round }: Scene,
  site: number,
  { x, y, pitch }: Spot,
): void {
  const before = exact[site] ?? [];
  const after = round.noisy[site] ?? [];
  const side = sideOf(before);
  const fallen = noiseOn(time, site);
  const size = pitch * 0.5;
  for (const { behind, opacity } of TRAIL) {
    context.globalAlpha = opacity;
    for (let column = 0; column < side; column++) {
      for (const row of [column, Math.min(side - 1, column + 3)]) {
        const at = (row * (row + 1)) / 2 + column;
        const delay = ((at * 7) % 10) / 25;
        const share = easeIn(progress(fallen - behind, delay, 1 - delay));
        if (share <= 0 || share >= 1) continue;
        const added = 10 * ((after[at] ?? 0) - (before[at] ?? 0));
        context.fillStyle = colours[divergingStep(added, LIMIT) - 1] ?? '';
        const top = y - 24 + share * (row * pitch + 24);
        context.fillRect(x + column * pitch, top, size, size);
      }
    }
  }
}

/** A noisy triangle on its way through the wall, with two shadows behind it. */
function paintCrossing(
  paper: Paper,
  { time, round }: Scene,
  site: number,
  { box, at, sum }: Layout,
): void {
  const share = leavingOf(time, site);
  if (share <= 0 || share >= 1) return;
  const values = round.noisy[site] ?? [];
  const pitch = (box.size - 2 * box.inset) / sideOf(values);
  const corner = at(site);
  const start = { x: corner.x + box.inset, y: corner.y + box.inset };
  const end = { x: sum.x, y: sum.y + 2 * pitch };
  for (const { behind, opacity } of SHADOWS) {
    const done = easeInOut(Math.max(0, share - behind));
    const x = start.x + done * (end.x - start.x);
    const y = start.y + done * (end.y - start.y);
    paintTriangle(paper, values, { x, y, pitch }, opacity);
  }
}

const SHADOWS = [
  { behind: 0.1, opacity: 0.1 },
  { behind: 0.05, opacity: 0.22 },
  { behind: 0, opacity: 1 },
];

/** How many files have arrived, and how far the bars have followed the last of them. */
function arrived({ time, exact }: Scene): { sites: number; followed: number } {
  const times = exact.map((_, site) => LEAVING.from + LEAVING.apart * site + LEAVING.takes);
  const sites = times.filter((at) => at <= time).length;
  return { sites, followed: progress(time, times[sites - 1] ?? 0, FOLLOWS) };
}

function theirSum(scene: Scene, { sum, sumLabel, arrow }: Layout): TemplateResult {
  const { sites } = arrived(scene);
  const learned = learnedFrom(scene, sites);
  const words =
    sites === 0
      ? 'nothing yet'
      : sites === scene.exact.length
        ? 'their sum'
        : `sum of ${countWord(sites).toLowerCase()}`;
  return svg`${learned === undefined ? emptyTriangle(sum, sideOf(scene.exact[0] ?? [])) : undefined}
    <text class="below" x=${sumLabel.x} y=${sumLabel.y}>${words}</text>
    ${arrow ? svg`<path class="arrow" d="M812 180h22M828 174l6 6-6 6"></path>` : undefined}`;
}

function paintSum(paper: Paper, scene: Scene, { sum }: Layout): void {
  const learned = learnedFrom(scene, arrived(scene).sites);
  if (learned !== undefined) paintTriangle(paper, learned.sum, sum, 1);
}

/** A slider shows only what all sites yield: it holds for fewer until they have arrived. */
function learnedFrom({ round, exact }: Scene, sites: number): Learned | undefined {
  if (sites === 0) return undefined;
  return round.learned.get(sites) ?? round.learned.get(exact.length);
}

function bars(scene: Scene, layout: Layout): TemplateResult {
  const { bars: place, floorLabel } = layout;
  const { sites, followed } = arrived(scene);
  const learned = learnedFrom(scene, sites);
  const base = svg`<line class="baseline" x1=${place.left} x2=${place.right} y1=${place.base + 0.5} y2=${place.base + 0.5}></line>`;
  if (learned === undefined) return base;
  const before = learnedFrom(scene, sites - 1)?.pairs ?? learned.pairs;
  const pairs = learned.pairs.map((pair, i) => between(before[i] ?? pair, pair, followed));
  const most = Math.max(0.65, ...pairs.map(({ high, noiseFloor }) => Math.max(high, noiseFloor)));
  const height = (place.base - place.top - 20) / most;
  const floors = learned.pairs.map(({ noiseFloor }) => noiseFloor);
  const ends = [Math.min(...floors), Math.max(...floors)].map((end) => correlation(end));
  const range = [...new Set(ends)].join(' to ');
  return svg`${pairs.map((pair, i) => bar(pair, i, place, height))} ${base}
    <text class="below" x=${floorLabel.x} y=${floorLabel.y}>${layout.named ? 'hatched: ' : ''}noise floor ${range}</text>`;
}

function between(from: Pair, to: Pair, share: number): Pair {
  const mix = (a: number, b: number): number => a + share * (b - a);
  return {
    value: mix(from.value, to.value),
    low: mix(from.low, to.low),
    high: mix(from.high, to.high),
    noiseFloor: mix(from.noiseFloor, to.noiseFloor),
    isClear: to.isClear,
  };
}

/** A bar above its floor, or a hollow ring if it may be noise. */
function bar(pair: Pair, i: number, place: Layout['bars'], height: number): TemplateResult {
  const x = place.first + i * place.apart;
  const middle = x + place.width / 2;
  const y = (value: number): number => place.base - value * height;
  const slot = (place.right - place.left) / PAIRS;
  const floor = svg`<rect class="floor" x=${place.left + i * slot} y=${y(pair.noiseFloor)} width=${slot} height=${place.base - y(pair.noiseFloor)}></rect>
    <line class="floor-edge" x1=${place.left + i * slot} x2=${place.left + (i + 1) * slot} y1=${y(pair.noiseFloor)} y2=${y(pair.noiseFloor)}></line>`;
  const number = svg`<text class=${pair.isClear ? 'strong' : ''} text-anchor="middle" x=${middle} y=${y(pair.high) - 8}>${correlation(pair.value)}</text>
    <text class="ordinal" text-anchor="middle" x=${middle} y=${place.base + 18}>${ordinal(i)}</text>`;
  if (!pair.isClear) {
    return svg`${floor}<path class="whisker faint" d="M${middle} ${y(pair.high)}V${y(pair.low)}M${middle - 4} ${y(pair.high)}h8"></path>
      <circle class="dot hollow" cx=${middle} cy=${y(pair.value)} r="4.5"></circle>${number}`;
  }
  const above = Math.min(y(pair.noiseFloor), place.base);
  return svg`${floor}<rect class="bar" x=${x} y=${y(pair.value)} width=${place.width} height=${Math.max(0, above - y(pair.value))}></rect>
    <rect class="bar in-floor" x=${x} y=${above} width=${place.width} height=${place.base - above}></rect>
    <path class="interval" d="M${middle} ${y(pair.high)}V${y(pair.low)}"></path>${number}`;
}
