import { LitElement, css, html, nothing, svg, type PropertyValues, type TemplateResult } from 'lit';
import { LEGEND_WIDTH, divergingLegend, divergingStyles, paint } from './diverging.js';
import {
  abbreviate,
  bound,
  count,
  divergingStep,
  fitted,
  levelName,
  roundUp,
  significant,
} from 'private-moments/words';
import { packedIndex } from '../base/packed.js';
import { styles } from '../look/styles.js';
import { WidthController } from './width.js';

/** Above this many features a cell is too small for its own SVG rectangle and its own table row. */
const LARGEST_DRAWN = 48;
const LARGEST_CELL = 55;
/** Above this count, numbers are not printed in the cells. */
const LARGEST_PRINTED = 120;
/** Width of a character of 12 px text, on the wide side of the system faces. */
const CHARACTER = 7.2;

interface Layout {
  dimension: number;
  cell: number;
  labels: number;
  /** Row labels, shortened to fit. */
  names: readonly string[];
  limit: number;
  sumTop: number;
  height: number;
  legendTop: number;
  gridTop: number;
  printed: boolean;
  turned: boolean;
}

/**
 * The noisy matrix as a triangle of products of two columns, with the plain sums below it. `values` are
 * packed, in scaled units; `names` are the features.
 */
export class PmHeatMap extends LitElement {
  static override properties = {
    names: { attribute: false },
    values: { attribute: false },
    showRows: { type: Boolean, attribute: 'show-rows' },
  };

  static override styles = [
    styles,
    divergingStyles,
    css`
      :host {
        position: relative;
      }
    `,
  ];

  declare names: readonly string[];
  declare values: Float64Array;
  declare showRows: boolean;

  readonly #size = new WidthController(this, 440, true);

  constructor() {
    super();
    this.names = [];
    this.values = new Float64Array(1);
    this.showRows = false;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.names.length === 0) return nothing;
    const layout = this.#layout();
    const description =
      `Lower triangle of ${count(layout.dimension)} columns, coloured from ` +
      `${bound(-layout.limit)} to ${bound(layout.limit)}, and a row of sums.`;
    if (layout.dimension > LARGEST_DRAWN) {
      return html`<svg width=${this.#size.width} height="52" aria-hidden="true">
          ${this.#legend({ ...layout, legendTop: 0, labels: 0 }, 0)}
        </svg>
        <canvas role="img" aria-label=${description}></canvas>`;
    }
    return html`<svg
      width=${this.#size.width}
      height=${layout.height}
      role="img"
      aria-label=${description}
    >
      ${this.#cells(layout)} ${this.#labels(layout)}
      ${this.#legend(layout, layout.labels + this.#columns * layout.cell)}
    </svg>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.names.length > LARGEST_DRAWN && (changed.has('values') || changed.has('names'))) {
      paint(this.renderRoot, this.names.length + 1, this.#columns, this.#limit(), (r, c) =>
        this.#entry(r, c),
      );
    }
  }

  /** The matrix as a table, for readers who want the numbers. */
  table(): TemplateResult | typeof nothing {
    if (this.names.length > LARGEST_DRAWN) return nothing;
    const headings = this.showRows ? [...this.names, 'rows'] : this.names;
    return html`<table>
      <thead>
        <tr>
          <th scope="col"><span class="hidden-visually">Column</span></th>
          ${headings.map((name) => html`<th scope="col" class="right">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[...this.names, 'sum'].map(
          (name, r) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${headings.map((_, c) => {
                const value = this.#entry(r, c);
                return html`<td class="right">
                  ${value === undefined ? nothing : significant(value, 3)}
                </td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  get #columns(): number {
    return this.names.length + (this.showRows ? 1 : 0);
  }

  /** The entry in displayed row r (the last one holds the sums) and column c; undefined above the diagonal. */
  #entry(r: number, c: number): number | undefined {
    const dimension = this.names.length;
    if (r < dimension && c > r) return undefined;
    const i = r === dimension ? 0 : r + 1;
    const j = c === dimension ? 0 : c + 1;
    return this.values[packedIndex(dimension, i, j)];
  }

  /**
   * The end of the colour scale: the largest number off the diagonal. Squares are larger and would wash
   * out all other colours, so they may lie beyond the end.
   */
  #limit(): number {
    const dimension = this.names.length;
    let largest = 0;
    for (let r = 0; r <= dimension; r++) {
      for (let c = 0; c < Math.min(r, dimension); c++) {
        largest = Math.max(largest, Math.abs(this.#entry(r, c) ?? 0));
      }
    }
    return roundUp(largest);
  }

  #largest(): number {
    // Entry 0 is the number of rows, which is public unless the figure shows it.
    const shown = this.showRows ? this.values : this.values.subarray(1);
    return shown.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  }

  #layout(): Layout {
    const width = this.#size.width;
    const dimension = this.names.length;
    const limit = this.#limit();
    const most = Math.round(width * (dimension > 8 ? 0.26 : 0.32));
    const names = [...fitted(this.names, Math.floor((most - 12) / CHARACTER)), 'sum'];
    const longest = Math.max(...names.map((name) => name.length));
    const labels = Math.min(most, Math.round(longest * CHARACTER + 12));
    const cell = Math.min(LARGEST_CELL, Math.floor((width - labels) / this.#columns));
    const widest = Math.max(
      ...Array.from(
        this.values.subarray(this.showRows ? 0 : 1, LARGEST_PRINTED),
        (value) => this.#text(value, limit).length,
      ),
    );
    const printed = this.values.length <= LARGEST_PRINTED && widest * CHARACTER + 2 <= cell;
    const turned = cell < 34;
    // The scale goes into the free corner above the diagonal, unless that is too narrow.
    const corner = (this.#columns - 2) * cell >= LEGEND_WIDTH + 16 && cell * 2 >= 46;
    const gridTop = corner ? 0 : 56;
    const sumTop = gridTop + dimension * cell + 12;
    return {
      dimension,
      cell,
      labels,
      names,
      limit,
      sumTop,
      gridTop,
      legendTop: 2,
      height: sumTop + cell + (turned ? 64 : 24),
      printed,
      turned,
    };
  }

  #text(value: number, limit: number): string {
    return limit >= 20 ? count(Math.round(value) + 0).replaceAll(',', '') : significant(value);
  }

  #cells({ dimension, cell, labels, limit, sumTop, gridTop, printed }: Layout): TemplateResult[] {
    const gap = cell > 12 ? 2 : 1;
    const parts: TemplateResult[] = [];
    for (let r = 0; r <= dimension; r++) {
      const y = r === dimension ? sumTop : gridTop + r * cell;
      for (let c = 0; c < this.#columns; c++) {
        const value = this.#entry(r, c);
        if (value === undefined) continue;
        const x = labels + c * cell;
        const step = divergingStep(value, limit);
        parts.push(
          svg`<rect class="step-${step}" x=${x} y=${y} width=${cell - gap} height=${cell - gap} rx="2"></rect>`,
        );
        if (!printed) continue;
        parts.push(
          svg`<text class="on-${step}" x=${x + (cell - gap) / 2} y=${y + cell / 2 + 3.5} text-anchor="middle">${this.#text(value, limit)}</text>`,
        );
      }
    }
    return parts;
  }

  #labels({ dimension, cell, labels, names, sumTop, gridTop, turned }: Layout): TemplateResult[] {
    if (cell < 13) return [];
    const rows = names.map((name, r) => {
      const y = (r === dimension ? sumTop : gridTop + r * cell) + cell / 2 + 4;
      return svg`<text class="row" x=${labels - 10} y=${y} text-anchor="end">${name}</text>`;
    });
    const headings = this.showRows ? [...this.names, 'rows'] : this.names;
    const columns = headings.map((name, c) => {
      const x = labels + c * cell + cell / 2 - 1;
      const y = sumTop + cell + 14;
      return turned
        ? svg`<text x=${x + 4} y=${y - 6} text-anchor="end" transform="rotate(-90 ${x + 4} ${y - 6})">${abbreviate(levelName(name), 8)}</text>`
        : svg`<text x=${x} y=${y} text-anchor="middle">${abbreviate(levelName(name), Math.floor((cell - 2) / CHARACTER))}</text>`;
    });
    return [...rows, ...columns];
  }

  #legend({ limit, legendTop }: Layout, right: number): TemplateResult {
    const x = Math.max(0, right - LEGEND_WIDTH - 2);
    const beyond = this.#largest() > limit;
    return divergingLegend('value in the file', limit, { x, y: legendTop, beyond });
  }
}
