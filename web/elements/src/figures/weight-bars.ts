import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import { bound, correlation, fitted, signed } from 'private-moments/words';
import { figureStyles } from './hatch.js';
import { longestFirst, written, type Bar } from './figure-data.js';
import type { FigureNumbers } from './figure-file.js';
import { PrintController, paperStyles } from '../look/printing.js';
import { ReadOut, readOutStyles, type Mark } from './read-out.js';
import { styles } from '../look/styles.js';
import { viewColours } from '../look/view-colours.js';
import { faintWhisker, twoToneWhisker } from './whisker.js';
import { WidthController } from './width.js';

const HEAD = 28;
const ROW = 44;
const CHARACTER = 7.4;
const BELOW = 'below the noise floor';
/** The longest of more bars than this are drawn until the reader asks for all. */
export const MOST_BARS = 15;
/** How many of them are drawn then. */
export const LONGEST_BARS = 10;

/**
 * The weights of one score: a bar shows the effect of a change that is comparable between columns, such
 * as one standard deviation; the number is in original units. `limit` is the end of the bars' scale,
 * shared by the views of a pair. The longest bar comes first; one whose interval holds 0 is pale, and below
 * the noise floor there is only the interval, dashed. The longest of many are drawn until the reader asks for all; paper has all. `series` picks the colour (1 to 6). With `kind`
 * "correlations", bars and numbers are correlations.
 */
export class PmWeightBars extends LitElement {
  static override properties = {
    weights: { attribute: false },
    limit: { type: Number },
    longest: { type: Number },
    series: { type: Number },
    kind: {},
    all: { state: true },
  };

  static override styles = [
    styles,
    figureStyles,
    readOutStyles,
    viewColours,
    paperStyles,
    css`
      .bar {
        fill: var(--_view);
      }

      text.faint.faint {
        fill: var(--_ink-3);
      }

      text.column {
        fill: var(--_ink);
        font-size: 14px;
        font-weight: 500;
      }

      .fold {
        margin-top: 12px;
      }
    `,
  ];

  declare weights: readonly Bar[];
  declare limit: number;
  /** Length of the longest name in any of the views, so that all bars share one scale. */
  declare longest: number;
  declare series: number;
  declare kind: 'weights' | 'correlations';
  /** Whether the reader asked for all bars. */
  declare all: boolean;

  readonly #size = new WidthController(this, 524);
  readonly #readOut = new ReadOut(this, 'rows');
  readonly #print = new PrintController(this, () => {
    this.requestUpdate();
    this.performUpdate();
  });

  constructor() {
    super();
    this.weights = [];
    this.limit = 1;
    this.longest = 4;
    this.series = 1;
    this.kind = 'weights';
    this.all = false;
  }

  protected override render(): TemplateResult {
    return html`${this.#figure()}${this.#fold()}`;
  }

  #figure(): TemplateResult {
    const width = this.#size.width;
    const left = Math.min(this.longest * CHARACTER + 12, width * 0.36);
    const narrow = width < 420;
    const weights = this.#shown();
    const isFolded = weights.length < this.weights.length;
    const right = width - (narrow ? 84 : 132);
    // A narrow figure has no room beside the bars, so intervals go below them.
    const isTall = narrow && weights.some(({ interval }) => interval !== undefined);
    const row = isTall ? ROW + 12 : ROW;
    const x = (value: number): number => left + ((value / this.limit + 1) / 2) * (right - left);
    const names = fitted(
      weights.map((weight) => written(weight)),
      Math.floor(left / CHARACTER),
    );
    const bottom = HEAD + weights.length * row;
    const height = bottom + (isFolded ? 26 : 1);
    const marks = weights.map((weight, i): Mark => {
      const value = weight.belowNoiseFloor === true ? 0 : weight.comparable;
      return { x: x(value), y: HEAD + i * row + 22, words: this.#words(weight) };
    });
    return this.#readOut.render(
      this.#isCorrelations ? 'correlations with the score' : 'weights',
      marks,
      (pointer) =>
        html`<svg
          width=${width}
          height=${height}
          viewBox="0 0 ${width} ${height}"
          role="img"
          aria-label=${this.#description()}
        >
          <text x=${x(-this.limit)} y="14" text-anchor="start">${bound(-this.limit)}</text>
          <text x=${x(0)} y="14" text-anchor="middle">0</text>
          <text x=${x(this.limit)} y="14" text-anchor="end">${bound(this.limit)}</text>
          <text x=${width} y="14" text-anchor="end">
            ${this.#isCorrelations ? 'correlation' : narrow ? 'per unit' : 'in original units'}
          </text>
          <line class="baseline" x1="0" x2=${width} y1=${HEAD - 0.5} y2=${HEAD - 0.5}></line>
          ${weights.map((weight, i) => {
            const y = HEAD + i * row;
            const from = Math.min(x(0), x(weight.comparable));
            const length = Math.abs(x(weight.comparable) - x(0));
            const below = weight.belowNoiseFloor === true;
            const numbers = this.#numbers(weight);
            return svg`
          <text class="column ${below ? 'faint' : ''}" x="0" y=${y + 27}>${names[i]}<title>${written(weight)}</title></text>
          ${below ? nothing : svg`<rect class="bar series-${this.series} ${isUnclear(weight) ? 'pale' : ''}" x=${from} y=${y + 14} width=${length} height="16"></rect>`}
          ${weight.interval === undefined ? nothing : this.#interval(weight, weight.interval.comparable, x, y + 22)}
          <text class="strong ${below ? 'faint' : ''}" x=${width} y=${numbers === '' || isTall ? y + 27 : y + 20} text-anchor="end">${this.#isCorrelations ? correlation(weight.original) : signed(weight.original)}</text>
          ${numbers === '' ? nothing : svg`<text x=${width} y=${isTall ? y + 47 : y + 36} text-anchor="end">${numbers}</text>`}
          <line class="grid" x1="0" x2=${width} y1=${y + row - 0.5} y2=${y + row - 0.5}></line>`;
          })}
          <line class="baseline" x1=${x(0)} x2=${x(0)} y1=${HEAD} y2=${bottom}></line>
          ${isFolded ? svg`<text x="0" y=${bottom + 20}>${this.#part()}</text>` : nothing}
          ${pointer}
        </svg>`,
    );
  }

  #interval(
    weight: Bar,
    ends: readonly [number, number],
    x: (value: number) => number,
    y: number,
  ): TemplateResult {
    if (weight.belowNoiseFloor === true) {
      // It may be longer than the scale, which is that of the bars.
      const [x1, x2] = ends.map((end) => x(Math.max(-this.limit, Math.min(this.limit, end)))) as [
        number,
        number,
      ];
      return faintWhisker({ x1, x2, y1: y, y2: y });
    }
    const bar = [x(0), x(weight.comparable)].sort((a, b) => a - b) as [number, number];
    const [from, to] = ends.map(x) as [number, number];
    return twoToneWhisker([from, to], y, isUnclear(weight) ? undefined : bar);
  }

  /** The bars that are drawn. */
  #shown(): Bar[] {
    const sorted = longestFirst(this.weights);
    const isFolded = sorted.length > MOST_BARS && !this.all && !this.#print.printing;
    return isFolded ? sorted.slice(0, LONGEST_BARS) : sorted;
  }

  /** Which bars are drawn, for the figure and its file. */
  #part(): string {
    return `The ${LONGEST_BARS} longest bars of ${this.weights.length}.`;
  }

  #fold(): TemplateResult | typeof nothing {
    const { length } = this.weights;
    if (length <= MOST_BARS) return nothing;
    return html`<p class="fold">
      <button
        class="button small"
        type="button"
        aria-expanded=${this.all ? 'true' : 'false'}
        @click=${() => {
          this.all = !this.all;
        }}
      >
        ${this.all ? `Show the ${LONGEST_BARS} longest` : `Show all ${length}`}
      </button>
    </p>`;
  }

  get #isCorrelations(): boolean {
    return this.kind === 'correlations';
  }

  numbers(): FigureNumbers {
    if (this.#isCorrelations) {
      return {
        header: ['column', 'correlation', 'low', 'high'],
        lines: longestFirst(this.weights).map(({ name, original, interval }) => [
          ...[name, original, ...(interval?.original ?? [undefined, undefined])],
        ]),
      };
    }
    return {
      header: [
        ...['column', 'per_unit', 'per_unit_low', 'per_unit_high'],
        ...['bar', 'bar_low', 'bar_high', 'below_noise_floor'],
      ],
      lines: longestFirst(this.weights).map(
        ({ name, original, comparable, interval, belowNoiseFloor }) => [
          ...[name, original, ...(interval?.original ?? [undefined, undefined])],
          ...[comparable, ...(interval?.comparable ?? [undefined, undefined]), belowNoiseFloor],
        ],
      ),
    };
  }

  #description(): string {
    const shown = this.#shown();
    const each = shown.map((weight) => this.#words(weight));
    const part = shown.length < this.weights.length ? ` ${this.#part()}` : '';
    return `${this.#isCorrelations ? 'Correlations with the score' : 'Weights'}: ${each.join('; ')}.${part}`;
  }

  /** "age +0.015 per unit, +0.012 to +0.017" */
  #words(weight: Bar): string {
    const { original, belowNoiseFloor } = weight;
    const number = this.#isCorrelations ? correlation(original) : `${signed(original)} per unit`;
    const below = belowNoiseFloor === true ? BELOW : '';
    return [`${written(weight)} ${number}`, this.#ends(weight), below].filter(Boolean).join(', ');
  }

  /** The text under a weight: its interval, or that it is below the noise floor. */
  #numbers(weight: Bar): string {
    return weight.belowNoiseFloor === true ? BELOW : this.#ends(weight);
  }

  #ends({ interval }: Bar): string {
    if (interval === undefined) return '';
    const text = this.#isCorrelations ? correlation : signed;
    return interval.original.map((end) => text(end)).join(' to ');
  }
}

/** Whether an interval holds 0, so that the sign of the weight is not known. */
function isUnclear({ interval }: Bar): boolean {
  return interval !== undefined && interval.comparable[0] <= 0 && interval.comparable[1] >= 0;
}
