import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import type { ForecastPoint } from './forecast-surface.js';
import { readOff } from './forecast-surface.js';
import {
  bound,
  compact,
  correlation,
  ordinal,
  percent,
  significant,
  ticks,
} from 'private-moments/words';
import { figureStyles, hatch } from './hatch.js';
import { logShare } from '../base/log-steps.js';
import { smooth, tenth } from './smooth.js';
import { styles } from '../look/styles.js';
import { WidthController } from './width.js';

const HEAD = 44;
const HEIGHT = 104;
const FOOT = 44;
const AXIS = 28;
const GAP = 14;
/** Room for the covariance's numbers, which have a scale of their own. */
const SECOND_AXIS = 48;

type Value = (point: ForecastPoint) => number;

interface Panel {
  title: string;
  under: string;
  error: Value;
  floor: Value | undefined;
  /** The error of answering 0. */
  zero: number;
  y: (value: number) => number;
  axis: { value: number; label: string }[];
  show: (error: number) => string;
}

/**
 * Expected errors as small multiples along epsilon or rows, for each assumed correlation and for the
 * covariance. The noise floor is hatched, the error of answering 0 is dashed, and the present choice is a
 * thin line. An error is grey where its correlation is below the floor, because it then holds no longer.
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

      text.title {
        fill: var(--_ink);
        font-size: 14px;
        font-weight: 600;
      }

      text.under {
        font-size: 13px;
      }

      text.present {
        fill: var(--_accent);
        font-weight: 600;
      }

      .zero {
        stroke: var(--_ink);
        stroke-width: 1.5;
        stroke-dasharray: 5 3;
      }

      text.zero-label {
        fill: var(--_ink);
      }

      .choice {
        stroke: var(--_accent);
      }

      .curve {
        fill: none;
        stroke: var(--_accent);
        stroke-width: 2.25;
        stroke-linejoin: round;
        stroke-linecap: round;
      }

      .curve.faint {
        stroke: var(--_ink-3);
        stroke-width: 1.5;
      }

      .floor-curve {
        fill: none;
        stroke: var(--_line-2);
      }

      .behind .curve,
      .behind .floor-curve {
        opacity: 0.45;
      }

      @media (forced-colors: active) {
        .curve {
          stroke: CanvasText;
          stroke-width: 2.5;
        }

        .zero {
          stroke: CanvasText;
        }

        .choice,
        .dot {
          stroke: Highlight;
        }
      }
    `,
  ];

  /** `epsilon` or `rows`. */
  declare axis: 'epsilon' | 'rows';
  declare grid: readonly number[];
  declare points: readonly (ForecastPoint | undefined)[];
  /** The assumed correlations, largest first. */
  declare truths: readonly number[];
  declare present: number;
  declare axisLabel: string;
  /** Whether the points are of an earlier design. */
  declare behind: boolean;

  readonly #size = new WidthController(this, 528);

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
    const width = this.#size.width;
    const panels = this.#panels();
    const wide = width >= 480;
    const columns = wide ? panels.length : Math.min(2, panels.length);
    const rows = Math.ceil(panels.length / columns);
    const tall = HEAD + HEIGHT + FOOT;
    // On wide screens, only the first panel has the scale of the correlations.
    const lefts = panels.map((panel, i) =>
      panel.floor === undefined ? SECOND_AXIS : wide && i > 0 ? GAP : AXIS,
    );
    const taken = wide ? lefts.reduce((sum, left) => sum + left, 0) : 2 * SECOND_AXIS;
    const plot = Math.min(260, Math.floor((width - taken - 6) / columns));
    let x = 0;
    return html`<svg
      class=${this.behind ? 'behind' : ''}
      width=${width}
      height=${rows * tall}
      role="img"
      aria-label=${this.#description(panels)}
    >
      ${hatch}
      ${panels.map((panel, i) => {
        if (i % columns === 0) x = 0;
        const left = x + (wide ? (lefts[i] ?? 0) : SECOND_AXIS);
        x = left + plot;
        return this.#panel(panel, i, left, Math.floor(i / columns) * tall, plot, wide);
      })}
    </svg>`;
  }

  #panels(): Panel[] {
    // A whole number of tenths, with room above the largest.
    const max = Math.min(1, Math.ceil(Math.max(0.15, ...this.truths) * 12) / 10);
    const axis = ticks(max, 3).map((value) => ({
      value,
      label: value === 0 ? '0' : value === 1 ? '1' : correlation(value).replace(/0$/, ''),
    }));
    const pairs = this.truths.map((truth, i): Panel => ({
      title: `${ordinal(i)} pair`,
      under: `if it is ${correlation(truth)}`,
      error: ({ pairs: all }) => all[i]?.error ?? NaN,
      floor: ({ pairs: all }) => all[i]?.floor ?? NaN,
      zero: truth,
      y: (value) => Math.min(1.2, value / max),
      axis,
      show: (error) => `± ${error < 0.005 ? correlation(error, 3) : correlation(error)}`,
    }));
    return [...pairs, this.#covariance()];
  }

  /** The panel of the covariance, on a log scale of whole decades below the error of answering 0. */
  #covariance(): Panel {
    const values = this.points.flatMap((point) => (point === undefined ? [] : [point.ratio]));
    const low = Math.max(-4, Math.min(-1, Math.floor(Math.log10(Math.min(1, ...values)))));
    // How much worse than answering 0 does not matter, so the scale ends just above it.
    const high = 0.35;
    const axis = Array.from({ length: 1 - low }, (_, i) => 10 ** (low + i));
    const every = axis.length > 4 ? 2 : 1;
    return {
      title: 'Covariance',
      under: 'all entries',
      error: ({ ratio }) => ratio,
      floor: undefined,
      zero: 1,
      y: (value) => Math.max(0, Math.min(1.2, (Math.log10(value) - low) / (high - low))),
      axis: axis
        .filter((_, i) => (axis.length - 1 - i) % every === 0)
        .map((value) => ({ value, label: `${bound(value * 100)}%` })),
      show: (error) => percent(error),
    };
  }

  #panel(
    panel: Panel,
    index: number,
    left: number,
    top: number,
    width: number,
    wide: boolean,
  ): TemplateResult {
    const bottom = top + HEAD + HEIGHT;
    const right = left + width;
    const y = (value: number): number => tenth(bottom - panel.y(value) * HEIGHT);
    const x = (value: number): number => tenth(left + this.#share(value) * width);
    const curve = this.#curve(panel.error, x, y);
    const floor = panel.floor && this.#curve(panel.floor, x, y);
    const numbered = panel.floor === undefined || index === 0 || !wide;
    const clip = `panel-${index}`;
    const at = x(this.present);
    const hidden =
      panel.floor === undefined ? 0 : tenth(this.#hiddenShare(panel.floor, panel.zero) * width);
    return svg`
      <defs>
        <clipPath id=${clip}><rect x=${left} y=${top + HEAD} width=${width} height=${HEIGHT}></rect></clipPath>
        <clipPath id="${clip}-hidden"><rect x=${left} y=${top + HEAD} width=${hidden} height=${HEIGHT}></rect></clipPath>
        <clipPath id="${clip}-clear"><rect x=${left + hidden} y=${top + HEAD - 2} width=${width - hidden} height=${HEIGHT + 2}></rect></clipPath>
      </defs>
      <text class="title" x=${left} y=${top + 14}>${panel.title}</text>
      <text class="under" x=${left} y=${top + 32}>${panel.under}</text>
      ${panel.axis.map(
        ({ value, label }) => svg`
          <line class="grid" x1=${left} x2=${right} y1=${y(value)} y2=${y(value)}></line>
          ${numbered ? svg`<text x=${left - 7} y=${y(value) + 4} text-anchor="end">${label}</text>` : nothing}`,
      )}
      ${
        floor === undefined || floor === ''
          ? nothing
          : svg`<g clip-path="url(#${clip})">
              <path class="floor" d="${floor}V${bottom}H${left}Z"></path>
              <path class="floor-curve" d=${floor}></path>
            </g>`
      }
      <line class="baseline" x1=${left} x2=${right} y1=${bottom} y2=${bottom}></line>
      <line class="zero" x1=${left} x2=${right} y1=${y(panel.zero)} y2=${y(panel.zero)}></line>
      <line class="choice" x1=${at} x2=${at} y1=${top + HEAD} y2=${bottom}></line>
      ${
        curve === ''
          ? nothing
          : svg`
              <path class="curve" clip-path="url(#${clip}-clear)" d=${curve}></path>
              ${hidden === 0 ? nothing : svg`<path class="curve faint" clip-path="url(#${clip}-hidden)" d=${curve}></path>`}`
      }
      ${this.#labels(panel, index, left, right, y)}
      ${this.#marker(panel, at, left, right, y)}
      ${this.#ticks(left, width, bottom, x)}`;
  }

  #labels(
    panel: Panel,
    index: number,
    left: number,
    right: number,
    y: (value: number) => number,
  ): TemplateResult | typeof nothing {
    // Only the first panel of each kind labels its lines.
    if (index > 0 && panel.floor !== undefined) return nothing;
    const below = panel.floor === undefined;
    const zero = svg`<text class="zero-label halo" x=${right} y=${y(panel.zero) + (below ? 15 : -6)} text-anchor="end">answering 0</text>`;
    const [first] = this.points;
    if (panel.floor === undefined || first === undefined) return zero;
    // Beside a steep floor, above a low one.
    const start = panel.floor(first);
    const height = 0.62 * panel.zero;
    const isLow = start < height;
    const share = isLow ? 0 : this.#hiddenShare(panel.floor, height);
    return svg`${zero}
      <text class="halo" x=${left + 5 + share * (right - left)} y=${isLow ? y(start) - 6 : y(height) + 4}>noise floor</text>`;
  }

  /** The share of the axis, from 0 to 1, along which the noise floor is above a correlation. */
  #hiddenShare(floor: Value, truth: number): number {
    const values = this.points.map((point) => (point === undefined ? undefined : floor(point)));
    const last = lastIndex(values, truth);
    const [before, after] = [values[last], values[last + 1]];
    if (before === undefined) return 0;
    const [from, to] = [this.grid[last] ?? 1, this.grid[last + 1]];
    if (after === undefined || to === undefined) return this.#share(from);
    const t = Math.log(before / truth) / Math.log(before / after);
    return this.#share(from * (to / from) ** t);
  }

  #marker(
    panel: Panel,
    at: number,
    left: number,
    right: number,
    y: (value: number) => number,
  ): TemplateResult | typeof nothing {
    const values = this.points.map((point) =>
      point === undefined ? undefined : panel.error(point),
    );
    const error = readOff(this.grid, values, this.present);
    if (error === undefined || Number.isNaN(error)) return nothing;
    const isRight = right - at > 44;
    const x = isRight ? at + 7 : at - 7;
    const dashed = y(panel.zero);
    const beside = Math.max(y(1e9) + 14, Math.min(y(error) - 9, y(0) - 9));
    const height = beside > dashed - 3 && beside < dashed + 13 ? dashed - 6 : beside;
    return svg`<circle class="dot" cx=${at} cy=${Math.max(y(1e9), y(error))} r="4.5"></circle>
      <text class="present halo" x=${Math.max(left, x)} y=${height} text-anchor=${isRight ? 'start' : 'end'}>${panel.show(error)}</text>`;
  }

  #ticks(
    left: number,
    width: number,
    bottom: number,
    x: (value: number) => number,
  ): TemplateResult {
    const ends = [
      this.grid[0] ?? 1,
      this.grid[(this.grid.length - 1) / 2] ?? 1,
      this.grid.at(-1) ?? 1,
    ];
    const anchors = ['start', 'middle', 'end'] as const;
    const show = this.axis === 'rows' ? compact : bound;
    // The present choice is labelled too, if there is room for it.
    const places = ends.map((value) => x(value));
    const room = places.every((place) => Math.abs(place - x(this.present)) > 24);
    const all = room ? [...ends, this.present] : ends;
    return svg`${all.map((value, i) => {
      const own = Math.abs(Math.log(value / this.present)) < 1e-6;
      return svg`<line class="baseline" x1=${x(value)} x2=${x(value)} y1=${bottom} y2=${bottom + 4}></line>
        <text class=${own ? 'present' : ''} x=${x(value)} y=${bottom + 18} text-anchor=${anchors[i] ?? 'middle'}>${show(value)}</text>`;
    })}
      <text x=${left + width / 2} y=${bottom + 34} text-anchor="middle">${this.axisLabel}</text>`;
  }

  /** The position of a value on the horizontal axis, from 0 to 1. */
  #share(value: number): number {
    return logShare(value, this.grid[0] ?? 1, this.grid.at(-1) ?? 10);
  }

  /** A smooth path through the points computed so far. */
  #curve(value: Value, x: (value: number) => number, y: (value: number) => number): string {
    const points = this.points.flatMap((point, i) => {
      const number = point === undefined ? NaN : value(point);
      return Number.isNaN(number) ? [] : [[x(this.grid[i] ?? 1), y(number)] as const];
    });
    return points.length < 2 ? '' : smooth(points);
  }

  #description(panels: readonly Panel[]): string {
    const along = this.axis === 'epsilon' ? 'epsilon' : this.axisLabel;
    const [first, last] = [this.grid[0] ?? 1, this.grid.at(-1) ?? 1];
    const sentences = panels.map((panel) => {
      const values = this.points.map((point) =>
        point === undefined ? undefined : panel.error(point),
      );
      const at = (where: number): string => {
        const error = readOff(this.grid, values, where);
        if (error === undefined) return `not computed yet at ${bound(where)}`;
        const number = panel.floor === undefined ? percent(error) : significant(error);
        return `${number} at ${bound(where)}`;
      };
      const numbers = [...new Set([first, this.present, last])].map(at).join(', ');
      const what =
        panel.floor === undefined
          ? 'Covariance, as a share of the error of answering 0'
          : `${panel.title} ${panel.under}`;
      return `${what}: ${numbers}.`;
    });
    return `Expected error against ${along}, log scale. ${sentences.join(' ')}`;
  }
}

/** The index of the last value of at least `least`; -1 if there is none. */
function lastIndex(values: readonly (number | undefined)[], least: number): number {
  return values.reduce<number>(
    (last, value, i) => (value !== undefined && value >= least ? i : last),
    -1,
  );
}
