import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { DATA, type ComparedData } from './compared-data.js';
import { CONTENDERS, holdingOf, type Contender } from './compared-mechanisms.js';
import { Comparer, wantedOf, type Known, type Wanted } from './comparer.js';
import { figuresCsv, tableCsv, type Figure, type PlotPoint } from './comparison-csv.js';
import type { Line, Reference } from './comparison-figure.js';
import { numbersTables, type FigureNumbers } from './comparison-numbers.js';
import {
  comparisonTable,
  comparisonTableStyles,
  inDigits,
  sorted,
  type Column,
  type Order,
  type Row,
} from './comparison-table.js';
import { figureInWords, finding, sourceInWords } from './comparison-words.js';
import { bound, count, list, plural, probability } from 'private-moments/words';
import {
  disclosure,
  disclosureStyles,
  field,
  fieldStyles,
  FIRST_LINES,
  LineColours,
  NearController,
  notice,
  noticeStyles,
  saveCsv,
  slotStyles,
  styles,
  type PmLogSlider,
  type Tick,
  type ValueDetail,
} from 'private-moments/internal/elements';
import { mechanismComparisonStyles } from './mechanism-comparison-styles.js';
import { formula, reasonForNone } from './mechanism-words.js';

const steps = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) =>
    [1, 2, 5].map((step) => Number(`${step}e${from + i}`)),
  )
    .flat()
    .concat(Number(`1e${to}`));

const EPSILONS = steps(-2, 1);
const ROWS = steps(2, 6);
const EPSILON_TICKS: readonly Tick[] = [0.01, 0.1, 1, 10].map((value) => ({ value }));
const ROWS_TICKS: readonly Tick[] = [100, 10_000, 1_000_000].map((value) => ({ value }));
const DELTAS = [0.05, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9, 1e-12, 0];
const DIRECTIONS = [1, 2, 3, 5];
const MOST_LINES = 5;

const FIGURES: readonly Figure[] = ['error', 'shareByEpsilon', 'shareByRows'];

/**
 * Compares mechanisms on built-in data: the figures of the papers on private PCA, drawn from runs in a
 * worker, and a table of all mechanisms with their promise, error and time.
 *
 * `mechanisms` takes the address of a page on every mechanism, to which the rows of the table link.
 */
export class PmMechanismComparison extends LitElement {
  static override properties = {
    mechanisms: {},
    data: { state: true },
    epsilon: { state: true },
    delta: { state: true },
    rows: { state: true },
    components: { state: true },
    chosen: { state: true },
    order: { state: true },
    wrong: { state: true },
  };

  static override styles = [
    styles,
    fieldStyles,
    disclosureStyles,
    noticeStyles,
    comparisonTableStyles,
    slotStyles,
    mechanismComparisonStyles,
  ];

  declare mechanisms: string;
  declare data: ComparedData;
  declare epsilon: number;
  declare delta: number;
  declare rows: number;
  /** Number of directions whose share of the variance is measured. */
  declare components: number;
  /** Ids of the mechanisms drawn. */
  declare chosen: readonly string[];
  declare order: Order;
  /** The errors of the number fields. */
  declare wrong: { epsilon?: string | undefined; rows?: string | undefined };

  readonly #comparer = new Comparer(this);
  readonly #colours = new LineColours();
  /** Runs start only when the element is near the window. */
  readonly #near = new NearController(this);
  /** The last results of each row and line, shown until there are newer ones. */
  readonly #last = new Map<string, readonly (Known | undefined)[]>();
  /** The results of this rendering, by figure and contender. */
  #asked: ReadonlyMap<string, Asked> = new Map();
  #ranked: readonly string[] = CONTENDERS.map(({ id }) => id);
  #rankedFor = '';

  constructor() {
    super();
    const [first] = DATA;
    if (first === undefined) throw new Error('no data are built in');
    this.mechanisms = '';
    this.data = first;
    this.epsilon = 1;
    this.delta = 1e-6;
    this.rows = first.rows;
    this.components = 2;
    this.chosen = FIRST_LINES;
    this.order = { by: 'error', isDescending: false };
    this.wrong = {};
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#ask();
    this.#rank(changed.has('order'));
  }

  protected override render(): TemplateResult {
    const rows = this.#rows();
    const { epsilon, delta, data } = this;
    return html`<h2>Mechanisms</h2>
      <p class="prose">${finding(rows, { epsilon, delta, size: this.rows, zero: zeroOf(data) })}</p>
      ${
        this.#comparer.problem === ''
          ? nothing
          : notice({ kind: 'bad', title: 'No mechanism can be run.', body: this.#comparer.problem })
      }
      <div class="layout">
        <div class="controls">${this.#controls()}</div>
        ${this.#figures()}
      </div>
      ${this.#table(rows)}`;
  }

  // Controls.

  #controls(): TemplateResult {
    const { data, delta, components } = this;
    return html`${choiceField({
        id: 'data',
        label: 'Data',
        choices: DATA.map((each) => [each, each.title]),
        present: data,
        choose: (chosen) => {
          this.data = chosen;
          this.rows = chosen.rows;
          this.wrong = { ...this.wrong, rows: undefined };
          // Replaces invalid text even if the number of rows stays the same.
          const slider = this.renderRoot.querySelector<PmLogSlider>('pm-log-slider[name=rows]');
          if (slider !== null) slider.value = chosen.rows;
        },
        hint: `${count(data.rows)} rows, ${data.dimension} columns; more or fewer rows have the same second moments.`,
      })}
      <pm-log-slider
        label="Privacy, ε"
        name="epsilon"
        .min=${0.01}
        .max=${10}
        .value=${this.epsilon}
        .ticks=${EPSILON_TICKS}
        .error=${this.wrong.epsilon}
        @pm-value=${({ detail: { value } }: CustomEvent<ValueDetail>) => {
          const isRight = value >= 1e-4 && value <= 1e3;
          const error = isRight ? undefined : 'Enter a number from 0.0001 to 1,000.';
          this.wrong = { ...this.wrong, epsilon: error };
          if (isRight) this.epsilon = value;
        }}
      ></pm-log-slider>
      ${choiceField({
        id: 'delta',
        label: 'Slack, δ',
        choices: DELTAS.map((each) => [each, probability(each)]),
        present: delta,
        choose: (chosen) => {
          this.delta = chosen;
        },
      })}
      <pm-log-slider
        whole
        label="Rows"
        name="rows"
        .min=${100}
        .max=${1_000_000}
        .value=${this.rows}
        .ticks=${ROWS_TICKS}
        .error=${this.wrong.rows}
        @pm-value=${({ detail: { value } }: CustomEvent<ValueDetail>) => {
          const isRight = Number.isInteger(value) && value >= 2 && value <= 1e8;
          const error = isRight ? undefined : 'Enter a whole number from 2 to 100,000,000.';
          this.wrong = { ...this.wrong, rows: error };
          if (isRight) this.rows = value;
        }}
      ></pm-log-slider>
      ${choiceField({
        id: 'directions',
        label: 'Directions',
        choices: DIRECTIONS.map((each) => [each, each === 1 ? 'the first' : `the first ${each}`]),
        present: components,
        choose: (chosen) => {
          this.components = chosen;
        },
      })}
      ${this.#lineChoice()}`;
  }

  #lineChoice(): TemplateResult {
    const isFull = this.#drawn().length >= MOST_LINES;
    const boxes = (isPublished: boolean): TemplateResult[] =>
      CONTENDERS.filter((one) => one.isPublished === isPublished && one.gives !== 'weights').map(
        (one) => {
          const isDrawn = this.chosen.includes(one.id);
          const slot = isDrawn ? this.#slotOf(one.id) : undefined;
          return html`<label class=${isFull && !isDrawn ? 'full' : ''}>
            <input
              type="checkbox"
              .checked=${isDrawn}
              ?disabled=${isFull && !isDrawn}
              @change=${() => {
                this.#draw(one.id, !isDrawn);
              }}
            />
            <span class=${isDrawn ? `key slot-${slot} ${this.#dashes(one)}` : ''}></span>
            ${one.title}
          </label>`;
        },
      );
    return html`<fieldset class="lines">
      <legend>Lines</legend>
      <p class="hint">
        ${isFull ? 'At most five: remove one to add another.' : `Up to ${MOST_LINES}.`}
      </p>
      ${boxes(false)}
      ${disclosure('As published', boxes(true), {
        aside: html`${this.#drawn().filter(({ contender }) => contender.isPublished).length} drawn`,
      })}
    </fieldset>`;
  }

  #dashes(contender: Contender): string {
    const { isAny, isAll } = this.#withoutGuarantee(contender);
    return isAll ? 'dashed' : isAny ? 'partly' : '';
  }

  #draw(id: string, isDrawn: boolean): void {
    const others = this.chosen.filter((each) => each !== id);
    this.chosen = isDrawn ? [...others, id].slice(0, MOST_LINES) : others;
  }

  #slotOf(id: string): number {
    return this.#colours.slotOf(id, this.chosen);
  }

  #drawn(): { contender: Contender; slot: number }[] {
    return this.chosen
      .flatMap((id) => CONTENDERS.find((one) => one.id === id) ?? [])
      .map((contender) => ({ contender, slot: this.#slotOf(contender.id) }));
  }

  /** The mechanisms drawn in a figure; those without a matrix have no error. */
  #drawnIn(figure: Figure): { contender: Contender; slot: number }[] {
    return this.#drawn().filter(
      ({ contender }) => figure !== 'error' || contender.gives === 'matrix',
    );
  }

  // What is run.

  /** Asks for the runs of everything drawn, if the element is near the window. */
  #ask(): void {
    const { epsilon, rows } = this;
    const alongEpsilon = EPSILONS.map((each) => [each, rows] as const);
    const points: Record<Figure | 'table', Wanted['points']> = {
      table: [[epsilon, rows]],
      error: alongEpsilon,
      shareByEpsilon: alongEpsilon,
      shareByRows: ROWS.map((each) => [epsilon, each] as const),
    };
    const drawn = FIGURES.flatMap((figure) =>
      this.#drawnIn(figure).map(({ contender }) => ({ figure, contender })),
    );
    const wanted = [
      ...CONTENDERS.map((contender) => ({ figure: 'table' as const, contender })),
      ...drawn,
    ].map(({ figure, contender }) => ({
      place: placeOf(contender, figure),
      wanted: this.#wanted(contender, figure, points[figure]),
    }));
    if (this.#near.isNear) this.#comparer.ask(wanted.map((one) => one.wanted));
    this.#asked = new Map(wanted.map((one) => [one.place, this.#standing(one)]));
  }

  #wanted(contender: Contender, figure: Figure | 'table', points: Wanted['points']): Wanted {
    const { data, delta } = this;
    const isMatrix = figure === 'error' || figure === 'table';
    // A mechanism of directions gives the whole matrix only with all directions.
    const isWhole = isMatrix && contender.isOfDirections && contender.gives === 'matrix';
    return wantedOf({
      mechanism: contender.mechanism,
      data: data.id,
      dimension: data.dimension,
      mean: data.mean,
      delta,
      components: isWhole ? data.dimension : this.components,
      points,
    });
  }

  /** The results for the present choice, else those for the choice before. */
  #standing({ place, wanted }: { place: string; wanted: Wanted }): Asked {
    const known = this.#comparer.known(wanted);
    if (known.some((each) => each !== undefined)) {
      this.#last.set(place, known);
      return { wanted, known, isBehind: false };
    }
    return { wanted, known: this.#last.get(place) ?? known, isBehind: true };
  }

  #known(contender: Contender, figure: Figure | 'table'): Asked {
    const asked = this.#asked.get(placeOf(contender, figure));
    if (asked === undefined) throw new Error(`${contender.id} is not in ${figure}`);
    return asked;
  }

  #rows(): Row[] {
    const slots = new Map(this.#drawn().map(({ contender, slot }) => [contender.id, slot]));
    return CONTENDERS.map((contender) => ({
      contender,
      at: this.#known(contender, 'table').known[0],
      slot: slots.get(contender.id),
    }));
  }

  /** Sorts the rows when a choice has its first results and when it has its last, not in between. */
  #rank(isOtherOrder: boolean): void {
    const rows = this.#rows();
    const state = JSON.stringify([
      ...[this.data.id, this.epsilon, this.delta, this.rows, this.components],
      this.#comparer.isWorking,
    ]);
    const isWhole = CONTENDERS.every((contender) => !this.#known(contender, 'table').isBehind);
    if (!isOtherOrder && (!isWhole || state === this.#rankedFor)) return;
    if (isWhole) this.#rankedFor = state;
    this.#ranked = sorted(rows, this.order).map(({ contender }) => contender.id);
  }

  // Figures.

  #lines(figure: Figure): { lines: Line[]; isBehind: boolean; runs: number } {
    const all = this.#drawnIn(figure).map(({ contender, slot }) => {
      const { known, isBehind } = this.#known(contender, figure);
      const values = known.map((at) => (figure === 'error' ? at?.error : at?.share) ?? NaN);
      const holds = known.map((at) => holdingOf(contender, at) === 'yes');
      const line = { title: contender.label, slot, values, holds };
      const runs = Math.min(...known.map((at) => (at === undefined ? 0 : at.runs)));
      return { line, isBehind, runs };
    });
    return {
      lines: all.map(({ line }) => line),
      isBehind: all.some(({ isBehind }) => isBehind),
      runs: all.length === 0 ? 0 : Math.min(...all.map(({ runs }) => runs)),
    };
  }

  /** Whether, and at which epsilons of its lines, a mechanism's claim does not hold. */
  #withoutGuarantee(contender: Contender): { isAny: boolean; isAll: boolean; at: number[] } {
    if (!contender.isPublished) return { isAny: false, isAll: false, at: [] };
    const known = (['shareByEpsilon', 'shareByRows'] as const)
      .flatMap((figure) => this.#known(contender, figure).known)
      .map((at) => ({ at, holds: holdingOf(contender, at) === 'yes' }));
    const flawed = known.filter(({ holds }) => !holds);
    const at = new Set(flawed.flatMap((one) => one.at?.asked.epsilon ?? []));
    return {
      isAny: flawed.length > 0,
      isAll: flawed.length === known.length,
      at: [...at].sort((a, b) => a - b),
    };
  }

  #parts(): FigureParts[] {
    const { components, data } = this;
    const zero = { value: zeroOf(data), label: 'answering 0' };
    const best = { value: 1, label: 'without privacy' };
    const first = components === 1 ? 'first direction' : `first ${components} directions`;
    const share = `Share of the variance along the ${first}`;
    return [
      {
        figure: 'error',
        title: 'Error of the second moments',
        what: 'Root mean square error of the second moments, per row,',
        axis: 'epsilon',
        reference: zero,
      },
      {
        figure: 'shareByEpsilon',
        title: `Variance along the ${first}`,
        what: share,
        axis: 'epsilon',
        reference: best,
      },
      {
        figure: 'shareByRows',
        title: 'The same with more rows',
        what: share,
        axis: 'rows',
        reference: best,
      },
    ];
  }

  #figures(): TemplateResult {
    const { epsilon, rows, data } = this;
    const drawn = this.#parts().map((parts) => {
      const { lines, isBehind, runs } = this.#lines(parts.figure);
      const grid = parts.axis === 'epsilon' ? EPSILONS : ROWS;
      const present = parts.axis === 'epsilon' ? epsilon : rows;
      const words = figureInWords(parts.what, parts.axis, grid, lines, parts.reference, present);
      return { ...parts, lines, isBehind, runs, grid, present, words };
    });
    return html`<div class="figures">
      ${drawn.map(
        (one) =>
          html`<figure class=${one.figure === 'error' ? 'whole' : ''}>
            <h3>${one.title}</h3>
            <pm-comparison-figure
              class=${one.isBehind ? 'behind' : ''}
              axis=${one.axis}
              measure=${one.figure === 'error' ? 'error' : 'share'}
              .grid=${one.grid}
              .lines=${one.lines}
              .reference=${one.reference}
              .present=${one.present}
              .height=${one.figure === 'error' ? 340 : 280}
              .description=${one.words}
            ></pm-comparison-figure>
          </figure>`,
      )}
      <div class="about">
        <p class="label">${this.#caption(Math.min(...drawn.map(({ runs }) => runs)))}</p>
        <p class="label">${sourceInWords(data)}</p>
        ${this.#flawed()} ${disclosure('See as a table', this.#numbers(drawn))}
        ${disclosure(
          'Describe these figures',
          drawn.map(({ words }) => html`<p class="help">${words}</p>`),
        )}
      </div>
    </div>`;
  }

  #caption(runs: number): string {
    const many = runs === 0 ? 'Running' : `At least ${plural(runs, 'run')} per point`;
    const more = runs > 0 && this.#comparer.isWorking ? ', with more under way' : '';
    return `${many}${more}. Rows are standardised and scaled to length 1; one may be replaced. Error: root mean square distance of the whole matrix, per row, after eigenvalues are moved into the range that this number of rows allows. For this, mechanisms of directions draw all directions. A study’s release also holds the count and the sums; a published mechanism gives the products alone.`;
  }

  /** Why a line is dashed. */
  #flawed(): TemplateResult | typeof nothing {
    const flawed = this.#drawn()
      .map(({ contender }) => ({ ...contender, ...this.#withoutGuarantee(contender) }))
      .filter(({ isAny }) => isAny);
    if (flawed.length === 0) return nothing;
    return html`<p class="help flawed">
      Dashed: no such guarantee.
      ${flawed.map(({ label, truth, isAll, at }) => {
        const where = isAll ? '' : ` at ε = ${list(at.map(bound))}`;
        return html`<b class="name">${label}</b>${where}: ${formula(reasonForNone(truth) ?? truth)}. `;
      })}
    </p>`;
  }

  #numbers(figures: readonly FigureNumbers[]): TemplateResult {
    return html`${numbersTables(figures)}
      <button
        class="button small"
        type="button"
        @click=${() => {
          this.#saveFigures();
        }}
      >
        Figures as CSV
      </button>`;
  }

  // The table.

  #table(rows: readonly Row[]): TemplateResult {
    const { epsilon, components, data, delta } = this;
    const inOrder = this.#ranked.flatMap(
      (id) => rows.find(({ contender }) => contender.id === id) ?? [],
    );
    const runs = Math.min(
      ...rows.map(({ at }) => (at === undefined ? 0 : at.problem === '' ? at.runs : Infinity)),
    );
    const remainder = delta > 0 ? `, δ = ${probability(delta)}` : ', δ = 0';
    const isMarked = rows.some(({ at }) => at !== undefined && at.error >= zeroOf(data));
    return html`<section class="whole-table" aria-labelledby="all">
      <h3 id="all">All mechanisms</h3>
      <p class="prose">
        ε = ${bound(epsilon)}${remainder}, ${count(this.rows)} rows. Error: root mean square
        distance from the true second moments, per row; answering 0 scores
        ${inDigits(zeroOf(data))}${isMarked ? ' (the mark in the bars)' : ''}. Time: one release
        from exact sums, measured on this computer just now.
        ${runs > 0 && Number.isFinite(runs) ? `At least ${plural(runs, 'run')} of each.` : ''}
      </p>
      ${comparisonTable(
        inOrder,
        this.order,
        { components, zero: zeroOf(data), page: this.mechanisms },
        (by) => {
          this.#sort(by);
        },
      )}
      <div class="actions">
        <button
          class="button small"
          type="button"
          @click=${() => {
            this.#saveTable(inOrder);
          }}
        >
          Table as CSV
        </button>
        <span class="label" role="status"
          >${this.#comparer.isWorking ? '' : this.#doneInWords(runs)}</span
        >
      </div>
    </section>`;
  }

  #doneInWords(runs: number): string {
    return runs > 0 && Number.isFinite(runs) ? `All runs are done.` : '';
  }

  #sort(by: Column): void {
    const isSame = this.order.by === by;
    this.order = { by, isDescending: isSame && !this.order.isDescending };
  }

  #saveFigures(): void {
    const { data, delta, components } = this;
    const points = FIGURES.flatMap((figure) =>
      this.#drawnIn(figure).flatMap(({ contender }) => {
        const { wanted } = this.#known(contender, figure);
        return this.#comparer.known(wanted).flatMap((at, i): PlotPoint[] => {
          const [epsilon, rows] = wanted.points[i] ?? [NaN, NaN];
          if (at === undefined || at.runs === 0) return [];
          return [{ figure, contender, data: data.id, epsilon, delta, rows, components, at }];
        });
      }),
    );
    saveCsv(figuresCsv(points), 'mechanisms-figures.csv');
  }

  #saveTable(rows: readonly Row[]): void {
    saveCsv(tableCsv(rows), 'mechanisms.csv');
  }
}

/** A contender in a figure, or in the table. */
interface Asked {
  wanted: Wanted;
  known: readonly (Known | undefined)[];
  /** Whether the results are of an earlier choice. */
  isBehind: boolean;
}

function placeOf({ id }: Contender, figure: Figure | 'table'): string {
  return `${figure} ${id}`;
}

interface FigureParts {
  figure: Figure;
  title: string;
  what: string;
  axis: 'epsilon' | 'rows';
  reference: Reference;
}

/** A field to choose a value by its name. */
function choiceField<Choice>({
  id,
  label,
  choices,
  present,
  choose,
  hint,
}: {
  id: string;
  label: string;
  choices: readonly (readonly [Choice, string])[];
  present: Choice;
  choose: (chosen: Choice) => void;
  hint?: string;
}): TemplateResult {
  return field({
    id,
    label,
    control: html`<select
      id=${id}
      @change=${(event: Event) => {
        const [chosen] = choices[(event.target as HTMLSelectElement).selectedIndex] ?? [present];
        choose(chosen);
      }}
    >
      ${choices.map(
        ([value, words]) => html`<option ?selected=${value === present}>${words}</option>`,
      )}
    </select>`,
    hint,
  });
}

/** The error of answering 0: the norm of the matrix. */
function zeroOf({ mean }: ComparedData): number {
  return Math.hypot(...mean);
}
