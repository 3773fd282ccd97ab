import type { ConsortiumWay } from 'private-moments-research';
import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import type { Curves } from './consortium-curves.js';
import type { Along } from './consortium-setting.js';
import { AXES, WAYS, description, outcomeOf, written, type Shown } from './consortium-words.js';
import { nextTask } from 'private-moments/internal';
import { correlation, roundUp } from 'private-moments/words';
import {
  across,
  figureStyles,
  levels,
  lineFigureStyles,
  logShare,
  placeLabels,
  referenceLabel,
  smooth,
  styles,
  tenth,
  textWidth,
  WidthController,
  type Box,
  type Point,
} from 'private-moments/internal/elements';

const TOP = 28;
const LEFT = 44;
const RIGHT = 14;
const FOOT = 48;
/** Lines that are nowhere farther apart than this share one label with all their names. */
const TOGETHER = 6;
/** From this width on, labels have room for longer names. */
const WIDE = 640;

const TICKS: Record<Along, readonly number[]> = {
  epsilon: [0.01, 0.1, 1, 10, 0.03, 0.3, 3],
  delta: [1e-9, 1e-6, 1e-3, 0.05, 1e-8, 1e-7, 1e-5, 1e-4, 0.01],
  sites: [1, 10, 100, 2, 5, 20, 50],
  rows: [100, 1000, 10_000, 100_000],
};

const LONG: Partial<Record<ConsortiumWay, string>> = {
  pooled: 'pooled, one trusted computer',
  split: 'split or ring',
  local: 'local, one site alone',
};

interface Drawn {
  way: ConsortiumWay;
  points: Point[];
}

/**
 * What each way to combine sites recovers along one axis, as labelled lines. The present setting is a thin
 * vertical line, the result without privacy a dashed one.
 */
export class PmConsortiumFigure extends LitElement {
  static override properties = {
    curves: { attribute: false },
    shown: {},
    ways: { attribute: false },
    behind: { type: Boolean },
  };

  static override styles = [
    styles,
    figureStyles,
    lineFigureStyles,
    css`
      .way {
        stroke: var(--_ink);
        stroke-width: 2.25;
      }

      text.label {
        font-size: 14px;
      }

      .pooled {
        stroke: var(--_ink);
      }

      .split {
        stroke: var(--_accent);
      }

      .cape,
      .cape-published {
        stroke: var(--_series-2);
      }

      .cape-published {
        stroke-width: 1.75;
        stroke-dasharray: 2 4;
      }

      .conventional {
        stroke: var(--_series-3);
      }

      .local {
        stroke: var(--_ink-3);
      }

      .name-pooled {
        fill: var(--_ink);
      }

      .name-split {
        fill: var(--_accent);
      }

      .name-cape,
      .name-cape-published {
        fill: var(--_series-2);
      }

      .name-conventional {
        fill: var(--_series-3);
      }

      .name-local {
        fill: var(--_ink-3);
      }

      .behind {
        opacity: 0.45;
      }
    `,
  ];

  declare curves: Curves | undefined;
  /** `first`, `all` or `error`. */
  declare shown: Shown;
  /** The ways drawn. */
  declare ways: readonly ConsortiumWay[];
  /** Whether the curves are of an earlier data set. */
  declare behind: boolean;

  readonly #size = new WidthController(this, 816);
  #isDrawn = false;
  #isLabelled = false;

  constructor() {
    super();
    this.curves = undefined;
    this.shown = 'first';
    this.ways = [];
    this.behind = false;
  }

  /** Draws the first curves in a task after that of the text around them, and their labels in another. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.curves !== undefined && !this.#isLabelled) await nextTask();
    await super.scheduleUpdate();
  }

  protected override updated(): void {
    if (this.curves === undefined || this.#isLabelled) return;
    this.#isLabelled = this.#isDrawn;
    this.#isDrawn = true;
    if (!this.#isLabelled) this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const height = width < WIDE ? 300 : 430;
    const { curves } = this;
    if (curves === undefined) {
      return html`<svg width=${width} height=${height} aria-hidden="true"></svg>`;
    }
    const area = { left: LEFT, right: width - RIGHT, top: TOP, bottom: height - FOOT };
    const { grid, along } = curves;
    const [least, most] = [grid[0] ?? 1, grid.at(-1) ?? 10];
    const x = (value: number): number =>
      tenth(area.left + logShare(value, least, most) * (area.right - area.left));
    const scale = this.#scale(curves);
    const y = (value: number): number =>
      tenth(
        area.bottom - ((value - scale.from) / (scale.to - scale.from)) * (area.bottom - area.top),
      );
    const drawn = this.#drawn(curves, x, y);
    const present = x(curves.setting[along]);
    const reference = this.#reference(curves);
    return html`<svg
      width=${width}
      height=${height}
      role="img"
      aria-label=${description(curves, this.shown, this.ways)}
    >
      ${levels(scale.ticks, area, y, scale.show)}
      <line class="present" x1=${present} x2=${present} y1=${area.top - 8} y2=${area.bottom}></line>
      <line
        class="reference"
        x1=${area.left}
        x2=${area.right}
        y1=${y(reference.value)}
        y2=${y(reference.value)}
      ></line>
      <g class=${this.behind ? 'behind' : ''}>
        ${drawn.map(
          ({ way, points }) =>
            svg`<path class="line way ${way}" data-way=${way} d=${smooth(points)}></path>`,
        )}
      </g>
      ${across(
        {
          present: curves.setting[along],
          values: TICKS[along],
          x,
          show: (value) => written(along, value),
          label: AXES[along],
        },
        area,
      )}
      ${this.#isDrawn ? this.#labels(drawn, area, y(reference.value), reference.label) : nothing}
    </svg>`;
  }

  /** The vertical scale: for a share up to 100%, for an error from 0 to that of answering 0 or more. */
  #scale({ outcomes, correlations }: Curves): {
    from: number;
    to: number;
    ticks: number[];
    show: (value: number) => string;
  } {
    const values = outcomes.flatMap((all) =>
      this.ways.map((way) => outcomeOf(all, way)?.[this.shown] ?? 0),
    );
    if (this.shown === 'error') {
      const to = Math.max(mean(correlations), ...values) * 1.02;
      const step = roundUp(to / 5);
      const ticks = Array.from({ length: Math.floor(to / step) + 1 }, (_, i) => i * step);
      return {
        from: 0,
        to,
        ticks,
        show: (value) => (value === 0 ? '0' : correlation(value, step < 0.1 ? 2 : 1)),
      };
    }
    const low = Math.min(1, ...values);
    const step = low > 0.9 ? 0.02 : low > 0.8 ? 0.05 : 0.2;
    const from = Math.max(0, Math.floor(low / step) * step);
    const ticks = Array.from(
      { length: Math.round((1 - from) / step) + 1 },
      (_, i) => from + i * step,
    );
    return { from, to: 1, ticks, show: (value) => `${Math.round(value * 100)}%` };
  }

  /** The reference line. */
  #reference({ correlations }: Curves): { value: number; label: string } {
    return this.shown === 'error'
      ? { value: mean(correlations), label: 'answering 0' }
      : { value: 1, label: 'without privacy' };
  }

  #drawn(
    { grid, outcomes }: Curves,
    x: (value: number) => number,
    y: (value: number) => number,
  ): Drawn[] {
    return this.ways.map((way) => ({
      way,
      points: grid.map((value, i): Point => [
        x(value),
        y(outcomeOf(outcomes[i] ?? [], way)?.[this.shown] ?? 0),
      ]),
    }));
  }

  #labels(drawn: readonly Drawn[], area: Box, reference: number, words: string): TemplateResult {
    const groups = together(drawn);
    const isWide = area.right - area.left > WIDE - LEFT - RIGHT;
    // The names in each group, in each wording.
    const names = groups.map((lines) => {
      const short = lines.map(({ way }) => WAYS[way]);
      const [only] = lines;
      const long = only === undefined || lines.length > 1 ? undefined : LONG[only.way];
      return isWide && long !== undefined ? [[long], short] : [short];
    });
    const { text, box } = referenceLabel(words, area.left, reference);
    const placed = placeLabels(
      groups.map(([first], i) => ({
        points: first?.points ?? [],
        widths: (names[i] ?? []).map((wording) => textWidth(wording.join(', '), 14, 600)),
      })),
      { ...area, left: area.left + 4, top: area.top - 4, bottom: area.bottom - 4 },
      [box],
    );
    return svg`${text}
      ${groups.map((lines, i) => {
        const place = placed[i];
        if (place === undefined) return nothing;
        return svg`<text class="label halo" x=${tenth(place.x)} y=${tenth(place.y)} text-anchor=${place.anchor}>${lines.map(
          ({ way }, k) =>
            svg`<tspan class="name-${way}">${names[i]?.[place.wording]?.[k] ?? ''}${k + 1 < lines.length ? ', ' : ''}</tspan>`,
        )}</text>`;
      })}`;
  }
}

/** Groups of lines that run together. */
function together(drawn: readonly Drawn[]): Drawn[][] {
  const groups: Drawn[][] = [];
  for (const line of drawn) {
    const near = groups.find(([first]) =>
      first?.points.every(([, y], i) => Math.abs(y - (line.points[i]?.[1] ?? y)) <= TOGETHER),
    );
    if (near === undefined) groups.push([line]);
    else near.push(line);
  }
  return groups;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
