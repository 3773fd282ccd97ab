import type { Moments, RidgeResult } from 'private-moments';
import { css, html, nothing, type TemplateResult } from 'lit';
import {
  errorInWords,
  explainedInWords,
  extentOf,
  list,
  percent,
  regressionFinding,
  roundUp,
  significant,
  type Weight,
} from 'private-moments/words';
import type { RegressionChoice } from '../contract/elements.js';
import { longestFirst, longestOf, type Bar } from '../figures/figure-data.js';
import { LONGEST_BARS, MOST_BARS } from '../figures/weight-bars.js';
import { columnNames, figureLabels, labelled } from '../session/figure-labels.js';
import { numberIn, textOf } from '../controls/input-values.js';
import { notice } from '../controls/notice.js';
import { stepsOf, targetOf, withUnit } from './regression-units.js';
import { intervalsInWords } from './result-words.js';

/** The coefficients of a regression, per unit and per standard deviation of each column. */
function coefficientsOf({ coefficients, deviation }: RidgeResult, { study }: Moments): Bar[] {
  const weights = coefficients.map(({ column, value, low, high, belowNoiseFloor }, i) => {
    const one = deviation.values[i] ?? 0;
    const weight: Weight = {
      name: column,
      original: value,
      comparable: value * one,
      belowNoiseFloor,
    };
    if (low === undefined || high === undefined) return weight;
    const interval = { original: [low, high], comparable: [low * one, high * one] } as const;
    return { ...weight, interval };
  });
  return labelled(weights, figureLabels(study));
}

/** How much of the table of units is shown. */
export interface Steps {
  /** Whether it is shown whole, however long it is. */
  all: boolean;
  onAll: () => void;
}

/** The section on regression; it shows a fit once a target is chosen. */
export function regressionSection(
  moments: Moments,
  question: RegressionChoice | undefined,
  { fit, problem, steps }: { fit: RidgeResult | undefined; problem: string; steps: Steps },
  ask: (question: RegressionChoice | undefined) => void,
): TemplateResult {
  const labels = figureLabels(moments.study);
  return html`<section class=${fit === undefined ? 'on-screen' : ''} aria-labelledby="regression">
    <h2 id="regression">Regression</h2>
    <p class="prose">Predict one column from the others. Nothing new leaves any participant.</p>
    <div class="view-choice">
      <label for="target">Target</label>
      <select
        id="target"
        @change=${(event: Event) => {
          const target = textOf(event);
          ask(target === '' ? undefined : { target, penalty: question?.penalty ?? 0 });
        }}
      >
        <option value="" .selected=${question === undefined}>Choose a column</option>
        ${moments.columns.map(
          (name) =>
            html`<option value=${name} .selected=${name === question?.target}>
              ${labels.get(name) ?? name}
            </option>`,
        )}
      </select>
    </div>
    ${question === undefined ? nothing : conditions(moments, question, ask)}
    ${problem === '' ? nothing : html`<div class="fault">${notice({ kind: 'bad', title: 'This cannot be predicted.', body: problem })}</div>`}
    ${fit === undefined ? nothing : fitted(fit, moments, steps)}
  </section>`;
}

/** The fields for the predictors and the penalty. */
function conditions(
  { columns, sources, study }: Moments,
  question: RegressionChoice,
  ask: (question: RegressionChoice) => void,
): TemplateResult {
  const own = sources[columns.indexOf(question.target)];
  const others = study.columns.map(({ name }) => name).filter((name) => name !== own);
  const chosen = question.features ?? others;
  const words = columnNames(study);
  return html`<div class="conditions">
    <fieldset>
      <legend>Predictors</legend>
      ${others.map((name) => {
        const isChosen = chosen.includes(name);
        return html`<label>
          <input
            type="checkbox"
            .checked=${isChosen}
            ?disabled=${isChosen && chosen.length === 1}
            @change=${() => {
              const features = others.filter((each) => chosen.includes(each) !== (each === name));
              ask({ ...question, features });
            }}
          />
          ${words.get(name) ?? name}
        </label>`;
      })}
    </fieldset>
    <label class="penalty">
      Penalty
      <input
        class="input"
        type="number"
        min="0"
        step="any"
        .value=${String(question.penalty)}
        @change=${(event: Event) => {
          const input = event.target as HTMLInputElement;
          const penalty = numberIn(input.value);
          if (penalty >= 0 && Number.isFinite(penalty)) ask({ ...question, penalty });
          else input.value = String(question.penalty);
        }}
      />
      <span class="help">0 is ordinary least squares; larger values shrink the coefficients.</span>
    </label>
  </div>`;
}

function fitted(fit: RidgeResult, moments: Moments, steps: Steps): TemplateResult {
  const { target, r2, coefficients, intercept, options, penalty } = fit;
  const { words, unit } = targetOf(moments, target);
  const named = figureLabels(moments.study).get(target) ?? target;
  const predictors = columnNames(moments.study);
  const weights = coefficientsOf(fit, moments);
  const limit = roundUp(extentOf(weights));
  const longest = longestOf(weights);
  const caption = `Bars: change of ${words}, for one standard deviation of the column, with all other columns held constant, so lengths are comparable. Numbers: the same for one unit of the column.`;
  return html`<div class="figure-and-words">
      <pm-figure
        .result=${fit}
        heading="Regression of ${named}"
        caption=${[caption, ...intervalsInWords(options.level)].join(' ')}
      >
        <pm-weight-bars .weights=${weights} .limit=${limit} .longest=${longest}></pm-weight-bars>
      </pm-figure>
      <div role="status">
        <h3>The fit in words</h3>
        <p class="on-paper">
          Regression of ${named} on
          ${list(options.features.map((name) => predictors.get(name) ?? name))},
          ${penaltyInWords(penalty)}.
        </p>
        <p>${regressionFinding(named, r2, coefficients)}</p>
        <p>${[caption, ...intervalsInWords(options.level)].join(' ')}</p>
        <dl class="facts">
          <div>
            <dt>Share explained (R²)</dt>
            <dd>${explainedInWords(r2)}</dd>
          </div>
          <div>
            <dt>Share that noise alone would seem to explain</dt>
            <dd>${percent(r2.noiseFloor)}</dd>
          </div>
          <div>
            <dt>Typical error (root mean square)</dt>
            <dd>${errorInWords(fit, unit)}</dd>
          </div>
          <div>
            <dt>Intercept: predicted where all columns are 0</dt>
            <dd>${withUnit(intercept, unit, 3)}</dd>
          </div>
        </dl>
      </div>
    </div>
    ${stepTable(fit, moments, weights, steps)}`;
}

function penaltyInWords(penalty: number): string {
  return penalty === 0 ? 'by ordinary least squares' : `with penalty ${significant(penalty, 3)}`;
}

/** What one unit and one standard deviation of each predictor are, in the order of the bars. */
function stepTable(
  fit: RidgeResult,
  moments: Moments,
  weights: readonly Bar[],
  { all, onAll }: Steps,
): TemplateResult {
  const steps = stepsOf(moments, fit);
  const sorted = longestFirst(weights.map((weight, i) => ({ ...weight, step: steps[i] })));
  const isLong = sorted.length > MOST_BARS;
  const shown = isLong && !all ? sorted.slice(0, LONGEST_BARS) : sorted;
  return html`<h3 class="steps">Units of the regression</h3>
    <div class="scroll" tabindex="0" role="region" aria-label="Units of the regression">
      <table class="step-table">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">One unit</th>
            <th scope="col" class="right">One standard deviation</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            ({ step }) =>
              html`<tr>
                <th scope="row">${step?.name}</th>
                <td>${step?.unit}</td>
                <td class="right">${step?.deviation}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      isLong
        ? html`<button
            class="button small on-screen"
            type="button"
            aria-expanded=${all ? 'true' : 'false'}
            @click=${onAll}
          >
            ${all ? `Show the ${LONGEST_BARS} with the longest bars` : `Show all ${sorted.length} units`}
          </button>`
        : nothing
    }
    ${
      fit.coefficients.some(
        ({ column }) => !moments.study.columns.some(({ name }) => name === column),
      )
        ? html`<p class="help">
            The coefficient of a level is against the plain average of all levels of its column.
          </p>`
        : nothing
    }`;
}

export const regressionStyles = css`
  .fault {
    margin-top: 20px;
  }

  .conditions {
    display: flex;
    flex-wrap: wrap;
    gap: 20px 56px;
    margin-top: 20px;
  }

  .conditions fieldset {
    flex: 1 1 320px;
    max-width: 640px;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .conditions legend {
    margin-bottom: 4px;
    padding: 0;
  }

  .conditions legend,
  .conditions .penalty {
    font-size: 14px;
    line-height: 20px;
    font-weight: 600;
  }

  .conditions fieldset label {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-height: 32px;
    margin-right: 20px;
    font-size: 15px;
  }

  .conditions input[type='checkbox'] {
    width: 18px;
    height: 18px;
    margin: 0;
    accent-color: var(--_accent);
  }

  .conditions .penalty {
    display: grid;
    align-content: start;
    gap: 6px;
  }

  .conditions .penalty input {
    width: 168px;
    text-align: right;
  }

  .conditions .penalty .help {
    font-weight: 400;
  }

  @media print {
    .conditions {
      display: none;
    }
  }

  @media (pointer: coarse), (max-width: 759px) {
    .conditions fieldset label {
      min-height: 44px;
    }
  }

  .steps {
    margin-top: 32px;
  }

  .step-table {
    max-width: 720px;
    margin: 8px 0;
  }

  .step-table thead th {
    white-space: normal;
  }

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
