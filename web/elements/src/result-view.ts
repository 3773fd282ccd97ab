import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { highScore, screeOf, weightsOf, type AnalysisResult } from './analysis-result.js';
import { codeFor, codeStyles, highlighted } from './code-sample.js';
import { resultCsv, resultJson } from './export.js';
import { list, ordinal, ordinalWord } from './format.js';
import { down } from './icons.js';
import { resultTables, resultTablesStyles } from './result-tables.js';
import { variance, words } from './result-words.js';
import { save } from './save.js';
import { roundUp } from './scale.js';
import { styles } from './styles.js';

export interface ViewsDetail {
  views: [string, string];
}

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
  };

  static override styles = [
    styles,
    codeStyles,
    resultTablesStyles,
    css`
      section {
        margin-top: 56px;
      }

      h2 + .prose {
        margin-top: 6px;
      }

      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 16px;
        margin-bottom: 16px;
      }

      .figure-and-words {
        display: grid;
        grid-template-columns: minmax(0, 640px) minmax(0, 1fr);
        gap: 80px;
        margin-top: 20px;
      }

      .figure-and-words p + p {
        margin-top: 12px;
      }

      .figure-and-words h3 + p {
        margin-top: 8px;
      }

      .figure-and-words p {
        color: var(--_ink-2);
        font-size: 15px;
        line-height: 24px;
      }

      .view-choice {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 16px;
        align-items: center;
        margin-top: 12px;
      }

      .view-choice select {
        min-height: 40px;
        padding: 0 12px;
        border: 1px solid var(--_line-2);
        border-radius: 6px;
        background: var(--_bg);
      }

      .view-choice label {
        font-size: 14px;
        font-weight: 600;
      }

      .segments {
        display: inline-flex;
        flex-wrap: wrap;
        border: 1px solid var(--_line-2);
        border-radius: 6px;
        overflow: clip;
      }

      .segments button {
        min-height: 32px;
        padding: 0 14px;
        border: 0;
        background: none;
        color: var(--_ink);
        font-size: 14px;
        font-weight: 500;
        cursor: pointer;
      }

      .segments button:hover {
        background: var(--_surface);
      }

      .segments button:focus-visible {
        outline-offset: -3px;
      }

      .segments .floor {
        color: var(--_ink-3);
        font-weight: 400;
      }

      .segments [aria-pressed='true'],
      .segments [aria-pressed='true']:hover {
        background: var(--_ink);
        color: var(--_bg);
        font-weight: 600;
      }

      .pair-of-views {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 0 72px;
        margin-top: 28px;
      }

      /* The two share their rows, so that the bars start at the same height. */
      .view {
        display: grid;
        grid-row: span 3;
        grid-template-rows: subgrid;
      }

      .view .help {
        margin-bottom: 16px;
      }

      .two {
        display: grid;
        grid-template-columns: minmax(0, 440px) minmax(0, 1fr);
        gap: 56px 96px;
      }

      .two pm-scree-figure {
        margin-top: 20px;
      }

      .go li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 12px 24px;
        padding: 20px 0;
        border-bottom: 1px solid var(--_line);
      }

      .go li > div {
        flex: 1 1 260px;
      }

      .code-head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 16px;
        margin-bottom: 16px;
      }

      @media (pointer: coarse) {
        .segments button {
          min-height: 44px;
        }
      }

      @media (max-width: 1099px) {
        .figure-and-words,
        .pair-of-views,
        .two {
          grid-template-columns: minmax(0, 1fr);
          gap: 32px;
        }

        .view {
          display: block;
        }
      }

      @media (max-width: 759px) {
        section {
          margin-top: 44px;
        }

        .two {
          gap: 0;
        }

        .segments button {
          min-height: 44px;
        }

        .go .button {
          width: 100%;
        }
      }
    `,
  ];

  declare result: AnalysisResult | undefined;
  declare releases: readonly string[];
  declare pair: number;
  declare tables: boolean;

  constructor() {
    super();
    this.result = undefined;
    this.releases = [];
    this.pair = 0;
    this.tables = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('result')) this.pair = 0;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { result } = this;
    if (result === undefined) return nothing;
    return html`${this.#correlations(result)} ${this.#weights(result)}
    ${this.#varianceAndMore(result)} ${this.#code(result)}`;
  }

  #correlations(result: AnalysisResult): TemplateResult {
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
        ></pm-correlation-figure>
        <div>
          <h3>In words</h3>
          ${words(result).map((text) => html`<p>${text}</p>`)}
        </div>
      </div>
    </section>`;
  }

  #viewChoice(result: AnalysisResult, views: [string, string]): TemplateResult | typeof nothing {
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

  #weights(result: AnalysisResult): TemplateResult | typeof nothing {
    const { cca, views } = result;
    const chosen = cca?.correlations[this.pair];
    if (cca === undefined || views === undefined || chosen === undefined) return nothing;
    const title = `${ordinalWord(this.pair).replace(/^./, (c) => c.toUpperCase())} pair`;
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
          : this.#bars(result, views)
      }
    </section>`;
  }

  #bars(result: AnalysisResult, views: [string, string]): TemplateResult {
    const weights = views.map((view) => weightsOf(result, view, this.pair));
    const largest = Math.max(...weights.flat().map(({ perDeviation }) => Math.abs(perDeviation)));
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
              <h3>${view.replace(/^./, (c) => c.toUpperCase())}</h3>
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

  #varianceAndMore(result: AnalysisResult): TemplateResult {
    const { components, noiseFloor } = screeOf(result);
    return html`<div class="two">
        <section aria-labelledby="variance">
          <h2 id="variance">Variance</h2>
          <p class="prose">
            ${variance(components, noiseFloor)} Shares of each principal component, in percent, in
            the study’s scaled units.
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
        <section aria-labelledby="take-away">
          <h2 id="take-away">Take it along</h2>
          <ul class="go">
            <li>
              <div>
                <h3>Everything, for a program</h3>
                <p class="help">Means, covariance, correlations, weights, noise and guarantee.</p>
              </div>
              <button class="button primary" type="button" @click=${this.#saveJson}>
                ${down} Download JSON
              </button>
            </li>
            <li>
              <div>
                <h3>Every number, for a spreadsheet</h3>
                <p class="help">One line per correlation, weight, share and mean.</p>
              </div>
              <button class="button" type="button" @click=${this.#saveCsv}>
                ${down} Download CSV
              </button>
            </li>
            <li>
              <div>
                <h3>The figures as tables</h3>
                <p class="help">For reading aloud, copying, checking.</p>
              </div>
              <button
                class="button"
                type="button"
                aria-expanded=${this.tables ? 'true' : 'false'}
                @click=${() => {
                  this.tables = !this.tables;
                }}
              >
                ${this.tables ? 'Hide the tables' : 'Show the tables'}
              </button>
            </li>
          </ul>
        </section>
      </div>
      ${this.tables ? resultTables(result) : nothing}`;
  }

  #code(result: AnalysisResult): TemplateResult {
    const code = codeFor(result);
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

  readonly #saveJson = (): void => {
    if (this.result === undefined) return;
    const text = resultJson(this.result, this.releases);
    save(new Blob([text], { type: 'application/json' }), 'result.json');
  };

  readonly #saveCsv = (): void => {
    if (this.result === undefined) return;
    save(new Blob([resultCsv(this.result)], { type: 'text/csv' }), 'result.csv');
  };
}
