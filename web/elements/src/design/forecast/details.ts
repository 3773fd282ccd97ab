import { csvText, type CsvCell } from 'private-moments/internal';
import { capitalised, correlation, list, percent } from 'private-moments/words';
import { html, nothing } from 'lit';
import { saveCsv } from '../../base/save.js';
import { disclosure } from '../../controls/disclosure.js';
import type { DesignerForm } from '../designer-form.js';
import type { Draft } from '../draft.js';
import { EPSILONS, type ForecastPoint } from '../../figures/forecast-surface.js';
import { sizesAround } from '../forecaster.js';
import { shareBelow, type NumberFields } from './number-fields.js';
import { replan, type Outlook } from './outlook.js';

/** The further assumptions and the numbers behind the chart, in a fold. */
export function forecastDetails(
  form: DesignerForm,
  outlook: Outlook,
  fields: NumberFields,
): unknown {
  const { last } = outlook;
  const { forecast } = outlook.forecaster;
  return disclosure(
    'Assumptions and numbers',
    html`<div class="assumed">
        ${fields.labelled({
          id: 'off-centre',
          label: 'Offset of means, share of range',
          value: outlook.plan.offCentre,
          allowed: shareBelow(0.5),
          set: (value) => {
            replan(form, { offCentre: value });
            return value;
          },
        })}
      </div>
      <ul class="bullets">
        ${(forecast?.assumes ?? []).map(
          (words) => html`<li class="help">${capitalised(words)}.</li>`,
        )}
      </ul>
      ${
        forecast === undefined || last === undefined
          ? nothing
          : html`<p class="help">
                Privacy error of the covariance: ${percent(forecast.covariance.ratio)} of answering
                0
                everywhere.${
                  forecast.correlations.length === 0
                    ? nothing
                    : html` Noise floors of the pairs:
                      ${list(forecast.correlations.map(({ noiseFloor }) => correlation(noiseFloor)))};
                      the highest is drawn.`
                }
              </p>
              <button
                class="button small"
                type="button"
                @click=${() => {
                  saveCsv(curvesAsCsv(outlook, last.draft), 'forecast.csv');
                }}
              >
                Curves as CSV
              </button>`
      }`,
  );
}

/** Curves along epsilon and along the size, with one line for each point computed so far. */
function curvesAsCsv(outlook: Outlook, draft: Draft): string {
  const { along } = outlook;
  const size = outlook.sizeIn(draft);
  const grid = sizesAround(along, size);
  const { surface } = outlook.forecaster;
  const head = outlook.planned.flatMap((truth) => [`error_of_${truth}`, `margin_of_${truth}`]);
  const line = (epsilon: number, at: number, point: ForecastPoint | undefined): CsvCell[][] =>
    point === undefined
      ? []
      : [
          [
            epsilon,
            at,
            ...point.pairs.flatMap(({ error, margin }) => [error, margin]),
            point.floor,
            point.ratio,
          ],
        ];
  return csvText(
    ['epsilon', along, ...head, 'noise_floor', 'covariance_over_answering_zero'],
    [
      ...surface
        .alongEpsilon(size, grid)
        .flatMap((point, i) => line(EPSILONS[i] ?? NaN, size, point)),
      ...surface
        .alongSize(draft.epsilon, grid)
        .flatMap((point, i) => line(draft.epsilon, grid[i] ?? NaN, point)),
    ],
  );
}
