import { LitElement, html, nothing, svg, type TemplateResult } from 'lit';
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
import type { Pair } from './figure-data.js';
import type { FigureNumbers } from './figure-file.js';
import { styles } from '../look/styles.js';
import { intervalWords, whisker } from './whisker.js';
import { WidthController } from './width.js';

const TOP = 30;
const ROW = 48;
const LEFT = 60;
const RIGHT = 28;

const DOTS = { above: '', 'not clear': 'open', below: 'hollow' };
const STANDINGS = { above: '', 'not clear': ', not clear', below: ', below the noise floor' };

/**
 * Canonical correlations as dots on one axis, with their intervals if they have any, and the noise floor
 * of each hatched in its row. `axis-label` names the numbers.
 */
export class PmCorrelationFigure extends LitElement {
  static override properties = {
    pairs: { attribute: false },
    axisLabel: { attribute: 'axis-label' },
  };

  static override styles = [styles, figureStyles];

  declare pairs: readonly Pair[];
  declare axisLabel: string;

  readonly #size = new WidthController(this, 640);

  constructor() {
    super();
    this.pairs = [];
    this.axisLabel = 'canonical correlation';
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const floor = Math.min(1, Math.max(0, ...this.pairs.map(({ noiseFloor }) => noiseFloor)));
    const largest = Math.max(
      floor,
      ...this.pairs.map(({ value, high = 0 }) => Math.min(1, Math.max(value, high))),
    );
    const max = Math.min(
      1,
      largest > 0.5 ? Math.ceil(largest * 5 + 0.4) / 5 : roundUp(largest * 1.15),
    );
    const x = (value: number): number => LEFT + (value / max) * (width - LEFT - RIGHT);
    const bottom = TOP + this.pairs.length * ROW;
    const axis = ticks(max, width < 500 ? 4 : 5);
    return html`<svg
      width=${width}
      height=${bottom + 44}
      role="img"
      aria-label=${this.#description()}
    >
      ${hatch}
      ${axis
        .slice(1)
        .map(
          (tick) =>
            svg`<line class="grid" x1=${x(tick)} x2=${x(tick)} y1=${TOP} y2=${bottom}></line>`,
        )}
      ${this.pairs.map(({ noiseFloor }, i) => {
        const y = TOP + i * ROW;
        const edge = x(Math.min(1, noiseFloor));
        return svg`<rect class="floor" x=${x(0)} y=${y} width=${edge - x(0)} height=${ROW}></rect>
          <line class="floor-edge" x1=${edge} x2=${edge} y1=${y} y2=${y + ROW}></line>`;
      })}
      <text
        x=${Math.max(x(floor), LEFT + 60)}
        y=${TOP - 10}
        text-anchor=${x(floor) > width - 70 ? 'end' : 'middle'}
      >
        ${this.pairs.length === 0 ? nothing : `noise floor ${floorRange(this.pairs)}`}
      </text>
      <line class="baseline" x1=${x(0)} x2=${x(0)} y1=${TOP} y2=${bottom}></line>
      ${this.pairs.map((pair, i) => this.#pair(pair, i, x, width))}
      ${axis.map(
        (tick) =>
          svg`<text x=${x(tick)} y=${bottom + 18} text-anchor="middle">${tick === 0 ? '0' : tick === 1 ? '1' : correlation(tick).replace(/0$/, '')}</text>`,
      )}
      <text x=${(x(0) + x(max)) / 2} y=${bottom + 38} text-anchor="middle">${this.axisLabel}</text>
    </svg>`;
  }

  #pair(pair: Pair, index: number, x: (value: number) => number, width: number): TemplateResult {
    const y = TOP + index * ROW + ROW / 2 + 2;
    const at = x(Math.max(0, pair.value));
    const number = correlation(pair.value);
    const words = 'below the noise floor: do not interpret it';
    const { low, high } = pair;
    const to = high === undefined ? at : x(Math.min(1, high));
    const beside = Math.max(at + 16, to + 10, x(Math.min(1, pair.noiseFloor)) + 10);
    const room = width - beside > 280 ? words : 'below the noise floor';
    return svg`
      <text class="strong" x=${LEFT - 16} y=${y + 5} text-anchor="end">${ordinal(index)}</text>
      <line class="grid" x1=${x(0)} x2=${at} y1=${y} y2=${y}></line>
      ${low === undefined || high === undefined ? nothing : whisker({ x1: x(Math.max(0, low)), x2: to, y1: y, y2: y }, { dy: 5 }, pair.belowNoiseFloor)}
      <circle class="dot ${DOTS[standingOf(pair)]}" cx=${at} cy=${y} r="7"></circle>
      ${
        pair.belowNoiseFloor
          ? svg`<text class="halo" x=${beside} y=${y + 4}><tspan font-weight="600">${number}</tspan> ${room}</text>`
          : svg`<text class="strong halo" x=${at} y=${y - 14} text-anchor="middle">${number}</text>
            ${low === undefined || high === undefined ? nothing : intervalText({ low, high, isUnclear: standingOf(pair) === 'not clear' }, x, y, width)}`
      }`;
  }

  numbers(): FigureNumbers {
    return {
      header: ['place', 'value', 'low', 'high', 'noise_floor', 'standing'],
      lines: this.pairs.map((pair, i) => [
        ...[i + 1, pair.value, pair.low, pair.high, pair.noiseFloor, standingOf(pair)],
      ]),
    };
  }

  #description(): string {
    const values = this.pairs.map(
      (pair, i) =>
        `${ordinal(i)} ${correlation(pair.value)}${intervalWords(pair.low, pair.high, correlation)}${STANDINGS[standingOf(pair)]}`,
    );
    const title = capitalised(this.axisLabel).replace('correlation', 'correlations');
    const floor = this.pairs.length === 0 ? '' : ` Noise floor ${floorRange(this.pairs)}.`;
    return `${title}: ${values.join('; ')}.${floor}`;
  }
}

/** The text of an interval: to its right if there is room, else to its left. */
function intervalText(
  { low, high, isUnclear }: { low: number; high: number; isUnclear: boolean },
  x: (value: number) => number,
  y: number,
  width: number,
): TemplateResult {
  const range = `${correlation(low)} to ${correlation(high)}`;
  const words = isUnclear ? `${range}: not clear` : range;
  const isRight = width - x(Math.min(1, high)) > (isUnclear ? 138 : 86);
  if (isUnclear && !isRight) {
    // There is no room to the left of an interval that starts at 0, so the text goes below it.
    return svg`<text class="halo" x=${x(0) + 6} y=${y + 18}>${words}</text>`;
  }
  return svg`<text class="halo" x=${isRight ? x(high) + 10 : x(low) - 10} y=${y + 4} text-anchor=${isRight ? 'start' : 'end'}>${words}</text>`;
}
