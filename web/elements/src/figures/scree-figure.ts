import { LitElement, html, nothing, svg, type TemplateResult } from 'lit';
import { bound, hundredths, percent, ticks } from 'private-moments/words';
import { figureStyles, hatch } from './hatch.js';
import type { Component } from './figure-data.js';
import type { FigureNumbers } from './figure-file.js';
import { ReadOut, readOutStyles, type Mark } from './read-out.js';
import { styles } from '../look/styles.js';
import { faintWhisker, intervalWords, whisker } from './whisker.js';
import { WidthController } from './width.js';

const HEIGHT = 188;
const TOP = 24;
const LEFT = 44;
const RIGHT = 12;

/** The share of each component; `noiseFloor` is a share too, 0 if unknown. */
export class PmScreeFigure extends LitElement {
  static override properties = {
    components: { attribute: false },
    noiseFloor: { type: Number, attribute: 'noise-floor' },
    axisLabel: { attribute: 'axis-label' },
  };

  static override styles = [styles, figureStyles, readOutStyles];

  declare components: readonly Component[];
  declare noiseFloor: number;
  declare axisLabel: string;

  readonly #size = new WidthController(this, 440);
  readonly #readOut = new ReadOut(this, 'columns');

  constructor() {
    super();
    this.components = [];
    this.noiseFloor = 0;
    this.axisLabel = 'principal component';
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const bottom = TOP + HEIGHT;
    const largest = Math.max(
      this.noiseFloor,
      ...this.components.map(({ share, shareHigh = 0 }) => Math.max(share, shareHigh)),
    );
    const axis = ticks(largest * 1.08, 4);
    const max = Math.max(largest * 1.08, axis.at(-1) ?? 0);
    const y = (share: number): number => bottom - (Math.max(0, share) / max) * HEIGHT;
    const step = (width - LEFT - RIGHT) / this.components.length;
    const x = (i: number): number => LEFT + (i + 0.5) * step;
    const marks = this.components.map((each, i): Mark => {
      return { x: x(i), y: y(each.share), words: wordsOf(each, i) };
    });
    return this.#readOut.render(
      `share by ${this.axisLabel}`,
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
          ${axis.map(
            (share) => svg`
          <line class="grid" x1=${LEFT} x2=${width} y1=${y(share)} y2=${y(share)}></line>
          <text x=${LEFT - 8} y=${y(share) + 4} text-anchor="end">${bound(share * 100)}${share === axis.at(-1) ? '%' : ''}</text>`,
          )}
          ${this.#floor(width, y)}
          <line class="baseline" x1=${LEFT} x2=${width} y1=${bottom} y2=${bottom}></line>
          ${this.components.map((each, i) => {
            const top = y(each.share);
            const { shareHigh: high } = each;
            const label = high === undefined ? top : Math.min(top, y(high));
            return svg`
          <line class=${each.belowNoiseFloor ? 'baseline' : 'stem'} x1=${x(i)} x2=${x(i)} y1=${top} y2=${bottom}></line>
          ${this.#interval(each, x(i), y)}
          <circle class="dot ${each.belowNoiseFloor ? 'hollow' : ''}" cx=${x(i)} cy=${top} r="5"></circle>
          <text class="strong halo" x=${x(i)} y=${label - 11} text-anchor="middle">${hundredths(each.share)}</text>
          <text x=${x(i)} y=${bottom + 18} text-anchor="middle">${i + 1}</text>`;
          })}
          ${this.#floorLabel(width, y)}
          <text x=${(LEFT + width) / 2} y=${bottom + 38} text-anchor="middle">
            ${this.axisLabel}
          </text>
          ${pointer}
        </svg>`,
    );
  }

  #interval(
    { shareLow: low, shareHigh: high, belowNoiseFloor }: Component,
    x: number,
    y: (share: number) => number,
  ): TemplateResult | typeof nothing {
    if (low === undefined || high === undefined) return nothing;
    const ends = { x1: x, x2: x, y1: y(low), y2: y(high) };
    return belowNoiseFloor ? faintWhisker(ends) : whisker(ends, { dx: 4 });
  }

  #floor(width: number, y: (share: number) => number): TemplateResult | typeof nothing {
    if (this.noiseFloor === 0) return nothing;
    const top = y(this.noiseFloor);
    return svg`<rect class="floor" x=${LEFT} y=${top} width=${width - LEFT} height=${y(0) - top}></rect>
      <line class="floor-edge" x1=${LEFT} x2=${width} y1=${top} y2=${top}></line>`;
  }

  #floorLabel(width: number, y: (share: number) => number): TemplateResult | typeof nothing {
    if (this.noiseFloor === 0) return nothing;
    const x = width - 0.5;
    return svg`<line class="floor-edge" x1=${x} x2=${x} y1=${TOP - 4} y2=${y(this.noiseFloor)}></line>
      <text class="halo" x=${width - 6} y=${TOP + 4} text-anchor="end">noise floor ${percent(this.noiseFloor)}</text>`;
  }

  numbers(): FigureNumbers {
    return {
      header: ['place', 'share', 'low', 'high', 'noise_floor', 'below_noise_floor'],
      lines: this.components.map(({ share, shareLow, shareHigh, belowNoiseFloor }, i) => [
        ...[i + 1, share, shareLow, shareHigh, this.noiseFloor, belowNoiseFloor],
      ]),
    };
  }

  #description(): string {
    const floor = this.noiseFloor === 0 ? '' : ` Noise floor ${percent(this.noiseFloor)}.`;
    const shares = this.components.map(wordsOf);
    return `Share by component. ${shares.join('; ')}.${floor}`;
  }
}

/** "1: 42%, interval 41% to 43%" */
function wordsOf(
  { share, shareLow, shareHigh, belowNoiseFloor }: Component,
  place: number,
): string {
  const interval = intervalWords(shareLow, shareHigh, percent);
  return `${place + 1}: ${percent(share)}${interval}${belowNoiseFloor ? ', below the noise floor' : ''}`;
}
