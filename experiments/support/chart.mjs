// Draws a figure from the rows of its CSV as SVG: one panel for each value of a column, one line for
// each method, with its intervals. The same methods have the same colours and order in all figures.
import { inOrder, method } from './methods.mjs';

// The picture is 400 units wide, so that its texts can be read on a telephone.
const WIDTH = 400;
const LEFT = 40;
const RIGHT = 8;
const GAP = 46;
const HEIGHT = 118;
const BELOW = 30;
const ABOVE = 22;
const ROW = 13;
const NAMES = 118; // room for the names of methods at the left of their rows
const LETTER = 5.8; // mean width of a letter of the legend, in a wide face
const NOTE = 74; // letters in a line of the note

const COLOURS = {
  ink: ['#1c2430', '#e8ecf1'],
  quiet: ['#5b6675', '#a3aebb'],
  blue: ['#1f5fbf', '#7fb0ff'],
  green: ['#1b7f5c', '#58c99d'],
  teal: ['#0b7c96', '#5cc9dc'],
  purple: ['#7a3fb0', '#c79bff'],
  red: ['#b0214f', '#ff86a8'],
  orange: ['#b4470e', '#ff9d66'],
  olive: ['#776500', '#d9c04a'],
};

const escaped = (text) =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const round = (value) => Number(value.toFixed(1));
const text = (kind, x, y, words) =>
  `<text class="${kind}" x="${round(x)}" y="${round(y)}">${escaped(words)}</text>`;

/** A number as people write it on an axis. */
function written(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e6)) {
    return value.toExponential(0).replace('e+', 'e');
  }
  if (size >= 100_000) return `${value / 1000}k`;
  if (size >= 10_000) return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return String(Number(value.toPrecision(4)));
}

function logTicks(from, to) {
  const decades = Math.log10(to / from);
  const steps = decades > 3 ? [1] : decades > 1.4 ? [1, 3] : [1, 2, 5];
  const ticks = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); ++power) {
    for (const step of steps) ticks.push(Number(`${step}e${power}`));
  }
  const inside = ticks.filter((tick) => tick >= from / 1.001 && tick <= to * 1.001);
  const every = Math.ceil(inside.length / 6);
  return inside.filter((_, i) => i % every === 0);
}

function linearTicks(from, to) {
  const raw = (to - from) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((s) => s * power).find((s) => s >= raw * 0.999);
  const ticks = [];
  for (let tick = Math.ceil(from / step - 1e-9) * step; tick <= to + step * 1e-9; tick += step) {
    ticks.push(Number(tick.toPrecision(10)));
  }
  return ticks;
}

/** The place of a value on an axis of length 1, and the axis's ticks. */
function axisOf({ scale = 'linear', from, to, ticks: chosen }, values) {
  if (scale === 'category') {
    const all = [...new Set(values)];
    const place = (value) => (all.indexOf(value) + 0.5) / all.length;
    return { place, ticks: all, label: String };
  }
  const numbers = values.filter((value) => value !== null && (scale !== 'log' || value > 0));
  const [low, high] = [from ?? Math.min(...numbers), to ?? Math.max(...numbers)];
  if (scale === 'log') {
    const room = from === undefined && to === undefined && low === high ? 2 : 1;
    const [start, end] = [low / room, high * room];
    const place = (value) => Math.log(Math.max(value, start) / start) / Math.log(end / start);
    return { place, ticks: chosen ?? logTicks(start, end), label: written };
  }
  const room = (high - low) * 0.06 || 1;
  const start = from ?? (low >= 0 && low < 0.4 * high ? 0 : low - room);
  const end = to ?? high + room;
  return {
    place: (value) => (value - start) / (end - start),
    ticks: chosen ?? linearTicks(start, end),
    label: written,
  };
}

const clamped = (share) => Math.min(Math.max(share, 0), 1);

/** The values of a quantity and the ends of its intervals. */
const spread = (row, name) => [row[name], row[`${name}_low`] ?? null, row[`${name}_high`] ?? null];

function line(rows, { key, colour, dashes }, { x, y, width }, figure) {
  const at = (row) => [
    round(clamped(x.place(row[figure.x.column])) * width),
    round((1 - clamped(y.place(row[figure.y.column]))) * HEIGHT),
  ];
  const drawn = rows.filter((row) => row[figure.y.column] !== null);
  const points = drawn.map(at);
  const bars = drawn.flatMap((row, i) => {
    const [, low, high] = spread(row, figure.y.column);
    if (low === null || high === null || low === high) return [];
    const [top, bottom] = [high, low].map((end) => round((1 - clamped(y.place(end))) * HEIGHT));
    return [`M${points[i][0]} ${bottom}V${top}`];
  });
  const marks = points.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="1.7"/>`);
  const dash = dashes ? ` stroke-dasharray="${dashes}"` : '';
  const curve =
    figure.x.scale === 'category' || points.length < 2
      ? ''
      : `<path d="M${points.map((p) => p.join(' ')).join('L')}"${dash}/>`;
  const whiskers = bars.length > 0 ? `<path class="interval" d="${bars.join('')}"/>` : '';
  return `<g class="${colour}"><title>${escaped(method(key).label)}</title>${whiskers}${curve}${marks.join('')}</g>`;
}

function panelOf(rows, title, keys, place, figure, axes) {
  const { left, top, width } = place;
  const { x, y } = axes;
  const grid = y.ticks.map((tick) => {
    const at = (1 - y.place(tick)) * HEIGHT;
    return `<path class="grid" d="M0 ${round(at)}H${round(width)}"/>${text('number end', -4, at + 3, y.label(tick))}`;
  });
  const ticks = x.ticks.map((tick) => {
    const words = x.label(tick);
    // A long number at the right end would reach beyond the picture.
    return x.place(tick) > 0.98 && words.length > 3
      ? text('number end', width + RIGHT - 1, HEIGHT + 12, words)
      : text('number middle', x.place(tick) * width, HEIGHT + 12, words);
  });
  const lines = keys.map((key) => {
    const own = rows.filter((row) => row[figure.series.column] === key);
    return own.length === 0 ? '' : line(own, method(key), { x, y, width }, figure);
  });
  return [
    `<g transform="translate(${round(left)} ${round(top)})">`,
    title === undefined ? '' : text('title', 0, -8, title),
    ...grid,
    `<path class="grid" d="M0 ${HEIGHT}H${round(width)}"/>`,
    ...ticks,
    text('number middle', width / 2, HEIGHT + 24, figure.x.label),
    ...lines,
    '</g>',
  ].join('\n');
}

/** A panel with a row for each method: its value as a dot on a horizontal axis, with the interval. */
function rowsPanel(rows, title, keys, place, figure, axis) {
  const { left, top, width } = place;
  const own = keys.filter((key) => rows.some((row) => row[figure.series.column] === key));
  const height = own.length * ROW;
  const grid = axis.ticks.map((tick) => {
    const at = round(axis.place(tick) * width);
    return `<path class="grid" d="M${at} 0V${height}"/>${text('number middle', at, height + 11, axis.label(tick))}`;
  });
  const dots = own.flatMap((key, i) => {
    const y = round((i + 0.5) * ROW);
    const { label, colour, dashes } = method(key);
    const dot = dashes ? ' class="hollow"' : '';
    const name = text('number end', -6, y + 3, label);
    return rows
      .filter((row) => row[figure.series.column] === key && row[figure.y.column] !== null)
      .map((row) => {
        const [value, low, high] = spread(row, figure.y.column);
        const at = (v) => round(clamped(axis.place(v)) * width);
        const bar = low === null || low === high ? '' : `<path d="M${at(low)} ${y}H${at(high)}"/>`;
        return `${name}<g class="${colour}">${bar}<circle${dot} cx="${at(value)}" cy="${y}" r="2.4"/></g>`;
      });
  });
  return {
    height,
    body: [
      `<g transform="translate(${round(left)} ${round(top)})">`,
      title === undefined ? '' : text('title', 0, -6, title),
      ...grid,
      ...dots,
      '</g>',
    ].join('\n'),
  };
}

/** The lines of a note. */
function noteLines({ note }) {
  const lines = [];
  for (const word of note?.split(' ') ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < NOTE) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

/** The height of the title and the note. */
const headHeight = (figure) => 20 + 12 * noteLines(figure).length;

/** Legends in rows as wide as the picture. */
function legend(keys, top) {
  let [x, y] = [4, top];
  const parts = keys.map((key) => {
    const { label, colour, dashes } = method(key);
    const width = 24 + label.length * LETTER + 10;
    if (x + width > WIDTH && x > 4) [x, y] = [4, y + 15];
    const dash = dashes ? ` stroke-dasharray="${dashes}"` : '';
    const part = `<g class="${colour}"><path d="M${round(x)} ${y - 3.5}h18"${dash}/><circle cx="${round(x + 9)}" cy="${y - 3.5}" r="1.7"/></g>${text('key', x + 23, y, label)}`;
    x += width;
    return part;
  });
  return { parts, bottom: y };
}

/** The figure's picture. `rows` are all rows of its CSV. */
export function chart(figure, rows) {
  const shown = rows.filter((row) => (figure.where ? figure.where(row) : true));
  const present = new Set(shown.map((row) => row[figure.series.column]));
  const keys = inOrder((figure.series.only ?? [...present]).filter((key) => present.has(key)));
  const drawn = shown.filter((row) => keys.includes(row[figure.series.column]));
  if (drawn.length === 0) throw new Error(`${figure.name}: nothing to draw`);

  const values = figure.panel && new Set(drawn.map((row) => row[figure.panel.column]));
  const titles = figure.panel?.titles ?? {};
  const panels = figure.panel
    ? [
        ...Object.keys(titles).filter((name) => values.has(name) || values.has(Number(name))),
        ...[...values].filter((value) => !(value in titles)),
      ]
    : [undefined];
  const rowsOf = (panel) =>
    panel === undefined
      ? drawn
      : drawn.filter((row) => String(row[figure.panel.column]) === String(panel));

  const extent = (own) =>
    own.flatMap((row) => spread(row, figure.y.column)).filter((v) => v !== null);
  const titleOf = (panel) => (panel === undefined ? undefined : (titles[panel] ?? panel));
  const shared = figure.y.shared === false ? undefined : axisOf(figure.y, extent(drawn));
  const layout = figure.kind === 'rows' ? inRows : asLines;
  const { bodies, head, label, height } = layout(figure, {
    panels,
    keys,
    rowsOf,
    titleOf,
    axisFor: (own) => shared ?? axisOf(figure.y, extent(own)),
  });
  return picture(figure, height, [...head, label, ...bodies]);
}

/** Panels of lines, two beside each other, below a legend. */
function asLines(figure, { panels, keys, rowsOf, titleOf, axisFor }) {
  const across = panels.length === 1 ? 1 : 2;
  const width = (WIDTH - LEFT - RIGHT - (across - 1) * GAP) / across;
  const head = legend(keys, headHeight(figure) + 14);
  const first = head.bottom + ABOVE + (figure.panel ? 16 : 0);
  const down = HEIGHT + BELOW + ABOVE + 4;
  const bodies = panels.map((panel, i) => {
    const own = rowsOf(panel);
    const places = own.map((row) => row[figure.x.column]);
    const place = {
      left: LEFT + (i % across) * (width + GAP),
      top: first + Math.floor(i / across) * down,
      width,
    };
    const axes = { x: axisOf(figure.x, places), y: axisFor(own) };
    return panelOf(own, titleOf(panel), keys, place, figure, axes);
  });
  return {
    bodies,
    head: head.parts,
    label: text('number', 4, first - (figure.panel ? 21 : 8), figure.y.label),
    height: first + Math.ceil(panels.length / across) * down - ABOVE + 4,
  };
}

/** Panels of rows below each other, each with the names of its methods. */
function inRows(figure, { panels, keys, rowsOf, titleOf, axisFor }) {
  let top = headHeight(figure) + 20;
  const label = text('number', NAMES, top - 8, figure.y.label);
  const bodies = panels.map((panel) => {
    const own = rowsOf(panel);
    if (panel !== undefined) top += 18;
    const place = { left: NAMES, top, width: WIDTH - NAMES - RIGHT - 4 };
    const { body, height } = rowsPanel(own, titleOf(panel), keys, place, figure, axisFor(own));
    top += height + 22;
    return body;
  });
  return { bodies, head: [], label, height: top - 2 };
}

function picture(figure, height, parts) {
  const names = Object.keys(COLOURS);
  const themed = (which) => names.map((name) => `--${name}: ${COLOURS[name][which]};`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${round(height)}" width="640" role="img" aria-labelledby="title description">
<title id="title">${escaped(figure.title)}</title>
<desc id="description">${escaped(figure.description)}</desc>
<style>
svg { --paper: #ffffff; --line: #dde2e8; ${themed(0)} font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { svg { --paper: #12171e; --line: #2c3540; ${themed(1)} } }
.paper { fill: var(--paper); }
text { fill: var(--ink); font-size: 10px; }
.head { font-size: 12px; font-weight: 600; }
.title { font-weight: 600; }
.number, .note { fill: var(--quiet); font-size: 9px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
path { fill: none; stroke-width: 1.5; stroke-linejoin: round; stroke: currentColor; }
.grid { stroke: var(--line); stroke-width: 0.6; }
.interval { stroke-width: 0.8; stroke-opacity: 0.75; }
circle { fill: currentColor; }
.hollow { fill: var(--paper); stroke: currentColor; stroke-width: 1.4; }
${names.map((name) => `.${name} { color: var(--${name}); }`).join('\n')}
</style>
<rect class="paper" width="${WIDTH}" height="${round(height)}"/>
${text('head', 4, 15, figure.title)}
${noteLines(figure)
  .map((words, i) => text('note', 4, 29 + 12 * i, words))
  .join('\n')}
${parts.join('\n')}
</svg>
`;
}
