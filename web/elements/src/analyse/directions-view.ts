import type { ReportRelease } from 'private-moments/report';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { directionWeights, resultsOf, type DirectionsResult } from './analysis-result.js';
import { howComputed, mechanismLink } from './guide-links.js';
import { longestOf } from '../figures/figure-data.js';
import { resultDirections } from '../figures/directions.js';
import {
  featureWords,
  highScore,
  ordinal,
  ordinalWord,
  roundUp,
  significant,
} from 'private-moments/words';
import { areUnordered } from '../base/mechanism.js';
import { resultStyles } from './result-styles.js';
import { resultTablesStyles } from './result-tables.js';
import { directionWords, unknownOf } from './result-words.js';
import { PmFigure, guaranteeOf } from '../figures/figure-frame.js';
import { figureLabels, labelled } from '../session/figure-labels.js';
import { PrintController } from '../look/printing.js';
import { styles } from '../look/styles.js';
import { downloadSection, methodsSection } from './downloads.js';
import { PmCopyButton } from '../controls/copy-button.js';
import { PmDirectionMap } from '../figures/direction-map.js';
import { PmResultCode } from './result-code.js';
import { PmScreeFigure } from '../figures/scree-figure.js';
import { PmWeightBars } from '../figures/weight-bars.js';

/** Above this number of directions, the choice is a list instead of buttons. */
const MOST_SEGMENTS = 10;

/**
 * A result of directions: their figure, words, weights, downloads, code, and what is unknown about them.
 * `releases` are the ids of the releases in it, `guide` is the address of the guide's folder.
 */
export class PmDirections extends LitElement {
  static readonly parts = {
    'pm-copy-button': PmCopyButton,
    'pm-direction-map': PmDirectionMap,
    'pm-figure': PmFigure,
    'pm-result-code': PmResultCode,
    'pm-scree-figure': PmScreeFigure,
    'pm-weight-bars': PmWeightBars,
  };

  static override properties = {
    result: { attribute: false },
    releases: { attribute: false },
    guide: {},
    chosen: { state: true },
    tables: { state: true },
  };

  static override styles = [
    styles,
    resultTablesStyles,
    resultStyles,
    css`
      .unknown {
        margin-top: 20px;
        padding-left: 16px;
        border-left: 3px solid var(--_warn);
      }

      .unknown ul {
        margin-top: 8px;
        color: var(--_ink-2);
        font-size: 15px;
        line-height: 24px;
      }

      .unknown li + li {
        margin-top: 8px;
      }

      .values {
        margin-top: 20px;
      }

      pm-weight-bars {
        max-width: 720px;
        margin-top: 24px;
      }
    `,
  ];

  declare result: DirectionsResult | undefined;
  declare releases: readonly (string | ReportRelease)[];
  declare guide: string;
  declare chosen: number;
  declare tables: boolean;

  readonly #print = new PrintController(this, () => {
    this.requestUpdate();
    this.performUpdate();
  });

  constructor() {
    super();
    this.result = undefined;
    this.releases = [];
    this.guide = '';
    this.chosen = 0;
    this.tables = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('result')) this.chosen = 0;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { result } = this;
    if (result === undefined) return nothing;
    return html`${this.#figure(result)} ${this.#weights(result)} ${this.#spreadAndMore(result)}
      ${this.tables || this.#print.printing ? this.#table() : nothing}
      ${methodsSection(resultsOf(result))}
      <p class="guarantee on-paper">${guaranteeOf(result.components)}</p>
      <pm-result-code class="on-screen" .results=${resultsOf(result)}></pm-result-code>`;
  }

  #figure(result: DirectionsResult): TemplateResult {
    const { components } = result;
    const which = components.explained.length === 1 ? 'this direction' : 'these directions';
    const caption = `The rows spread most along ${which}, seen from the middle of the public bounds. Each column is scaled so that its bounds become −1 and 1.`;
    return html`<section aria-labelledby="directions">
      <pm-figure .result=${components} heading="Directions" caption=${caption}>
        <div slot="head">
          <h2 id="directions">Directions</h2>
          <p class="prose">${caption}</p>
        </div>
        <div class="figure-and-words">
          <pm-direction-map
            .names=${components.columns}
            .labels=${figureLabels(result.study)}
            .directions=${resultDirections(components)}
            values-label=${components.rows === null ? 'sum of squares' : 'mean square'}
          ></pm-direction-map>
          <div>
            <h3>In words</h3>
            ${directionWords(result).map((text) => html`<p>${text}</p>`)}
            <div class="unknown">
              <h3>What is not known</h3>
              <ul>
                ${unknownOf(result).map((text) => html`<li>${text}</li>`)}
              </ul>
            </div>
          </div>
        </div>
      </pm-figure>
      ${howComputed(this.guide, 'directions', [mechanismLink(result.study.mechanism.name)])}
    </section>`;
  }

  #weights(result: DirectionsResult): TemplateResult {
    const weights = labelled(directionWeights(result, this.chosen), figureLabels(result.study));
    const title = ordinalWord(this.chosen).replace(/^./, (c) => c.toUpperCase());
    const limit = roundUp(Math.max(...weights.map(({ comparable }) => Math.abs(comparable))));
    const longest = longestOf(weights);
    const caption = `One end: ${highScore(weights, featureWords(result.study.columns))}. The other end is the opposite; the ends could be swapped. Bars: weight for half the width of a column’s bounds, so lengths are comparable. Numbers: weight for one unit of the column.`;
    return html`<section aria-labelledby="direction">
      <pm-figure .result=${result.components} heading="${title} direction" caption=${caption}>
        <div class="head" slot="head">
          <h2 id="direction">${title} direction</h2>
          ${this.#choice(result.components.explained.length)}
        </div>
        <p class="prose">${caption}</p>
        <pm-weight-bars .weights=${weights} .limit=${limit} .longest=${longest}></pm-weight-bars>
      </pm-figure>
    </section>`;
  }

  #choice(count: number): TemplateResult | typeof nothing {
    if (count === 1) return nothing;
    const all = Array.from({ length: count }, (_, k) => k);
    const choose = (k: number) => (): void => {
      this.chosen = k;
    };
    if (count <= MOST_SEGMENTS) {
      return html`<div class="segments" role="group" aria-label="Direction">
        ${all.map(
          (k) =>
            html`<button
              type="button"
              aria-pressed=${k === this.chosen ? 'true' : 'false'}
              @click=${choose(k)}
            >
              ${ordinal(k)}
            </button>`,
        )}
      </div>`;
    }
    return html`<div class="choice">
      <select
        aria-label="Direction"
        @change=${(event: Event) => {
          choose((event.target as HTMLSelectElement).selectedIndex)();
        }}
      >
        ${all.map((k) => html`<option .selected=${k === this.chosen}>${ordinal(k)}</option>`)}
      </select>
    </div>`;
  }

  #spreadAndMore(result: DirectionsResult): TemplateResult {
    return html`<div class="two">
      <section aria-labelledby="spread">${this.#spread(result)}</section>
      ${downloadSection({
        everything: 'Directions, weights, spread and guarantee.',
        numbers: 'One line per entry, weight and spread.',
        tables: this.tables,
        results: resultsOf(result),
        releases: this.releases,
        onTables: () => {
          this.tables = !this.tables;
        },
      })}
    </div>`;
  }

  #spread(result: DirectionsResult): TemplateResult {
    const { components } = result;
    const { explained } = components;
    const shares = explained.map(({ share }) => share);
    if (shares.every((share) => share !== null)) {
      const caption =
        'Share of the mean square along each direction, in percent, in the study’s scaled units, with noise of unknown size.';
      return html`<pm-figure .result=${components} heading="Spread" caption=${caption}>
        <h2 id="spread" slot="head">Spread</h2>
        <p class="prose">${caption}</p>
        <pm-scree-figure
          axis-label="direction"
          .components=${shares.map((share, k) => ({
            value: explained[k]?.value ?? 0,
            share,
            belowNoiseFloor: false,
          }))}
        ></pm-scree-figure>
      </pm-figure>`;
    }
    return html`<h2 id="spread">Spread</h2>
      ${this.#spreadWithoutShares(result)}`;
  }

  #spreadWithoutShares({ study, components }: DirectionsResult): TemplateResult {
    const { explained, rows, columns } = components;
    const values = explained.flatMap(({ value }) => (value === null ? [] : [value]));
    if (values.length === 0) {
      return html`<p class="prose">
        This mechanism does not release how much the rows spread along each
        direction.${
          areUnordered(study.mechanism)
            ? ' The order of its directions has no meaning: only the space they span does.'
            : nothing
        }
      </p>`;
    }
    return html`<p class="prose">
        How much the rows spread along each direction, with noise. ${explained.length} of
        ${columns.length} directions were released, so their shares of the total are unknown.
        ${values.some((value) => value <= 0) ? 'Numbers at or below 0 are all noise.' : nothing}
      </p>
      <table class="values">
        <thead>
          <tr>
            <th scope="col">Direction</th>
            <th scope="col" class="right">
              ${rows === null ? 'Sum of squares' : 'Mean square'}, scaled units
            </th>
          </tr>
        </thead>
        <tbody>
          ${values.map(
            (value, k) =>
              html`<tr>
                <th scope="row">${ordinal(k)}</th>
                <td class="right">${significant(value, 3)}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }

  #table(): TemplateResult {
    const map = this.renderRoot.querySelector<PmDirectionMap>('pm-direction-map');
    return html`<div class="tables">
      <div class="scroll" tabindex="0" role="region" aria-label="Directions as a table">
        ${map?.table() ?? nothing}
      </div>
    </div>`;
  }
}
