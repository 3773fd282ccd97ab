import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import { bound, fitted, signed } from './format.js';
import { figureStyles } from './hatch.js';
import type { Weight } from './results.js';
import { styles } from './styles.js';
import { WidthController } from './width.js';

const HEAD = 28;
const ROW = 44;
const CHARACTER = 7.4;

/**
 * The weights of one score: the bar is the effect of what compares between columns (one standard
 * deviation, say), the number is in original units. `limit` is the end of the bars' scale, shared by the
 * views of a pair; `series` picks the colour (1 or 2).
 */
export class PmWeightBars extends LitElement {
  static override properties = {
    weights: { attribute: false },
    limit: { type: Number },
    longest: { type: Number },
    series: { type: Number },
  };

  static override styles = [
    styles,
    figureStyles,
    css`
      .bar {
        fill: var(--_accent);
      }

      .series-2 {
        fill: var(--_series-2);
      }

      text.faint.faint {
        fill: var(--_ink-3);
      }

      text.column {
        fill: var(--_ink);
        font-size: 14px;
        font-weight: 500;
      }
    `,
  ];

  declare weights: readonly Weight[];
  declare limit: number;
  /** Length of the longest name in any of the views, so that all bars share one scale. */
  declare longest: number;
  declare series: number;

  readonly #size = new WidthController(this, 524);

  constructor() {
    super();
    this.weights = [];
    this.limit = 1;
    this.longest = 4;
    this.series = 1;
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const left = Math.min(this.longest * CHARACTER + 12, width * 0.36);
    const narrow = width < 420;
    const right = width - (narrow ? 84 : 132);
    const x = (value: number): number => left + ((value / this.limit + 1) / 2) * (right - left);
    const names = fitted(
      this.weights.map((weight) => weight.name),
      Math.floor(left / CHARACTER),
    );
    const bottom = HEAD + this.weights.length * ROW;
    return html`<svg
      width=${width}
      height=${bottom + 1}
      role="img"
      aria-label=${this.#description()}
    >
      <text x=${x(-this.limit)} y="14" text-anchor="start">${bound(-this.limit)}</text>
      <text x=${x(0)} y="14" text-anchor="middle">0</text>
      <text x=${x(this.limit)} y="14" text-anchor="end">${bound(this.limit)}</text>
      <text x=${width} y="14" text-anchor="end">${narrow ? 'per unit' : 'in original units'}</text>
      <line class="baseline" x1="0" x2=${width} y1=${HEAD - 0.5} y2=${HEAD - 0.5}></line>
      ${this.weights.map((weight, i) => {
        const y = HEAD + i * ROW;
        const from = Math.min(x(0), x(weight.comparable));
        const length = Math.abs(x(weight.comparable) - x(0));
        const below = weight.belowNoiseFloor === true;
        const numbers = numbersOf(weight, narrow);
        return svg`
          <text class="column ${below ? 'faint' : ''}" x="0" y=${y + 27}>${names[i]}<title>${weight.name}</title></text>
          ${below ? nothing : svg`<rect class="bar series-${this.series}" x=${from} y=${y + 14} width=${length} height="16"></rect>`}
          ${below || weight.interval === undefined ? nothing : svg`<line class="interval" x1=${x(weight.interval.comparable[0])} x2=${x(weight.interval.comparable[1])} y1=${y + 22} y2=${y + 22}></line>`}
          <text class="strong ${below ? 'faint' : ''}" x=${width} y=${numbers === '' ? y + 27 : y + 20} text-anchor="end">${signed(weight.original)}</text>
          ${numbers === '' ? nothing : svg`<text x=${width} y=${y + 36} text-anchor="end">${numbers}</text>`}
          <line class="grid" x1="0" x2=${width} y1=${y + ROW - 0.5} y2=${y + ROW - 0.5}></line>`;
      })}
      <line class="baseline" x1=${x(0)} x2=${x(0)} y1=${HEAD} y2=${bottom}></line>
    </svg>`;
  }

  #description(): string {
    return `Weights: ${this.weights
      .map((weight) => {
        const numbers = numbersOf(weight, false);
        return `${weight.name} ${signed(weight.original)} per unit${numbers === '' ? '' : `, ${numbers}`}`;
      })
      .join('; ')}.`;
  }
}

/** What stands under a weight: its interval, or that it says nothing. */
function numbersOf({ interval, belowNoiseFloor }: Weight, narrow: boolean): string {
  if (belowNoiseFloor === true) return narrow ? 'below the floor' : 'below the noise floor';
  if (interval === undefined) return '';
  const [low, high] = interval.original;
  return `${signed(low)} to ${signed(high)}`;
}
