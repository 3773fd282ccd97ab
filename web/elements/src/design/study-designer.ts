import type { Guarantee, Study } from 'private-moments';
import { plural } from 'private-moments/words';
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { advancedInWords, advancedSettings, advancedStyles, isFolded } from './advanced.js';
import { ColumnsEditor } from './columns-editor.js';
import { columnsStyles } from './columns-styles.js';
import { takeFiles, textOf } from '../controls/input-values.js';
import { draftField, type DesignerForm, type Undo } from './designer-form.js';
import type { Proposal } from './designer-protocol.js';
import { disclosure, disclosureStyles } from '../controls/disclosure.js';
import {
  check,
  defaultClipping,
  draftColumn,
  draftOf,
  emptyDraft,
  isEmpty,
  placed,
  presentClipping,
  type Checked,
  type Draft,
  type Problem,
} from './draft.js';
import { ExampleBox } from './example-box.js';
import { describe } from '../base/failure.js';
import { described, field, fieldStyles } from '../controls/field.js';
import { modesInWords } from './forecast/forecast-words.js';
import { ForecastPanel } from './forecast/forecast-panel.js';
import { Forecaster } from './forecaster.js';
import { forgetDraft, saveDraft, loadDraft } from './saved-draft.js';
import { guideLink } from '../controls/guide-link.js';
import { notice, noticeStyles } from '../controls/notice.js';
import type { StudyDetail } from '../contract/elements.js';
import { privacyEditor, privacyStyles } from './privacy-editor.js';
import { sitesStyles } from './sites-editor.js';
import { stepsOf, stepsStyles } from './designer-steps.js';
import { designerStyles } from './study-designer-styles.js';
import { RestController } from '../base/rest.js';
import { readStudy, type StudySource } from '../session/study-source.js';
import { styles } from '../look/styles.js';
import { viewColours } from '../look/view-colours.js';
import { viewsEditor } from './views-editor.js';
import { isWeighted, weightObstacle, withoutWeights } from './weights.js';
import { PmDropZone } from '../controls/drop-zone.js';
import { PmForecastFigure } from '../figures/forecast-figure.js';
import { PmHandOut } from './hand-out.js';
import { PmLogSlider } from '../controls/log-slider.js';

/** Delay between the last change and the announcement of the study. */
const SETTLED_MS = 200;
const PRESSES = ['pointerdown', 'mousedown'] as const;
const RELEASES = ['pointerup', 'pointercancel', 'mouseup'] as const;

/**
 * Designs a study: columns with public bounds, views, privacy and sites, with a forecast of the result,
 * and hands it out as link, file, QR code, consent text and code. It needs no data: an example file only
 * proposes names and bounds for the user to accept.
 *
 * `study` takes a study to start from (anything `pm-participate` takes), `take-part` the address that
 * opens study links, `keep` a name under which the browser saves the draft, `sample` the address of a
 * folder with study.json, `guide` that of the guide's folder. Emits `pm-study` with `{ study }` when a complete study has not changed for a
 * moment.
 */
export class PmStudyDesigner extends LitElement {
  static readonly parts = {
    'pm-drop-zone': PmDropZone,
    'pm-forecast-figure': PmForecastFigure,
    'pm-hand-out': PmHandOut,
    'pm-log-slider': PmLogSlider,
  };

  static override properties = {
    study: {},
    takePart: { attribute: 'take-part' },
    analyse: {},
    helpPage: { attribute: 'help-page' },
    keep: {},
    sample: {},
    guide: {},
    draft: { state: true },
    left: { state: true },
    offered: { state: true },
    undo: { state: true },
    announcement: { state: true },
    problem: { state: true },
    settled: { state: true },
    advanced: { state: true },
  };

  static override styles = [
    styles,
    fieldStyles,
    noticeStyles,
    disclosureStyles,
    viewColours,
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
  declare guide: string;
  declare draft: Draft;
  /** Fields that have been left, whose errors are shown. */
  declare left: ReadonlySet<string>;
  /** A study that was set while there was a draft. */
  declare offered: Study | undefined;
  /** How to bring back what was lost last. */
  declare undo: Undo | undefined;
  declare announcement: string;
  declare problem: string;
  /** The study last announced; it does not follow a moving slider. */
  declare settled: Study | undefined;
  /** Whether the advanced settings are open. */
  declare advanced: boolean;

  readonly #rest = new RestController(this);
  readonly #columns = new ColumnsEditor(this);
  readonly #forecaster = new Forecaster(this);
  readonly #forecast = new ForecastPanel(this, this.#forecaster);
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
  /** The fields edited, the latest last. */
  #edited: readonly string[] = [];
  /** The study to forecast, which may lack a title. */
  #planned: Study | undefined;
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
    this.guide = '';
    this.draft = emptyDraft();
    this.left = new Set();
    this.offered = undefined;
    this.undo = undefined;
    this.announcement = '';
    this.problem = '';
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
    const { draft } = this;
    if (changed.has('draft')) {
      const checked = check(draft);
      this.#checked = { ...checked, problems: placed(checked.problems, this.#edited) };
      if (this.#checked.problems.some(({ field: at }) => isFolded(at))) this.advanced = true;
    }
    const { study, problems } = this.#checked;
    // A title makes no difference to a forecast.
    const isUntitled = study === undefined && problems.every(({ field: at }) => at === 'title');
    this.#planned = isUntitled ? check({ ...draft, title: 'Untitled' }).study : study;
    this.#forecast.update({ draft, study: this.#planned, problems });
    if (changed.has('draft')) this.#settle();
  }

  /** Resolves once all of the form is rendered. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await this.#rest.due;
    return super.getUpdateComplete();
  }

  protected override render(): TemplateResult {
    const form = this.#form();
    const { problems } = this.#checked;
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
          ${this.#purpose(form)} ${this.#rest.isDue ? this.#columnsAndPrivacy(form) : nothing}
        </form>
        ${
          this.#rest.isDue
            ? html`<p class="pinned" aria-hidden="true">${this.#forecast.finding}</p>
                <div class="aside">${this.#forecast.render(form)}</div>`
            : nothing
        }
      </div>
      ${this.#rest.isDue ? this.#handOut(form) : nothing}
      <p class="hidden-visually" role="status">${this.announcement}</p>`;
  }

  #columnsAndPrivacy(form: DesignerForm): TemplateResult {
    const guarantee = this.#guarantee;
    const study = this.#planned;
    const { advice, noise } = this.#forecaster;
    return html`<section aria-labelledby="columns">
        <h2 id="columns" tabindex="-1">Columns</h2>
        <p class="help">
          Choose limits any textbook would give. Do not look at the data.
          <span class="aids">
            ${guideLink(this.guide, 'how-to/choose-bounds', 'How to choose limits')}
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
          </span>
        </p>
        ${this.#example.render()} ${this.#columns.render(form, this.#undoIn('columns'))}
        ${viewsEditor(form, this.#undoIn('views'))}
      </section>
      <section aria-labelledby="privacy">
        <h2 id="privacy" tabindex="-1">Privacy</h2>
        ${privacyEditor(form, { study, advice, guarantee }, this.guide)}
        ${disclosure(
          'Advanced',
          advancedSettings(form, {
            study,
            advice,
            guarantee,
            noise,
            modes: this.#modes,
            helpPage: this.helpPage,
            undo: this.#undoIn('privacy'),
          }),
          {
            open: this.advanced,
            aside: advancedInWords(this.draft),
            toggled: (open) => {
              this.advanced = open;
            },
          },
        )}
      </section>`;
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
                this.#replace(draftOf(offered));
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
    return undo?.where === 'draft'
      ? html`<div class="above">
          ${notice({ kind: 'stopped', title: undo.words, actions: this.#undoButton(undo) })}
        </div>`
      : nothing;
  }

  /** The line that offers to bring back what was lost in a part of the form. */
  #undoIn(part: Undo['where']): TemplateResult | typeof nothing {
    const { undo } = this;
    return undo?.where !== part
      ? nothing
      : html`<p class="undo">${undo.words} ${this.#undoButton(undo)}</p>`;
  }

  #undoButton(undo: Undo): TemplateResult {
    return html`<button
      class="button small"
      id="undo"
      type="button"
      @click=${() => {
        this.undo = undefined;
        this.draft = undo.restore(this.draft);
        if (undo.where === 'draft') {
          this.#forecast.forget();
          this.#columns.reset(this.draft);
        }
        this.announcement = 'Undone.';
        this.#focus(undo.focus);
      }}
    >
      Undo
    </button>`;
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

  /** Replaces the draft's columns by the proposed ones; columns keep views and words by name. */
  #useExample({ columns }: Proposal): void {
    const { draft } = this;
    if (!isEmpty({ ...emptyDraft(), columns: draft.columns })) {
      this.undo = {
        where: 'columns',
        words: 'The columns are replaced.',
        restore: (present) => ({ ...present, columns: draft.columns }),
        focus: 'add-column',
      };
    }
    this.draft = {
      ...draft,
      columns: columns.map((column, index) => {
        const own = draft.columns.find(({ name }) => name.trim() === column.name);
        const { view = 0, label = '', unit = '', description = '' } = own ?? {};
        const { deviation = '', weight = '' } = own ?? {};
        const words = { label, unit, description };
        return { ...draftColumn(column, index + 1, view), ...words, deviation, weight };
      }),
    };
    this.#columns.reset(this.draft);
    this.announcement = `${plural(columns.length, 'column')} filled in.`;
    this.#focus('columns.1.edit');
  }

  // The forecast

  get #guarantee(): Guarantee | undefined {
    const study = this.#planned;
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
    if (this.#planned === undefined || advice === undefined) return '';
    const usual = { ...this.draft, mode: 'independent', clipping: '', rowNorm: '' } as const;
    return modesInWords(advice, defaultClipping(usual) === 'centred');
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
                different fingerprint. This one is ${study.id.slice(0, 8)}…, for ${parties(study)}.
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
        const before = this.draft;
        const next = { ...before, ...patch };
        const obstacle =
          hasWeights(before) && isWeighted(next) && weightObstacle(next, presentClipping(next));
        this.draft =
          typeof obstacle === 'string' ? { ...next, columns: withoutWeights(next.columns) } : next;
        if (typeof obstacle === 'string') this.#offerWeights(before, patch, obstacle);
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
      edit: (name) => {
        this.#edited = [...this.#edited.filter((other) => other !== name), name];
      },
      offerUndo: (undo) => {
        this.undo = undo;
        this.announcement = undo.words;
      },
    };
  }

  /** Offers to bring back weights that a change left no room for, and what was there before it. */
  #offerWeights({ columns, ...before }: Draft, patch: Partial<Draft>, obstacle: string): void {
    const changed = Object.keys(patch) as (keyof Draft)[];
    const own = Object.fromEntries(
      Object.entries(before).filter(([key]) => changed.includes(key as keyof Draft)),
    );
    this.undo = {
      where: 'privacy',
      words: `The weights of columns are removed. ${obstacle}`,
      restore: (draft) => ({
        ...draft,
        ...own,
        columns: draft.columns.map((column) => {
          const { weight = '' } = columns.find(({ key }) => key === column.key) ?? {};
          return { ...column, weight };
        }),
      }),
      focus: 'clipping',
    };
    this.announcement = this.undo.words;
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
      if (isEmpty(this.draft)) this.#replace(draftOf(study));
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
      if (opened === this.#opened) this.#replace(draftOf(study));
    } catch (error) {
      if (opened === this.#opened) this.problem = describe(error);
    }
  }

  #replace(draft: Draft): void {
    this.#opened++;
    this.#forecast.forget();
    this.undo = isEmpty(this.draft) ? undefined : this.#backTo(this.draft);
    this.draft = draft;
    this.offered = undefined;
    this.problem = '';
    this.left = new Set();
    this.#edited = [];
    this.advanced = false;
    this.#columns.reset(draft);
    this.announcement = isEmpty(draft) ? 'The form is empty.' : `“${draft.title}” is open.`;
    this.#focus('title');
  }

  /** Brings back a draft; what it replaces then can be brought back in turn. */
  #backTo(before: Draft): Undo {
    return {
      where: 'draft',
      words: 'The draft was replaced.',
      restore: (present) => {
        if (!isEmpty(present)) this.undo = this.#backTo(present);
        return before;
      },
      focus: 'title',
    };
  }

  readonly #clear = (): void => {
    this.#replace(emptyDraft());
  };

  readonly #chooseStudy = (): void => {
    this.renderRoot.querySelector<HTMLInputElement>('#study-file')?.click();
  };
}

/** Whether the draft has weights that are possible. */
function hasWeights(draft: Draft): boolean {
  return isWeighted(draft) && weightObstacle(draft, presentClipping(draft)) === undefined;
}

/** The number of sites or participants, which a form filled in from the top might leave as it was. */
function parties({ federation, unit }: Study): string {
  return plural(federation.sites ?? 1, unit === 'row' ? 'site' : 'participant');
}
