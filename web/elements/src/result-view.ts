import type { CcaResult, RidgeResult } from 'private-moments';
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { correlationsOf, extentOf, weightsOf } from '../../package/src/report/weights.js';
import { LEVEL, resultsOf, screeOf, type MomentsResult } from './analysis-result.js';
import { describe } from './failure.js';
import { bound, capitalised, list, ordinal, ordinalWord } from './format.js';
import { notice, noticeStyles } from './notice.js';
import { regressionSection, regressionStyles, type Question } from './regression.js';
import { resultStyles } from './result-styles.js';
import { resultTables, resultTablesStyles } from './result-tables.js';
import { words } from './result-words.js';
import { roundUp } from './scale.js';
import { styles } from './styles.js';
import { sharedSection } from './shared-view.js';
import { takeAlong } from './take-along.js';
import { CAUTION, highScore, standingOf, varianceFinding } from './words.js';
import type { ViewsDetail } from './public.js';

/** What stands beside a pair that may not be read like the others. */
const STANDINGS = { above: '', 'not clear': ', not clear', below: ', below the floor' };

/**
 * A result with its figures, words, tables, downloads and code. `releases` are the ids of what was
 * assembled. Emits `pm-views` with `{ views }` when the reader wants two other views compared.
 */
export class PmResult extends LitElement {
  static override properties = {
    result: { attribute: false },
    releases: { attribute: false },
    pair: { state: true },
    tables: { state: true },
    fit: { state: true },
    problem: { state: true },
    component: { state: true },
    structure: { state: true },
    question: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    resultTablesStyles,
    resultStyles,
    regressionStyles,
  ];

  declare result: MomentsResult | undefined;
  declare releases: readonly string[];
  declare pair: number;
  declare tables: boolean;
  /** The regression that was asked for. */
  declare fit: RidgeResult | undefined;
  /** Why there is none. */
  declare problem: string;
  /** What `fit` is or will be of; undefined before a target is chosen. */
  declare question: Question | undefined;
  declare component: number;
  /** Whether pairs show structure correlations in place of weights. */
  declare structure: boolean;

  constructor() {
    super();
    this.result = undefined;
    this.releases = [];
    this.pair = 0;
    this.tables = false;
    this.fit = undefined;
    this.problem = '';
    this.question = undefined;
    this.component = 0;
    this.structure = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('result')) return;
    this.pair = 0;
    this.component = 0;
    this.fit = undefined;
    // More releases: the same question again.
    if (this.question !== undefined) void this.#regress(this.question);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { result } = this;
    if (result === undefined) return nothing;
    return html`${this.#correlations(result)} ${this.#weights(result)}
      ${result.gcca === undefined ? nothing : sharedSection(result.gcca)}
      <pm-row-scores .result=${result}></pm-row-scores>
      ${regressionSection(result.moments, this.question, this, (question) => {
        void this.#regress(question);
      })}
      <pm-synthetic-rows .moments=${result.moments}></pm-synthetic-rows>
      ${this.#varianceAndMore(result)}
      <pm-result-code recomputes .results=${resultsOf(result, this.fit)}></pm-result-code>`;
  }

  #correlations(result: MomentsResult): TemplateResult {
    const { cca, views } = result;
    if (cca === undefined || views === undefined) {
      return html`<section aria-labelledby="correlations">
        <h2 id="correlations">Canonical correlations</h2>
        <p class="prose">This study names no two views, so there is nothing to correlate.</p>
      </section>`;
    }
    return html`<section aria-labelledby="correlations">
      <h2 id="correlations">Canonical correlations</h2>
      <p class="prose">How strongly ${list(views)} move together.</p>
      ${this.#viewChoice(result, views)}
      <div class="figure-and-words">
        <pm-correlation-figure
          .pairs=${cca.correlations}
          axis-label=${axisOf('canonical correlation', cca.options.level)}
        ></pm-correlation-figure>
        <div>
          <h3>In words</h3>
          ${words(result).map((text) => html`<p>${text}</p>`)}
        </div>
      </div>
    </section>`;
  }

  #viewChoice(result: MomentsResult, views: [string, string]): TemplateResult | typeof nothing {
    const names = Object.keys(result.moments.study.views ?? {});
    if (names.length < 3) return nothing;
    const select = (side: 0 | 1): TemplateResult => {
      const label = side === 0 ? 'First view' : 'Second view';
      return html`<label for="view-${side}">${label}</label>
        <select
          id="view-${side}"
          @change=${(event: Event) => {
            const { value } = event.target as HTMLSelectElement;
            this.#chooseViews(side === 0 ? [value, views[1]] : [views[0], value]);
          }}
        >
          ${names
            .filter((name) => name !== views[side === 0 ? 1 : 0])
            .map((name) => html`<option .selected=${name === views[side]}>${name}</option>`)}
        </select>`;
    };
    return html`<div class="view-choice">${select(0)} ${select(1)}</div>`;
  }

  #weights(result: MomentsResult): TemplateResult | typeof nothing {
    const { cca, views } = result;
    const chosen = cca?.correlations[this.pair];
    if (cca === undefined || views === undefined || chosen === undefined) return nothing;
    const title = `${capitalised(ordinalWord(this.pair))} pair`;
    return html`<section aria-labelledby="pair">
      <div class="head">
        <h2 id="pair">${title}</h2>
        <div class="segments" role="group" aria-label="Pair">
          ${cca.correlations.map(
            (each, i) =>
              html`<button
                type="button"
                class=${standingOf(each) === 'above' ? '' : 'floor'}
                aria-pressed=${i === this.pair ? 'true' : 'false'}
                @click=${() => {
                  this.pair = i;
                }}
              >
                ${ordinal(i)}${STANDINGS[standingOf(each)]}
              </button>`,
          )}
        </div>
      </div>
      ${
        chosen.belowNoiseFloor
          ? html`<p class="prose">
              This pair is below the noise floor: do not interpret. Its weights are not drawn.
            </p>`
          : html`${standingOf(chosen) === 'not clear' ? html`<div class="caution">${notice({ kind: 'warn', title: 'Not clear.', body: CAUTION })}</div>` : nothing}
            ${this.#bars(cca, views)}`
      }
    </section>`;
  }

  #bars(cca: CcaResult, views: [string, string]): TemplateResult {
    const { structure } = this;
    const found = views.map((view) => cca.views[view]);
    const weights = found.map((view) => (view === undefined ? [] : weightsOf(view, this.pair)));
    const shown = structure
      ? found.map((view) => (view === undefined ? [] : correlationsOf(view.loadings, this.pair)))
      : weights;
    const limit = structure ? 1 : roundUp(extentOf(weights.flat()));
    const longest = Math.max(...weights.flat().map(({ name }) => name.length));
    const choice = (label: string, value: boolean): TemplateResult =>
      html`<button
        type="button"
        aria-pressed=${structure === value ? 'true' : 'false'}
        @click=${() => {
          this.structure = value;
        }}
      >
        ${label}
      </button>`;
    return html`<p class="prose">
        A higher score in ${views[0]} goes with a higher score in ${views[1]}.
        ${
          structure
            ? 'Bars: correlation of each column with the score of its own view, whatever the other columns do.'
            : 'Bars: weight for one standard deviation, so lengths compare. Numbers: weight for one unit of the column.'
        }${cca.options.level === undefined ? nothing : html` Thin lines: ${bound(cca.options.level * 100)}% intervals.`}
      </p>
      <div class="segments bars-choice" role="group" aria-label="Bars">
        ${choice('Weights', false)} ${choice('Structure correlations', true)}
      </div>
      <div class="pair-of-views">
        ${views.map(
          (view, i) =>
            html`<div class="view">
              <h3>${capitalised(view)}</h3>
              <p class="help">A high score: ${highScore(weights[i] ?? [])}.</p>
              <pm-weight-bars
                .weights=${shown[i] ?? []}
                .limit=${limit}
                .longest=${longest}
                .series=${i + 1}
                kind=${structure ? 'correlations' : 'weights'}
              ></pm-weight-bars>
            </div>`,
        )}
      </div>`;
  }

  #loadings({ pca }: MomentsResult): TemplateResult {
    const chosen = pca.explained[this.component];
    const shown = correlationsOf(pca.correlations, this.component);
    const longest = Math.max(...shown.map(({ name }) => name.length));
    return html`<section aria-labelledby="loadings">
      <h2 id="loadings">Loadings</h2>
      <div class="view-choice">
        <label for="component">Component</label>
        <select
          id="component"
          @change=${(event: Event) => {
            this.component = (event.target as HTMLSelectElement).selectedIndex;
          }}
        >
          ${pca.explained.map(
            ({ belowNoiseFloor }, k) =>
              html`<option .selected=${k === this.component}>
                ${ordinal(k)}${belowNoiseFloor ? ', below the floor' : ''}
              </option>`,
          )}
        </select>
      </div>
      ${
        chosen?.belowNoiseFloor === true
          ? html`<p class="prose">
              This component is below the noise floor: do not interpret. Its loadings are not drawn.
            </p>`
          : html`<p class="prose">Correlation of each column with the score of the component.</p>
              <pm-weight-bars
                .weights=${shown}
                limit="1"
                .longest=${longest}
                kind="correlations"
              ></pm-weight-bars>`
      }
    </section>`;
  }

  #varianceAndMore(result: MomentsResult): TemplateResult {
    const { components, noiseFloor } = screeOf(result);
    return html`<div class="two">
        <section aria-labelledby="variance">
          <h2 id="variance">Variance</h2>
          <p class="prose">
            ${varianceFinding(components, noiseFloor)} Shares of each principal component, in
            percent, in the study’s scaled units.
          </p>
          ${
            components.some(({ share }) => share > 0)
              ? html`<pm-scree-figure
                  .components=${components}
                  .noiseFloor=${noiseFloor}
                ></pm-scree-figure>`
              : nothing
          }
        </section>
        ${this.#loadings(result)}
      </div>
      <div class="wide">
        ${takeAlong({
          results: resultsOf(result, this.fit),
          releases: this.releases,
          everything: 'Means, covariance, correlations, weights, noise and guarantee.',
          numbers: 'One line per correlation, weight, share and mean.',
          tables: this.tables,
          onTables: () => {
            this.tables = !this.tables;
          },
        })}
      </div>
      ${this.tables ? resultTables(result, this.fit) : nothing}`;
  }

  #chooseViews(views: [string, string]): void {
    const detail: ViewsDetail = { views };
    this.dispatchEvent(new CustomEvent('pm-views', { detail }));
  }

  async #regress(question: Question | undefined): Promise<void> {
    const { result } = this;
    this.question = question;
    this.problem = '';
    let fit: RidgeResult | undefined;
    let problem = '';
    try {
      if (question !== undefined) {
        fit = await result?.moments.inWorker().ridge({ ...question, level: LEVEL });
      }
    } catch (error) {
      problem = describe(error);
    }
    // Another question or more releases have their own turn.
    if (this.question !== question || this.result !== result) return;
    this.fit = fit;
    this.problem = problem;
  }
}

function axisOf(name: string, level: number | undefined): string {
  return level === undefined ? name : `${name}, ${bound(level * 100)}% interval`;
}
