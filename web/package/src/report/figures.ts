/**
 * Figures as HTML with inline SVG. Positions are percentages, so a figure follows the width of its
 * container while its text keeps its size, without scripts.
 */
import { bound, correlation, levelName, ordinal, percent, hundredths } from './format.js';
import { timesInHundred } from './guarantee.js';
import { markup, type Markup } from './markup.js';
import { divergingStep, roundUp, ticks } from './scale.js';
import { floorRange, standingOf, type Figure, type PairFigure } from './words.js';

const percentage = (share: number): string => `${(100 * share).toFixed(2)}%`;

/** The hatch pattern of a noise floor. Ids must be unique in a document, and the element must not be hidden. */
function hatch(id: string): Markup {
  return markup`<defs><pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" x2="0" y1="0" y2="6"/></pattern></defs>`;
}

/** A canonical pair, optionally with the value without privacy. */
export interface ReferencedPair extends PairFigure {
  reference?: number | undefined;
}

const DOTS = { above: 'dot', 'not clear': 'open', below: 'hollow' };

const ROW = 54;

/** Correlations as dots with intervals; noise floors are hatched, references are dark ticks. */
export function correlationFigure(
  pairs: readonly ReferencedPair[],
  { id, axis, reference }: { id: string; axis: string; reference: string },
): Markup {
  const shown = (value: number | undefined): number => Math.max(0, Math.min(1, value ?? 0));
  const largest = Math.max(
    ...pairs.flatMap((p) => [p.value, p.noiseFloor, p.high ?? 0, p.reference ?? 0].map(shown)),
  );
  const end =
    largest > 0.5
      ? Math.min(1, Math.ceil(largest * 5 + 0.3) / 5)
      : roundUp(Math.max(largest * 1.15, 0.01));
  const at = (value: number): string => percentage(shown(value) / end);
  const top = 34;
  const bottom = top + ROW * pairs.length;
  const grid = ticks(end, 5).map(
    (tick) =>
      markup`<line class="${tick === 0 ? 'base' : 'grid'}" x1="${at(tick)}" x2="${at(tick)}" y1="${top}" y2="${bottom}"/><text class="tick" x="${at(tick)}" y="${bottom + 20}" text-anchor="middle">${tick === 0 ? '0' : tick === 1 ? '1' : correlation(tick).replace(/0$/, '')}</text>`,
  );
  const floors = pairs.map(({ noiseFloor }, i) => {
    if (noiseFloor <= 0) return undefined;
    const y = top + ROW * i;
    return markup`<rect x="0" y="${y}" width="${at(noiseFloor)}" height="${ROW}" fill="url(#${id})"/><line class="floor" x1="${at(noiseFloor)}" x2="${at(noiseFloor)}" y1="${y}" y2="${y + ROW}"/>`;
  });
  const rows = pairs.map((pair, i) => {
    const y = top + ROW * i + 34;
    return markup`<text class="row" x="-14" y="${y + 5}" text-anchor="end">${ordinal(i)}</text>${whisker(pair, at, y)}<circle class="${DOTS[standingOf(pair)]}" cx="${at(pair.value)}" cy="${y}" r="6"/>${referenceTick(pair.reference, at, y)}${pairLabel(pair, at, y, end)}`;
  });
  const hasReference = pairs.some((pair) => pair.reference !== undefined);
  const legend = hasReference
    ? markup`<text class="note" x="50%" y="${bottom + 61}" text-anchor="middle"><tspan class="ours">●</tspan> private<tspan dx="16">❙</tspan> ${reference}</text>`
    : undefined;
  const floorLabel = pairs.some(({ noiseFloor }) => noiseFloor > 0)
    ? markup`<text class="tick" x="0" y="${top - 12}">noise floor ${floorRange(pairs)}</text>`
    : undefined;
  return markup`<figure class="plot"><svg role="img" aria-label="${pairsAlt(pairs, axis, reference)}" height="${bottom + (hasReference ? 66 : 46)}">${hatch(id)}${grid}${floors}${floorLabel}${rows}<text class="tick" x="50%" y="${bottom + 40}" text-anchor="middle">${axis}</text>${legend}</svg></figure>`;
}

function pairLabel(
  pair: ReferencedPair,
  at: (value: number) => string,
  y: number,
  end: number,
): Markup {
  const number = correlation(pair.value);
  if (pair.belowNoiseFloor) {
    const x = Math.max(pair.value, pair.reference ?? 0, pair.noiseFloor, pair.high ?? 0) / end;
    // To the right if there is room at every width, else above the dot.
    const place =
      x < 0.15
        ? markup`x="${percentage(x)}" dx="12" y="${y + 4}"`
        : markup`x="0" dx="6" y="${y - 14}"`;
    return markup`<text class="drowned halo" ${place}><tspan class="strong">${number}</tspan> below the noise floor: do not interpret</text>`;
  }
  const near = Math.max(0, pair.value) / end;
  const anchor = near > 0.94 ? 'end' : near < 0.04 ? 'start' : 'middle';
  const value = markup`<text class="value halo" x="${at(pair.value)}" y="${y - 15}" text-anchor="${anchor}">${number}</text>`;
  if (pair.low === undefined || pair.high === undefined) return value;
  const words = `${correlation(pair.low)} to ${correlation(pair.high)}`;
  const isUnclear = standingOf(pair) === 'not clear';
  if (isUnclear && pair.high / end >= 0.5) {
    // There is no room beside an interval that begins at 0.
    return markup`${value}<text class="tick halo" x="0" dx="6" y="${y + 16}">${words}: not clear</text>`;
  }
  const beside =
    isUnclear || pair.high / end < 0.72
      ? markup`x="${at(pair.high)}" dx="10"`
      : markup`x="${at(pair.low)}" dx="-10" text-anchor="end"`;
  return markup`${value}<text class="tick halo" ${beside} y="${y + 4}">${words}${isUnclear ? ': not clear' : ''}</text>`;
}

function whisker(
  { low, high, belowNoiseFloor }: Figure,
  at: (value: number) => string,
  y: number,
): Markup | undefined {
  if (low === undefined || high === undefined) return undefined;
  // The interval of what is not a finding is pale, dashed and without ends.
  if (belowNoiseFloor) {
    return markup`<line class="whisker faint" x1="${at(low)}" x2="${at(high)}" y1="${y}" y2="${y}"/>`;
  }
  return markup`<line class="whisker" x1="${at(low)}" x2="${at(high)}" y1="${y}" y2="${y}"/><line class="whisker" x1="${at(low)}" x2="${at(low)}" y1="${y - 5}" y2="${y + 5}"/><line class="whisker" x1="${at(high)}" x2="${at(high)}" y1="${y - 5}" y2="${y + 5}"/>`;
}

function referenceTick(
  value: number | undefined,
  at: (value: number) => string,
  y: number,
): Markup | undefined {
  if (value === undefined) return undefined;
  return markup`<line class="truth" x1="${at(value)}" x2="${at(value)}" y1="${y - 11}" y2="${y + 11}"/>`;
}

const STANDINGS = { above: '', 'not clear': ', not clear', below: ', below the noise floor' };

function pairsAlt(pairs: readonly ReferencedPair[], axis: string, reference: string): string {
  const words = pairs.map((pair, i) => {
    const interval =
      pair.low === undefined || pair.high === undefined
        ? ''
        : `, interval ${correlation(pair.low)} to ${correlation(pair.high)}`;
    const known =
      pair.reference === undefined ? '' : `, ${reference} ${correlation(pair.reference)}`;
    return `${ordinal(i)} ${correlation(pair.value)}${interval}${known}${STANDINGS[standingOf(pair)]}`;
  });
  const floor = pairs.some(({ noiseFloor }) => noiseFloor > 0)
    ? ` Noise floor ${floorRange(pairs)}.`
    : '';
  return `${axis.replace(/^./, (c) => c.toUpperCase())}: ${words.join('; ')}.${floor}`;
}

/** The share of each component. */
export interface ShareFigure extends Figure {
  share: number;
  shareLow?: number;
  shareHigh?: number;
}

const HEIGHT = 188;

/** Shares as stems with dots. `noiseFloor` is a share too; 0 if it is unknown. */
export function screeFigure(
  components: readonly ShareFigure[],
  { id, noiseFloor, axis }: { id: string; noiseFloor: number; axis: string },
): Markup {
  const top = 30;
  const bottom = top + HEIGHT;
  const largest = Math.max(
    noiseFloor,
    ...components.map(({ share, shareHigh = 0 }) => Math.max(share, shareHigh)),
  );
  const lines = ticks(largest * 1.08, 4);
  const max = Math.max(largest * 1.08, lines.at(-1) ?? 0);
  const y = (share: number): number =>
    Math.round(10 * (bottom - (Math.max(0, share) / max) * HEIGHT)) / 10;
  const x = (i: number): string => percentage((i + 0.5) / components.length);
  const every = Math.ceil(components.length / 12);
  const marks = components.map((each, i) => {
    const { shareLow: low, shareHigh: high } = each;
    const height = y(each.share);
    const dim = each.belowNoiseFloor;
    const bars =
      low === undefined || high === undefined
        ? undefined
        : markup`<line class="whisker${dim ? ' faint' : ''}" x1="${x(i)}" x2="${x(i)}" y1="${y(low)}" y2="${y(high)}"/>${dim ? undefined : markup`<g class="caps"><svg x="${x(i)}" overflow="visible"><line x1="-5" x2="5" y1="${y(low)}" y2="${y(low)}"/><line x1="-5" x2="5" y1="${y(high)}" y2="${y(high)}"/></svg></g>`}`;
    const labelled = i % every === 0;
    return markup`<line class="${dim ? 'base' : 'stem'}" x1="${x(i)}" x2="${x(i)}" y1="${height}" y2="${bottom}"/>${bars}<circle class="${dim ? 'hollow' : 'dot'}" cx="${x(i)}" cy="${height}" r="5"/>${labelled ? markup`<text class="value halo" x="${x(i)}" y="${Math.min(height, high === undefined ? height : y(high)) - 10}" text-anchor="middle">${hundredths(each.share)}</text><text class="tick" x="${x(i)}" y="${bottom + 18}" text-anchor="middle">${i + 1}</text>` : undefined}`;
  });
  const grid = lines.map(
    (share) =>
      markup`<line class="${share === 0 ? 'base' : 'grid'}" x1="0" x2="100%" y1="${y(share)}" y2="${y(share)}"/><text class="tick" x="-8" y="${y(share) + 4}" text-anchor="end">${bound(share * 100)}${share === lines.at(-1) ? '%' : ''}</text>`,
  );
  const floor =
    noiseFloor > 0
      ? markup`<rect x="0" y="${y(noiseFloor)}" width="100%" height="${bottom - y(noiseFloor)}" fill="url(#${id})"/><line class="floor" x1="0" x2="100%" y1="${y(noiseFloor)}" y2="${y(noiseFloor)}"/><line class="floor" x1="100%" x2="100%" y1="${top - 18}" y2="${y(noiseFloor)}"/><text class="tick halo" x="100%" dx="-6" y="${top - 8}" text-anchor="end">noise floor ${percent(noiseFloor)}</text>`
      : undefined;
  const words = components.map(
    (each, i) =>
      `${i + 1}: ${percent(each.share)}${each.belowNoiseFloor ? ', below the noise floor' : ''}`,
  );
  const alt = `Share of the variance by ${axis}. ${words.join('; ')}.${noiseFloor > 0 ? ` Noise floor ${percent(noiseFloor)}.` : ''}`;
  return markup`<figure class="plot"><svg role="img" aria-label="${alt}" height="${bottom + 44}">${hatch(id)}${grid}${floor}${marks}<text class="tick" x="50%" y="${bottom + 38}" text-anchor="middle">${axis}</text></svg></figure>`;
}

/** One line of a table of bars. */
export interface BarLine {
  name: string;
  /** Length of the bar and ends of its interval, on the table's scale. */
  bar: number;
  low?: number | undefined;
  high?: number | undefined;
  reference?: number | undefined;
  belowNoiseFloor?: boolean;
  /** The two numbers beside the bar. */
  cells: readonly [string, string];
  /** The interval of the first number, shown below it. */
  range?: string | undefined;
  /** The second number for narrow screens, which have no column for it. */
  under: string;
}

/** A table with a bar from a zero line in each row, next to its numbers. */
export function barTable(
  lines: readonly BarLine[],
  {
    limit,
    series,
    heads,
    caption,
  }: { limit: number; series: 1 | 2; heads: readonly string[]; caption: string },
): Markup {
  const at = (value: number): string =>
    percentage((Math.max(-limit, Math.min(limit, value)) / limit + 1) / 2);
  const head = markup`<tr><td></td><td class="draw"><svg height="20" aria-hidden="true"><text class="tick" x="0" y="14">${bound(-limit)}</text><text class="tick" x="50%" y="14" text-anchor="middle">0</text><text class="tick" x="100%" y="14" text-anchor="end">${bound(limit)}</text></svg></td>${heads.map((name, i) => markup`<th scope="col"${i > 0 ? markup` class="also"` : ''}>${name}</th>`)}</tr>`;
  const body = lines.map((line) => {
    const width = percentage(Math.min(limit, Math.abs(line.bar)) / limit / 2);
    const kind = line.belowNoiseFloor === true ? 'none' : `s${series}`;
    const interval =
      line.low === undefined || line.high === undefined
        ? undefined
        : markup`<line class="${line.belowNoiseFloor === true ? 'whisker faint' : 'interval'}" x1="${at(line.low)}" x2="${at(line.high)}" y1="18" y2="18"/>`;
    const known =
      line.reference === undefined
        ? undefined
        : markup`<line class="truth" x1="${at(line.reference)}" x2="${at(line.reference)}" y1="7" y2="29"/>`;
    return markup`<tr${line.belowNoiseFloor === true ? markup` class="faint"` : ''}><th scope="row">${breakable(line.name)}</th><td class="draw"><svg height="36" aria-hidden="true"><rect class="${kind}" x="${at(Math.min(0, line.bar))}" y="10" width="${width}" height="16"/><line class="base" x1="50%" x2="50%" y1="0" y2="36"/>${interval}${known}</svg></td>${line.cells.map((cell, i) => (i === 0 ? markup`<td><strong>${cell}</strong>${line.range === undefined ? undefined : markup`<span class="range">${line.range}</span>`}<span class="under">${line.under}</span></td>` : markup`<td class="also">${cell}</td>`))}</tr>`;
  });
  const ranged = lines.some(({ range }) => range !== undefined);
  return markup`<table class="bars${ranged ? ' ranged' : ''}"><caption class="unseen">${caption}</caption><thead>${head}</thead><tbody>${body}</tbody></table>`;
}

/** A feature's name with a possible line break before the level of a category. */
function breakable(name: string): Markup {
  const level = levelName(name);
  return markup`${name.slice(0, name.length - level.length)}<wbr>${level}`;
}

/** A table of numbers in coloured cells, below a colour scale from -limit to limit. */
export function heatTable(about: {
  caption: string;
  rows: readonly string[];
  columns: readonly string[];
  /** The value of a cell; undefined for an empty cell. */
  entry: (row: number, column: number) => number | undefined;
  limit: number;
  text: (value: number) => string;
  /** The interval of a cell as text, if it has one. */
  range?: (row: number, column: number) => string | undefined;
  /** Columns to show in grey because they must not be interpreted. */
  faint?: (column: number) => boolean;
}): Markup {
  const { caption, rows, columns, entry, limit, text, range, faint } = about;
  const steps = Array.from({ length: 9 }, (_, i) => markup`<b class="c${i + 1}"></b>`);
  const body = rows.map((name, r) => {
    const cells = columns.map((_, c) => {
      const value = entry(r, c);
      if (value === undefined) return markup`<td></td>`;
      const kind = faint?.(c) === true ? 'c5 faint' : `c${divergingStep(value, limit)}`;
      const ends = range?.(r, c);
      return markup`<td class="${kind}"><span>${text(value)}</span>${ends === undefined ? undefined : markup`<small>${ends}</small>`}</td>`;
    });
    return markup`<tr><th scope="row">${breakable(name)}</th>${cells}</tr>`;
  });
  const heads = columns.map((name) => markup`<th scope="col"><span>${levelName(name)}</span></th>`);
  const turned = columns.some((name) => levelName(name).length > 5);
  return markup`<div class="heat${turned ? ' turned' : ''}"><div class="scale" aria-hidden="true">${steps}<span>${bound(-limit)}</span><span>0</span><span>${bound(limit)}</span></div><div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption class="unseen">${caption}</caption><thead><tr><td></td>${heads}</tr></thead><tbody>${body}</tbody></table></div></div>`;
}

/** How often the best guess is right, on a scale from a coin toss to certainty. */
export function guessBar(guess: number, what: 'one release' | 'the sum'): Markup {
  const shown = timesInHundred(guess);
  const turned = guess > 75;
  return markup`<figure class="guess"><svg role="img" aria-label="Best guess: a coin is right 50 times in 100, with ${what} ${shown}, certainty would be 100." height="64"><rect class="track" x="0" y="26" width="100%" height="8"/><rect class="coin" x="0" y="26" width="50%" height="8"/><rect class="dot" x="50%" y="26" width="${percentage(guess / 100 - 0.5)}" height="8"/><line class="ours-line" x1="${percentage(guess / 100)}" x2="${percentage(guess / 100)}" y1="8" y2="34"/><text class="note ours strong" x="${percentage(guess / 100)}" dx="${turned ? -7 : 7}" y="17" text-anchor="${turned ? 'end' : 'start'}">${what} ${shown}</text><text class="tick" x="50%" y="54" text-anchor="middle">coin 50</text><text class="tick" x="100%" y="54" text-anchor="end">certain 100</text></svg></figure>`;
}

/** A table whose first column has the names of the rows. */
export function plainTable(
  heads: readonly string[],
  body: readonly { cells: readonly (string | Markup)[]; faint?: boolean }[],
  caption: string,
): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption class="unseen">${caption}</caption><thead><tr>${heads.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead><tbody>${body.map(
    ({ cells: [first, ...rest], faint }) =>
      markup`<tr${faint === true ? markup` class="faint"` : ''}><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
