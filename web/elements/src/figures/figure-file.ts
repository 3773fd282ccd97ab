import { csvText, type CsvCell } from 'private-moments/internal';
import { COLOURS, FONT } from 'private-moments/words';
import { textWidth } from './line-figure.js';
import { wrapped } from './wrapped.js';

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 24;
const BETWEEN = 20;
const LEAST_WIDTH = 320;
/** Pixels of the PNG for each of the SVG. */
const PNG_SCALE = 2;

/** The numbers of a figure, one line for each mark. */
export interface FigureNumbers {
  header: readonly string[];
  lines: readonly (readonly CsvCell[])[];
}

/** A figure that can be saved. Everything it draws is in `svg` and `canvas` elements of its shadow root. */
export interface SavableFigure extends HTMLElement {
  readonly renderRoot: HTMLElement | DocumentFragment;
  numbers(): FigureNumbers;
  /** Paints its canvas again, in the colours now in force. */
  repaint?(): void;
}

/** A drawing with the name of its part; empty if there is only one. */
export interface Drawing {
  part: string;
  figure: SavableFigure;
}

/** What a saved figure says of itself. */
export interface FigureWords {
  study: string;
  title: string;
  caption: string;
  guarantee: string;
}

/** Properties that the style sheets of figures set; the file has them as attributes. */
const DRAWN = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap'],
  ...['stroke-linejoin', 'opacity', 'font-size', 'font-weight', 'text-anchor', 'paint-order'],
  'letter-spacing',
];
/** Their values in a document without styles. */
const INITIAL: Record<string, string> = {
  'fill-opacity': '1',
  stroke: 'none',
  'stroke-width': '1px',
  'stroke-dasharray': 'none',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  opacity: '1',
  'text-anchor': 'start',
  'paint-order': 'normal',
  'letter-spacing': 'normal',
};

/**
 * Drawings as one SVG that needs nothing else: colours resolved for a light page, fonts that fall back,
 * with the title above and the caption and the guarantee below.
 */
export function svgOf(drawings: readonly Drawing[], words: FigureWords): string {
  const parts = drawings.map(({ part, figure }, i) => ({ part, ...copyOf(figure, i) }));
  const inner = Math.max(LEAST_WIDTH, ...parts.map(({ width }) => width));
  const root = create('svg', {});
  root.append(
    create('title', {}, `${words.title}. ${words.study}`),
    create('desc', {}, `${words.caption} ${words.guarantee}`),
  );
  const page = create('rect', { width: '100%', height: '100%', fill: colour('bg') });
  root.append(page);
  let y = MARGIN;
  const write = (text: string, size: number, line: number, weight: number, role: string): void => {
    for (const words of wrapped(text, inner, (each) => textWidth(each, size, weight))) {
      y += line;
      const at = { x: MARGIN, y: y - Math.round(line * 0.25), fill: colour(role) };
      root.append(create('text', { ...at, 'font-size': size, 'font-weight': weight }, words));
    }
  };
  write(words.title, 18, 24, 600, 'ink');
  write(words.study, 13, 20, 400, 'ink-3');
  for (const { part, group, height } of parts) {
    y += BETWEEN;
    if (part !== '') {
      write(part, 14, 20, 600, 'ink');
      y += 8;
    }
    group.setAttribute('transform', `translate(${MARGIN} ${y})`);
    root.append(group);
    y += height;
  }
  y += BETWEEN - 4;
  write(words.caption, 12, 18, 400, 'ink-2');
  write(words.guarantee, 12, 18, 400, 'ink-2');
  const [width, height] = [inner + 2 * MARGIN, Math.ceil(y + MARGIN)];
  for (const [name, value] of Object.entries({ width, height, 'font-family': FONT })) {
    root.setAttribute(name, String(value));
  }
  root.setAttribute('viewBox', `0 0 ${width} ${height}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}

/** The picture of an SVG with twice as many pixels each way. */
export async function pngOf(text: string): Promise<Blob> {
  const image = new Image();
  // Policies of pages more often allow images from `data:` than from `blob:`.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * PNG_SCALE;
  canvas.height = image.naturalHeight * PNG_SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('this browser cannot make a picture of this size'));
      else resolve(blob);
    }, 'image/png');
  });
}

/** The numbers of the drawings, each line with its part and what the figure says of itself. */
export function csvOf(drawings: readonly Drawing[], words: FigureWords): string {
  const parts = drawings.map(({ part, figure }) => ({ part, ...figure.numbers() }));
  const isParted = parts.some(({ part }) => part !== '');
  const about = ['study', 'figure', 'caption', 'guarantee'];
  const header = [...(isParted ? ['part'] : []), ...(parts[0]?.header ?? []), ...about];
  return csvText(
    header,
    parts.flatMap(({ part, lines }) =>
      lines.map((line) => [
        ...(isParted ? [part] : []),
        ...line,
        ...[words.study, words.title, words.caption, words.guarantee],
      ]),
    ),
  );
}

/** A figure as it would be drawn on a light page, with its size in pixels. */
function copyOf(
  figure: SavableFigure,
  place: number,
): { group: SVGElement; width: number; height: number } {
  const { colorScheme } = figure.style;
  figure.style.colorScheme = 'light';
  figure.repaint?.();
  try {
    const box = figure.getBoundingClientRect();
    const group = create('g', {});
    let bottom = 0;
    for (const drawn of figure.renderRoot.querySelectorAll<SVGSVGElement | HTMLCanvasElement>(
      'svg[role=img], svg[data-drawn], canvas',
    )) {
      const { left, top, width, height } = drawn.getBoundingClientRect();
      const at = { x: left - box.left, y: top - box.top };
      bottom = Math.max(bottom, at.y + height);
      if (drawn instanceof HTMLCanvasElement) {
        const image = create('image', { ...at, width, height, preserveAspectRatio: 'none' });
        image.setAttribute('href', drawn.toDataURL());
        if (getComputedStyle(drawn).imageRendering === 'pixelated') {
          image.setAttribute('image-rendering', 'pixelated');
        }
        group.append(image);
      } else {
        const copy = create('g', { transform: `translate(${at.x} ${at.y})` });
        for (const child of drawn.children) copyInto(copy, child, `-${place}`);
        group.append(copy);
      }
    }
    return { group, width: box.width, height: bottom };
  } finally {
    figure.style.colorScheme = colorScheme;
    figure.repaint?.();
  }
}

/** Copies an element with its looks as attributes, so that it needs no style sheet. */
function copyInto(parent: SVGElement, element: Element, suffix: string): void {
  if (element.hasAttribute('data-pointer')) return;
  const style = getComputedStyle(element);
  if (style.display === 'none') return;
  const copy = create(element.localName, {});
  for (const { name, value } of element.attributes) {
    if (name !== 'class') copy.setAttribute(name, name === 'id' ? value + suffix : value);
  }
  for (const name of DRAWN) {
    const isText = element.localName === 'text' || element.localName === 'tspan';
    if (name.startsWith('font') && !isText) continue;
    const value = style.getPropertyValue(name);
    if (value === '' || value === INITIAL[name]) continue;
    copy.setAttribute(name, value.replace(/url\("?#([\w-]+)"?\)/, `url(#$1${suffix})`));
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) copyInto(copy, child, suffix);
    else if (child instanceof Text) copy.append(printable(child.data).replace(/\s+/g, ' '));
  }
  parent.append(copy);
}

function create(
  name: string,
  attributes: Record<string, string | number>,
  text?: string,
): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = printable(text);
  return element;
}

/** Without the control characters that XML does not allow. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function colour(role: string): string {
  return COLOURS[role]?.[0] ?? '#000000';
}
