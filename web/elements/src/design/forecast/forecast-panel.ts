import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { count } from 'private-moments/words';
import { fieldError } from '../../controls/field.js';
import { notice } from '../../controls/notice.js';
import type { DesignerForm } from '../designer-form.js';
import { isEmpty, type Problem } from '../draft.js';
import type { Forecaster } from '../forecaster.js';
import { forecastChart } from './chart.js';
import { forecastDetails } from './details.js';
import { designOf } from './forecast-question.js';
import { verdict } from './forecast-words.js';
import { LeverLines } from './lever-lines.js';
import { NumberFields } from './number-fields.js';
import { Outlook, type Subject } from './outlook.js';
import { pairsTable, viewsChoice } from './pairs-table.js';
import { assuming, axisSwitch, planSize, unseen } from './plan-line.js';

/** The forecast of a study: one chart, the planned pairs that agree with it, and what would help. */
export class ForecastPanel {
  readonly #host: Pick<ReactiveControllerHost, 'requestUpdate'>;
  readonly #outlook: Outlook;
  readonly #fields: NumberFields;
  readonly #levers: LeverLines;

  constructor(host: Pick<ReactiveControllerHost, 'requestUpdate'>, forecaster: Forecaster) {
    this.#host = host;
    this.#outlook = new Outlook(forecaster);
    this.#fields = new NumberFields(host);
    this.#levers = new LeverLines(this.#outlook);
  }

  /** Asks for the forecast of the present draft. */
  update(subject: Subject): void {
    const { draft, study } = subject;
    const outlook = this.#outlook;
    outlook.subject = subject;
    // What was emptied by hand shows no more than a form that was never filled in.
    if (outlook.last !== undefined && isEmpty(draft)) this.forget();
    if (draft.unit !== 'row' && outlook.axis === 'sites') outlook.axis = 'rows';
    this.#levers.update(draft);
    const design = designOf(study, outlook.questionOf(draft));
    if (study === undefined || design === undefined) return;
    outlook.last = { draft, study };
    outlook.forecaster.ask(design);
  }

  /** The verdict, or the reason for its absence. */
  get finding(): string {
    const { forecaster, last, planned, point, present } = this.#outlook;
    const { forecast, problem, isBehind } = forecaster;
    if (last === undefined) return this.#missing;
    if (this.#waiting !== undefined) return `The forecast waits for ${this.#waitsFor}.`;
    if (problem !== '' && !isBehind) return problem;
    if (forecast === undefined || point === undefined) return 'Computing on this computer …';
    return verdict(planned, point, present);
  }

  render(form: DesignerForm): TemplateResult {
    const outlook = this.#outlook;
    const fields = this.#fields;
    const isWaiting = this.#waiting !== undefined;
    const isPale = isWaiting || outlook.last === undefined;
    const hasForecast = outlook.forecaster.problem === '' || outlook.forecaster.isBehind;
    return html`<section class="forecast" part="forecast" aria-labelledby="forecast">
      <h2 id="forecast">Forecast</h2>
      <div class="verdict">
        ${isWaiting ? this.#notice(form) : html`<p role="status">${this.finding}</p>`}
      </div>
      <div class="plan-line">
        ${planSize(form, fields)}
        ${axisSwitch(outlook, (axis) => {
          outlook.axis = axis;
          this.#host.requestUpdate();
        })}
      </div>
      ${unseen(form)} ${fieldError('federation.sites', form.error('federation.sites'))}
      ${fields.inlineErrors()}
      ${
        hasForecast
          ? html`<div class=${isPale ? 'stale' : ''} ?inert=${isPale}>
                ${viewsChoice(form, outlook)} ${forecastChart(form, outlook)}
              </div>
              ${assuming(form, outlook, fields)} ${pairsTable(form, outlook, fields, isPale)}
              ${this.#levers.render(form, isPale)} ${forecastDetails(form, outlook, fields)}`
          : nothing
      }
    </section>`;
  }

  /** Forgets the last study, whose forecast would otherwise stay until there is another. */
  forget(): void {
    this.#outlook.last = undefined;
    this.#levers.forget();
    this.#fields.forget();
    this.#outlook.forecaster.forget();
  }

  /** What a study that was never forecast needs for it. */
  get #missing(): string {
    const { draft, problems = [] } = this.#outlook.subject ?? {};
    const [problem] = problems.filter(({ field }) => field !== 'title');
    if (problem?.field.startsWith('views') === true)
      return 'The forecast appears once each view has a name and a column.';
    return (draft?.columns.length ?? 0) > 1
      ? 'The forecast appears once each column has a name and limits.'
      : 'Add one column with its limits to see the forecast.';
  }

  /** The problem that keeps a forecast from being made, if there was one before. */
  get #waiting(): Problem | undefined {
    if (this.#outlook.last === undefined) return undefined;
    return this.#waits[0];
  }

  get #waits(): Problem[] {
    const { study, problems = [] } = this.#outlook.subject ?? {};
    return [...(study === undefined ? problems : []), ...this.#fields.problems];
  }

  get #waitsFor(): string {
    const { length } = this.#waits;
    return length === 1 ? 'one field' : `${count(length)} fields`;
  }

  #notice(form: DesignerForm): TemplateResult {
    const waiting = this.#waiting;
    return notice({
      kind: 'bad',
      title: `The forecast waits for ${this.#waitsFor}.`,
      body: html`${waiting?.message}
        <button
          class="link"
          type="button"
          @click=${() => {
            form.leave(waiting?.field ?? '');
            form.focus(waiting?.field ?? '');
          }}
        >
          Go to it
        </button>`,
    });
  }
}
