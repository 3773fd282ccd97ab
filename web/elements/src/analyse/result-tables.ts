import { css, html, nothing, type TemplateResult } from 'lit';
import type { CcaResult, GccaResult, RidgeResult } from 'private-moments';
import {
  bound,
  columnName,
  correlation,
  namer,
  namerWithUnit,
  ordinal,
  percent,
  sharesMissing,
  signed,
  significant,
  standingOf,
  weightsOf,
} from 'private-moments/words';
import { figuresOf, constantsIn, screeOf, type MomentsResult } from './analysis-result.js';
import type { Weight } from '../figures/figure-data.js';

/** The figures of the analyse page as tables. */
export function resultTables(result: MomentsResult, fit: RidgeResult | undefined): TemplateResult {
  const { cca, gcca } = result;
  return html`<div class="tables">
    ${cca === undefined ? nothing : scoreTable(cca)}
    ${gcca === undefined ? nothing : scoreTable(gcca)}
    ${fit === undefined ? nothing : fitTable(fit)} ${componentTable(result)} ${gapTable(result)}
  </div>`;
}

/** Correlations and weights of canonical pairs, or of the components that more views share. */
function scoreTable(result: CcaResult | GccaResult): TemplateResult {
  const { level } = result.options;
  const isPairs = result.analysis === 'cca';
  const figures = figuresOf(result);
  const written = namerWithUnit(result.origin);
  return scrolling(
    isPairs ? 'Correlations and weights as a table' : 'Shared components as a table',
    html`<thead>
        <tr>
          <th scope="col">${isPairs ? 'Canonical pair' : 'Shared component'}</th>
          ${figures.map((_, i) => html`<th scope="col" class="right">${ordinal(i)}</th>`)}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">${isPairs ? 'Correlation' : 'Shared correlation'}</th>
          ${figures.map(({ value }) => html`<td class="right">${correlation(value)}</td>`)}
        </tr>
        ${
          level === undefined
            ? nothing
            : html`<tr>
                <th scope="row">${bound(level * 100)}% interval</th>
                ${figures.map(
                  ({ low = 0, high = 1 }) =>
                    html`<td class="right interval">
                      ${correlation(low)} to ${correlation(high)}
                    </td>`,
                )}
              </tr>`
        }
        <tr>
          <th scope="row">Noise floor</th>
          ${figures.map(
            ({ noiseFloor }) =>
              html`<td class="right">${correlation(Math.min(1, noiseFloor))}</td>`,
          )}
        </tr>
        <tr>
          <th scope="row">Compared with its floor</th>
          ${figures.map((pair) => html`<td class="right">${standingOf(pair)}</td>`)}
        </tr>
        ${Object.entries(result.views).map(([name, view]) => {
          const weights = figures.map((_, k) => weightsOf(view, k));
          return view.columns.map(
            (column, i) =>
              html`<tr>
                <th scope="row">${name}: ${written(column)}</th>
                ${figures.map(
                  ({ belowNoiseFloor }, k) =>
                    html`<td class="right">${belowNoiseFloor ? '–' : cellOf(weights[k]?.[i])}</td>`,
                )}
              </tr>`,
          );
        })}
      </tbody>`,
  );
}

function cellOf(weight: Weight | undefined): TemplateResult | typeof nothing {
  if (weight === undefined) return nothing;
  const { original, interval } = weight;
  const value = signed(original, 3);
  if (interval === undefined) return html`${value}`;
  const [low, high] = interval.original;
  return html`${value} <span class="interval">${signed(low, 3)} to ${signed(high, 3)}</span>`;
}

function fitTable({ coefficients, options, origin, ...fit }: RidgeResult): TemplateResult {
  const { level } = options;
  const target = namer(origin)(fit.target);
  const written = namerWithUnit(origin);
  return scrolling(
    `Regression of ${target} as a table`,
    html`<thead>
        <tr>
          <th scope="col">Regression of ${target}</th>
          <th scope="col" class="right">Per unit</th>
          ${level === undefined ? nothing : html`<th scope="col" class="right">${bound(level * 100)}% interval</th>`}
          <th scope="col">Against the noise floor</th>
        </tr>
      </thead>
      <tbody>
        ${coefficients.map(
          ({ column, value, low, high, belowNoiseFloor }) =>
            html`<tr>
              <th scope="row">${written(column)}</th>
              <td class="right">${signed(value, 3)}</td>
              ${
                low === undefined || high === undefined
                  ? nothing
                  : html`<td class="right interval">${signed(low, 3)} to ${signed(high, 3)}</td>`
              }
              <td>${belowNoiseFloor ? 'below' : 'above'}</td>
            </tr>`,
        )}
      </tbody>`,
  );
}

/** How much was missing, by column, under a rule that counts it. */
function gapTable({ moments }: MomentsResult): TemplateResult | typeof nothing {
  const shares = sharesMissing(moments);
  if (shares.size === 0) return nothing;
  return scrolling(
    'Missing cells as a table',
    html`<thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col" class="right">Missing</th>
        </tr>
      </thead>
      <tbody>
        ${[...shares].map(
          ([name, share]) =>
            html`<tr>
              <th scope="row">${columnName(moments.origin.study, name)}</th>
              <td class="right">${share}</td>
            </tr>`,
        )}
      </tbody>`,
  );
}

function componentTable(result: MomentsResult): TemplateResult {
  const { components } = screeOf(result);
  const constants = constantsIn(result);
  const { level } = result.pca.options;
  return scrolling(
    'Principal components as a table',
    html`<thead>
        <tr>
          <th scope="col">Principal component</th>
          <th scope="col" class="right">Share</th>
          <th scope="col" class="right">Variance, scaled units</th>
          ${level === undefined ? nothing : html`<th scope="col" class="right">${bound(level * 100)}% interval</th>`}
          <th scope="col">Against the noise floor</th>
        </tr>
      </thead>
      <tbody>
        ${components.map(
          ({ value, share, low, high, belowNoiseFloor }, i) =>
            html`<tr>
              <th scope="row">${i + 1}</th>
              <td class="right">${percent(share)}</td>
              <td class="right">${significant(value, 3)}</td>
              ${
                low === undefined || high === undefined
                  ? nothing
                  : html`<td class="right interval">
                      ${significant(low, 3)} to ${significant(high, 3)}
                    </td>`
              }
              <td>
                ${constants[i] !== undefined ? 'zero by construction' : belowNoiseFloor ? 'below' : 'above'}
              </td>
            </tr>`,
        )}
      </tbody>`,
  );
}

function scrolling(label: string, content: TemplateResult): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      ${content}
    </table>
  </div>`;
}

export const resultTablesStyles = css`
  .tables {
    display: grid;
    gap: 28px;
    margin-top: 24px;
  }

  .interval {
    white-space: nowrap;
  }

  @media print {
    .tables :is(td, th) {
      padding: 6px 10px 6px 0;
      font-size: 11px;
      line-height: 15px;
      white-space: normal;
    }
  }

  span.interval {
    display: block;
    color: var(--_ink-3);
  }
`;
