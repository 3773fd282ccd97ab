import type { Moments, RidgeResult } from 'private-moments';
import { css, html, nothing, type TemplateResult } from 'lit';
import { percent, significant } from './format.js';
import { roundUp } from './scale.js';
import { regressionFinding, type Weight } from './words.js';

/** The coefficients of a regression, for one unit and for one standard deviation of each column. */
export function coefficientsOf({ coefficients, deviation }: RidgeResult): Weight[] {
  return coefficients.map(({ column, value, low, high, belowNoiseFloor }, i) => {
    const one = deviation.values[i] ?? 0;
    const weight = { name: column, original: value, comparable: value * one, belowNoiseFloor };
    if (low === undefined || high === undefined) return weight;
    const interval = { original: [low, high], comparable: [low * one, high * one] } as const;
    return { ...weight, interval };
  });
}

/** One column predicted from all others, once a target is chosen. */
export function regressionSection(
  moments: Moments,
  fit: RidgeResult | undefined,
  choose: (target: string) => void,
): TemplateResult | typeof nothing {
  if (moments.study.columns.length < 2) return nothing;
  return html`<section aria-labelledby="regression">
    <h2 id="regression">Regression</h2>
    <p class="prose">Predict one column from the others. Nothing new leaves any participant.</p>
    <div class="view-choice">
      <label for="target">Target</label>
      <select
        id="target"
        @change=${(event: Event) => {
          choose((event.target as HTMLSelectElement).value);
        }}
      >
        <option value="" .selected=${fit === undefined}>Choose a column</option>
        ${moments.columns.map(
          (name) => html`<option value=${name} .selected=${name === fit?.target}>${name}</option>`,
        )}
      </select>
    </div>
    ${fit === undefined ? nothing : fitted(fit)}
  </section>`;
}

function fitted(fit: RidgeResult): TemplateResult {
  const { target, r2, coefficients, residualSd, intercept } = fit;
  const weights = coefficientsOf(fit);
  const drawn = weights.flatMap(({ comparable, interval, belowNoiseFloor }) =>
    belowNoiseFloor === true ? [] : [comparable, ...(interval?.comparable ?? [])],
  );
  const limit = roundUp(Math.max(0, ...drawn.map(Math.abs)));
  const longest = Math.max(...weights.map(({ name }) => name.length));
  const range =
    r2.low === undefined || r2.high === undefined
      ? ''
      : ` (${percent(r2.low)} to ${percent(r2.high)})`;
  return html`<div class="figure-and-words">
    <div>
      <pm-weight-bars .weights=${weights} .limit=${limit} .longest=${longest}></pm-weight-bars>
    </div>
    <div role="status">
      <h3>In words</h3>
      <p>${regressionFinding(target, r2, coefficients)}</p>
      <p>
        Bars: change of ${target} for one standard deviation of the column, the others held, so
        lengths compare. Numbers: change for one unit.
      </p>
      <dl class="facts">
        <div>
          <dt>Share explained</dt>
          <dd>${percent(r2.value)}${range}</dd>
        </div>
        <div>
          <dt>Noise alone would seem to explain</dt>
          <dd>${percent(r2.noiseFloor)}</dd>
        </div>
        <div>
          <dt>Typical miss</dt>
          <dd>${significant(residualSd, 3)}</dd>
        </div>
        <div>
          <dt>Intercept</dt>
          <dd>${significant(intercept, 3)}</dd>
        </div>
      </dl>
    </div>
  </div>`;
}

export const regressionStyles = css`
  .facts {
    margin-top: 16px;
    font-size: 14px;
    line-height: 20px;
  }

  .facts div {
    display: flex;
    justify-content: space-between;
    gap: 16px;
    padding: 8px 0;
    border-bottom: 1px solid var(--_line);
  }

  .facts dt {
    color: var(--_ink-3);
  }

  .facts dd {
    text-align: right;
  }
`;
