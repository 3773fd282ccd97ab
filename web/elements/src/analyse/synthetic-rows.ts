import type { Moments, Preservation, Preserved } from 'private-moments';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { textOf } from '../controls/input-values.js';
import { describe, wasCancelled } from '../base/failure.js';
import { count, significant } from 'private-moments/words';
import { down } from '../look/icons.js';
import { notice, noticeStyles } from '../controls/notice.js';
import { resultStyles } from './result-styles.js';
import { saveCsv } from '../base/save.js';
import { figureLabels, type FigureLabels } from '../session/figure-labels.js';
import { styles } from '../look/styles.js';

/** At most this many figures outside their intervals are named. */
const MOST_NAMED = 5;
const DEFAULT_ROWS = 1000;

/** Draws synthetic rows from assembled moments as a CSV file, and reports what they preserve. */
export class PmSyntheticRows extends LitElement {
  static override properties = {
    moments: { attribute: false },
    rows: { state: true },
    seed: { state: true },
    report: { state: true },
    drawn: { state: true },
    working: { state: true },
    problem: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    resultStyles,
    css`
      form {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-end;
        gap: 16px;
        margin-top: 20px;
      }

      label {
        display: grid;
        gap: 6px;
        font-size: 14px;
        font-weight: 600;
      }

      .input {
        width: 168px;
      }

      .result {
        max-width: 640px;
        margin-top: 24px;
      }

      .result .help + .scroll,
      .result .scroll + .help {
        margin-top: 16px;
      }

      @media (max-width: 759px) {
        label,
        .input,
        form .button {
          width: 100%;
        }
      }
    `,
  ];

  declare moments: Moments | undefined;
  declare rows: number;
  declare seed: string;
  declare report: Preservation | undefined;
  declare drawn: number;
  declare working: boolean;
  declare problem: string;

  #control = new AbortController();

  constructor() {
    super();
    this.moments = undefined;
    this.rows = DEFAULT_ROWS;
    this.seed = '';
    this.#clear();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#control.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // The report is about rows drawn from the moments before.
    if (changed.has('moments')) this.#clear();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.moments === undefined) return nothing;
    return html`<section aria-labelledby="synthetic">
      <h2 id="synthetic">Synthetic rows</h2>
      <p class="prose">
        Made-up rows with the means, shares and correlations above. They belong to nobody, and
        however many you draw, nothing new leaves any participant.
      </p>
      <form @submit=${this.#submitted}>
        <label>
          Number of rows
          <input
            class="input"
            type="number"
            required
            min="1"
            max="1000000"
            step="1"
            .value=${String(this.rows)}
            @input=${(event: Event) => {
              this.rows = (event.target as HTMLInputElement).valueAsNumber;
            }}
          />
        </label>
        <label>
          Seed (optional)
          <input
            class="input"
            type="number"
            min="0"
            step="1"
            placeholder="none"
            .value=${this.seed}
            @input=${(event: Event) => {
              this.seed = textOf(event);
            }}
          />
        </label>
        <button class="button" type="submit" ?disabled=${this.working}>
          ${down} Download rows (CSV)
        </button>
      </form>
      <div role="status">
        ${this.working ? html`<p class="help">Drawing rows …</p>` : nothing}
        ${
          this.problem === ''
            ? nothing
            : notice({ kind: 'bad', title: 'No rows were drawn.', body: this.problem })
        }
        ${this.report === undefined ? nothing : preserved(this.report, this.drawn, this.#labels())}
      </div>
    </section>`;
  }

  #labels(): FigureLabels {
    return this.moments === undefined ? new Map() : figureLabels(this.moments.study);
  }

  #clear(): void {
    this.#control.abort();
    this.report = undefined;
    this.drawn = 0;
    this.working = false;
    this.problem = '';
  }

  readonly #submitted = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { moments, rows, seed } = this;
    if (moments === undefined || this.working) return;
    this.#clear();
    const { signal } = (this.#control = new AbortController());
    this.working = true;
    try {
      const worker = moments.inWorker({ signal });
      const drawn = await worker.synthesize({ rows, ...(seed !== '' && { seed: Number(seed) }) });
      saveCsv(drawn.toCSV(), 'synthetic.csv');
      this.report = drawn.preserves();
      this.drawn = drawn.rows;
    } catch (error) {
      if (wasCancelled(error)) return;
      this.problem = describe(error);
    }
    this.working = false;
  };
}

function preserved(report: Preservation, rows: number, labels: FigureLabels): TemplateResult {
  const kinds: [string, readonly Preserved[]][] = [
    ['Means and shares', report.means],
    ['Standard deviations', report.deviations],
    ['Correlations', report.correlations],
    ['Canonical correlations', report.canonicalCorrelations],
  ];
  return html`<div class="result">
    <p class="help">${count(rows)} rows saved. ${report.summary}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="What the rows preserve">
      <table>
        <thead>
          <tr>
            <th scope="col">Quantity</th>
            <th scope="col" class="right">Figures</th>
            <th scope="col" class="right">As expected</th>
          </tr>
        </thead>
        <tbody>
          ${kinds.map(([name, figures]) =>
            figures.length === 0
              ? nothing
              : html`<tr>
                  <th scope="row">${name}</th>
                  <td class="right">${count(figures.length)}</td>
                  <td class="right">${count(figures.filter(({ inside }) => inside).length)}</td>
                </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${outside(report, labels)}
  </div>`;
}

/** The first few figures outside their intervals, by name. */
function outside(
  { means, deviations, correlations, canonicalCorrelations }: Preservation,
  labels: FigureLabels,
) {
  const written = (name: string): string => labels.get(name) ?? name;
  const named: [string, Preserved][] = [
    ...means.map((each): [string, Preserved] => [`mean of ${written(each.column)}`, each]),
    ...deviations.map((each): [string, Preserved] => [
      `deviation of ${written(each.column)}`,
      each,
    ]),
    ...correlations.map((each): [string, Preserved] => [
      `correlation of ${each.columns.map(written).join(' and ')}`,
      each,
    ]),
    ...canonicalCorrelations.map((each): [string, Preserved] => [
      `canonical correlation ${each.component} of ${each.views.join(' and ')}`,
      each,
    ]),
  ];
  const missed = named.filter(([, { inside }]) => inside === false);
  if (missed.length === 0) return nothing;
  const shown = missed.slice(0, MOST_NAMED).map(([name, { released, synthetic }]) => {
    return `${name} (released ${significant(released, 3)}, drawn ${significant(synthetic, 3)})`;
  });
  const more = missed.length - shown.length;
  return html`<p class="help">
    Not as expected: ${shown.join('; ')}${more > 0 ? `; and ${count(more)} more` : ''}.
  </p>`;
}
