import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import { bound, compact, count, percent, significant, ticks } from 'private-moments/words';
import {
  across,
  figureStyles,
  levels,
  lineFigureStyles,
  logShare,
  parted,
  placeLabels,
  readOff,
  referenceLabel,
  slotStyles,
  styles,
  tenth,
  textWidth,
  WidthController,
  type Box,
  type Point,
} from 'private-moments/internal/elements';

/** One mechanism in a figure. */
export interface Line {
  title: string;
  /** Index of its colour, 0 to 7. */
  slot: number;
  /** The value at each x of the grid; NaN where there is no result. */
  values: readonly number[];
  /** Whether its promise holds at each x; the line is dashed to and from points where it does not. */
  holds: readonly boolean[];
}

/** The reference line of a figure. */
export interface Reference {
  value: number;
  label: string;
}

/** Room for the reference's label above it. */
const TOP = 28;
const FOOT = 46;
const LEFT = 52;
const RIGHT = 8;
/** Radius of a line's point at the present choice. */
const DOT = 4;

/**
 * Labelled lines of mechanisms along epsilon or rows, with a dashed reference line; the present choice is
 * a thin vertical line.
 */
export class PmComparisonFigure extends LitElement {
  static override properties = {
    axis: {},
    measure: {},
    grid: { attribute: false },
    lines: { attribute: false },
    reference: { attribute: false },
    present: { type: Number },
    height: { type: Number },
    description: {},
  };

  static override styles = [
    styles,
    figureStyles,
    lineFigureStyles,
    slotStyles,
    css`
      .line {
        stroke: var(--_own);
      }

      .line.dashed {
        stroke-dasharray: 2 6;
        stroke-width: 2.5;
      }

      text.label {
        fill: var(--_own);
        font-size: 13px;
      }

      .dot {
        fill: var(--_own);
      }

      @media (forced-colors: active) {
        .dot {
          fill: CanvasText;
        }
      }
    `,
  ];

  /** `epsilon` or `rows`. */
  declare axis: 'epsilon' | 'rows';
  /** `error`, on a log scale, or `share` of variance. */
  declare measure: 'error' | 'share';
  declare grid: readonly number[];
  declare lines: readonly Line[];
  declare reference: Reference;
  declare present: number;
  /** Height of the whole figure in pixels. */
  declare height: number;
  /** A description of the figure with its numbers. */
  declare description: string;

  readonly #size = new WidthController(this, 528);

  constructor() {
    super();
    this.axis = 'epsilon';
    this.measure = 'error';
    this.grid = [];
    this.lines = [];
    this.reference = { value: 1, label: '' };
    this.present = 1;
    this.height = 300;
    this.description = '';
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const area = { left: LEFT, right: width - RIGHT, top: TOP, bottom: this.height - FOOT };
    const [low, high] = this.#range();
    const shareOf = (value: number): number =>
      this.measure === 'error'
        ? Math.log(value / low) / Math.log(high / low)
        : (value - low) / (high - low);
    const y = (value: number): number =>
      tenth(area.bottom - Math.min(1.04, Math.max(0, shareOf(value))) * (area.bottom - area.top));
    const x = (value: number): number =>
      tenth(area.left + this.#across(value) * (area.right - area.left));
    const drawn = this.lines.map(({ values, holds }) =>
      values.flatMap((value, i) =>
        Number.isFinite(value) && value > 0
          ? [{ point: [x(this.grid[i] ?? 1), y(value)] as const, holds: holds[i] === true }]
          : [],
      ),
    );
    const points = drawn.map((line) => line.map(({ point }) => point));
    const reference = y(this.reference.value);
    const at = x(this.present);
    const dots = this.lines.map((line) => this.#dot(line, y));
    return html`<svg width=${width} height=${this.height} role="img" aria-label=${this.description}>
      ${levels(this.#steps(low, high), area, y, (value) => this.#number(value))}
      <line class="present" x1=${at} x2=${at} y1=${TOP} y2=${area.bottom}></line>
      <line
        class="reference"
        x1=${area.left}
        x2=${area.right}
        y1=${reference}
        y2=${reference}
      ></line>
      ${this.lines.map(({ slot }, i) => {
        const [solid, dashed] = parted(points[i] ?? [], drawn[i]?.map(({ holds }) => holds) ?? []);
        return svg`<g class="slot-${slot}">
            <path class="line" d=${solid}></path>
            <path class="line dashed" d=${dashed}></path>
            ${dots[i] === undefined ? nothing : svg`<circle class="dot" cx=${at} cy=${dots[i]} r=${DOT}></circle>`}
          </g>`;
      })}
      ${this.#labels(points, dots, area, reference, at)}
      ${across(
        {
          present: this.present,
          values: this.grid.filter((value) => Number.isInteger(tenth(Math.log10(value)))),
          x,
          show: (value) =>
            this.axis === 'epsilon' ? bound(value) : value < 1000 ? count(value) : compact(value),
          label: this.axis === 'rows' ? 'rows' : 'privacy ε (stronger to the left)',
        },
        area,
      )}
    </svg>`;
  }

  /** The height of a line at the present choice. */
  #dot({ values }: Line, y: (value: number) => number): number | undefined {
    const known = values.map((value) => (Number.isNaN(value) ? undefined : value));
    const value = readOff(this.grid, known, this.present);
    return value === undefined ? undefined : y(value);
  }

  #labels(
    points: readonly (readonly Point[])[],
    dots: readonly (number | undefined)[],
    area: Box,
    reference: number,
    at: number,
  ): TemplateResult {
    const { text, box } = referenceLabel(this.reference.label, area.left, reference);
    const ends = [area.left, area.right].map((x): Point => [x, reference]);
    const placed = placeLabels(
      [
        ...this.lines.map(({ title }, i) => ({
          points: points[i] ?? [],
          widths: [textWidth(title, 13, 600)],
        })),
        { points: ends, widths: [] },
      ],
      // Labels may go above the reference if there is no room below it.
      { ...area, top: 0 },
      [
        box,
        ...dots.flatMap((y) =>
          y === undefined
            ? []
            : [{ left: at - DOT, right: at + DOT, top: y - DOT, bottom: y + DOT }],
        ),
      ],
    );
    return svg`${text}${this.lines.map(({ title, slot }, i) => {
      const place = placed[i];
      return place === undefined
        ? nothing
        : svg`<g class="slot-${slot}"><text class="label halo" x=${tenth(place.x)} y=${tenth(place.y)} text-anchor=${place.anchor}>${title}</text></g>`;
    })}`;
  }

  /** The range of the vertical axis: that of all values, rounded outwards. */
  #range(): [low: number, high: number] {
    const values = this.lines.flatMap((line) => line.values).filter((v) => v > 0 && v < Infinity);
    if (this.measure === 'share') {
      const least = Math.min(0.9, ...values);
      return [Math.max(0, Math.floor(least * 10 - 0.2) / 10), 1];
    }
    const all = [...values, this.reference.value];
    const [low, high] = [stepDown(Math.min(...all)), stepUp(Math.max(...all))];
    return [Math.min(low, high / 10), high];
  }

  #steps(low: number, high: number): number[] {
    if (this.measure === 'share') {
      return ticks(1 - low, 4).map((above) => 1 - above);
    }
    const decades = Math.log10(high / low);
    const exponents = Array.from(
      { length: Math.ceil(decades) + 2 },
      (_, i) => Math.floor(Math.log10(low)) + i,
    );
    const every = decades > 6 ? 2 : 1;
    const steps = exponents
      .filter((exponent) => exponent % every === 0)
      .flatMap((exponent) =>
        (decades > 2.5 ? [1] : [1, 2, 5]).map((step) => Number(`${step}e${exponent}`)),
      );
    return steps.filter((value) => value >= low * 0.999 && value <= high * 1.001);
  }

  #number(value: number): string {
    return this.measure === 'share'
      ? percent(value)
      : value >= 1e-4
        ? bound(value)
        : significant(value, 1);
  }

  /** The position of a value on the horizontal axis, from 0 to 1. */
  #across(value: number): number {
    return logShare(value, this.grid[0] ?? 1, this.grid.at(-1) ?? 10);
  }
}

const powerBelow = (value: number): number => 10 ** Math.floor(Math.log10(value));

function stepDown(value: number): number {
  const power = powerBelow(value);
  return (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1) * power;
}

function stepUp(value: number): number {
  const power = powerBelow(value);
  return (value <= power ? 1 : value <= 2 * power ? 2 : value <= 5 * power ? 5 : 10) * power;
}
