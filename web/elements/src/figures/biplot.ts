import { csvText } from 'private-moments/internal';
import type { Scores } from 'private-moments';
import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import { bound, correlation, count, levelName, plural, ticks } from 'private-moments/words';
import { figureStyles } from './hatch.js';
import { down } from '../look/icons.js';
import { written, type Arrow } from './figure-data.js';
import type { FigureNumbers } from './figure-file.js';
import { ReadOut, readOutStyles, type Mark } from './read-out.js';
import { saveCsv } from '../base/save.js';
import { paperStyles } from '../look/printing.js';
import { styles } from '../look/styles.js';
import { viewColours } from '../look/view-colours.js';
import { WidthController } from './width.js';

/** Margins around the points; the style sheet repeats them. */
const LEFT = 48;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 48;
const TALLEST = 480;
/** Points drawn at most; more would only make the figure darker. */
const MOST_POINTS = 50_000;
/** Length of an arrow for a correlation of 1, as a share of the room. */
const REACH = 0.86;
/** Shorter arrows get no label: they say little, and their labels would overlap. */
const LEAST_LABELLED = 0.12;
const MOST_LABELLED = 16;
const LINE = 16;
const CHARACTER = 8.2;
/** Below this width, labels of categories omit the column's name. */
const NARROW = 480;

interface Layout {
  width: number;
  height: number;
  x: (value: number) => number;
  y: (value: number) => number;
  limits: [number, number];
}

/**
 * Rows as points along two of their scores, with an arrow for each column: its correlations with the
 * score on the horizontal axis and the score on the vertical one. `x` and `y` name two columns of
 * `scores`, the result of the package's `project`.
 */
export class PmBiplot extends LitElement {
  static override properties = {
    scores: { attribute: false },
    arrows: { attribute: false },
    x: {},
    y: {},
    asTable: { state: true },
  };

  static override styles = [
    styles,
    figureStyles,
    readOutStyles,
    paperStyles,
    viewColours,
    css`
      /* Keeps both columns of numbers in a narrow window. */
      thead th {
        white-space: normal;
      }

      .plot {
        position: relative;
      }

      canvas {
        position: absolute;
        inset: 8px 8px 48px 48px;
        width: calc(100% - 56px);
        height: calc(100% - 56px);
        color: var(--_ink-3);
      }

      /* Draws the arrows over the points. */
      svg {
        position: relative;
      }

      .arrow {
        stroke: var(--_view);
        stroke-width: 2;
        fill: none;
        stroke-linecap: round;
        stroke-linejoin: round;
      }

      /* The views of a pair differ by more than their colours. */
      .arrow.second {
        stroke-dasharray: 7 3;
      }

      text.arrow-name {
        fill: var(--_view);
        font-size: 13px;
        font-weight: 600;
      }

      .below {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 20px;
        margin-top: 8px;
      }

      .scroll {
        margin-top: 16px;
      }

      @media (forced-colors: active) {
        canvas {
          color: CanvasText;
        }

        .arrow {
          stroke: Highlight;
        }

        text.arrow-name {
          fill: CanvasText;
        }
      }
    `,
  ];

  declare scores: Scores | undefined;
  declare arrows: readonly Arrow[];
  declare x: string;
  declare y: string;
  declare asTable: boolean;

  readonly #size = new WidthController(this, 640);
  readonly #readOut = new ReadOut(this);
  /** Media queries on which the colour of the canvas depends. */
  readonly #themes = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  );

  constructor() {
    super();
    this.scores = undefined;
    this.arrows = [];
    this.x = '';
    this.y = '';
    this.asTable = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const theme of this.#themes) theme.addEventListener('change', this.#paint);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const theme of this.#themes) theme.removeEventListener('change', this.#paint);
  }

  protected override render(): TemplateResult | typeof nothing {
    const layout = this.#layout();
    if (layout === undefined) return nothing;
    const tip = tipOf(layout);
    const marks = byLength(this.arrows).map((arrow): Mark => {
      const [x, y] = tip(arrow);
      return { x, y, words: this.#words(arrow) };
    });
    return html`${this.#readOut.render(
        `correlations with ${this.x} and ${this.y}`,
        marks,
        (pointer) =>
          html`<div class="plot">
            <canvas aria-hidden="true"></canvas>
            <svg
              width=${layout.width}
              height=${layout.height}
              role="img"
              aria-label=${this.#description()}
            >
              ${this.#axes(layout)} ${this.#arrowMarks(layout)} ${pointer}
            </svg>
          </div>`,
      )}
      <div class="below">
        <button
          class="link"
          type="button"
          aria-expanded=${this.asTable ? 'true' : 'false'}
          @click=${() => {
            this.asTable = !this.asTable;
          }}
        >
          ${this.asTable ? 'Hide the table' : 'See as a table'}
        </button>
        <button class="button small" type="button" @click=${this.#saveScores}>
          ${down} Download scores (CSV)
        </button>
      </div>
      ${this.asTable ? this.#table() : nothing}`;
  }

  protected override updated(): void {
    this.#paint();
  }

  /** The two scores of each row that has both, in turn. */
  #points(): Float64Array {
    const { scores } = this;
    if (scores === undefined) return new Float64Array();
    const width = scores.columns.length;
    const [across, up] = [scores.columns.indexOf(this.x), scores.columns.indexOf(this.y)];
    if (across < 0 || up < 0) return new Float64Array();
    const rows = scores.values.length / width;
    const points = new Float64Array(2 * rows);
    let used = 0;
    for (let row = 0; row < rows; row++) {
      const x = scores.values[row * width + across] ?? NaN;
      const y = scores.values[row * width + up] ?? NaN;
      if (Number.isNaN(x) || Number.isNaN(y)) continue;
      points[used++] = x;
      points[used++] = y;
    }
    return points.subarray(0, used);
  }

  #layout(): Layout | undefined {
    const points = this.#points();
    if (points.length === 0) return undefined;
    const limits: [number, number] = [0, 0];
    for (let at = 0; at < points.length; at++) {
      const axis = (at % 2) as 0 | 1;
      limits[axis] = Math.max(limits[axis], Math.abs(points[at] ?? 0));
    }
    const { width } = this.#size;
    const height = Math.min(TALLEST, width);
    const [right, top] = limits.map((limit) => (limit > 0 ? limit * 1.06 : 1)) as [number, number];
    return {
      width,
      height,
      limits: [right, top],
      x: (value) => LEFT + ((value / right + 1) / 2) * (width - LEFT - RIGHT),
      y: (value) => TOP + ((1 - value / top) / 2) * (height - TOP - BOTTOM),
    };
  }

  #axes({ width, height, x, y, limits: [right, top] }: Layout): TemplateResult {
    const bottom = height - BOTTOM;
    const mirrored = (limit: number): number[] => {
      const up = ticks(limit, 2);
      return [...up.slice(1).map((tick) => -tick), ...up];
    };
    return svg`
      ${mirrored(top).map(
        (tick) => svg`
          <line class=${tick === 0 ? 'baseline' : 'grid'} x1=${LEFT} x2=${width - RIGHT} y1=${y(tick)} y2=${y(tick)}></line>
          <text x=${LEFT - 8} y=${y(tick) + 4} text-anchor="end">${bound(tick)}</text>`,
      )}
      ${mirrored(right).map((tick) => svg`<text x=${x(tick)} y=${bottom + 18} text-anchor="middle">${bound(tick)}</text>`)}
      <line class="baseline" x1=${x(0)} x2=${x(0)} y1=${TOP} y2=${bottom}></line>
      <text x=${width - RIGHT} y=${bottom + 38} text-anchor="end">horizontal ${this.x}, vertical ${this.y}</text>`;
  }

  #arrowMarks(layout: Layout): TemplateResult[] {
    const { width, height } = layout;
    const [middle, centre] = [layout.x(0), layout.y(0)];
    const taken: [number, number, number][] = [];
    const arrows = byLength(this.arrows);
    const first = this.arrows[0]?.series;
    const tip = tipOf(layout);
    const labelled = arrows
      .slice(0, MOST_LABELLED)
      .filter((arrow) => lengthOf(arrow) >= LEAST_LABELLED);
    return [
      ...arrows.map(
        (arrow) =>
          svg`<path class="arrow series-${arrow.series} ${arrow.series === first ? '' : 'second'}" d=${arrowPath(middle, centre, ...tip(arrow))}></path>`,
      ),
      ...labelled.map((arrow) => this.#label(arrow, ...tip(arrow), { width, height, taken })),
    ];
  }

  /** A label beyond the arrow's tip, moved clear of earlier labels. */
  #label(
    arrow: Arrow,
    x: number,
    y: number,
    { width, height, taken }: { width: number; height: number; taken: [number, number, number][] },
  ): TemplateResult {
    const { series, x: across } = arrow;
    const text = width < NARROW ? levelName(written(arrow)) : written(arrow);
    const length = text.length * CHARACTER;
    const start = Math.min(
      width - RIGHT - length,
      Math.max(LEFT + 4, across < 0 ? x - 6 - length : x + 6),
    );
    let base = y + 4;
    const isTaken = ([left, right, line]: [number, number, number]): boolean =>
      start < right && start + length > left && Math.abs(line - base) < LINE;
    for (let turn = 1; turn < 12 && taken.some(isTaken); turn++) {
      base += (turn % 2 === 0 ? -1 : 1) * turn * (LINE / 2);
    }
    base = Math.min(height - BOTTOM - 4, Math.max(TOP + 12, base));
    taken.push([start, start + length, base]);
    return svg`<text class="arrow-name halo series-${series}" x=${start} y=${base}>${text}</text>`;
  }

  readonly #paint = (): void => {
    const canvas = this.renderRoot.querySelector('canvas');
    const layout = this.#layout();
    const context = canvas?.getContext('2d');
    if (!canvas || !context || layout === undefined) return;
    const scale = devicePixelRatio;
    canvas.width = Math.round((layout.width - LEFT - RIGHT) * scale);
    canvas.height = Math.round((layout.height - TOP - BOTTOM) * scale);
    const points = this.#points();
    const rows = points.length / 2;
    const every = Math.ceil(rows / MOST_POINTS);
    const size = (rows > 5000 ? 1.6 : rows > 500 ? 2.4 : 4) * scale;
    context.fillStyle = getComputedStyle(canvas).color;
    context.globalAlpha = Math.max(0.16, Math.min(0.75, 30 / Math.sqrt(rows)));
    for (let row = 0; row < rows; row += every) {
      const x = (layout.x(points[2 * row] ?? 0) - LEFT) * scale;
      const y = (layout.y(points[2 * row + 1] ?? 0) - TOP) * scale;
      context.fillRect(x - size / 2, y - size / 2, size, size);
    }
  };

  #table(): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Arrows as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col" class="right">Correlation with ${this.x}</th>
            <th scope="col" class="right">with ${this.y}</th>
          </tr>
        </thead>
        <tbody>
          ${this.arrows.map(
            (arrow) =>
              html`<tr>
                <th scope="row">${written(arrow)}</th>
                <td class="right">${correlation(arrow.x)}</td>
                <td class="right">${correlation(arrow.y)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** The arrows; the points are in the file of scores. */
  numbers(): FigureNumbers {
    return {
      header: ['column', this.x, this.y],
      lines: this.arrows.map(({ name, x, y }) => [name, x, y]),
    };
  }

  repaint(): void {
    this.#paint();
  }

  #description(): string {
    const rows = this.#points().length / 2;
    const drawn = Math.ceil(rows / Math.ceil(rows / MOST_POINTS));
    const points =
      drawn === rows ? plural(rows, 'row') : `${count(drawn)} of ${plural(rows, 'row')}`;
    const arrows = this.arrows.map((arrow) => this.#words(arrow));
    return `${points} as points, ${this.x} horizontal and ${this.y} vertical. Correlations of the columns with both: ${arrows.join('; ')}.`;
  }

  #words(arrow: Arrow): string {
    return `${written(arrow)} ${correlation(arrow.x)} and ${correlation(arrow.y)}`;
  }

  readonly #saveScores = (): void => {
    const { scores } = this;
    if (scores === undefined) return;
    const { columns, values } = scores;
    const lines = Array.from({ length: values.length / columns.length }, (_, i) =>
      Array.from(values.subarray(i * columns.length, (i + 1) * columns.length)),
    );
    saveCsv(csvText(columns, lines), 'scores.csv');
  };
}

/** The longest first. */
function byLength(arrows: readonly Arrow[]): Arrow[] {
  return [...arrows].sort((a, b) => lengthOf(b) - lengthOf(a));
}

/** Where the tip of an arrow is drawn. */
function tipOf({ width, height, x, y }: Layout): (arrow: Arrow) => [number, number] {
  const [middle, centre] = [x(0), y(0)];
  const across = ((width - LEFT - RIGHT) / 2) * REACH;
  const up = ((height - TOP - BOTTOM) / 2) * REACH;
  return (arrow) => [middle + arrow.x * across, centre - arrow.y * up];
}

function lengthOf({ x, y }: Arrow): number {
  return Math.hypot(x, y);
}

/** A line with an arrow head, which is at most half as long as the line. */
function arrowPath(fromX: number, fromY: number, x: number, y: number): string {
  const angle = Math.atan2(y - fromY, x - fromX);
  const head = Math.min(9, Math.hypot(x - fromX, y - fromY) / 2);
  const wing = (turn: number): string =>
    `${(x - head * Math.cos(angle + turn)).toFixed(1)} ${(y - head * Math.sin(angle + turn)).toFixed(1)}`;
  const tip = `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${fromX.toFixed(1)} ${fromY.toFixed(1)}L${tip}M${wing(0.45)}L${tip}L${wing(-0.45)}`;
}
