import { count } from 'private-moments/words';
import { html, type TemplateResult } from 'lit';
import type { ValueDetail } from '../../contract/elements.js';
import type { DesignerForm } from '../designer-form.js';
import { USUAL_ROWS } from '../draft.js';
import type { Axis, Outlook } from './outlook.js';

/** The chart of what to expect along the axis; moving its line moves the field of the form. */
export function forecastChart(form: DesignerForm, outlook: Outlook): TemplateResult {
  const { grid, points, present } = outlook.curve;
  const { unit, rows } = outlook.last?.draft ??
    outlook.subject?.draft ?? { unit: 'row', rows: USUAL_ROWS };
  const labels: Record<Axis, string> = {
    epsilon: 'ε, log scale: stronger privacy to the left',
    rows: unit === 'row' ? 'rows per site, log scale' : 'participants, log scale',
    sites: `sites of ${count(rows)} rows, log scale`,
  };
  const isCovariance = outlook.planned.length === 0;
  return html`<pm-forecast-figure
      axis=${outlook.axis}
      axis-label=${labels[outlook.axis]}
      .grid=${grid}
      .points=${points}
      .truths=${outlook.planned}
      .present=${present}
      ?behind=${outlook.forecaster.isBehind}
      @pm-value=${(event: CustomEvent<ValueDetail>) => {
        const { value } = event.detail;
        if (outlook.axis === 'epsilon') form.change({ epsilon: value });
        else if (outlook.axis === 'sites' || unit !== 'row') form.change({ sites: String(value) });
        else form.change({ rows: value });
      }}
    ></pm-forecast-figure>
    <p class="label caption">
      ${
        isCovariance
          ? 'Privacy error of the covariance, as a share of the error of answering 0 everywhere.'
          : 'Bands hold at least 9 of 10 estimates. Dark: clear. Pale: borderline. Hatched: lost.'
      }
      Computed without any data.
    </p>`;
}
