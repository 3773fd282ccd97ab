import { csvText, type CsvCell } from 'private-moments/internal';
import type { Study } from 'private-moments';
import {
  bound,
  capitalised,
  correlation,
  count,
  list,
  ordinal,
  percent,
} from 'private-moments/words';
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { numberIn, textOf } from '../controls/input-values.js';
import { described, field, fieldError } from '../controls/field.js';
import type { ValueDetail } from '../contract/elements.js';
import type { DesignerForm } from './designer-form.js';
import { disclosure } from '../controls/disclosure.js';
import {
  isEmpty,
  spreadOf,
  USUAL_ROWS,
  usualPlan,
  type Draft,
  type Plan,
  type Problem,
} from './draft.js';
import { intervalOf, readingsOf, type Reading } from '../figures/forecast-reading.js';
import {
  EPSILONS,
  pointAt,
  pointOf,
  withPoint,
  type ForecastPoint,
} from '../figures/forecast-surface.js';
import {
  enoughInWords,
  errorInWords,
  readingInWords,
  sizeOfError,
  verdict,
} from './forecast-words.js';
import { designOf, plannedFor, relatedViews, sizeOf, type Question } from './forecast-question.js';
import { sizesAround, type Forecaster } from './forecaster.js';
import { leversOf, type Lever } from './levers.js';
import { notice } from '../controls/notice.js';
import { saveCsv } from '../base/save.js';
import { viewNames } from '../session/view-order.js';

type Axis = 'epsilon' | 'rows' | 'sites';

/** A change helps if it brings the error down to at most this share. */
const HELPS = 0.99;
/** A change is proposed if it brings the error down to at most this share. */
const WORTH = 0.8;

/** The numbers that a field accepts, and its error for others. */
interface Allowed {
  allows: (value: number) => boolean;
  words: string;
}

/** What the panel forecasts: a study, or why there is none. */
interface Subject {
  draft: Draft;
  /** The study, whatever its title. */
  study: Study | undefined;
  problems: readonly Problem[];
}

/** A lever that was used, and what it replaced. */
interface Used {
  lever: Lever;
  before: Partial<Draft>;
  error: string;
  /** What the forecast was asked then: with another question, the comparison no longer holds. */
  question: string;
}

/** A lever and what it leads to. */
interface Effect {
  lever: Lever;
  point: ForecastPoint;
  /** The error with it, divided by the present one. */
  factor: number;
}

/** The levers that help, and the error that they were compared with. */
interface Comparison {
  effects: readonly Effect[];
  now: ForecastPoint;
}

/** The curve shown: what is expected along one axis. */
interface Curve {
  grid: readonly number[];
  points: readonly (ForecastPoint | undefined)[];
  present: number;
}

const TAGS: Record<Reading, string> = { clear: '', borderline: 'warn', lost: 'quiet' };

/** The forecast of a study: one chart, the planned pairs that agree with it, and what would help. */
export class ForecastPanel {
  readonly #host: Pick<ReactiveControllerHost, 'requestUpdate'>;
  readonly #forecaster: Forecaster;
  #subject: Subject | undefined;
  /** The last study that could be forecast, shown pale while a field is wrong. */
  #last: { draft: Draft; study: Study } | undefined;
  #axis: Axis = 'epsilon';
  #used: Used | undefined;
  /** The latest comparison, shown pale while another is computed. */
  #compared: Comparison | undefined;
  /** Invalid text in the panel's own fields, by their ids, with the error. */
  #mistyped: ReadonlyMap<string, { text: string; words: string }> = new Map();

  constructor(host: Pick<ReactiveControllerHost, 'requestUpdate'>, forecaster: Forecaster) {
    this.#host = host;
    this.#forecaster = forecaster;
  }

  /** Asks for the forecast of the present draft. */
  update(subject: Subject): void {
    const { draft, study } = subject;
    this.#subject = subject;
    // What was emptied by hand shows no more than a form that was never filled in.
    if (this.#last !== undefined && isEmpty(draft)) this.forget();
    if (draft.unit !== 'row' && this.#axis === 'sites') this.#axis = 'rows';
    if (this.#used?.question !== this.#askedOf(draft)) this.#used = undefined;
    const design = designOf(study, this.#questionOf(draft));
    if (study === undefined || design === undefined) return;
    this.#last = { draft, study };
    this.#forecaster.ask(design);
  }

  /** The verdict, or why there is none. */
  get finding(): string {
    const { forecast, problem, isBehind } = this.#forecaster;
    if (this.#last === undefined) return 'Add one column with its limits to see the forecast.';
    if (this.#waiting !== undefined) return `The forecast waits for ${this.#waitsFor}.`;
    if (problem !== '' && !isBehind) return problem;
    const point = this.#point;
    if (forecast === undefined || point === undefined) return 'Computing on this computer …';
    return verdict(this.#planned, point, this.#present);
  }

  render(form: DesignerForm): TemplateResult {
    const isWaiting = this.#waiting !== undefined;
    const isPale = isWaiting || this.#last === undefined;
    const hasForecast = this.#forecaster.problem === '' || this.#forecaster.isBehind;
    return html`<section class="forecast" part="forecast" aria-labelledby="forecast">
      <h2 id="forecast">Forecast</h2>
      <div class="verdict">
        ${isWaiting ? this.#notice(form) : html`<p role="status">${this.finding}</p>`}
      </div>
      <div class="plan-line">${this.#size(form)} ${this.#switch()}</div>
      ${this.#unseen(form)} ${this.#errors(form)}
      ${
        hasForecast
          ? html`<div class=${isPale ? 'stale' : ''} ?inert=${isPale}>
                ${this.#chooseViews(form)} ${this.#chart(form)}
              </div>
              ${this.#assuming(form)} ${this.#table(form, isPale)} ${this.#levers(form, isPale)}
              ${this.#details(form)}`
          : nothing
      }
    </section>`;
  }

  /** Forgets the last study, whose forecast would otherwise stay until there is another. */
  forget(): void {
    this.#last = undefined;
    this.#used = undefined;
    this.#compared = undefined;
    this.#mistyped = new Map();
    this.#forecaster.forget();
  }

  /** Everything that the errors of a draft depend on, as text. */
  #askedOf(draft: Draft): string {
    const words = { title: '', description: '', organizer: '', contact: '' };
    return JSON.stringify({ ...draft, ...words });
  }

  #questionOf(draft: Draft): Question {
    const { correlations, between, withinViews, offCentre, spread } = this.#plan;
    return {
      draft,
      truths: correlations,
      assumptions: { withinViews, offCentre, spread },
      between,
      along: this.#axis === 'sites' ? 'sites' : 'rows',
    };
  }

  get #plan(): Plan {
    return this.#subject?.draft.plan ?? usualPlan();
  }

  #replan(form: DesignerForm, change: Partial<Plan>): void {
    form.change({ plan: { ...form.draft.plan, ...change, isUnseen: false } });
  }

  /** The problem that keeps a forecast from being made, if there was one before. */
  get #waiting(): Problem | undefined {
    if (this.#last === undefined) return undefined;
    return this.#waits[0];
  }

  get #waits(): Problem[] {
    const own = [...this.#mistyped].map(([id, { words }]) => ({ field: id, message: words }));
    const { study, problems = [] } = this.#subject ?? {};
    return [...(study === undefined ? problems : []), ...own];
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

  // The plan

  #size(form: DesignerForm): TemplateResult {
    const { draft } = form;
    const isRow = draft.unit === 'row';
    const error = form.error('federation.sites');
    const sites = html`<input
      class="inline"
      id="federation.sites"
      aria-label=${isRow ? 'Number of sites' : 'Number of participants'}
      inputmode="numeric"
      autocomplete="off"
      .value=${draft.sites}
      aria-invalid=${error === undefined ? 'false' : 'true'}
      aria-describedby=${described('federation.sites', error) || nothing}
      @input=${(event: Event) => {
        form.edit('federation.sites');
        form.change({ sites: textOf(event) });
      }}
      @blur=${() => {
        form.leave('federation.sites');
      }}
    />`;
    if (!isRow) return html`<p class="size">${sites} participants</p>`;
    const rows = this.#inline(
      'rows',
      'Rows per site (estimate)',
      draft.rows,
      ROWS_ALLOWED,
      (value) => {
        form.change({ rows: value, plan: { ...draft.plan, isUnseen: false } });
        return value;
      },
    );
    return html`<p class="size">${sites} sites with about ${rows} rows</p>`;
  }

  /** The errors of the fields that stand in lines of text. */
  #errors(form: DesignerForm): unknown {
    const mistyped = [...this.#mistyped].filter(
      ([id]) => ['rows', 'within', 'spread'].includes(id) || id.startsWith('truths.'),
    );
    return html`${fieldError('federation.sites', form.error('federation.sites'))}
    ${mistyped.map(([id, { words }]) => fieldError(id, words))}`;
  }

  /** A number in a line of text. @param set takes a valid number and returns the one that the field then shows */
  #inline(
    id: string,
    label: string,
    value: number,
    allowed: Allowed,
    set: (value: number) => number,
    show: (value: number) => string = String,
  ): TemplateResult {
    const mistyped = this.#mistyped.get(id);
    return html`<input
      class="inline"
      id=${id}
      aria-label=${label}
      inputmode="decimal"
      autocomplete="off"
      .value=${mistyped?.text ?? show(value)}
      aria-invalid=${mistyped === undefined ? 'false' : 'true'}
      aria-describedby=${described(id, mistyped?.words) || nothing}
      @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        const number = this.#take(id, input.value, allowed);
        // Sorting may leave this field's number as it was; rendering would then not replace the text typed.
        if (number !== undefined) input.value = show(set(number));
        this.#host.requestUpdate();
      }}
    />`;
  }

  /** The number typed, if it is allowed; its error is kept until it is. */
  #take(id: string, text: string, { allows, words }: Allowed): number | undefined {
    const number = numberIn(text);
    const mistyped = new Map(this.#mistyped);
    if (allows(number)) mistyped.delete(id);
    else mistyped.set(id, { text, words });
    this.#mistyped = mistyped;
    return allows(number) ? number : undefined;
  }

  #switch(): TemplateResult {
    const isRow = this.#subject?.draft.unit !== 'participant';
    const axes: readonly (readonly [Axis, string])[] = isRow
      ? [
          ['epsilon', 'ε'],
          ['rows', 'rows per site'],
          ['sites', 'sites'],
        ]
      : [
          ['epsilon', 'ε'],
          ['rows', 'participants'],
        ];
    return html`<fieldset class="segments">
      <legend class="hidden-visually">Forecast along</legend>
      ${axes.map(
        ([axis, name]) =>
          html`<label
            ><input
              type="radio"
              name="axis"
              .checked=${this.#axis === axis}
              @change=${() => {
                this.#axis = axis;
                this.#host.requestUpdate();
              }}
            /><span>${name}</span></label
          >`,
      )}
    </fieldset>`;
  }

  #chooseViews(form: DesignerForm): TemplateResult | typeof nothing {
    const study = this.#last?.study;
    const names = study === undefined ? [] : viewNames(study);
    if (study === undefined || names.length < 3) return nothing;
    const present = relatedViews(study, this.#plan.between);
    const select = (at: 0 | 1, label: string): TemplateResult =>
      html`<select
        aria-label=${label}
        @change=${(event: Event) => {
          const chosen = textOf(event);
          const other = present[1 - at] ?? '';
          const instead = other === chosen ? (present[at] ?? '') : other;
          this.#replan(form, { between: at === 0 ? [chosen, instead] : [instead, chosen] });
        }}
      >
        ${names.map((name) => html`<option .selected=${name === present[at]}>${name}</option>`)}
      </select>`;
    return html`<div class="between">
      Between ${select(0, 'First view')} and ${select(1, 'Second view')}
    </div>`;
  }

  // The chart

  get #planned(): readonly number[] {
    const { draft, study } = this.#last ?? {};
    if (draft !== undefined && study !== undefined)
      return plannedFor(study, this.#questionOf(draft));
    return this.#subject?.draft.views.length === 0 ? [] : this.#plan.correlations;
  }

  get #curve(): Curve {
    const draft = (this.#last ?? this.#subject)?.draft;
    const { surface, forecast, isBehind } = this.#forecaster;
    const along = this.#axis === 'sites' ? 'sites' : 'rows';
    const own =
      draft === undefined ? NaN : along === 'sites' ? numberIn(draft.sites) : sizeOf(draft);
    const size = Number.isFinite(own) && own >= 1 ? own : USUAL_ROWS;
    const sizes = sizesAround(along, size);
    const epsilon = draft?.epsilon ?? 1;
    const isEpsilon = this.#axis === 'epsilon';
    const grid = isEpsilon ? EPSILONS : sizes;
    const present = isEpsilon ? epsilon : size;
    const points = isEpsilon
      ? surface.alongEpsilon(size, sizes)
      : surface.alongSize(epsilon, sizes);
    const [first = 0, last = 0] = [grid[0], grid.at(-1)];
    // The exact forecast of the present choice takes part in the curve, so that all numbers agree.
    return forecast === undefined || isBehind || present < first || present > last
      ? { grid, points, present }
      : { ...withPoint(grid, points, present, pointOf(forecast)), present };
  }

  /** What is expected of the present choice. */
  get #point(): ForecastPoint | undefined {
    const { forecast, isBehind } = this.#forecaster;
    if (forecast !== undefined && !isBehind) return pointOf(forecast);
    const { grid, points, present } = this.#curve;
    return pointAt(grid, points, present) ?? (forecast && pointOf(forecast));
  }

  /** The present choice in words: "At ε = 1", "With 12 sites". */
  get #present(): string {
    const { draft } = this.#last ?? {};
    if (draft === undefined || this.#axis === 'epsilon')
      return `At ε = ${bound(draft?.epsilon ?? 1)}`;
    if (this.#axis === 'sites')
      return `With ${draft.sites} ${draft.sites === '1' ? 'site' : 'sites'}`;
    return draft.unit === 'row'
      ? `With ${count(draft.rows)} rows per site`
      : `With ${draft.sites} participants`;
  }

  #chart(form: DesignerForm): TemplateResult {
    const { grid, points, present } = this.#curve;
    const { unit, rows } = this.#last?.draft ??
      this.#subject?.draft ?? { unit: 'row', rows: USUAL_ROWS };
    const labels: Record<Axis, string> = {
      epsilon: 'ε, log scale: stronger privacy to the left',
      rows: unit === 'row' ? 'rows per site, log scale' : 'participants, log scale',
      sites: `sites of ${count(rows)} rows, log scale`,
    };
    const isCovariance = this.#planned.length === 0;
    return html`<pm-forecast-figure
        axis=${this.#axis}
        axis-label=${labels[this.#axis]}
        .grid=${grid}
        .points=${points}
        .truths=${this.#planned}
        .present=${present}
        ?behind=${this.#forecaster.isBehind}
        @pm-value=${(event: CustomEvent<ValueDetail>) => {
          const { value } = event.detail;
          if (this.#axis === 'epsilon') form.change({ epsilon: value });
          else if (this.#axis === 'sites' || unit !== 'row') form.change({ sites: String(value) });
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

  /** The assumptions that decide the verdict, to be edited where it is read. */
  #assuming(form: DesignerForm): TemplateResult {
    const { withinViews, spread } = this.#plan;
    const columns = this.#last?.draft.columns ?? [];
    const own = columns.filter((column) => spreadOf(column) !== undefined).length;
    const within = this.#inline(
      'within',
      'Correlation within a view, at most',
      withinViews,
      share(1),
      (value) => {
        this.#replan(form, { withinViews: value });
        return value;
      },
    );
    const spreads = this.#inline(
      'spread',
      'Standard deviation, share of range',
      spread,
      SPREAD_ALLOWED,
      (value) => {
        this.#replan(form, { spread: value });
        return value;
      },
    );
    return html`<p class="assuming">
      Assuming
      ${this.#planned.length === 0 ? nothing : html`correlations of at most ${within} within a view,`}
      spreads (standard deviations) of ${spreads} of the
      range${own === 0 ? nothing : html`, but those of ${own === 1 ? 'one column' : `${count(own)} columns`} as typed`}.
      <span class="label"
        >Wide limits make spreads smaller: lower this then, or type the usual spread of a column in
        its row. Else the forecast promises too much.</span
      >
    </p>`;
  }

  /** Says that a study came without a plan, until someone has set it or agreed to the usual one. */
  #unseen(form: DesignerForm): TemplateResult | typeof nothing {
    const { unit, plan } = form.draft;
    if (!plan.isUnseen) return nothing;
    const what = unit === 'row' ? 'Rows per site and assumptions' : 'Assumptions';
    return html`<p class="unseen">
      ${what} are not part of a study. These are the defaults: set them.
      <button
        class="link"
        type="button"
        @click=${() => {
          this.#replan(form, {});
          form.focus(unit === 'row' ? 'rows' : 'spread');
        }}
      >
        Keep the defaults
      </button>
    </p>`;
  }

  #table(form: DesignerForm, isPale: boolean): TemplateResult | typeof nothing {
    const truths = this.#planned;
    const point = this.#point;
    if (truths.length === 0) return nothing;
    const readings = point === undefined ? [] : readingsOf(truths, point);
    return html`<table class="pairs">
        <thead>
          <tr>
            <th scope="col">Pair</th>
            <th scope="col">If it is</th>
            <th scope="col" class="right">You would see</th>
            <th scope="col">Reading</th>
          </tr>
        </thead>
        <tbody>
          ${truths.map((truth, i) => {
            const reading = readings[i];
            const interval =
              point === undefined || reading === 'lost'
                ? 'nothing to read'
                : intervalOf(truth, point, i)
                    .map((end) => correlation(end))
                    .join(' to ');
            return html`<tr>
              <th scope="row">${ordinal(i)}</th>
              <td>
                ${this.#inline(
                  `truths.${i}`,
                  `${ordinal(i)} pair`,
                  truth,
                  share(1),
                  (value) => {
                    const correlations = this.#plan.correlations
                      .map((other, j) => (j === i ? value : other))
                      .sort((a, b) => b - a);
                    this.#replan(form, { correlations });
                    return correlations[i] ?? value;
                  },
                  plannedInWords,
                )}
              </td>
              <td
                class="right ${reading === 'lost' ? 'label' : ''} ${isPale ? 'stale' : ''}"
                ?inert=${isPale}
              >
                ${point === undefined ? '…' : interval}
              </td>
              <td class=${isPale ? 'stale' : ''} ?inert=${isPale}>
                ${
                  reading === undefined
                    ? nothing
                    : html`<span class="tag ${TAGS[reading]}">${readingInWords(reading)}</span>`
                }
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
      ${this.#whatPairsAre()}`;
  }

  #whatPairsAre(): TemplateResult | typeof nothing {
    const { study } = this.#last ?? {};
    const [x, y] = study === undefined ? [] : relatedViews(study, this.#plan.between);
    return x === undefined || y === undefined
      ? nothing
      : html`<p class="label caption">
          1st pair: the strongest correlation between a mix of ${x} columns and a mix of ${y}
          columns. It is at least as large as that of any two single columns.
        </p>`;
  }

  // What would help

  /** The levers of the present draft that help, the smallest error first; undefined until they are computed. */
  get #comparison(): Comparison | undefined {
    const { variants, isBehind, areVariantsBehind } = this.#forecaster;
    const now = this.#point;
    if (this.#last === undefined || now === undefined || isBehind || areVariantsBehind)
      return undefined;
    const all = leversOf(this.#last.draft);
    if (all.length !== variants.length) return undefined;
    const effects = all
      .flatMap((lever, i) => {
        const point = variants[i];
        if (point === undefined || point === null) return [];
        return [{ lever, point, factor: sizeOfError(point) / sizeOfError(now) }];
      })
      .filter(({ factor }) => factor <= HELPS)
      .sort((a, b) => a.factor - b.factor);
    return { effects, now };
  }

  #apply(form: DesignerForm, lever: Lever): void {
    const { draft } = this.#last ?? {};
    const now = this.#point;
    if (draft === undefined || now === undefined) return;
    const before = Object.fromEntries(
      Object.keys(lever.patch).map((key) => [key, draft[key as keyof Draft]]),
    ) as Partial<Draft>;
    const question = this.#askedOf({ ...draft, ...lever.patch });
    this.#used = { lever, before, error: errorInWords(now), question };
    form.change(lever.patch);
    form.say(`${lever.name} is on.`);
    form.focus('undo-lever');
  }

  /** What would help. While fields are missing nothing is said, and old figures are pale until there are new ones. */
  #levers(form: DesignerForm, isWaiting: boolean): TemplateResult {
    const comparison = this.#comparison;
    const shown = comparison ?? this.#compared;
    this.#compared = shown;
    const isPale = isWaiting || comparison === undefined;
    const used = this.#used;
    // What was just used can be undone at once, so that line is never pale: it has no figures meanwhile.
    const line =
      used !== undefined
        ? this.#undo(form, used, isPale ? undefined : comparison.now)
        : isWaiting || shown === undefined
          ? nothing
          : this.#lever(form, shown);
    const isLinePale = isPale && used === undefined;
    return html`<div class=${isLinePale ? 'stale' : ''} ?inert=${isLinePale}>
        <div class="lever">${line}</div>
      </div>
      <div class=${isPale ? 'stale' : ''} ?inert=${isPale}>
        ${this.#allLevers(form, shown?.effects)}
      </div>`;
  }

  #lever(form: DesignerForm, { effects, now }: Comparison): TemplateResult {
    // A smaller error does not help where everything stays lost.
    const cheap = effects.find(
      ({ lever, point, factor }) =>
        lever.costs !== 'more rows' &&
        lever.costs !== 'privacy' &&
        factor <= WORTH &&
        isReadable(this.#planned, point),
    );
    const others = this.#others(effects, cheap === undefined ? '' : 'Or ');
    if (cheap === undefined) {
      return html`<div>
        <p><b>${this.#enough(now)}</b></p>
        ${others}
      </div>`;
    }
    const { lever, point, factor } = cheap;
    const price = lever.costs === 'nothing' ? 'at no cost in privacy' : 'with the same ε';
    return html`<p>
        <b>${lever.name} would cut the error${this.#ofWhat} to ${percent(factor)}</b>,
        ${errorInWords(now)} to ${errorInWords(point)}, ${price}. ${lever.asks}
      </p>
      <button
        class="button small"
        id="use-lever"
        type="button"
        @click=${() => {
          this.#apply(form, lever);
        }}
      >
        Use it
      </button>`;
  }

  /** What the error that levers are compared by is about. */
  get #ofWhat(): string {
    return this.#planned.length === 0 ? '' : ' of the first pair';
  }

  /** What more rows and a weaker promise would do, in a line: "Or the first pair ± .06 with ε = 2." */
  #others(effects: readonly Effect[], start: string): unknown {
    const best = (['more rows', 'privacy'] as const).flatMap(
      (cost) =>
        effects.find(
          ({ lever, point }) => lever.costs === cost && isReadable(this.#planned, point),
        ) ?? [],
    );
    const about = this.#planned.length === 0 ? '' : 'the first pair ';
    const words = best.map(({ lever, point }) => `${errorInWords(point)} with ${lever.name}`);
    return words.length === 0
      ? nothing
      : html`<p class="label others">${capitalised(`${start}${about}${words.join(', ')}.`)}</p>`;
  }

  #undo(
    form: DesignerForm,
    { lever, before, error }: Used,
    now: ForecastPoint | undefined,
  ): TemplateResult {
    const about = this.#planned.length === 0 ? '' : 'the first pair ';
    const change =
      now === undefined ? nothing : html` ${about}${errorInWords(now)} instead of ${error}.`;
    return html`<p>
        <b>${lever.name} is on${now === undefined ? '.' : ':'}</b>${change} ${lever.asks}
      </p>
      <button
        class="button small"
        id="undo-lever"
        type="button"
        @click=${() => {
          this.#used = undefined;
          form.change(before);
          form.say(`${lever.name} is undone.`);
          form.focus('use-lever');
        }}
      >
        Undo
      </button>`;
  }

  /** How many more rows or sites would help, from the curve over them. */
  #enough(now: ForecastPoint): string {
    const truths = this.#planned;
    const { draft } = this.#last ?? {};
    const readings = readingsOf(truths, now);
    if (draft === undefined) return '';
    if (readings.every((reading) => reading === 'clear')) return 'Nothing has to change.';
    const along = this.#axis === 'sites' ? 'sites' : 'rows';
    const own = along === 'sites' ? numberIn(draft.sites) : sizeOf(draft);
    const sizes = sizesAround(along, own);
    const points = this.#forecaster.surface.alongSize(draft.epsilon, sizes);
    const curve = sizes.flatMap((size, i) => (size > own ? [{ size, point: points[i] }] : []));
    const unit =
      along === 'sites' ? 'sites' : draft.unit === 'row' ? 'rows per site' : 'participants';
    const words = enoughInWords(truths, now, curve, unit);
    if (words !== '' || curve.some(({ point }) => point === undefined)) return words;
    const most = curve.at(-1)?.size;
    const which = readings.includes('clear') ? 'no other pair' : 'no pair';
    return most === undefined ? '' : `Even ${count(most)} ${unit} make ${which} clear.`;
  }

  #allLevers(form: DesignerForm, effects: readonly Effect[] = []): unknown {
    return disclosure(
      'All levers',
      effects.length === 0
        ? html`<p class="help">No single change makes the error smaller.</p>`
        : html`<table class="all-levers">
            <thead>
              <tr>
                <th scope="col">Change</th>
                <th scope="col" class="right">
                  ${this.#planned.length === 0 ? 'Error' : 'First pair'}
                </th>
                <th scope="col">Costs</th>
                <th scope="col"><span class="hidden-visually">Use</span></th>
              </tr>
            </thead>
            <tbody>
              ${effects.map(
                ({ lever, point, factor }) =>
                  html`<tr>
                    <th scope="row">${lever.name}</th>
                    <td class="right">
                      ${errorInWords(point)}, × ${bound(Number(factor.toPrecision(2)))}
                    </td>
                    <td>${lever.costs}</td>
                    <td class="right">
                      <button
                        class="link"
                        type="button"
                        aria-label="Use ${lever.name}"
                        @click=${() => {
                          this.#apply(form, lever);
                        }}
                      >
                        Use it
                      </button>
                    </td>
                  </tr>`,
              )}
            </tbody>
          </table>`,
    );
  }

  // Numbers and assumptions

  #details(form: DesignerForm): unknown {
    const { forecast } = this.#forecaster;
    const last = this.#last;
    return disclosure(
      'Assumptions and numbers',
      html`<div class="assumed">
          ${this.#number(
            'off-centre',
            'Offset of means, share of range',
            this.#plan.offCentre,
            share(0.5),
            (value) => {
              this.#replan(form, { offCentre: value });
            },
          )}
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
                  Privacy error of the covariance: ${percent(forecast.covariance.ratio)} of
                  answering 0
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
                    saveCsv(this.#csv(last), 'forecast.csv');
                  }}
                >
                  Curves as CSV
                </button>`
        }`,
    );
  }

  #number(
    id: string,
    label: string,
    value: number,
    allowed: Allowed,
    set: (value: number) => void,
  ): TemplateResult {
    const mistyped = this.#mistyped.get(id);
    return field({
      id,
      label,
      control: html`<input
        class="text number"
        id=${id}
        inputmode="decimal"
        autocomplete="off"
        .value=${mistyped?.text ?? String(value)}
        aria-invalid=${mistyped === undefined ? 'false' : 'true'}
        aria-describedby=${described(id, mistyped?.words) || nothing}
        @change=${(event: Event) => {
          const number = this.#take(id, textOf(event), allowed);
          if (number !== undefined) set(number);
          this.#host.requestUpdate();
        }}
      />`,
      error: mistyped?.words,
    });
  }

  /** Curves along epsilon and along the size, with one line for each point computed so far. */
  #csv({ draft, study }: { draft: Draft; study: Study }): string {
    const along = this.#axis === 'sites' ? 'sites' : 'rows';
    const size = along === 'sites' ? numberIn(draft.sites) : sizeOf(draft);
    const grid = sizesAround(along, size);
    const { surface } = this.#forecaster;
    const head = plannedFor(study, this.#questionOf(draft)).flatMap((truth) => [
      `error_of_${truth}`,
      `margin_of_${truth}`,
    ]);
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
}

const ROWS_ALLOWED: Allowed = {
  allows: (value) => Number.isInteger(value) && value >= 1,
  words: 'Enter the rows of a site: a whole number of at least 1.',
};

/** Whether anything could be read at a point. An error inside the noise floor says nothing. */
function isReadable(truths: readonly number[], point: ForecastPoint): boolean {
  return readingsOf(truths, point).some((reading) => reading !== 'lost');
}

/** A planned correlation as its field shows it: ".50", or as many digits as it has. */
function plannedInWords(value: number): string {
  const short = correlation(value);
  return Number(short) === value ? short : String(value).replace(/^0/, '');
}

const SPREAD_ALLOWED: Allowed = {
  allows: (value) => value > 0 && value <= 0.5,
  words: 'Enter a number above 0, at most 0.5.',
};

function share(most: number): Allowed {
  return {
    allows: (value) => value >= 0 && value < most,
    words: `Enter a number from 0 to below ${most}.`,
  };
}
