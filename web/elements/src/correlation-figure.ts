import { LitElement, html, nothing, svg, type TemplateResult } from 'lit';
import { capitalised, correlation, ordinal } from './format.js';
import { figureStyles, hatch } from './hatch.js';
import type { Pair } from './results.js';
import { roundUp, ticks } from './scale.js';
import { styles } from './styles.js';
import { WidthController } from './width.js';

const TOP = 30;
const ROW = 48;
const LEFT = 60;
const RIGHT = 28;

/**
 * Canonical correlations as dots on one axis with their intervals, where there are some, and the
 * noise floor hatched. `axis-label` says what the numbers are.
 */
export class PmCorrelationFigure extends LitElement {
  static override properties = {
    pairs: { attribute: false },
    noiseFloor: { type: Number, attribute: 'noise-floor' },
    axisLabel: { attribute: 'axis-label' },
  };

  static override styles = [styles, figureStyles];

  declare pairs: readonly Pair[];
  declare noiseFloor: number;
  declare axisLabel: string;

  readonly #size = new WidthController(this, 640);

  constructor() {
    super();
    this.pairs = [];
    this.noiseFloor = 0;
    this.axisLabel = 'canonical correlation';
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const floor = Math.min(1, this.noiseFloor);
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
    const floorLabel = `noise floor ${correlation(floor)}`;
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
      <rect class="floor" x=${x(0)} y=${TOP} width=${x(floor) - x(0)} height=${bottom - TOP}></rect>
      <line class="floor-edge" x1=${x(floor)} x2=${x(floor)} y1=${TOP} y2=${bottom}></line>
      <text
        x=${Math.max(x(floor), LEFT + 44)}
        y=${TOP - 10}
        text-anchor=${x(floor) > width - 70 ? 'end' : 'middle'}
      >
        ${floorLabel}
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
    const words = 'below the noise floor: do not interpret';
    const { low, high } = pair;
    const to = high === undefined ? at : x(Math.min(1, high));
    const beside = Math.max(at + 16, to + 10, x(Math.min(1, this.noiseFloor)) + 10);
    const room = width - beside > 280 ? words : 'below the noise floor';
    return svg`
      <text class="strong" x=${LEFT - 16} y=${y + 5} text-anchor="end">${ordinal(index)}</text>
      <line class="grid" x1=${x(0)} x2=${at} y1=${y} y2=${y}></line>
      ${low === undefined || high === undefined ? nothing : whisker(x(Math.max(0, low)), to, y, pair.belowNoiseFloor)}
      <circle class="dot ${pair.belowNoiseFloor ? 'hollow' : ''}" cx=${at} cy=${y} r="7"></circle>
      ${
        pair.belowNoiseFloor
          ? svg`<text class="halo" x=${beside} y=${y + 4}><tspan font-weight="600">${number}</tspan> ${room}</text>`
          : svg`<text class="strong halo" x=${at} y=${y - 14} text-anchor="middle">${number}</text>
            ${low === undefined || high === undefined ? nothing : intervalText(low, high, x, y, width)}`
      }`;
  }

  #description(): string {
    const values = this.pairs.map(
      (pair, i) =>
        `${ordinal(i)} ${correlation(pair.value)}${intervalWords(pair)}${pair.belowNoiseFloor ? ', below the noise floor' : ''}`,
    );
    const title = capitalised(this.axisLabel).replace('correlation', 'correlations');
    return `${title}: ${values.join('; ')}. Noise floor ${correlation(this.noiseFloor)}.`;
  }
}

function whisker(from: number, to: number, y: number, faint: boolean): TemplateResult {
  const kind = faint ? 'whisker faint' : 'whisker';
  return svg`<line class=${kind} x1=${from} x2=${to} y1=${y} y2=${y}></line>
    <line class=${kind} x1=${from} x2=${from} y1=${y - 5} y2=${y + 5}></line>
    <line class=${kind} x1=${to} x2=${to} y1=${y - 5} y2=${y + 5}></line>`;
}

/** Beside the interval where there is room, to its right if possible. */
function intervalText(
  low: number,
  high: number,
  x: (value: number) => number,
  y: number,
  width: number,
): TemplateResult {
  const words = `${correlation(low)} to ${correlation(high)}`;
  const isRight = width - x(Math.min(1, high)) > 86;
  return svg`<text class="halo" x=${isRight ? x(high) + 10 : x(low) - 10} y=${y + 4} text-anchor=${isRight ? 'start' : 'end'}>${words}</text>`;
}

function intervalWords({ low, high }: Pair): string {
  return low === undefined || high === undefined
    ? ''
    : `, interval ${correlation(low)} to ${correlation(high)}`;
}
