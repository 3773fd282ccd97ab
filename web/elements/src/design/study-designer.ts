import { ASSUMPTIONS, csvText, type CsvCell } from 'private-moments/internal';
import type { Guarantee, Study } from 'private-moments';
import { capitalised, correlation, ordinal, percent, plural } from 'private-moments/words';
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { advancedInWords, advancedSettings, advancedStyles, isFolded } from './advanced.js';
import { ColumnsEditor } from './columns-editor.js';
import { columnsStyles } from './columns-styles.js';
import { numberIn, takeFiles, textOf } from '../controls/input-values.js';
import { draftField, type DesignerForm } from './designer-form.js';
import type { Proposal } from './designer-protocol.js';
import { disclosure, disclosureStyles } from '../controls/disclosure.js';
import {
  check,
  draftColumn,
  draftOf,
  emptyColumn,
  emptyDraft,
  type Checked,
  type Draft,
  type Problem,
} from './draft.js';
import { ExampleBox } from './example-box.js';
import { describe } from '../base/failure.js';
import { described, field, fieldStyles } from '../controls/field.js';
import { EPSILONS, rowsAround, type ForecastPoint } from '../figures/forecast-surface.js';
import { forecastFinding, leversInWords, modesInWords, rowsInWords } from './forecast-words.js';
import {
  designOf,
  plannedFor,
  relatedViews,
  sizeOf,
  type Assumptions,
  type Question,
} from './forecast-question.js';
import { Forecaster } from './forecaster.js';
import { forgetDraft, saveDraft, loadDraft } from './saved-draft.js';
import { notice, noticeStyles } from '../controls/notice.js';
import type { StudyDetail } from '../contract/elements.js';
import { privacyEditor, privacyStyles } from './privacy-editor.js';
import { saveCsv } from '../base/save.js';
import { sitesEditor, sitesStyles } from './sites-editor.js';
import { stepsOf, stepsStyles } from './designer-steps.js';
import { designerStyles } from './study-designer-styles.js';
import { readStudy, type StudySource } from '../session/study-source.js';
import { styles } from '../look/styles.js';
import { viewsEditor } from './views-editor.js';

/** Delay between the last change and the announcement of the study. */
const SETTLED_MS = 200;
/** Default number of rows of each site. */
const ROWS = 5000;
const CORRELATIONS = [0.5, 0.3, 0.1];
const PRESSES = ['pointerdown', 'mousedown'] as const;
const RELEASES = ['pointerup', 'pointercancel', 'mouseup'] as const;

/** The numbers that a field accepts, and its error for others. */
interface Allowed {
  allows: (value: number) => boolean;
  words: string;
}

/**
 * Designs a study: columns with public bounds, views, privacy and sites, with a forecast of the result,
 * and hands it out as link, file, QR code, consent text and code. It needs no data: an example file only
 * proposes names and bounds for the user to accept.
 *
 * `study` takes a study to start from (anything `pm-participate` takes), `take-part` the address that
 * opens study links, `keep` a name under which the browser saves the draft, `sample` the address of a
 * folder with study.json. Emits `pm-study` with `{ study }` when a complete study has not changed for a
 * moment.
 */
export class PmStudyDesigner extends LitElement {
  static override properties = {
    study: {},
    takePart: { attribute: 'take-part' },
    analyse: {},
    helpPage: { attribute: 'help-page' },
    keep: {},
    sample: {},
    draft: { state: true },
    left: { state: true },
    offered: { state: true },
    undo: { state: true },
    announcement: { state: true },
    problem: { state: true },
    truths: { state: true },
    assumptions: { state: true },
    mistyped: { state: true },
    between: { state: true },
    settled: { state: true },
    advanced: { state: true },
  };

  static override styles = [
    styles,
    fieldStyles,
    noticeStyles,
    disclosureStyles,
    columnsStyles,
    privacyStyles,
    advancedStyles,
    sitesStyles,
    stepsStyles,
    designerStyles,
  ];

  declare study: StudySource | undefined;
  declare takePart: string;
  declare analyse: string;
  declare helpPage: string;
  declare keep: string;
  declare sample: string;
  declare draft: Draft;
  /** Fields that have been left, whose errors are shown. */
  declare left: ReadonlySet<string>;
  /** A study that was set while there was a draft. */
  declare offered: Study | undefined;
  /** The draft before it was cleared or replaced. */
  declare undo: Draft | undefined;
  declare announcement: string;
  declare problem: string;
  /** Correlations to plan for. */
  declare truths: readonly number[];
  /** Assumptions about the columns. */
  declare assumptions: Assumptions;
  /** Invalid text in the fields of the forecast, by the field's id. */
  declare mistyped: ReadonlyMap<string, string>;
  /** The two views that the forecast relates, if the study has more. */
  declare between: readonly [string, string] | undefined;
  /** The study last announced; it does not follow a moving slider. */
  declare settled: Study | undefined;
  /** Whether the advanced settings are open. */
  declare advanced: boolean;

  readonly #columns = new ColumnsEditor(this);
  readonly #forecaster = new Forecaster(this);
  readonly #example = new ExampleBox(this, {
    propose: (file) => this.#forecaster.propose(file),
    use: (proposal) => {
      this.#useExample(proposal);
    },
    focus: (id) => {
      this.#focus(id);
    },
  });
  /** Increases with each study opened or replaced, so that one read too late can be dropped. */
  #opened = 0;
  #checked: Checked = { problems: [] };
  #settling: ReturnType<typeof setTimeout> | undefined;
  /**
   * Whether a button of the mouse is down. An error that appeared between press and release would move
   * what is pressed, and the click would be lost.
   */
  #isPressed = false;
  /** Fields left since then. */
  readonly #leaving = new Set<string>();

  constructor() {
    super();
    this.study = undefined;
    this.takePart = '';
    this.analyse = '';
    this.helpPage = '';
    this.keep = '';
    this.sample = '';
    this.draft = emptyDraft();
    this.left = new Set();
    this.offered = undefined;
    this.undo = undefined;
    this.announcement = '';
    this.problem = '';
    this.truths = CORRELATIONS;
    this.assumptions = ASSUMPTIONS;
    this.mistyped = new Map();
    this.between = undefined;
    this.settled = undefined;
    this.advanced = false;
    this.#columns.reset(this.draft);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const type of PRESSES) addEventListener(type, this.#press, true);
    for (const type of RELEASES) addEventListener(type, this.#release, true);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#settling);
    for (const type of PRESSES) removeEventListener(type, this.#press, true);
    for (const type of RELEASES) removeEventListener(type, this.#release, true);
  }

  readonly #press = (): void => {
    this.#isPressed = true;
  };

  readonly #release = (): void => {
    // Only after the click that may follow.
    setTimeout(() => {
      this.#isPressed = false;
      const pending = [...this.#leaving].filter((name) => !this.left.has(name));
      this.#leaving.clear();
      if (pending.length > 0) this.left = new Set([...this.left, ...pending]);
    });
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('keep') && this.keep !== '') {
      this.draft = loadDraft(this.keep) ?? this.draft;
      this.#columns.reset(this.draft);
    }
    if (changed.has('study') && this.study !== undefined) void this.#open(this.study);
    const inputs = ['draft', 'truths', 'assumptions', 'between'] as const;
    if (!inputs.some((name) => changed.has(name))) return;
    this.#checked = check(this.draft);
    if (this.#checked.problems.some(({ field: at }) => isFolded(at))) this.advanced = true;
    const design = designOf(this.#checked.study, this.#question);
    if (design !== undefined) this.#forecaster.ask(design);
    if (changed.has('draft')) this.#settle();
  }

  protected override render(): TemplateResult {
    const form = this.#form();
    const guarantee = this.#guarantee;
    const { study, problems } = this.#checked;
    const { advice, noise } = this.#forecaster;
    return html`${this.#top()} ${this.#notices()}
      ${stepsOf(problems, (id) => {
        this.#goTo(id);
      })}
      <div class="layout">
        <form
          @submit=${(event: Event) => {
            event.preventDefault();
          }}
        >
          ${this.#purpose(form)}
          <section aria-labelledby="columns">
            <h2 id="columns" tabindex="-1">Columns</h2>
            <p class="help">
              Choose limits any textbook would give. Do not look at the data.
              ${
                this.#example.isOpen
                  ? nothing
                  : html`<button
                      class="link"
                      id="example"
                      type="button"
                      @click=${this.#example.start}
                    >
                      Fill from a public example file
                    </button>`
              }
            </p>
            ${this.#example.render()} ${this.#columns.render(form)} ${viewsEditor(form)}
          </section>
          <section aria-labelledby="privacy">
            <h2 id="privacy" tabindex="-1">Privacy</h2>
            ${privacyEditor(form, { study, advice, guarantee })}
            ${disclosure(
              'Advanced',
              advancedSettings(form, {
                study,
                advice,
                guarantee,
                noise,
                modes: this.#modes,
                helpPage: this.helpPage,
              }),
              {
                open: this.advanced,
                aside: advancedInWords(this.draft),
                toggled: (open) => {
                  this.advanced = open;
                },
              },
            )}
          </section>
          <section aria-labelledby="sites">
            <h2 id="sites">Sites</h2>
            ${sitesEditor(form)}
          </section>
        </form>
        <p class="pinned" aria-hidden="true">${this.#finding()}</p>
        <div class="aside">${this.#forecast()}</div>
      </div>
      ${this.#handOut(form)}
      <p class="hidden-visually" role="status">${this.announcement}</p>`;
  }

  // The page around the form

  #top(): TemplateResult {
    return html`<div class="top">
      <div>
        <h1 tabindex="-1">Design a study</h1>
        <p class="lead">Set the rules, see what they will reveal, send one link.</p>
      </div>
      <div class="actions">
        <button class="button small" type="button" @click=${this.#chooseStudy}>
          Open a study file
        </button>
        <input
          type="file"
          hidden
          id="study-file"
          aria-label="Open a study file"
          accept=".json,application/json"
          @change=${(event: Event) => {
            const [file] = takeFiles(event);
            if (file !== undefined) void this.#replaceBy(file);
          }}
        />
        ${
          this.sample === ''
            ? nothing
            : html`<button
                class="button small"
                type="button"
                @click=${() => void this.#replaceBy(`${this.sample}study.json`)}
              >
                Start from the sample
              </button>`
        }
        <button class="button small" type="button" @click=${this.#clear}>Start over</button>
      </div>
    </div>`;
  }

  #notices(): TemplateResult | typeof nothing {
    const { offered, undo, problem } = this;
    if (problem !== '') {
      return html`<div class="above">
        ${notice({ kind: 'bad', title: 'This study cannot be opened.', body: problem })}
      </div>`;
    }
    if (offered !== undefined) {
      return html`<div class="above">
        ${notice({
          kind: 'warn',
          title: 'This link holds a study, but you have a draft open.',
          body: `The study is called “${offered.title}”.`,
          actions: html`<button
              class="button small"
              type="button"
              @click=${() => {
                this.#replace(draftOf(offered, this.draft.rows));
              }}
            >
              Open the study
            </button>
            <button
              class="button small"
              type="button"
              @click=${() => {
                this.offered = undefined;
              }}
            >
              Keep the draft
            </button>`,
        })}
      </div>`;
    }
    if (undo === undefined) return nothing;
    return html`<div class="above">
      ${notice({
        kind: 'stopped',
        title: 'The draft was replaced.',
        actions: html`<button
          class="button small"
          type="button"
          @click=${() => {
            this.draft = undo;
            this.#columns.reset(undo);
            this.undo = undefined;
            this.#focus('title');
          }}
        >
          Restore it
        </button>`,
      })}
    </div>`;
  }

  #purpose(form: DesignerForm): TemplateResult {
    const { description } = this.draft;
    return html`<section aria-labelledby="question">
      <h2 id="question" tabindex="-1">Question</h2>
      ${draftField(form, { of: 'title', label: 'Title' })}
      ${field({
        id: 'description',
        label: 'What it asks',
        control: html`<textarea
          id="description"
          rows="2"
          .value=${description}
          aria-invalid=${form.error('description') === undefined ? 'false' : 'true'}
          aria-describedby=${described('description', form.error('description'), true)}
          @input=${(event: Event) => {
            form.change({ description: textOf(event) });
          }}
          @blur=${() => {
            form.leave('description');
          }}
        ></textarea>`,
        error: form.error('description'),
        hint: 'One or two sentences for participants. Optional.',
      })}
    </section>`;
  }

  /** Replaces the draft's columns by the proposed ones; columns keep their views by name. */
  #useExample({ columns }: Proposal): void {
    const { draft } = this;
    const viewOf = new Map(draft.columns.map(({ name, view }) => [name.trim(), view]));
    this.undo = draft;
    this.draft = {
      ...draft,
      columns: columns.map((column, index) =>
        draftColumn(column, index + 1, viewOf.get(column.name) ?? 0),
      ),
    };
    this.#columns.reset(this.draft);
    this.announcement = `${plural(columns.length, 'column')} filled in.`;
    this.#focus('columns.1.edit');
  }

  // The forecast

  get #guarantee(): Guarantee | undefined {
    const { study } = this.#checked;
    if (study === undefined) return undefined;
    const { forecast, advice } = this.#forecaster;
    // Directions have a guarantee but no forecast.
    return (
      forecast?.guarantee ??
      advice?.choices.find(({ mechanism }) => mechanism === study.mechanism.name)?.guarantee
    );
  }

  /** Which mode is more accurate, in words. */
  get #modes(): string {
    const { advice } = this.#forecaster;
    return this.#checked.study === undefined || advice === undefined ? '' : modesInWords(advice);
  }

  get #question(): Question {
    const { draft, truths, assumptions, between } = this;
    return { draft, truths, assumptions, between };
  }

  #forecast(): TemplateResult {
    const { study } = this.#checked;
    const { forecast, advice } = this.#forecaster;
    const current = study === undefined ? undefined : forecast;
    const helps =
      current === undefined || advice === undefined
        ? ''
        : [rowsInWords(current), leversInWords(advice)].filter((text) => text !== '').join(' ');
    return html`<section class="forecast" part="forecast" aria-labelledby="forecast">
      <h2 id="forecast">Forecast</h2>
      <p role="status">${this.#finding()}</p>
      ${study === undefined ? nothing : this.#chooseViews(study)} ${this.#figures(study)}
      <p class="label">
        Curves: expected error, from privacy and sampling together for pairs, from privacy alone for
        the covariance. Hatched: correlations too small to tell from noise. Dashed: the error of
        answering 0 everywhere. Computed without any data.
      </p>
      <p class="help helps">${helps}</p>
      ${current === undefined || study === undefined ? nothing : html`${this.#table(study)} ${this.#assumptions()}`}
    </section>`;
  }

  #finding(): string {
    const { forecast, problem, isBehind } = this.#forecaster;
    if (this.#checked.study === undefined) {
      return 'Add a title and one column to see the forecast.';
    }
    if (problem !== '' && !isBehind) return problem;
    if (forecast === undefined) return 'Computing on this computer …';
    return forecastFinding(forecast, this.#forecaster.epsilon);
  }

  #chooseViews(study: Study): TemplateResult | typeof nothing {
    const names = Object.keys(study.views ?? {});
    if (names.length < 3) return nothing;
    const present = relatedViews(study, this.between);
    const select = (at: 0 | 1, label: string): TemplateResult =>
      html`<select
        aria-label=${label}
        @change=${(event: Event) => {
          const chosen = textOf(event);
          const other = present[1 - at] ?? '';
          const instead = other === chosen ? (present[at] ?? '') : other;
          this.between = at === 0 ? [chosen, instead] : [instead, chosen];
        }}
      >
        ${names.map((name) => html`<option ?selected=${name === present[at]}>${name}</option>`)}
      </select>`;
    return html`<div class="between">
      Between ${select(0, 'First view')} and ${select(1, 'Second view')}
    </div>`;
  }

  #figures(study: Study | undefined): TemplateResult {
    const size = sizeOf(this.draft);
    const rows = Number.isFinite(size) && size >= 1 ? size : ROWS;
    const grid = rowsAround(rows);
    const { surface, isBehind } = this.#forecaster;
    const none: (ForecastPoint | undefined)[] = [];
    const truths =
      study === undefined
        ? this.draft.views.length === 0
          ? []
          : this.truths
        : plannedFor(study, this.#question);
    const { epsilon } = this.draft;
    return html`<pm-forecast-figure
        axis="epsilon"
        axis-label="ε"
        .grid=${EPSILONS}
        .points=${study === undefined ? none : surface.alongEpsilon(rows, grid)}
        .truths=${truths}
        .present=${epsilon}
        ?behind=${isBehind}
      ></pm-forecast-figure>
      <pm-forecast-figure
        axis="rows"
        axis-label=${this.draft.unit === 'row' ? 'rows per site' : 'participants'}
        .grid=${grid}
        .points=${study === undefined ? none : surface.alongRows(epsilon, grid)}
        .truths=${truths}
        .present=${rows}
        ?behind=${isBehind}
      ></pm-forecast-figure>`;
  }

  #table(study: Study): TemplateResult | typeof nothing {
    const { forecast } = this.#forecaster;
    if (forecast === undefined) return nothing;
    const { covariance, correlations } = forecast;
    const digits = (error: number): string => correlation(error, error < 0.01 ? 3 : 2);
    return disclosure(
      'See as a table',
      html`<div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Quantity</th>
                <th scope="col" class="right">Planned</th>
                <th scope="col" class="right">Error</th>
                <th scope="col" class="right">9 of 10 within</th>
                <th scope="col" class="right">Floor</th>
                <th scope="col">Verdict</th>
              </tr>
            </thead>
            <tbody>
              ${correlations.map(
                ({ truth, error, margin, noiseFloor: floor, clear }, i) =>
                  html`<tr>
                    <th scope="row">${ordinal(i)} pair</th>
                    <td class="right">${correlation(truth)}</td>
                    <td class="right">${digits(error)}</td>
                    <td class="right">${margin === null ? '–' : digits(margin)}</td>
                    <td class="right">${digits(floor)}</td>
                    <td>${clear ? 'clear' : html`<span class="tag warn">at risk</span>`}</td>
                  </tr>`,
              )}
              <tr>
                <th scope="row">Covariance, relative to answering 0</th>
                <td class="right">–</td>
                <td class="right">${percent(covariance.ratio)}</td>
                <td class="right">–</td>
                <td class="right">–</td>
                <td>
                  ${covariance.ratio <= 0.5 ? 'clear' : html`<span class="tag warn">${covariance.ratio < 1 ? 'weak' : 'lost in noise'}</span>`}
                </td>
              </tr>
            </tbody>
          </table>
        </div>
        <button
          class="button small"
          type="button"
          @click=${() => {
            saveCsv(this.#csv(study), 'forecast.csv');
          }}
        >
          Curves as CSV
        </button>`,
    );
  }

  /** Both families of curves, with one line for each point computed so far. */
  #csv(study: Study): string {
    const size = sizeOf(this.draft);
    const grid = rowsAround(size);
    const truths = plannedFor(study, this.#question);
    const { surface } = this.#forecaster;
    const head = truths.flatMap((truth) => [`error_of_${truth}`, `floor_of_${truth}`]);
    const line = (epsilon: number, rows: number, point: ForecastPoint | undefined): CsvCell[][] =>
      point === undefined
        ? []
        : [
            [
              epsilon,
              rows,
              ...point.pairs.flatMap(({ error, floor }) => [error, floor]),
              point.ratio,
            ],
          ];
    const { epsilon } = this.draft;
    return csvText(
      ['epsilon', 'rows', ...head, 'covariance_over_answering_zero'],
      [
        ...surface
          .alongEpsilon(size, grid)
          .flatMap((point, i) => line(EPSILONS[i] ?? NaN, size, point)),
        ...surface
          .alongRows(epsilon, grid)
          .flatMap((point, i) => line(epsilon, grid[i] ?? NaN, point)),
      ],
    );
  }

  #assumptions(): TemplateResult {
    const assumes = this.#forecaster.forecast?.assumes ?? [];
    const { withinViews, offCentre, spread } = this.assumptions;
    const assume = (change: Partial<Assumptions>): void => {
      this.assumptions = { ...this.assumptions, ...change };
    };
    const share = (most: number): Allowed => ({
      allows: (value) => value >= 0 && value < most,
      words: `Enter a number from 0 to below ${most}.`,
    });
    return disclosure(
      'Assumptions, and correlations to plan for',
      html`<div>
          <p class="field-label">Correlations between the views</p>
          <div class="truths">
            ${this.truths.map((truth, i) =>
              this.#number(`truths.${i}`, `${ordinal(i)} pair`, truth, share(1), (value) => {
                this.truths = this.truths
                  .map((other, j) => (j === i ? value : other))
                  .sort((a, b) => b - a);
                return this.truths[i] ?? value;
              }),
            )}
          </div>
          <p class="field-label">Columns</p>
          <div class="truths columns">
            ${this.#number(
              'within',
              'Correlation within a view, at most',
              withinViews,
              share(1),
              (value) => {
                assume({ withinViews: value });
                return value;
              },
            )}
            ${this.#number(
              'off-centre',
              'Offset of means, share of range',
              offCentre,
              share(0.5),
              (value) => {
                assume({ offCentre: value });
                return value;
              },
            )}
            ${this.#number(
              'spread',
              'Standard deviation, share of range',
              spread,
              {
                allows: (value) => value > 0 && value <= 0.5,
                words: 'Enter a number above 0, at most 0.5.',
              },
              (value) => {
                assume({ spread: value });
                return value;
              },
            )}
          </div>
        </div>
        <ul>
          ${assumes.map((words) => html`<li class="help">${capitalised(words)}.</li>`)}
        </ul>`,
    );
  }

  /** @param set takes a valid number and returns the one that the field then shows */
  #number(
    id: string,
    label: string,
    value: number,
    { allows, words }: Allowed,
    set: (value: number) => number,
  ): TemplateResult {
    const typed = this.mistyped.get(id);
    const error = typed === undefined ? undefined : words;
    return field({
      id,
      label,
      control: html`<input
        class="text number"
        id=${id}
        inputmode="decimal"
        autocomplete="off"
        .value=${typed ?? String(value)}
        aria-invalid=${error === undefined ? 'false' : 'true'}
        aria-describedby=${described(id, error) || nothing}
        @change=${(event: Event) => {
          const input = event.target as HTMLInputElement;
          const number = numberIn(input.value);
          const mistyped = new Map(this.mistyped);
          if (allows(number)) {
            mistyped.delete(id);
            // Sorting may leave this field's number as it was; rendering would then not replace the text typed.
            input.value = String(set(number));
          } else {
            mistyped.set(id, input.value);
          }
          this.mistyped = mistyped;
        }}
      />`,
      error,
    });
  }

  // Handing it out

  #handOut(form: DesignerForm): TemplateResult {
    const { problems } = this.#checked;
    const study = this.#checked.study === undefined ? undefined : this.settled;
    return html`<section class="hand-out" part="hand-out" aria-labelledby="hand-out">
      <h2 id="hand-out" tabindex="-1">Hand it out</h2>
      <div class="pair who">
        ${draftField(form, {
          of: 'organizer',
          label: 'Who asks',
          hint: 'The name participants know.',
        })}
        ${draftField(form, {
          of: 'contact',
          label: 'Where releases go',
          hint: 'Email, or instructions.',
        })}
      </div>
      ${
        study === undefined
          ? html`<p class="prose">
                Link, file, QR code, consent text and code appear once the study is complete. Still
                missing:
              </p>
              ${this.#missing(problems)}`
          : html`<p class="prose">
                All participants need the same study. Any change makes a different study with a
                different fingerprint. This one is ${study.id.slice(0, 8)}…
              </p>
              <pm-hand-out
                .study=${study}
                .guarantee=${this.#guarantee}
                take-part=${this.takePart}
                analyse=${this.analyse}
              ></pm-hand-out>`
      }
    </section>`;
  }

  #missing(problems: readonly Problem[]): TemplateResult {
    return html`<ul class="missing">
      ${problems.map(
        ({ field: at, message }) =>
          html`<li>
            <button
              class="link"
              type="button"
              @click=${() => {
                this.left = new Set(problems.map((problem) => problem.field));
                this.#focus(at);
              }}
            >
              ${message}
            </button>
          </li>`,
      )}
    </ul>`;
  }

  // The draft

  #form(): DesignerForm {
    return {
      draft: this.draft,
      change: (patch) => {
        this.draft = { ...this.draft, ...patch };
      },
      error: (name) =>
        this.left.has(name)
          ? this.#checked.problems.find((problem) => problem.field === name)?.message
          : undefined,
      isWrong: (name) => this.#checked.problems.some((problem) => problem.field === name),
      leave: (name) => {
        if (this.#isPressed) this.#leaving.add(name);
        else if (!this.left.has(name)) this.left = new Set([...this.left, name]);
      },
      focus: (id) => {
        this.#focus(id);
      },
      say: (words) => {
        this.announcement = words;
      },
    };
  }

  /** Focuses a control after the next update, which may render it first; opens what it is folded in. */
  #focus(id: string): void {
    this.#columns.show(id, this.draft);
    if (isFolded(id)) this.advanced = true;
    void this.updateComplete.then(() => {
      const root = this.renderRoot as ShadowRoot;
      (root.getElementById(id) ?? root.getElementById(id.replace(/\.\w+$/, '')))?.focus();
    });
  }

  #goTo(id: string): void {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const heading = (this.renderRoot as ShadowRoot).getElementById(id);
    heading?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
    heading?.focus({ preventScroll: true });
  }

  #settle(): void {
    if (this.keep !== '') {
      if (isEmpty(this.draft)) forgetDraft(this.keep);
      else saveDraft(this.keep, this.draft);
    }
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      const { study } = this.#checked;
      if (study === undefined || study.id === this.settled?.id) return;
      this.settled = study;
      const detail: StudyDetail = { study };
      this.dispatchEvent(new CustomEvent('pm-study', { detail, bubbles: true, composed: true }));
    }, SETTLED_MS);
  }

  async #open(source: StudySource): Promise<void> {
    const opened = ++this.#opened;
    try {
      const study = await readStudy(source);
      if (opened !== this.#opened) return;
      this.problem = '';
      const own = check(this.draft).study;
      if (study.id === own?.id) return;
      if (isEmpty(this.draft)) this.#replace(draftOf(study, this.draft.rows));
      else this.offered = study;
    } catch (error) {
      if (opened === this.#opened) this.problem = describe(error);
    }
  }

  /** Replaces the draft as the user asked; it can be restored. */
  async #replaceBy(source: StudySource): Promise<void> {
    const opened = ++this.#opened;
    try {
      const study = await readStudy(source);
      if (opened === this.#opened) this.#replace(draftOf(study, this.draft.rows));
    } catch (error) {
      if (opened === this.#opened) this.problem = describe(error);
    }
  }

  #replace(draft: Draft): void {
    this.#opened++;
    this.undo = isEmpty(this.draft) ? undefined : this.draft;
    this.draft = draft;
    this.offered = undefined;
    this.problem = '';
    this.left = new Set();
    this.advanced = false;
    this.#columns.reset(draft);
    this.announcement = isEmpty(draft) ? 'The form is empty.' : `“${draft.title}” is open.`;
    this.#focus('title');
  }

  readonly #clear = (): void => {
    this.#replace(emptyDraft());
  };

  readonly #chooseStudy = (): void => {
    this.renderRoot.querySelector<HTMLInputElement>('#study-file')?.click();
  };
}

/** Whether the draft holds nothing worth saving. */
function isEmpty({ title, description, organizer, contact, columns, views }: Draft): boolean {
  const { name, min, max, levels } = columns[0] ?? emptyColumn(1);
  const texts = [title, description, organizer, contact, name, min, max, levels];
  return columns.length <= 1 && views.length === 0 && texts.every((text) => text.trim() === '');
}
