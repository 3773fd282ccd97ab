import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import {
  capitalised,
  correlation,
  floorRange,
  ordinal,
  roundUp,
  standingOf,
  ticks,
} from 'private-moments/words';
import { figureStyles, hatch } from './hatch.js';
import type { Pair, PairWords } from './figure-data.js';
import type { FigureNumbers } from './figure-file.js';
import { textWidth } from './line-figure.js';
import { ReadOut, readOutStyles, type Mark } from './read-out.js';
import { styles } from '../look/styles.js';
import { faintWhisker, intervalWords, twoToneWhisker } from './whisker.js';
import { WidthController } from './width.js';
import { wrapped } from './wrapped.js';

const TOP = 30;
const BAR = 22;
/** Height of a row without a sentence. */
const ROW = 52;
/** Room for the ordinals where there are no sentences. */
const ORDINALS = 52;
/** Room for a number and its interval beside a bar. */
const NUMBERS = 132;
/** The same where one of them is below the noise floor, which is said there. */
const NUMBERS_BELOW = 152;
/** Below this width, a sentence stands above its bar. */
const NARROW = 620;
/** Share of the width for the sentences beside the bars. */
const WORDS = 0.42;

/** Size, line height and weight of the texts of a row. */
const KINDS = {
  before: { size: 12, line: 17, weight: 400 },
  sentence: { size: 14, line: 19, weight: 600 },
  detail: { size: 12, line: 17, weight: 400 },
} as const;

const STANDINGS = { above: '', 'not clear': ', not clear', below: ', below the noise floor' };

interface Line {
  kind: keyof typeof KINDS;
  text: string;
  /** Its baseline below the top of the row's texts. */
  y: number;
}

interface Row {
  pair: Pair;
  top: number;
  height: number;
  /** The middle of the bar. */
  middle: number;
  lines: readonly Line[];
  linesTop: number;
}

/**
 * Canonical correlations as bars from zero, with their intervals if they have any, and the noise floor of
 * each hatched in its row. `axis-label` names the numbers; `sentences` say what each pair means,
 * beside its bar or, in a narrow figure, above it.
 */
export class PmCorrelationFigure extends LitElement {
  static override properties = {
    pairs: { attribute: false },
    sentences: { attribute: false },
    axisLabel: { attribute: 'axis-label' },
  };

  static override styles = [
    styles,
    figureStyles,
    readOutStyles,
    css`
      text.before {
        fill: var(--_warn);
      }

      text.sentence {
        fill: var(--_ink);
        font-size: 14px;
        font-weight: 600;
      }

      text.sentence.faint {
        fill: var(--_ink-2);
        font-weight: 400;
      }
    `,
  ];

  declare pairs: readonly Pair[];
  declare sentences: readonly PairWords[];
  declare axisLabel: string;

  readonly #size = new WidthController(this, 640);
  readonly #readOut = new ReadOut(this, 'rows');

  constructor() {
    super();
    this.pairs = [];
    this.sentences = [];
    this.axisLabel = 'canonical correlation';
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const isBeside = this.sentences.length > 0 && width >= NARROW;
    const left = isBeside ? Math.round(width * WORDS) : this.sentences.length > 0 ? 8 : ORDINALS;
    const rows = this.#rows(isBeside ? left - 24 : width, isBeside);
    const max = this.#max();
    const isBelow = this.pairs.some(({ belowNoiseFloor }) => belowNoiseFloor);
    const numbers = isBelow ? NUMBERS_BELOW : NUMBERS;
    const x = (value: number): number => left + (value / max) * (width - left - numbers);
    const bottom = rows.reduce((end, { top, height }) => Math.max(end, top + height), TOP);
    const axis = ticks(max, width < 500 ? 3 : 5);
    const floor = Math.min(1, Math.max(0, ...this.pairs.map(({ noiseFloor }) => noiseFloor)));
    const marks = rows.map(({ pair, middle }, i): Mark => {
      return { x: x(Math.min(1, Math.max(0, pair.value))), y: middle, words: wordsOfPair(pair, i) };
    });
    return this.#readOut.render(
      this.axisLabel,
      marks,
      (pointer) =>
        html`<svg
          width=${width}
          height=${bottom + 44}
          viewBox="0 0 ${width} ${bottom + 44}"
          role="img"
          aria-label=${this.#description()}
        >
          ${hatch}
          <line class="baseline" x1="0" x2=${width} y1=${TOP - 0.5} y2=${TOP - 0.5}></line>
          ${rows.map((row) => this.#lane(row, x, axis.slice(1), isBeside))}
          <text x=${Math.max(x(floor), left)} y=${TOP - 10} text-anchor="start">
            ${this.pairs.length === 0 ? nothing : `noise floor ${floorRange(this.pairs)}`}
          </text>
          ${rows.map(
            ({ top, height }) =>
              svg`<line class="grid" x1="0" x2=${width} y1=${top + height - 0.5} y2=${top + height - 0.5}></line>`,
          )}
          ${rows.map((row, i) => this.#pair(row, i, x))}
          ${axis.map(
            (tick) =>
              svg`<text x=${x(tick)} y=${bottom + 18} text-anchor="middle">${tick === 0 ? '0' : tick === 1 ? '1' : correlation(tick).replace(/0$/, '')}</text>`,
          )}
          <text
            x=${isBeside ? (x(0) + x(max)) / 2 : left}
            y=${bottom + 38}
            text-anchor=${isBeside ? 'middle' : 'start'}
          >
            ${this.axisLabel}
          </text>
          ${pointer}
        </svg>`,
    );
  }

  /** The end of the axis: a little beyond the largest number drawn. */
  #max(): number {
    const largest = Math.max(
      0,
      ...this.pairs.flatMap(({ value, high = 0, noiseFloor }) => [value, high, noiseFloor]),
    );
    if (largest > 0.5) return Math.min(1, Math.ceil(largest * 10) / 10);
    return largest === 0 ? 1 : roundUp(largest);
  }

  /** The rows from top to bottom, each as high as its texts and its bar need. */
  #rows(room: number, isBeside: boolean): Row[] {
    let top = TOP;
    return this.pairs.map((pair, i): Row => {
      const words = this.sentences[i];
      const lines = words === undefined ? [] : linesOf(words, room);
      const text = lines.reduce((end, { y }) => Math.max(end, y + 5), 0);
      const height =
        words === undefined ? ROW : isBeside ? Math.max(64, text + 24) : text + BAR + 34;
      const linesTop = isBeside ? top + (height - text) / 2 : top + 12;
      const middle =
        words === undefined || isBeside ? top + height / 2 : top + height - BAR / 2 - 12;
      const row = { pair, top, height, middle, lines, linesTop };
      top += height;
      return row;
    });
  }

  /** What lies behind a bar: the lines of the axis and the noise floor. */
  #lane(
    { pair, top, height, middle }: Row,
    x: (value: number) => number,
    ticks: readonly number[],
    isBeside: boolean,
  ): TemplateResult {
    const edge = x(Math.min(1, pair.noiseFloor));
    // They do not cross the sentence above a bar.
    const isLane = this.sentences.length > 0 && !isBeside;
    const [from, to] = isLane ? [middle - BAR / 2 - 6, middle + BAR / 2 + 6] : [top, top + height];
    return svg`${ticks.map((tick) => svg`<line class="grid" x1=${x(tick)} x2=${x(tick)} y1=${from} y2=${to}></line>`)}
      <rect class="floor" x=${x(0)} y=${from} width=${edge - x(0)} height=${to - from}></rect>
      <line class="floor-edge" x1=${edge} x2=${edge} y1=${from} y2=${to}></line>
      <line class="baseline" x1=${x(0)} x2=${x(0)} y1=${from} y2=${to}></line>`;
  }

  #pair(row: Row, index: number, x: (value: number) => number): TemplateResult {
    const { pair, middle: y, lines, linesTop } = row;
    const { low, high, belowNoiseFloor } = pair;
    const standing = standingOf(pair);
    const zero = x(0);
    const end = x(Math.min(1, Math.max(0, pair.value)));
    const ends =
      low === undefined || high === undefined
        ? undefined
        : { x1: x(Math.max(0, low)), x2: x(Math.min(1, high)), y1: y, y2: y };
    const beside =
      Math.max(end, ends?.x2 ?? 0, belowNoiseFloor ? x(Math.min(1, pair.noiseFloor)) : 0) + 12;
    const interval =
      low === undefined || high === undefined ? '' : `${correlation(low)} to ${correlation(high)}`;
    return svg`
      ${
        lines.length === 0
          ? svg`<text class="strong" x=${ORDINALS - 16} y=${y + 5} text-anchor="end">${ordinal(index)}</text>`
          : lines.map(
              ({ kind, text, y }) =>
                svg`<text class="${kind} ${belowNoiseFloor ? 'faint' : ''}" x="0" y=${linesTop + y}>${text}</text>`,
            )
      }
      ${
        belowNoiseFloor
          ? svg`${ends === undefined ? nothing : faintWhisker(ends)}
            <circle class="dot hollow" cx=${end} cy=${y} r="6"></circle>`
          : svg`<rect class="bar ${standing === 'above' ? '' : 'pale'}" x=${zero} y=${y - BAR / 2} width=${end - zero} height=${BAR}></rect>
            ${ends === undefined ? nothing : twoToneWhisker([ends.x1, ends.x2], y, standing === 'above' ? [zero, end] : undefined)}`
      }
      ${
        belowNoiseFloor
          ? svg`<text class="halo" x=${beside} y=${y - 3}><tspan class="value">${correlation(pair.value)}</tspan></text>
            <text class="halo" x=${beside} y=${y + 14}>below the noise floor</text>`
          : svg`<text class="halo" x=${beside} y=${y + 5}>
              <tspan class="value">${correlation(pair.value)}</tspan>
              <tspan dx="4">${interval}</tspan>
            </text>`
      }`;
  }

  numbers(): FigureNumbers {
    return {
      header: ['place', 'value', 'low', 'high', 'noise_floor', 'standing', 'in_words'],
      lines: this.pairs.map((pair, i) => [
        ...[i + 1, pair.value, pair.low, pair.high, pair.noiseFloor, standingOf(pair)],
        wordsOf(this.sentences[i]),
      ]),
    };
  }

  #description(): string {
    const values = this.pairs.map(wordsOfPair);
    const title = capitalised(this.axisLabel).replace('correlation', 'correlations');
    const floor = this.pairs.length === 0 ? '' : ` Noise floor ${floorRange(this.pairs)}.`;
    const words = this.sentences.map((each) => ` ${wordsOf(each)}`).join('');
    return `${title}: ${values.join('; ')}.${floor}${words}`;
  }
}

/** "1st .62, interval .61 to .63" */
function wordsOfPair(pair: Pair, place: number): string {
  return `${ordinal(place)} ${correlation(pair.value)}${intervalWords(pair.low, pair.high, correlation)}${STANDINGS[standingOf(pair)]}`;
}

function wordsOf(words: PairWords | undefined): string {
  if (words === undefined) return '';
  const { before, sentence, detail } = words;
  return [before, sentence, detail].filter((text) => text !== undefined).join(' ');
}

/** The texts of a row as lines at most `room` pixels wide. */
function linesOf(words: PairWords, room: number): Line[] {
  const lines: Line[] = [];
  let y = 0;
  for (const kind of ['before', 'sentence', 'detail'] as const) {
    const { size, line, weight } = KINDS[kind];
    for (const text of wrapped(words[kind] ?? '', room, (each) => textWidth(each, size, weight))) {
      y += line;
      lines.push({ kind, text, y: y - 5 });
    }
  }
  return lines;
}
