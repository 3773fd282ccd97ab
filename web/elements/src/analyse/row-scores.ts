import { project } from 'private-moments';
import type { CcaResult, PcaResult, Scores, Synthetic } from 'private-moments';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { at } from 'private-moments/internal';
import { count, ordinal, plural, standingOf } from 'private-moments/words';
import type { MomentsResult } from './analysis-result.js';
import { describe, wasCancelled } from '../base/failure.js';
import { notice, noticeStyles } from '../controls/notice.js';
import { progressBar, progressStyles, type Reading } from '../controls/progress.js';
import type { FilesDetail } from '../contract/elements.js';
import { resultStyles } from './result-styles.js';
import type { Arrow } from '../figures/figure-data.js';
import { figureLabels, labelled } from '../session/figure-labels.js';
import { seriesAt, viewSeries } from '../session/view-order.js';
import { styles } from '../look/styles.js';
import { PmBiplot } from '../figures/biplot.js';
import { PmDropZone } from '../controls/drop-zone.js';
import { PmFigure } from '../figures/figure-frame.js';

const SYNTHETIC_ROWS = 2000;
/** Progress is shown only if the work takes longer than this. */
const QUIET_MS = 300;

/** Two scores that serve as axes for rows. */
interface Axes {
  label: string;
  x: string;
  y: string;
  from: PcaResult | CcaResult;
  arrows: readonly Arrow[];
  belowNoiseFloor: boolean;
}

/** The rows in the figure: drawn from the moments, or the reader's own. */
type Rows = { kind: 'synthetic'; rows: Synthetic } | { kind: 'own'; file: File };

/**
 * Rows as points along principal components or a canonical pair: synthetic rows, or those of a file.
 * Neither leave the page.
 */
export class PmRowScores extends LitElement {
  static readonly parts = {
    'pm-biplot': PmBiplot,
    'pm-drop-zone': PmDropZone,
    'pm-figure': PmFigure,
  };

  static override properties = {
    result: { attribute: false },
    axes: { state: true },
    nextAxes: { state: true },
    rows: { state: true },
    scores: { state: true },
    working: { state: true },
    problem: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    progressStyles,
    resultStyles,
    css`
      .sources {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 24px;
        margin-top: 20px;
        --pm-drop-zone-height: 176px;
      }

      .drawn {
        display: flex;
        flex-direction: column;
        align-items: center;
        justify-content: center;
        gap: 4px;
        padding: 24px;
        border: 1px solid var(--_line);
        border-radius: 8px;
        text-align: center;
      }

      .drawn h3,
      .drawn p {
        text-wrap: balance;
      }

      .drawn .button {
        margin-top: 16px;
      }

      .state {
        margin-top: 20px;
      }

      .own {
        margin-block: 12px;
        padding-left: 16px;
        border-left: 3px solid var(--_warn);
      }

      @media (max-width: 759px) {
        .sources {
          grid-template-columns: minmax(0, 1fr);
        }

        .drawn .button {
          align-self: stretch;
        }
      }
    `,
  ];

  declare result: MomentsResult | undefined;
  /** Index of the axes in the figure. */
  declare axes: number;
  /** Index of the axes being computed; becomes `axes` once they are drawn. */
  declare nextAxes: number;
  declare rows: Rows | undefined;
  declare scores: Scores | undefined;
  declare working: Reading | undefined;
  declare problem: string;

  #control = new AbortController();

  constructor() {
    super();
    this.result = undefined;
    this.axes = 0;
    this.nextAxes = 0;
    this.rows = undefined;
    this.scores = undefined;
    this.working = undefined;
    this.problem = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#control.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('result')) return;
    // Another result has other axes, and its moments give other synthetic rows.
    this.#control.abort();
    this.axes = 0;
    this.nextAxes = 0;
    this.scores = undefined;
    this.working = undefined;
    this.problem = '';
    const { rows } = this;
    this.rows = undefined;
    if (rows !== undefined && this.result !== undefined) {
      void (rows.kind === 'own' ? this.#score(rows) : this.#draw());
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { result } = this;
    if (result === undefined || axesOf(result).length === 0) return nothing;
    return html`<section
      class=${this.scores === undefined ? 'on-screen' : ''}
      aria-labelledby="rows"
    >
      <h2 id="rows" tabindex="-1">Rows along the patterns</h2>
      <p class="prose">
        The releases hold no rows. To see what a pattern looks like, draw rows at random from the
        released numbers, or look at rows of your own, which stay on this computer.
      </p>
      ${this.rows === undefined ? this.#sources() : this.#picture(result, this.rows)}
      ${this.working === undefined ? nothing : html`<div class="state">${progressBar(this.working, this.#cancel, 'line')}</div>`}
      ${
        this.problem === ''
          ? nothing
          : html`<div class="state">
              ${notice({ kind: 'bad', title: 'These rows cannot be drawn.', body: this.problem })}
            </div>`
      }
    </section>`;
  }

  #sources(): TemplateResult {
    return html`<div class="sources">
      <div class="drawn">
        <h3>Draw rows at random</h3>
        <p class="help">
          Made-up rows with the released means and correlations. They belong to nobody, and nothing
          new leaves.
        </p>
        <button class="button" type="button" @click=${this.#draw}>
          Draw ${count(SYNTHETIC_ROWS)} synthetic rows
        </button>
      </div>
      <pm-drop-zone
        heading="Drop rows of your own"
        help="A file with the columns of the study. It stays on this computer."
        action="Choose a file of rows"
        @pm-files=${(event: CustomEvent<FilesDetail>) => {
          const [file] = event.detail.files;
          if (file !== undefined) void this.#score({ kind: 'own', file });
        }}
      ></pm-drop-zone>
    </div>`;
  }

  #picture(result: MomentsResult, rows: Rows): TemplateResult {
    const all = axesOf(result);
    const axes = all[this.axes];
    const { scores } = this;
    const { views } = result;
    return html`<div class="view-choice">
        <label for="axes">Axes</label>
        <select
          id="axes"
          @change=${(event: Event) => {
            void this.#score(rows, (event.target as HTMLSelectElement).selectedIndex);
          }}
        >
          ${all.map(({ label }, i) => html`<option .selected=${i === this.nextAxes}>${label}</option>`)}
        </select>
        <button class="button small" type="button" @click=${this.#clear}>Draw other rows</button>
      </div>
      ${
        scores === undefined || axes === undefined
          ? nothing
          : html`<div class="figure-and-words">
              <pm-figure
                .result=${axes.from}
                heading="Rows along ${axes.x} and ${axes.y}"
                caption="${rows.kind === 'synthetic' ? 'Points: synthetic rows, drawn at random from the released moments. They belong to nobody.' : 'Points: rows of a file.'} Arrows: correlation of each column with the two scores."
                unprotected=${rows.kind === 'synthetic' ? '' : 'The points are real rows without noise: this picture is as private as the rows.'}
              >
                <pm-biplot
                  .scores=${scores}
                  .arrows=${axes.arrows}
                  x=${axes.x}
                  y=${axes.y}
                ></pm-biplot>
              </pm-figure>
              <div role="status">
                <h3>Whose rows these are</h3>
                ${rows.kind === 'synthetic' ? syntheticWords(scores) : ownWords(rows.file, scores)}
                <p>
                  Arrows: correlation of each column with the two scores. An arrow of full length is
                  a correlation of 1.
                  ${views === undefined || axes.from.analysis === 'pca' ? nothing : `Columns of ${views[0]} are solid, those of ${views[1]} dashed.`}
                </p>
                ${axes.belowNoiseFloor ? html`<p>One of these components is below the noise floor: do not interpret it.</p>` : nothing}
              </div>
            </div>`
      }`;
  }

  readonly #draw = async (): Promise<void> => {
    const { result } = this;
    if (result === undefined) return;
    const signal = this.#begin();
    const working = window.setTimeout(() => {
      const label = 'Drawing synthetic rows';
      this.working = { label, rows: 0, fraction: null, since: performance.now() };
    }, QUIET_MS);
    try {
      const worker = result.moments.inWorker({ signal });
      const rows = await worker.synthesize({ rows: SYNTHETIC_ROWS });
      if (!signal.aborted) await this.#score({ kind: 'synthetic', rows });
    } catch (error) {
      if (!wasCancelled(error)) this.problem = describe(error);
    } finally {
      clearTimeout(working);
      if (!signal.aborted) this.working = undefined;
    }
  };

  /** Scores rows along axes, then shows them in place of the figure before. */
  async #score(rows: Rows, place = this.axes): Promise<void> {
    const { result } = this;
    const axes = result && axesOf(result)[place];
    if (result === undefined || axes === undefined) return;
    const signal = this.#begin();
    this.nextAxes = place;
    const since = performance.now();
    try {
      const data = rows.kind === 'own' ? rows.file : rows.rows;
      const scores = await project(result.moments.study, data, axes.from, {
        signal,
        onProgress: (seen) => {
          if (performance.now() - since < QUIET_MS || signal.aborted) return;
          this.working = { label: 'Reading your rows', ...seen, since };
        },
      });
      this.rows = rows;
      this.axes = place;
      this.scores = scores;
    } catch (error) {
      if (!wasCancelled(error)) this.problem = describe(error);
    } finally {
      if (this.#control.signal === signal) {
        this.nextAxes = this.axes;
        this.working = undefined;
      }
    }
  }

  #begin(): AbortSignal {
    this.#control.abort();
    this.#control = new AbortController();
    this.problem = '';
    return this.#control.signal;
  }

  readonly #clear = (): void => {
    this.#begin();
    this.rows = undefined;
    this.scores = undefined;
    this.working = undefined;
  };

  readonly #cancel = (): void => {
    this.#control.abort();
    this.working = undefined;
  };
}

function syntheticWords({ rows }: Scores): TemplateResult {
  return html`<p>
    ${plural(rows, 'synthetic row')}, drawn at random from the released moments. They belong to
    nobody, and no private row is in this picture.
  </p>`;
}

function ownWords(file: File, { rows, missing, cells }: Scores): TemplateResult {
  const moved = cells.reduce((sum, { outside }) => sum + outside, 0);
  return html`<div class="own">
    <p>
      ${plural(rows, 'row')} of ${file.name}, read on this computer. Scores of real rows have no
      noise: this picture and its file are as private as the rows.
    </p>
    ${missing === 0 ? nothing : html`<p>${plural(missing, 'row')} with a gap ${missing === 1 ? 'is' : 'are'} not drawn.</p>`}
    ${moved === 0 ? nothing : html`<p>${plural(moved, 'value')} outside the bounds ${moved === 1 ? 'was' : 'were'} moved to the nearest bound.</p>`}
  </div>`;
}

/** Axes for the first two components, and for every pair above its noise floor. */
function axesOf({ pca, cca, views, moments }: MomentsResult): Axes[] {
  const found: Axes[] = [];
  const labels = figureLabels(moments.study);
  const [first, second] = pca.explained;
  if (first !== undefined && second !== undefined) {
    found.push({
      label: 'Principal components 1 and 2',
      x: 'PC1',
      y: 'PC2',
      from: pca,
      arrows: labelled(
        pca.columns.map((name, i) => ({
          name,
          x: at(pca.correlations, i, 0),
          y: at(pca.correlations, i, 1),
          series: 1,
        })),
        labels,
      ),
      belowNoiseFloor: first.belowNoiseFloor || second.belowNoiseFloor,
    });
  }
  if (cca === undefined || views === undefined) return found;
  for (const [k, pair] of cca.correlations.entries()) {
    const standing = standingOf(pair);
    if (standing === 'below') continue;
    const [x, y] = views.map((view) => `${view} CC${k + 1}`) as [string, string];
    const label = `${ordinal(k)} pair${standing === 'above' ? '' : `, ${standing}`}: ${views[0]} against ${views[1]}`;
    const arrows = views.flatMap((view, side) => {
      const found = cca.views[view];
      const series = viewSeries(moments.study, view) ?? seriesAt(side);
      return (found?.columns ?? []).map((name, i): Arrow => {
        const own = found === undefined ? 0 : at(found.loadings, i, k);
        const other = found === undefined ? 0 : at(found.crossLoadings, i, k);
        return side === 0 ? { name, x: own, y: other, series } : { name, x: other, y: own, series };
      });
    });
    found.push({
      label,
      x,
      y,
      from: cca,
      arrows: labelled(arrows, labels),
      belowNoiseFloor: false,
    });
  }
  return found;
}
