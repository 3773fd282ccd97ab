import { html, type TemplateResult } from 'lit';
import type { Figure } from './comparison-csv.js';
import type { Line } from './comparison-figure.js';
import { inDigits } from './comparison-table.js';
import { bound, count, percent } from 'private-moments/words';

/** A figure of the comparison as numbers. */
export interface FigureNumbers {
  figure: Figure;
  title: string;
  axis: 'epsilon' | 'rows';
  grid: readonly number[];
  lines: readonly Line[];
}

/** A table for each figure, with a row for each point of its grid. */
export function numbersTables(figures: readonly FigureNumbers[]): TemplateResult {
  return html`<div
    class="scroll tables"
    tabindex="0"
    role="region"
    aria-label="The figures as tables"
  >
    ${figures.map(
      ({ title, axis, grid, lines, figure }) =>
        html`<table>
          <caption>
            ${title}
          </caption>
          <thead>
            <tr>
              <th scope="col">${axis === 'epsilon' ? 'ε' : 'Rows'}</th>
              ${lines.map((line) => html`<th scope="col" class="right">${line.title}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${grid.map(
              (x, i) =>
                html`<tr>
                  <th scope="row">${axis === 'epsilon' ? bound(x) : count(x)}</th>
                  ${lines.map(({ values }) => {
                    const value = values[i] ?? NaN;
                    const shown = figure === 'error' ? inDigits(value) : percent(value);
                    return html`<td class="right">${Number.isNaN(value) ? '–' : shown}</td>`;
                  })}
                </tr>`,
            )}
          </tbody>
        </table>`,
    )}
  </div>`;
}
