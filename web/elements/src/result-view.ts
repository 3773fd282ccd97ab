import type { CcaResult, RidgeResult } from 'private-moments';
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { weightsOf } from '../../package/src/report/weights.js';
import { LEVEL, resultsOf, screeOf, type MomentsResult } from './analysis-result.js';
import { codeFor, codeStyles, highlighted } from './code-sample.js';
import { bound, capitalised, list, ordinal, ordinalWord } from './format.js';
import { regressionSection, regressionStyles } from './regression.js';
import { resultStyles } from './result-styles.js';
import { resultTables, resultTablesStyles } from './result-tables.js';
import { words } from './result-words.js';
import { roundUp } from './scale.js';
import { styles } from './styles.js';
import { sharedSection } from './shared-view.js';
import { takeAlong } from './take-along.js';
import { highScore, varianceFinding } from './words.js';
import type { ViewsDetail } from './public.js';

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
  };

  static override styles = [styles, codeStyles, resultTablesStyles, resultStyles, regressionStyles];

  declare result: MomentsResult | undefined;
  declare releases: readonly string[];
  declare pair: number;
  declare tables: boolean;
  /** The regression that was asked for. */
  declare fit: RidgeResult | undefined;
  /** What `fit` is or will be of. */
  #target = '';

  constructor() {
    super();
    this.result = undefined;
    this.releases = [];
    this.pair = 0;
    this.tables = false;
    this.fit = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('result')) return;
    this.pair = 0;
    this.fit = undefined;
    // More releases: the same question again.
    if (this.#target !== '') void this.#regress(this.#target);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { result } = this;
    if (result === undefined) return nothing;
    return html`${this.#correlations(result)} ${this.#weights(result)}
      ${result.gcca === undefined ? nothing : sharedSection(result.gcca)}
      ${regressionSection(result.moments, this.fit, (target) => {
        void this.#regress(target);
      })}
      <pm-synthetic-rows .moments=${result.moments}></pm-synthetic-rows>
      ${this.#varianceAndMore(result)} ${this.#code(result)}`;
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
          .noiseFloor=${cca.noiseFloor}
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
            ({ belowNoiseFloor }, i) =>
              html`<button
                type="button"
                class=${belowNoiseFloor ? 'floor' : ''}
                aria-pressed=${i === this.pair ? 'true' : 'false'}
                @click=${() => {
                  this.pair = i;
                }}
              >
                ${ordinal(i)}${belowNoiseFloor ? ', below the floor' : ''}
              </button>`,
          )}
        </div>
      </div>
      ${
        chosen.belowNoiseFloor
          ? html`<p class="prose">
              This pair is below the noise floor: do not interpret. Its weights are not drawn.
            </p>`
          : this.#bars(cca, views)
      }
    </section>`;
  }

  #bars(cca: CcaResult, views: [string, string]): TemplateResult {
    const weights = views.map((view) => {
      const found = cca.views[view];
      return found === undefined ? [] : weightsOf(found, this.pair);
    });
    const largest = Math.max(...weights.flat().map(({ comparable }) => Math.abs(comparable)));
    const limit = roundUp(largest);
    const longest = Math.max(...weights.flat().map(({ name }) => name.length));
    return html`<p class="prose">
        A higher score in ${views[0]} goes with a higher score in ${views[1]}. Bars: weight for one
        standard deviation, so lengths compare. Numbers: weight for one unit of the column.
      </p>
      <div class="pair-of-views">
        ${views.map(
          (view, i) =>
            html`<div class="view">
              <h3>${capitalised(view)}</h3>
              <p class="help">A high score: ${highScore(weights[i] ?? [])}.</p>
              <pm-weight-bars
                .weights=${weights[i] ?? []}
                .limit=${limit}
                .longest=${longest}
                .series=${i + 1}
              ></pm-weight-bars>
            </div>`,
        )}
      </div>`;
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

  #code(result: MomentsResult): TemplateResult {
    const code = codeFor(resultsOf(result, this.fit));
    return html`<section aria-labelledby="code">
      <div class="code-head">
        <h2 id="code">The same result in code</h2>
        <pm-copy-button small .text=${code}></pm-copy-button>
      </div>
      ${highlighted(code)}
    </section>`;
  }

  #chooseViews(views: [string, string]): void {
    const detail: ViewsDetail = { views };
    this.dispatchEvent(new CustomEvent('pm-views', { detail }));
  }

  async #regress(target: string): Promise<void> {
    const { result } = this;
    this.#target = target;
    const fit =
      target === '' ? undefined : await result?.moments.inWorker().ridge({ target, level: LEVEL });
    // Another question or more releases have their own turn.
    if (this.#target === target && this.result === result) this.fit = fit;
  }
}

function axisOf(name: string, level: number | undefined): string {
  return level === undefined ? name : `${name}, ${bound(level * 100)}% interval`;
}
