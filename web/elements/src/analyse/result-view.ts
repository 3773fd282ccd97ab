import type { RidgeResult } from 'private-moments';
import type { ReportRelease } from 'private-moments/report';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import {
  floorInWords,
  gapsFinding,
  list,
  ordinal,
  percent,
  adjustmentFinding,
  sentenceOfComponent,
  varianceFinding,
} from 'private-moments/words';
import { LEVEL, constantsIn, resultsOf, screeOf, type MomentsResult } from './analysis-result.js';
import { describe } from '../base/failure.js';
import { meaningsOf, pairSentences } from './pair-sentences.js';
import { howComputed } from './guide-links.js';
import { loadingsSection } from './loadings.js';
import { analyseBy, isComplete, methodSection, methodStyles } from './methods.js';
import { PmScoreWeights, EACH_PAIR } from './score-weights.js';
import { regressionSection, regressionStyles, type Steps } from './regression.js';
import { resultStyles } from './result-styles.js';
import { resultTables, resultTablesStyles } from './result-tables.js';
import { NOT_CAUSES, axisOf, intervalsInWords, words } from './result-words.js';
import { PmFigure, guaranteeOf } from '../figures/figure-frame.js';
import { PrintController } from '../look/printing.js';
import { styles } from '../look/styles.js';
import { SectionRail, sectionRailStyles, type Section } from '../controls/section-rail.js';
import { sharedSection } from './shared-view.js';
import { downloadSection, methodsSection } from './downloads.js';
import type {
  AdjustmentChoice,
  AdjustmentDetail,
  Choices,
  ChoicesDetail,
  ChosenDetail,
  MethodChoice,
  MethodResult,
  ViewsDetail,
} from '../contract/elements.js';
import { disclosureStyles } from '../controls/disclosure.js';
import { adjustmentChoice, adjustmentStyles, NO_ADJUSTMENT } from './adjustment.js';
import { PmCopyButton } from '../controls/copy-button.js';
import { PmCorrelationFigure } from '../figures/correlation-figure.js';
import { PmResultCode } from './result-code.js';
import { PmRowScores } from './row-scores.js';
import { PmScreeFigure } from '../figures/scree-figure.js';
import { PmSyntheticRows } from './synthetic-rows.js';
import { PmWeightBars } from '../figures/weight-bars.js';

const railedStyles = css`
  :host {
    position: relative;
  }

  @media (min-width: 1000px) {
    :host([rail]) .figure-and-words {
      grid-template-columns: minmax(0, 1fr) 240px;
      gap: 48px;
    }
  }

  @media (min-width: 1000px) and (max-width: 1199px) {
    :host([rail]) :is(.figure-and-words, .two) {
      grid-template-columns: minmax(0, 1fr);
      gap: 32px;
    }
  }
`;

/**
 * A result with its figures, words, tables, downloads and code. `releases` are the releases in it: ids,
 * or ids with names and rows; `choices` say what is shown of it, `guide` is the address of the guide's folder. Emits `pm-choices` with `{ choices }` when the
 * reader chooses something else, `pm-views` with `{ views }` for other views to compare, and
 * `pm-adjustment` with `{ adjustment }` for other covariates.
 */
export class PmResult extends LitElement {
  static readonly parts = {
    'pm-copy-button': PmCopyButton,
    'pm-correlation-figure': PmCorrelationFigure,
    'pm-figure': PmFigure,
    'pm-result-code': PmResultCode,
    'pm-row-scores': PmRowScores,
    'pm-score-weights': PmScoreWeights,
    'pm-scree-figure': PmScreeFigure,
    'pm-synthetic-rows': PmSyntheticRows,
    'pm-weight-bars': PmWeightBars,
  };

  static override properties = {
    result: { attribute: false },
    releases: { attribute: false },
    tables: { state: true },
    fit: { state: true },
    problem: { state: true },
    other: { state: true },
    otherProblem: { state: true },
    allSteps: { state: true },
    choices: { attribute: false },
    adjustment: { attribute: false },
    guide: {},
    rail: { type: Boolean, reflect: true },
  };

  static override styles = [
    styles,
    resultTablesStyles,
    resultStyles,
    regressionStyles,
    methodStyles,
    disclosureStyles,
    adjustmentStyles,
    sectionRailStyles,
    railedStyles,
  ];

  declare result: MomentsResult | undefined;
  declare releases: readonly (string | ReportRelease)[];
  declare tables: boolean;
  /** The fit of the regression chosen, once it is computed. */
  declare fit: RidgeResult | undefined;
  /** Why there is no fit. */
  declare problem: string;
  /** The result of the other method chosen, once it is computed. */
  declare other: MethodResult | undefined;
  /** Why that method has no result. */
  declare otherProblem: string;
  /** Whether the reader asked for all units of a regression. */
  declare allSteps: boolean;
  declare choices: Choices;
  /** What was taken out of the columns. */
  declare adjustment: AdjustmentChoice;
  declare guide: string;
  /** Whether the sections are named in the margin, which the page leaves free. */
  declare rail: boolean;

  readonly #rail = new SectionRail(this);
  readonly #print = new PrintController(this, () => {
    this.requestUpdate();
    this.performUpdate();
  });

  constructor() {
    super();
    this.result = undefined;
    this.releases = [];
    this.tables = false;
    this.fit = undefined;
    this.problem = '';
    this.other = undefined;
    this.otherProblem = '';
    this.allSteps = false;
    this.choices = {};
    this.adjustment = NO_ADJUSTMENT;
    this.guide = '';
    this.rail = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { regression } = this.choices;
    const before = changed.has('choices') ? changed.get('choices')?.regression : regression;
    if (changed.has('result')) this.fit = undefined;
    // With more releases, the same regression is computed again.
    if (changed.has('result') || before !== regression) void this.#regress();
    const asked = questionOf(this.choices.method);
    const askedBefore = changed.has('choices') ? questionOf(changed.get('choices')?.method) : asked;
    if (changed.has('result') || askedBefore !== asked) {
      this.other = undefined;
      void this.#analyseBy();
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { result } = this;
    if (result === undefined) return nothing;
    const { gcca, cca, moments } = result;
    const all: (Section & { content: TemplateResult | typeof nothing })[] = [
      { id: 'answer', name: 'Canonical correlations', content: this.#correlations(result) },
      ...(cca === undefined
        ? []
        : [
            {
              id: 'pairs',
              name: EACH_PAIR,
              content: html`<pm-score-weights
                  .result=${cca}
                  .study=${moments.study}
                  .sentences=${pairSentences(result)}
                  .meanings=${meaningsOf(moments)}
                  .chosen=${this.choices.pair ?? 0}
                  @pm-chosen=${(event: CustomEvent<ChosenDetail>) => {
                    this.#choose({ pair: event.detail.place });
                  }}
                ></pm-score-weights>
                ${howComputed(this.guide, 'pairs')}`,
            },
          ]),
      ...(gcca === undefined
        ? []
        : [
            {
              id: 'shared',
              name: 'What all views share',
              content: html`${sharedSection(
                gcca,
                moments.study,
                meaningsOf(moments),
                this.choices.shared ?? 0,
                (shared) => {
                  this.#choose({ shared });
                },
              )}
              ${howComputed(this.guide, 'shared')}`,
            },
          ]),
      { id: 'components', name: 'Principal components (PCA)', content: this.#components(result) },
      {
        id: 'rows',
        name: 'Rows along the patterns',
        content: html`<pm-row-scores .result=${result}></pm-row-scores>
          ${howComputed(this.guide, 'rows')}`,
      },
      {
        id: 'regression',
        name: 'Regression',
        content:
          moments.study.columns.length < 2
            ? nothing
            : html`${regressionSection(
                moments,
                this.choices.regression,
                { fit: this.fit, problem: this.problem, steps: this.#steps() },
                (regression) => {
                  this.#choose({ regression });
                },
              )}
              ${howComputed(this.guide, 'regression')}`,
      },
      {
        id: 'other-methods',
        name: 'Other methods',
        content: this.#methods(result),
      },
      {
        id: 'synthetic',
        name: 'Synthetic rows',
        content: html`<pm-synthetic-rows .moments=${moments}></pm-synthetic-rows>
          ${howComputed(this.guide, 'synthetic')}`,
      },
      { id: 'save', name: 'Save the result', content: this.#save(result) },
    ];
    const sections = all.filter(({ content }) => content !== nothing);
    return html`${this.rail ? this.#rail.render(sections) : nothing}
    ${sections.map(({ id, content }) => html`<div data-section=${id} class=${id === 'synthetic' ? 'on-screen' : ''}>${content}</div>`)}`;
  }

  #methods(result: MomentsResult): TemplateResult | typeof nothing {
    const section = methodSection(
      result,
      this.choices.method,
      { found: this.other, problem: this.otherProblem },
      (method) => {
        this.#choose({ method });
      },
    );
    return section === nothing ? nothing : html`${section} ${howComputed(this.guide, 'methods')}`;
  }

  #steps(): Steps {
    return {
      all: this.allSteps || this.#print.printing,
      onAll: () => {
        this.allSteps = !this.allSteps;
      },
    };
  }

  #correlations(result: MomentsResult): TemplateResult {
    const { cca, views } = result;
    if (cca === undefined || views === undefined) {
      return html`<section aria-labelledby="correlations">
        <h2 id="correlations">Canonical correlations</h2>
        <p class="prose">This study has fewer than two views, so there is nothing to correlate.</p>
        ${this.#adjustment(result)} ${gapsLine(result)}
      </section>`;
    }
    const without = adjustmentFinding(cca);
    const strength = [`How strongly ${list(views)} move together.`, without]
      .filter(Boolean)
      .join(' ');
    return html`<section aria-labelledby="correlations">
      <pm-figure
        .result=${cca}
        heading="Canonical correlations"
        caption=${[strength, NOT_CAUSES, floorInWords(cca.correlations), ...intervalsInWords(cca.options.level)].join(' ')}
      >
        <div slot="head">
          <h2 id="correlations">Canonical correlations</h2>
          <p class="prose">${strength}</p>
        </div>
        ${this.#viewChoice(result, views)} ${this.#adjustment(result)}
        <pm-correlation-figure
          class="answer"
          .pairs=${cca.correlations}
          .sentences=${pairSentences(result)}
          axis-label=${axisOf('canonical correlation', cca.options.level)}
        ></pm-correlation-figure>
        <p class="help">${NOT_CAUSES}</p>
        <div class="in-words">
          <h3>In words</h3>
          ${words(result).map((text) => html`<p>${text}</p>`)} ${gapsLine(result)}
        </div>
      </pm-figure>
      ${howComputed(this.guide, 'correlations')}
    </section>`;
  }

  #adjustment(result: MomentsResult): TemplateResult | typeof nothing {
    return adjustmentChoice(result, this.adjustment, (adjustment) => {
      const detail: AdjustmentDetail = { adjustment };
      this.dispatchEvent(new CustomEvent('pm-adjustment', { detail }));
    });
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

  #components(result: MomentsResult): TemplateResult {
    const { components, noiseFloor } = screeOf(result);
    const finding = [
      adjustmentFinding(result.pca),
      varianceFinding(components, noiseFloor, constantsIn(result)),
    ]
      .filter(Boolean)
      .join(' ');
    const shares =
      'A component is a direction along which rows vary. Shares are in percent, on columns scaled to run from −1 to 1 between their bounds.';
    return html`<div class="two">
        <section aria-labelledby="variance">
          ${
            components.some(({ share }) => share > 0)
              ? html`<pm-figure
                    .result=${result.pca}
                    heading="Variance"
                    caption=${[finding, shares, ...intervalsInWords(result.pca.options.level)].join(' ')}
                  >
                    <h2 id="variance" slot="head">Principal components (PCA)</h2>
                    <p class="prose">${finding} ${shares}</p>
                    <pm-scree-figure
                      .components=${components}
                      .noiseFloor=${noiseFloor}
                    ></pm-scree-figure>
                  </pm-figure>
                  ${this.#meanings(result)}`
              : html`<h2 id="variance">Principal components (PCA)</h2>
                  <p class="prose">${finding}</p>`
          }
        </section>
        ${loadingsSection(result, this.choices, (choice) => {
          this.#choose(choice);
        })}
      </div>
      ${howComputed(this.guide, 'components')}`;
  }

  /** What each component above the noise floor is. */
  #meanings({ pca }: MomentsResult): TemplateResult | typeof nothing {
    const resolved = pca.explained.flatMap(({ share, belowNoiseFloor }, k) =>
      belowNoiseFloor ? [] : [{ share, k }],
    );
    if (resolved.length === 0) return nothing;
    return html`<h3>What each component is</h3>
      <p class="help">One end of it, and after “rather than” the other end.</p>
      <ol class="meanings">
        ${resolved.map(
          ({ share, k }) =>
            html`<li>
              <span>${ordinal(k)}, ${percent(share)}</span>
              ${sentenceOfComponent(pca, k)}
            </li>`,
        )}
      </ol>`;
  }

  #save(result: MomentsResult): TemplateResult {
    const results = resultsOf(result, this.fit, this.other);
    return html`<div class="wide on-screen">
        ${downloadSection({
          results,
          releases: this.releases,
          everything: 'Means, covariance, correlations, weights, noise and guarantee.',
          numbers: 'One line per correlation, weight, share and mean.',
          tables: this.tables,
          onTables: () => {
            this.tables = !this.tables;
          },
        })}
      </div>
      ${this.tables || this.#print.printing ? resultTables(result, this.fit) : nothing}
      ${methodsSection(results)}
      <p class="guarantee on-paper">${guaranteeOf(result.pca)}</p>
      <pm-result-code
        class="on-screen"
        ?recomputes=${adjustmentFinding(result.pca) === ''}
        .results=${results}
      ></pm-result-code>`;
  }

  #choose(choice: Choices): void {
    this.choices = { ...this.choices, ...choice };
    const detail: ChoicesDetail = { choices: this.choices };
    this.dispatchEvent(new CustomEvent('pm-choices', { detail }));
  }

  #chooseViews(views: [string, string]): void {
    const detail: ViewsDetail = { views };
    this.dispatchEvent(new CustomEvent('pm-views', { detail }));
  }

  async #regress(): Promise<void> {
    const { result } = this;
    const { regression } = this.choices;
    let fit: RidgeResult | undefined;
    let problem = '';
    try {
      if (regression !== undefined) {
        fit = await result?.moments.inWorker().ridge({ ...regression, level: LEVEL });
      }
    } catch (error) {
      problem = describe(error);
    }
    // Another choice, or more releases, compute their own fit.
    if (this.choices.regression !== regression || this.result !== result) return;
    this.fit = fit;
    this.problem = problem;
  }

  async #analyseBy(): Promise<void> {
    const { result } = this;
    const { method } = this.choices;
    let other: MethodResult | undefined;
    let problem = '';
    try {
      if (result !== undefined && method !== undefined && isComplete(method)) {
        other = await analyseBy(result, method);
      }
    } catch (error) {
      problem = describe(error);
    }
    if (questionOf(this.choices.method) !== questionOf(method) || this.result !== result) return;
    this.other = other;
    this.otherProblem = problem;
  }
}

/** What is computed for a choice: the component chosen changes only what is shown. */
function questionOf(choice: MethodChoice | undefined): string {
  return JSON.stringify({ ...choice, component: undefined });
}

/** How much was missing, under a rule that counts it. */
function gapsLine({ moments }: MomentsResult): TemplateResult | typeof nothing {
  const finding = gapsFinding(moments);
  return finding === '' ? nothing : html`<p class="gaps">${finding}</p>`;
}
