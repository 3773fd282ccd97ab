import { LitElement, css, html, nothing, svg, type PropertyValues, type TemplateResult } from 'lit';
import type { Direction } from './directions.js';
import type { FigureNumbers } from './figure-file.js';
import { LEGEND_WIDTH, divergingLegend, divergingStyles, paint } from './diverging.js';
import {
  bound,
  compact,
  correlation,
  count,
  divergingStep,
  fitted,
  fixed,
  ordinal,
  plural,
  roundUp,
  significant,
} from 'private-moments/words';
import { ReadOut, readOutStyles, type Mark } from './read-out.js';
import { styles } from '../look/styles.js';
import { WidthController } from './width.js';

/** Above this many rows or columns a cell is too small for its own rectangle and table cell. */
const LARGEST_DRAWN = 48;
const WIDEST_CELL = 64;
const HIGHEST_CELL = 32;
/** Below this height, numbers do not fit. */
const LOWEST_PRINTED = 18;
const MOST_HEIGHT = 620;
/** Largest width of the canvas; the style sheet repeats it. */
const WIDEST_PAINTED = 560;
/** Width of a character of 12 px text, on the wide side of the system faces. */
const CHARACTER = 7.2;
const LEGEND = 64;
const BARS = 64;
const BAR = 36;

interface Layout {
  width: number;
  cell: number;
  line: number;
  labels: number;
  names: readonly string[];
  limit: number;
  printed: boolean;
  top: number;
  height: number;
}

/**
 * Directions as a table of colours, with features as rows and directions as columns. Bars above them show
 * the spread along each direction, if known. `values-label` names the measure of the bars.
 */
export class PmDirectionMap extends LitElement {
  static override properties = {
    names: { attribute: false },
    labels: { attribute: false },
    directions: { attribute: false },
    valuesLabel: { attribute: 'values-label' },
  };

  static override styles = [
    styles,
    divergingStyles,
    readOutStyles,
    css`
      .bar {
        fill: var(--_accent);
      }

      .base {
        stroke: var(--_line-2);
      }

      /* Square points would make the figure of a few long directions very tall. */
      canvas {
        height: 420px;
      }

      text.value {
        fill: var(--_ink);
        font-weight: 600;
      }
    `,
  ];

  declare names: readonly string[];
  /** What is written for names that have a label. */
  declare labels: ReadonlyMap<string, string>;
  declare directions: readonly Direction[];
  declare valuesLabel: string;

  readonly #size = new WidthController(this, 440, true);
  readonly #readOut = new ReadOut(this);

  constructor() {
    super();
    this.names = [];
    this.labels = new Map();
    this.directions = [];
    this.valuesLabel = 'sum of squares';
  }

  /** Whether the figure and its table have room for every number. */
  get drawn(): boolean {
    return this.names.length <= LARGEST_DRAWN && this.directions.length <= LARGEST_DRAWN;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.names.length === 0 || this.directions.length === 0) return nothing;
    const limit = this.#limit();
    const description = this.#description(limit);
    if (!this.drawn) return this.#canvas(limit, description);
    const layout = this.#layout(limit);
    return this.#readOut.render(
      'entries of the directions',
      this.#marks(layout),
      (pointer) =>
        html`<svg
          width=${layout.width}
          height=${layout.height}
          role="img"
          aria-label=${description}
        >
          ${divergingLegend('entry of a direction', limit, { x: this.#legendAt(layout), y: 2 })}
          ${this.#bars(layout)} ${this.#cells(layout)} ${this.#labels(layout)} ${pointer}
        </svg>`,
    );
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('directions') || changed.has('names')) this.repaint();
  }

  /** A canvas with one pixel per entry, below the legend and, if there is room, the bars. */
  #canvas(limit: number, description: string): TemplateResult {
    const width = Math.min(this.#size.width, WIDEST_PAINTED);
    const count = this.directions.length;
    const barred = this.#hasValues && count <= LARGEST_DRAWN;
    const top = LEGEND + (barred ? BARS + 8 : 0);
    return html`<svg width=${width} height=${top} aria-hidden="true" data-drawn>
        ${divergingLegend('entry of a direction', limit, { x: 0, y: 2 })}
        ${barred ? this.#bars({ cell: width / count, labels: 0, top }) : nothing}
      </svg>
      <canvas role="img" aria-label=${description}></canvas>`;
  }

  /** The directions as a table, for readers who want the numbers. */
  table(): TemplateResult | typeof nothing {
    if (!this.drawn) return nothing;
    return html`<table>
      <thead>
        <tr>
          <th scope="col"><span class="hidden-visually">Column</span></th>
          ${this.directions.map((_, k) => html`<th scope="col" class="right">${ordinal(k)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${
          this.#hasValues
            ? html`<tr>
                <th scope="row">${this.valuesLabel}</th>
                ${this.directions.map(
                  ({ value }) => html`<td class="right">${significant(value ?? 0, 3)}</td>`,
                )}
              </tr>`
            : nothing
        }
        ${this.#written().map(
          (name, r) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${this.directions.map(
                (_, k) => html`<td class="right">${fixed(this.#entry(r, k), 3)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  numbers(): FigureNumbers {
    const values = this.directions.map(({ value }) => value);
    return {
      header: ['column', ...this.directions.map((_, k) => `direction_${k + 1}`)],
      lines: [
        ...(this.#hasValues ? [[this.valuesLabel, ...values]] : []),
        ...this.names.map((name, r) => [name, ...this.directions.map((_, k) => this.#entry(r, k))]),
      ],
    };
  }

  repaint(): void {
    if (this.drawn) return;
    paint(this.renderRoot, this.names.length, this.directions.length, this.#limit(), (r, c) =>
      this.#entry(r, c),
    );
  }

  #written(): string[] {
    return this.names.map((name) => this.labels.get(name) ?? name);
  }

  get #hasValues(): boolean {
    return this.directions.every(({ value }) => value !== null);
  }

  #entry(feature: number, direction: number): number {
    return this.directions[direction]?.entries[feature] ?? 0;
  }

  #limit(): number {
    return Math.min(
      1,
      roundUp(Math.max(...this.directions.flatMap(({ entries }) => entries.map(Math.abs)))),
    );
  }

  #layout(limit: number): Layout {
    const width = this.#size.width;
    const most = Math.round(width * 0.36);
    const names = fitted(this.#written(), Math.floor((most - 12) / CHARACTER));
    const longest = Math.max(...names.map(({ length }) => length), this.#barLabel.length);
    const labels = Math.min(most, Math.round(longest * CHARACTER + 12));
    const cell = Math.min(WIDEST_CELL, Math.floor((width - labels) / this.directions.length));
    const line = Math.max(
      8,
      Math.min(HIGHEST_CELL, Math.floor(MOST_HEIGHT / Math.max(1, names.length))),
    );
    const top = LEGEND + (this.#hasValues ? BARS + 8 : 0);
    const height = top + names.length * line + 22;
    const printed = line >= LOWEST_PRINTED && cell >= 4 * CHARACTER + 2;
    return { width, cell, line, labels, names, limit, printed, top, height };
  }

  /** The label of the row of bars. */
  get #barLabel(): string {
    return this.#hasValues ? 'spread' : '';
  }

  /** Horizontal position of the legend: above the cells, and never past the left edge. */
  #legendAt({ labels, width }: Layout): number {
    return Math.max(0, Math.min(labels, width - LEGEND_WIDTH - 2));
  }

  #bars({
    cell,
    labels,
    top,
  }: Pick<Layout, 'cell' | 'labels' | 'top'>): TemplateResult | typeof nothing {
    if (!this.#hasValues) return nothing;
    const values = this.directions.map(({ value }) => value ?? 0);
    const largest = Math.max(...values, 0) || 1;
    const base = top - 8;
    const fits = (texts: string[]): boolean =>
      texts.every(({ length }) => length * CHARACTER + 8 <= cell);
    const texts = [values.map(written), values.map(compact)].find(fits);
    return svg`
      ${labels === 0 ? nothing : svg`<text class="row" x=${labels - 10} y=${base - 4} text-anchor="end">${this.#barLabel}</text>`}
      <line class="base" x1=${labels} x2=${labels + values.length * cell - 2} y1=${base + 0.5} y2=${base + 0.5}></line>
      ${values.map((value, k) => {
        const length = (Math.max(0, value) / largest) * BAR;
        const x = labels + k * cell;
        return svg`<rect class="bar" x=${x + cell * 0.2} y=${base - length} width=${cell * 0.6 - 2} height=${length}></rect>
          ${texts === undefined ? nothing : svg`<text class="value" x=${x + cell / 2 - 1} y=${base - length - 6} text-anchor="middle">${texts[k]}</text>`}`;
      })}`;
  }

  #cells({ cell, line, labels, top, limit, printed }: Layout): TemplateResult[] {
    const gap = Math.min(cell, line) > 12 ? 2 : 1;
    return this.names.flatMap((_, r) =>
      this.directions.map((__, k) => {
        const value = this.#entry(r, k);
        const step = divergingStep(value, limit);
        const x = labels + k * cell;
        const y = top + r * line;
        return svg`<rect class="step-${step}" x=${x} y=${y} width=${cell - gap} height=${line - gap} rx="2"></rect>
          ${printed ? svg`<text class="on-${step}" x=${x + (cell - gap) / 2} y=${y + line / 2 + 3.5} text-anchor="middle">${correlation(value)}</text>` : nothing}`;
      }),
    );
  }

  #marks({ cell, line, labels, top }: Layout): Mark[] {
    return this.#written().flatMap((name, r) =>
      this.directions.map((_, k) => ({
        x: labels + (k + 0.5) * cell - 1,
        y: top + (r + 0.5) * line - 1,
        words: `${name}, ${ordinal(k)}: ${fixed(this.#entry(r, k), 3)}`,
      })),
    );
  }

  #labels({ cell, line, labels, names, top }: Layout): TemplateResult[] {
    const rows =
      line < 12
        ? []
        : names.map(
            (name, r) =>
              svg`<text class="row" x=${labels - 10} y=${top + r * line + line / 2 + 3.5} text-anchor="end">${name}</text>`,
          );
    const below = top + names.length * line + 14;
    const columns =
      cell < 18
        ? []
        : this.directions.map(
            (_, k) =>
              svg`<text x=${labels + k * cell + cell / 2 - 1} y=${below} text-anchor="middle">${cell < 30 ? String(k + 1) : ordinal(k)}</text>`,
          );
    return [...rows, ...columns];
  }

  #description(limit: number): string {
    const spread = this.#hasValues
      ? ` ${this.valuesLabel}: ${this.directions.map(({ value }) => significant(value ?? 0, 3)).join(', ')}.`
      : '';
    return (
      `${plural(this.directions.length, 'direction')} of ${plural(this.names.length, 'column')}, ` +
      `coloured from ${bound(-limit)} to ${bound(limit)}.${spread}`
    );
  }
}

function written(value: number): string {
  return Math.abs(value) >= 100 ? count(Math.round(value) + 0) : significant(value);
}
