import type { CcaResult, GccaResult, Study } from 'private-moments';
import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import {
  bound,
  capitalised,
  CAUTION,
  correlationsOf,
  extentOf,
  hiddenInWords,
  highScoreInWords,
  ordinal,
  ordinalWord,
  partsOf,
  roundUp,
  standingOf,
  weightsOf,
  type Meaning,
} from 'private-moments/words';
import { figuresOf } from './analysis-result.js';
import type { ChosenDetail } from '../contract/elements.js';
import { longestOf, type PairWords } from '../figures/figure-data.js';
import { intervalsInWords } from './result-words.js';
import { notice, noticeStyles } from '../controls/notice.js';
import { headStyles, segmentStyles } from './result-styles.js';
import { paperStyles } from '../look/printing.js';
import { figureLabels, labelled } from '../session/figure-labels.js';
import { seriesAt, viewSeries } from '../session/view-order.js';
import { styles } from '../look/styles.js';
import { PmFigure } from '../figures/figure-frame.js';
import { PmWeightBars } from '../figures/weight-bars.js';

/** A caution on the button of each standing. */
const STANDINGS = { above: '', 'not clear': ', not clear', below: ', below the floor' };

/** The names of one component of each kind of result. */
const WORDS = {
  cca: { one: 'pair', title: 'pair' },
  gcca: { one: 'component', title: 'shared component' },
};

/** The heading of the pairs, which the names of sections repeat. */
export const EACH_PAIR = 'Each pair';

/**
 * The weights of the chosen canonical pair, or of the chosen component shared by several views: bars for
 * each view on one scale, none below the noise floor, and a caution if the interval reaches 0. `chosen` is
 * its place, `sentences` say what each means, `meanings` what features are called. Emits `pm-chosen` with `{ place }` when the reader chooses another.
 */
export class PmScoreWeights extends LitElement {
  static readonly parts = {
    'pm-figure': PmFigure,
    'pm-weight-bars': PmWeightBars,
  };

  static override properties = {
    result: { attribute: false },
    study: { attribute: false },
    sentences: { attribute: false },
    meanings: { attribute: false },
    chosen: { type: Number },
    structure: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    segmentStyles,
    headStyles,
    paperStyles,
    css`
      :host {
        margin-top: 56px;
      }

      .views {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 0 72px;
        margin-top: 28px;
      }

      /* Views side by side share their rows, so that the bars start at the same height. */
      .view {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        grid-row: span 3;
        grid-template-rows: subgrid;
      }

      .view:nth-child(n + 3) h3 {
        margin-top: 32px;
      }

      .view .help {
        margin-bottom: 16px;
      }

      .which + .prose {
        margin-top: 8px;
      }

      .caution {
        margin-bottom: 20px;
      }

      .bars-choice {
        margin-top: 16px;
      }

      @media print {
        .segments {
          display: none;
        }

        .views,
        .view {
          display: block;
          break-inside: avoid;
        }

        .view + .view {
          margin-top: 24px;
        }
      }

      @media (max-width: 1099px) {
        .views {
          grid-template-columns: minmax(0, 1fr);
          gap: 32px;
        }

        .view {
          display: block;
        }

        .view:nth-child(n + 3) h3 {
          margin-top: 0;
        }
      }

      @media (max-width: 759px) {
        :host {
          margin-top: 44px;
        }
      }
    `,
  ];

  declare result: CcaResult | GccaResult | undefined;
  /** The study that the result is of, for the colours of its views and the labels of its columns. */
  declare study: Study | undefined;
  declare sentences: readonly PairWords[];
  /** What the features are called in words, by their names. */
  declare meanings: Map<string, Meaning>;
  declare chosen: number;
  /** Whether the bars show structure correlations instead of weights. */
  declare structure: boolean;

  constructor() {
    super();
    this.result = undefined;
    this.study = undefined;
    this.sentences = [];
    this.meanings = new Map();
    this.chosen = 0;
    this.structure = false;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { result } = this;
    if (result === undefined) return nothing;
    const figures = figuresOf(result);
    // Another result may have fewer.
    const place = this.chosen < figures.length ? this.chosen : 0;
    const chosen = figures[place];
    if (chosen === undefined) return nothing;
    const { one, title } = WORDS[result.analysis];
    const caution = hiddenInWords(figures, place, result.hidden);
    const sentence = chosen.belowNoiseFloor ? '' : ` ${this.sentences[place]?.sentence ?? ''}`;
    return html`<section aria-labelledby="chosen">
      <pm-figure
        .result=${result}
        heading="${ordinal(place)} ${title}, ${this.structure ? 'structure correlations' : 'weights'}"
        caption=${[this.#caption(), ...intervalsInWords(result.options.level)].join(' ')}
        ?empty=${chosen.belowNoiseFloor}
      >
        <div class="head" slot="head">
          <h2 id="chosen">${result.analysis === 'cca' ? EACH_PAIR : `Each ${title}`}</h2>
          <div class="segments" role="group" aria-label="Show the ${title}">
            ${figures.map(
              (each, i) =>
                html`<button
                  type="button"
                  class=${standingOf(each) === 'above' ? '' : 'floor'}
                  aria-pressed=${i === place ? 'true' : 'false'}
                  @click=${() => {
                    this.#choose(i);
                  }}
                >
                  ${ordinal(i)}${STANDINGS[standingOf(each)]}
                </button>`,
            )}
          </div>
        </div>
        <p class="prose which">
          <strong>${capitalised(ordinalWord(place))} ${title}.</strong>${sentence}
        </p>
        ${
          chosen.belowNoiseFloor
            ? html`<p class="prose">
                This ${one} is below the noise floor: do not interpret it. Its weights are not
                drawn.
              </p>`
            : html`${caution === undefined ? nothing : html`<p class="prose"><strong>${caution}</strong></p>`}
              ${standingOf(chosen) === 'not clear' ? html`<div class="caution">${notice({ kind: 'warn', title: 'Not clear.', body: CAUTION })}</div>` : nothing}
              ${this.#bars(result, place)}`
        }
      </pm-figure>
    </section>`;
  }

  /** The colour of a view: its own in every room, if the study has it. */
  #series(name: string, place: number): number {
    const { study } = this;
    return (study === undefined ? undefined : viewSeries(study, name)) ?? seriesAt(place);
  }

  /** How to read the bars. */
  #caption(): string {
    return this.structure
      ? 'Bars: correlation of each column with the score of its own view, regardless of the other columns.'
      : 'Bars: weight for one standard deviation, so lengths are comparable. Numbers: weight for one unit of the column.';
  }

  #choose(place: number): void {
    this.chosen = place;
    const detail: ChosenDetail = { place };
    this.dispatchEvent(new CustomEvent('pm-chosen', { detail }));
  }

  #bars(result: CcaResult | GccaResult, place: number): TemplateResult {
    const { structure } = this;
    const { level } = result.options;
    const labels = this.study === undefined ? new Map<string, string>() : figureLabels(this.study);
    const views = Object.entries(result.views).map(([name, view]) => ({
      name,
      view,
      weights: labelled(weightsOf(view, place), labels),
    }));
    const weights = views.flatMap((view) => view.weights);
    const limit = structure ? 1 : roundUp(extentOf(weights));
    const longest = longestOf(weights);
    return html`<p class="prose">
        ${together(result)}
        ${this.#caption()}${level === undefined ? nothing : html` Thin lines: ${bound(level * 100)}% intervals.`}
      </p>
      <div
        class="segments bars-choice"
        role="group"
        aria-label="Bars of the ${WORDS[result.analysis].title}"
      >
        ${this.#barsChoice('Weights', false)} ${this.#barsChoice('Structure correlations', true)}
      </div>
      <div class="views">
        ${views.map(
          ({ name, view, weights }, i) =>
            html`<div class="view">
              <h3>${capitalised(name)}</h3>
              <p class="help">
                A high score, by structure correlations:
                ${highScoreInWords(partsOf(correlationsOf(view.loadings, place), this.meanings))}.
              </p>
              <pm-weight-bars
                data-part=${capitalised(name)}
                .weights=${structure ? labelled(correlationsOf(view.loadings, place), labels) : weights}
                .limit=${limit}
                .longest=${longest}
                .series=${this.#series(name, i)}
                kind=${structure ? 'correlations' : 'weights'}
              ></pm-weight-bars>
            </div>`,
        )}
      </div>`;
  }

  #barsChoice(label: string, value: boolean): TemplateResult {
    return html`<button
      type="button"
      aria-pressed=${this.structure === value ? 'true' : 'false'}
      @click=${() => {
        this.structure = value;
      }}
    >
      ${label}
    </button>`;
  }
}

/** How the scores of the views are related; those of three views need not all rise together. */
function together(result: CcaResult | GccaResult): string {
  if (result.analysis === 'gcca') {
    return 'A score is a weighted sum of the columns of a view. Scores of two views rise together if their correlation above is positive.';
  }
  const [first = '', second = ''] = Object.keys(result.views);
  return `A score is a weighted sum of the columns of a view. A higher score in ${first} goes with a higher score in ${second}.`;
}
