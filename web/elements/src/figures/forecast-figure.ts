import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import { pointAt, type ForecastPoint } from './forecast-surface.js';
import { covarianceReading, intervalOf, readingOf, type Reading } from './forecast-reading.js';
import { bound, compact, correlation, ordinal, percent, ticks } from 'private-moments/words';
import type { ValueDetail } from '../contract/elements.js';
import { figureStyles, hatch } from './hatch.js';
import { atShare, fineStep, logShare, nextStep } from '../base/log-steps.js';
import { tenth } from './smooth.js';
import { styles } from '../look/styles.js';
import { WidthController } from './width.js';

const TOP = 12;
const HEIGHT = 228;
const FOOT = 44;
const LEFT = 34;
const RIGHT = 40;
/** Distance of the samples of curves and bands, in pixels. */
const SAMPLE = 3;
/** The least distance of the base lines of two labels. */
const LINE = 14;

interface Scale {
  left: number;
  right: number;
  bottom: number;
  x: (value: number) => number;
  y: (value: number) => number;
  /** The largest value of the vertical axis. */
  max: number;
}

interface Sample {
  x: number;
  point: ForecastPoint;
}

/** Neighbouring samples with the same reading. */
interface Run {
  reading: Reading;
  samples: Sample[];
}

/**
 * What would come out of a study, along epsilon, rows or sites: a line for each planned correlation with
 * the band that holds at least nine of ten estimates, and the noise floor, hatched. A band is dark where
 * the pair is clear and pale where it is borderline; inside the floor there is none. Without planned
 * correlations, the error of the covariance as a share of the error of answering 0.
 *
 * Takes `axis`, `axis-label`, `grid` and `points` (the values of the axis and what is expected there),
 * `truths` (largest first), `present` and `behind`. Emits `pm-value` with `{ value }` when the line of
 * the present choice is moved, by pointer or by keys: arrows in steps of about a tenth, Page Up and Page Down
 * to 1, 2, 5 and so on.
 */
export class PmForecastFigure extends LitElement {
  static override properties = {
    axis: {},
    grid: { attribute: false },
    points: { attribute: false },
    truths: { attribute: false },
    present: { type: Number },
    axisLabel: { attribute: 'axis-label' },
    behind: { type: Boolean },
  };

  static override styles = [
    styles,
    figureStyles,
    css`
      :host {
        --_halo: var(--_surface);
      }

      svg {
        overflow: visible;
      }

      text.halo {
        stroke: var(--_halo);
      }

      text.present,
      text.margin {
        fill: var(--_accent);
        font-weight: 600;
      }

      text.margin {
        font-size: 13px;
      }

      text.margin.borderline {
        fill: var(--_ink-2);
      }

      .band {
        fill: var(--_accent);
        opacity: 0.16;
      }

      .band.borderline {
        opacity: 0.08;
      }

      .plan {
        fill: none;
        stroke: var(--_accent);
        stroke-width: 2;
      }

      .plan.borderline {
        stroke-width: 1.75;
        stroke-dasharray: 5 3;
      }

      .plan.lost {
        stroke: var(--_ink-3);
        stroke-width: 1;
        stroke-dasharray: 1 3;
      }

      .floor-curve {
        fill: none;
        stroke: var(--_line-2);
      }

      .choice {
        stroke: var(--_accent);
        stroke-width: 1.5;
      }

      .handle {
        fill: var(--_accent);
        stroke: var(--_surface);
        stroke-width: 2;
      }

      .grip {
        fill: transparent;
        cursor: ew-resize;
        touch-action: none;
      }

      [role='slider']:focus {
        outline: none;
      }

      [role='slider']:focus-visible .handle {
        stroke: var(--_accent);
        fill: var(--_surface);
      }

      [role='slider']:focus-visible .choice {
        stroke-width: 3;
      }

      .dot.hollow,
      .dot.open {
        fill: var(--_halo);
      }

      .behind .band,
      .behind .plan {
        opacity: 0.5;
      }

      .behind .band {
        opacity: 0.08;
      }

      @media (forced-colors: active) {
        .band {
          fill: none;
          stroke: CanvasText;
          opacity: 1;
        }

        .plan {
          stroke: CanvasText;
        }

        .choice,
        .handle,
        .dot {
          stroke: Highlight;
        }
      }
    `,
  ];

  /** `epsilon`, `rows` or `sites`. */
  declare axis: 'epsilon' | 'rows' | 'sites';
  /** The values of the horizontal axis, ascending. */
  declare grid: readonly number[];
  declare points: readonly (ForecastPoint | undefined)[];
  /** The planned correlations, largest first. */
  declare truths: readonly number[];
  declare present: number;
  declare axisLabel: string;
  /** Whether the points are of an earlier design. */
  declare behind: boolean;

  readonly #size = new WidthController(this, 496);

  constructor() {
    super();
    this.axis = 'epsilon';
    this.grid = [];
    this.points = [];
    this.truths = [];
    this.present = 1;
    this.axisLabel = 'ε';
    this.behind = false;
  }

  protected override render(): TemplateResult {
    const scale = this.#scale();
    const samples = this.#samples(scale);
    const { left, right, bottom } = scale;
    return html`<svg
      role="presentation"
      class=${this.behind ? 'behind' : ''}
      width=${this.#size.width}
      height=${TOP + HEIGHT + FOOT}
    >
      <g role="img" aria-label=${this.#description()}>
        ${hatch}
        <defs>
          <clipPath id="plot">
            <rect x=${left} y=${TOP} width=${right - left} height=${HEIGHT}></rect>
          </clipPath>
        </defs>
        ${this.#axes(scale)}
        <g clip-path="url(#plot)">${this.#floor(samples, scale)} ${this.#bands(samples, scale)}</g>
        <line class="baseline" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>
        ${this.#floorLabel(samples, scale)} ${this.#names(scale)}
      </g>
      ${this.#choice(scale)}
    </svg>`;
  }

  get #isCovariance(): boolean {
    return this.truths.length === 0;
  }

  #scale(): Scale {
    const left = this.#isCovariance ? LEFT + 10 : LEFT;
    const right = this.#size.width - (this.#isCovariance ? 8 : RIGHT);
    const bottom = TOP + HEIGHT;
    // A whole number of tenths, with room above the largest.
    const max = this.#isCovariance
      ? 1.2
      : Math.min(1, Math.ceil(Math.max(0.15, ...this.truths) * 12) / 10);
    return {
      left,
      right,
      bottom,
      max,
      x: (value) => tenth(left + this.#share(value) * (right - left)),
      y: (value) => tenth(bottom - (Math.min(1.5 * max, value) / max) * HEIGHT),
    };
  }

  /** The position of a value on the horizontal axis, from 0 to 1. */
  #share(value: number): number {
    return logShare(value, ...this.#ends);
  }

  get #ends(): [first: number, last: number] {
    return [this.grid[0] ?? 0.1, this.grid.at(-1) ?? 10];
  }

  /** Empty until most of the curves is known: a line across the gaps would contradict the numbers. */
  #samples({ left, right }: Scale): Sample[] {
    const [first, last] = this.#ends;
    const count = Math.max(2, Math.round((right - left) / SAMPLE));
    const known = Array.from({ length: count + 1 }, (_, i) => i / count).flatMap((share) => {
      const point = pointAt(this.grid, this.points, first * (last / first) ** share);
      return point === undefined ? [] : [{ x: tenth(left + share * (right - left)), point }];
    });
    return known.length > count / 2 ? known : [];
  }

  #axes({ left, right, bottom, max, x, y }: Scale): TemplateResult {
    const show = this.axis === 'epsilon' ? bound : compact;
    const values = ticks(max * 1.0001, 4).filter((value) => value < max * 1.001);
    const label = (value: number): string =>
      this.#isCovariance
        ? percent(value)
        : value === 0
          ? '0'
          : value === 1
            ? '1'
            : correlation(value).replace(/0$/, '');
    const at = x(this.present);
    const steps = stepsBetween(...this.#ends).filter((value) => Math.abs(x(value) - at) > 24);
    return svg`
      ${values.map(
        (value) => svg`
          ${value === 0 ? nothing : svg`<line class="grid" x1=${left} x2=${right} y1=${y(value)} y2=${y(value)}></line>`}
          <text x=${left - 7} y=${y(value) + 4} text-anchor="end">${value === 0 ? '0' : label(value)}</text>`,
      )}
      ${[...steps, this.present].map(
        (value) => svg`
          <line class="baseline" x1=${x(value)} x2=${x(value)} y1=${bottom} y2=${bottom + 4}></line>
          <text class=${value === this.present ? 'present' : ''} x=${x(value)} y=${bottom + 18} text-anchor="middle">${show(value)}</text>`,
      )}
      <text x=${(left + right) / 2} y=${bottom + 36} text-anchor="middle">${this.axisLabel}</text>`;
  }

  /** The hatched region in which nothing can be read. */
  #floor(samples: readonly Sample[], { bottom, left, right, y }: Scale): unknown {
    const [first] = samples;
    const last = samples.at(-1);
    if (this.#isCovariance) {
      return svg`<rect class="floor" x=${left} y=${TOP} width=${right - left} height=${y(1) - TOP}></rect>
        <line class="floor-curve" x1=${left} x2=${right} y1=${y(1)} y2=${y(1)}></line>`;
    }
    if (first === undefined || last === undefined) return nothing;
    const curve = lineThrough(samples.map(({ x, point }) => [x, y(point.floor)]));
    return svg`<path class="floor" d="${curve}V${bottom}H${first.x}Z"></path>
      <path class="floor-curve" d=${curve}></path>`;
  }

  #bands(samples: readonly Sample[], { y }: Scale): unknown {
    if (this.#isCovariance) {
      return runsOf(samples, covarianceReading).map(
        ({ reading, samples: run }) =>
          svg`<path class="plan ${reading}" d=${lineThrough(run.map(({ x, point }) => [x, y(point.ratio)]))}></path>`,
      );
    }
    return this.truths.map((truth, i) =>
      runsOf(samples, (point) => readingOf(truth, point, i)).map(({ reading, samples: run }) => {
        const [start, end] = [run[0]?.x ?? 0, run.at(-1)?.x ?? 0];
        const edge = (side: 0 | 1): [number, number][] =>
          run.map(({ x, point }) => [x, y(intervalOf(truth, point, i)[side])]);
        const outline = [...edge(1), ...edge(0).reverse()];
        return svg`
          ${reading === 'lost' ? nothing : svg`<path class="band ${reading}" d="${lineThrough(outline)}Z"></path>`}
          <path class="plan ${reading}" d="M${start} ${y(truth)}H${end}"></path>`;
      }),
    );
  }

  /** Says how high the floor is, inside it if there is room, else above it. */
  #floorLabel(samples: readonly Sample[], { left, max, bottom, y }: Scale): unknown {
    if (this.#isCovariance) {
      return svg`<text class="halo" x=${left + 10} y=${y(1) - 8}>answering 0 is as good</text>`;
    }
    const floor = this.#now?.floor;
    const near = samples.filter(({ x }) => x < left + 116);
    if (floor === undefined || near.length === 0) return nothing;
    const where =
      this.axis === 'epsilon' ? `at ε = ${bound(this.present)}` : `at ${bound(this.present)}`;
    const height = floor > max ? `above ${correlation(max).replace(/0$/, '')}` : correlation(floor);
    const lowest = Math.min(...near.map(({ point }) => point.floor));
    const room = bottom - Math.max(TOP, y(lowest));
    const top =
      room > 3 * LINE
        ? this.#freeHeight(Math.max(TOP, y(lowest)) + LINE, bottom - LINE - 6, y)
        : Math.max(TOP + LINE, y(Math.max(...near.map(({ point }) => point.floor))) - LINE - 8);
    return svg`<text class="halo" x=${left + 12} y=${top}>noise floor</text>
      <text class="halo" x=${left + 12} y=${top + LINE}>${height} ${where}</text>`;
  }

  /** A height between two for two lines of text that no planned value crosses, if there is one. */
  #freeHeight(from: number, to: number, y: (value: number) => number): number {
    const isFree = (top: number): boolean =>
      this.truths.every((truth) => y(truth) < top - LINE || y(truth) > top + LINE + 6);
    const middle = (from + to) / 2;
    for (let off = 0; off <= to - from; off += 2) {
      for (const top of [middle + off / 2, middle - off / 2]) {
        if (top >= from && top <= to && isFree(top)) return top;
      }
    }
    return middle;
  }

  /** The names of the planned pairs, at the right end of their lines. */
  #names({ right, y }: Scale): unknown {
    const places = spread(this.truths.map((truth) => y(truth) + 4));
    return places.map(
      (place, i) => svg`<text class="strong" x=${right + 8} y=${place}>${ordinal(i)}</text>`,
    );
  }

  get #now(): ForecastPoint | undefined {
    return pointAt(this.grid, this.points, this.present);
  }

  /** The line of the present choice with what is expected there, which moves. */
  #choice(scale: Scale): TemplateResult {
    const { left, right, bottom, x, y } = scale;
    const at = x(this.present);
    const point = this.#now;
    const isRight = right - at > 84;
    const side = isRight ? at + 10 : at - 10;
    const anchor = isRight ? 'start' : 'end';
    const labels = spread(this.truths.map((truth) => y(truth) - 7));
    const [first, last] = this.#ends;
    const name = this.axis === 'epsilon' ? 'epsilon' : this.axisLabel.replace(/, log scale.*/, '');
    return svg`<g
      role="slider"
      tabindex="0"
      aria-label="Choice on the chart"
      aria-valuemin=${first}
      aria-valuemax=${last}
      aria-valuenow=${this.present}
      aria-valuetext="${name} ${bound(this.present)}"
      @keydown=${this.#key}
    >
      <line class="choice" x1=${at} x2=${at} y1=${TOP - 4} y2=${bottom}></line>
      <circle class="handle" cx=${at} cy=${TOP - 4} r="6"></circle>
      ${
        point === undefined
          ? nothing
          : this.#isCovariance
            ? svg`<circle class="dot" cx=${at} cy=${Math.max(TOP, y(point.ratio))} r="4.5"></circle>
                <text class="margin halo" x=${side} y=${Math.max(TOP + LINE, y(point.ratio) - 8)} text-anchor=${anchor}>${percent(point.ratio)}</text>`
            : this.truths.map((truth, i) => {
                const reading = readingOf(truth, point, i);
                const margin = point.pairs[i]?.margin ?? 0;
                const [low, high] = intervalOf(truth, point, i);
                const text =
                  reading === 'lost'
                    ? 'in the noise'
                    : `± ${correlation(margin, margin < 0.01 ? 3 : 2)}`;
                const kind = { clear: '', borderline: 'open', lost: 'hollow' }[reading];
                const height = reading === 'lost' ? y(truth) + 4 : (labels[i] ?? 0);
                return svg`
                  ${reading === 'lost' ? nothing : whisker(at, Math.max(TOP, y(high)), y(low), reading)}
                  <circle class="dot ${kind}" cx=${at} cy=${y(truth)} r="4.5"></circle>
                  <text class="halo ${reading === 'lost' ? '' : `margin ${reading}`}" x=${side} y=${height} text-anchor=${anchor}>${text}</text>`;
              })
      }
      <rect
        class="grip"
        x=${Math.max(left - 16, at - 22)}
        y="0"
        width="44"
        height=${bottom}
        @pointerdown=${this.#grab}
        @pointermove=${this.#drag}
      ></rect>
    </g>`;
  }

  readonly #grab = (event: PointerEvent): void => {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    // Else the drag would select text.
    event.preventDefault();
  };

  readonly #drag = (event: PointerEvent): void => {
    const grip = event.currentTarget as Element;
    if (!grip.hasPointerCapture(event.pointerId)) return;
    const { left, right } = this.#scale();
    const x = event.clientX - this.getBoundingClientRect().left;
    const share = Math.min(1, Math.max(0, (x - left) / (right - left)));
    this.#choose(atShare(share, ...this.#ends));
  };

  readonly #key = (event: KeyboardEvent): void => {
    const [first, last] = this.#ends;
    const step = (up: boolean): number => fineStep(this.present, up, this.axis !== 'epsilon');
    const moves: Record<string, () => number> = {
      ArrowRight: () => step(true),
      ArrowUp: () => step(true),
      ArrowLeft: () => step(false),
      ArrowDown: () => step(false),
      PageUp: () => nextStep(this.present, true),
      PageDown: () => nextStep(this.present, false),
      Home: () => first,
      End: () => last,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.#choose(Math.min(last, Math.max(first, move())));
  };

  #choose(chosen: number): void {
    const value =
      this.axis === 'epsilon' ? Number(chosen.toPrecision(12)) : Math.max(1, Math.round(chosen));
    if (value === this.present) return;
    const detail: ValueDetail = { value };
    this.dispatchEvent(new CustomEvent('pm-value', { detail, bubbles: true, composed: true }));
  }

  #description(): string {
    const along = this.axis === 'epsilon' ? 'epsilon' : this.axisLabel;
    const places = [...new Set([this.#ends[0], this.present, this.#ends[1]])];
    const what = this.#isCovariance
      ? [
          `Error of the covariance as a share of the error of answering 0: ${places
            .map((at) => {
              const point = pointAt(this.grid, this.points, at);
              const share = point === undefined ? 'not computed yet' : percent(point.ratio);
              return `${share} at ${bound(at)}`;
            })
            .join(', ')}.`,
        ]
      : this.truths.map((truth, i) => {
          const values = places.map((at) => {
            const point = pointAt(this.grid, this.points, at);
            if (point === undefined) return `not computed yet at ${bound(at)}`;
            const reading = readingOf(truth, point, i);
            if (reading === 'lost') return `lost in noise at ${bound(at)}`;
            const interval = intervalOf(truth, point, i).map((end) => correlation(end));
            return `${interval.join(' to ')} at ${bound(at)}, ${reading}`;
          });
          return `${ordinal(i)} pair, if it is ${correlation(truth)}: ${values.join('; ')}.`;
        });
    return `What you would see, against ${along}. ${what.join(' ')}`;
  }
}

function whisker(at: number, top: number, bottom: number, reading: Reading): TemplateResult {
  return svg`<path class="whisker ${reading === 'clear' ? '' : 'faint'}" fill="none" d="M${at - 4} ${top}h8M${at - 4} ${bottom}h8M${at} ${top}V${bottom}"></path>`;
}

/** Heights from the top down, at least a line of text apart. */
function spread(heights: readonly number[]): number[] {
  let last = -Infinity;
  return heights.map((height) => (last = Math.max(height, last + LINE)));
}

function lineThrough(points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
}

/** Runs of samples with the same reading; each ends where the next one begins. */
function runsOf(samples: readonly Sample[], read: (point: ForecastPoint) => Reading): Run[] {
  const runs: Run[] = [];
  for (const sample of samples) {
    const reading = read(sample.point);
    const last = runs.at(-1);
    last?.samples.push(sample);
    if (last?.reading !== reading) runs.push({ reading, samples: [sample] });
  }
  return runs;
}

/** The ends of an axis and the steps 1, 2, 5 between them. */
function stepsBetween(first: number, last: number): number[] {
  const steps = [first];
  for (let step = nextStep(first, true); step < last; step = nextStep(step, true)) steps.push(step);
  return [...steps, last];
}
