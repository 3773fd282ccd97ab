import type { ConsortiumWay } from 'private-moments-research';
import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { about } from './consortium-about.js';
import { ConsortiumCurves, type Curves } from './consortium-curves.js';
import { SETS, type ConsortiumSet } from './consortium-sets.js';
import { RANGES, settingOf, withSites, type Along, type Setting } from './consortium-setting.js';
import { consortiumStyles } from './consortium-styles.js';
import {
  TITLES,
  WAYS,
  caption,
  csvOf,
  description,
  finding,
  others,
  outcomeOf,
  shownValue,
  written,
  type Shown,
} from './consortium-words.js';
import { bound, count, roundedUp } from 'private-moments/words';
import {
  disclosureStyles,
  fieldStyles,
  NearController,
  notice,
  noticeStyles,
  RestController,
  saveCsv,
  styles,
  textOf,
  type PmLogSlider,
  type ValueDetail,
} from 'private-moments/internal/elements';

/** The ways that are always drawn, from the least loss to the largest. */
const ALWAYS: readonly ConsortiumWay[] = ['pooled', 'split', 'cape', 'conventional', 'local'];

/** Names and ranges of the sliders. */
const SLIDERS: readonly {
  along: Along;
  label: string;
  name: string;
  whole: boolean;
}[] = [
  { along: 'epsilon', label: 'Privacy, ε', name: 'epsilon', whole: false },
  { along: 'delta', label: 'Slack, δ', name: 'delta', whole: false },
  { along: 'sites', label: 'Sites', name: 'sites', whole: true },
  { along: 'rows', label: 'Rows per site', name: 'rows per site', whole: true },
];

const ALL = [...SLIDERS.map(({ along }) => along), 'honest'] as const;

/**
 * A consortium on built-in data: sliders for the promise and the sites, and how much of the canonical
 * correlations each way to combine the sites recovers, as in the figures of the papers. Everything is
 * simulated in a worker; a step of a slider interpolates the simulation.
 */
export class PmConsortium extends LitElement {
  static override properties = {
    set: { state: true },
    setting: { state: true },
    along: { state: true },
    shown: { state: true },
    published: { state: true },
    opened: { state: true },
    wrong: { state: true },
  };

  static override styles = [styles, fieldStyles, noticeStyles, disclosureStyles, consortiumStyles];

  declare set: ConsortiumSet;
  declare setting: Setting;
  declare along: Along;
  declare shown: Shown;
  /** Whether capeCCA's own calibration is drawn. */
  declare published: boolean;
  /** What is open below the figure. */
  declare opened: 'table' | 'words' | undefined;
  /** The errors of the sliders' fields. */
  declare wrong: Readonly<Partial<Record<Along | 'honest', string | undefined>>>;

  readonly #rest = new RestController(this);
  readonly #curves = new ConsortiumCurves(this);
  /** The simulation starts only when the element is near the window. */
  readonly #near = new NearController(this);

  constructor() {
    super();
    const [first] = SETS;
    if (first === undefined) throw new Error('there is no data set');
    this.set = first;
    this.setting = settingOf(first);
    this.along = 'epsilon';
    this.shown = 'first';
    this.published = false;
    this.opened = undefined;
    this.wrong = {};
  }

  protected override willUpdate(): void {
    if (this.#near.isNear) this.#curves.ask(this.set, this.along, this.setting);
  }

  protected override render(): TemplateResult {
    return html`<div class="layout">
      <form
        class="controls"
        aria-labelledby="consortium"
        @submit=${(event: Event) => {
          event.preventDefault();
        }}
      >
        ${this.#rest.isDue ? this.#controls() : nothing}
      </form>
      <section class="figure" aria-labelledby="title">${this.#figure()}</section>
      <div class="about">${about(this.set)}</div>
    </div>`;
  }

  /** Resolves once the controls are rendered, too. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await this.#rest.due;
    return super.getUpdateComplete();
  }

  // What can be set

  #controls(): TemplateResult {
    const { set, setting } = this;
    return html`<h2 id="consortium"><label for="set">Consortium</label></h2>
      <select
        id="set"
        aria-describedby="set-hint"
        @change=${(event: Event) => {
          this.#choose(SETS.find(({ id }) => id === textOf(event)) ?? set);
        }}
      >
        ${SETS.map(
          ({ id, title }) => html`<option value=${id} ?selected=${id === set.id}>${title}</option>`,
        )}
      </select>
      <p class="hint set-hint" id="set-hint">
        ${set.rows === null ? nothing : `${count(set.rows)} ${set.rowsAre}. `}${set.about}
      </p>
      ${SLIDERS.map(({ along, label, name, whole }) => {
        const [min, max] = RANGES[along];
        return html`<pm-log-slider
          id=${along}
          quiet
          ?whole=${whole}
          label=${label}
          name=${name}
          .min=${min}
          .max=${max}
          .value=${setting[along]}
          .show=${SHOW[along]}
          .ticks=${TICKS[along]}
          .error=${this.wrong[along]}
          @pm-value=${(event: CustomEvent<ValueDetail>) => {
            this.#change(along, event.detail.value);
          }}
        ></pm-log-slider>`;
      })}
      ${
        setting.sites === 1
          ? nothing
          : html`<pm-log-slider
              id="honest"
              quiet
              whole
              label="Honest sites"
              name="honest sites"
              .min=${1}
              .max=${setting.sites}
              .value=${setting.honest}
              .show=${this.#showHonest}
              .ticks=${endsOf(1, setting.sites, count)}
              .error=${this.wrong.honest}
              @pm-value=${(event: CustomEvent<ValueDetail>) => {
                this.#change('honest', event.detail.value);
              }}
            ></pm-log-slider>`
      }
      <p class="reset">
        <button class="link" type="button" @click=${this.#reset}>Reset</button>
      </p>
      <p class="pinned" aria-hidden="true">${this.#finding()}</p>`;
  }

  readonly #showHonest = (value: number): string =>
    `${count(value)} of ${count(this.setting.sites)}`;

  #change(name: Along | 'honest', value: number): void {
    const [min, max] = name === 'honest' ? ([1, this.setting.sites] as const) : RANGES[name];
    const isWhole = name !== 'epsilon' && name !== 'delta';
    if (!(value >= min && value <= max) || (isWhole && !Number.isInteger(value))) {
      const show = name === 'honest' ? count : SHOW[name];
      const kind = isWhole ? 'A whole number' : 'A number';
      this.wrong = { ...this.wrong, [name]: `${kind} from ${show(min)} to ${show(max)}.` };
      return;
    }
    this.wrong = { ...this.wrong, [name]: undefined };
    if (name !== 'sites') this.setting = { ...this.setting, [name]: value };
    else this.#set(withSites(this.setting, value), ['honest']);
  }

  /** Sets the setting, and replaces whatever was typed into the named sliders. */
  #set(setting: Setting, names: readonly (Along | 'honest')[]): void {
    this.setting = setting;
    this.wrong = { ...this.wrong, ...Object.fromEntries(names.map((name) => [name, undefined])) };
    for (const name of names) {
      const slider = this.renderRoot.querySelector<PmLogSlider>(`pm-log-slider#${name}`);
      if (slider !== null) slider.value = setting[name];
    }
  }

  /** Chooses another data set, with its own rows and sites and the same promise. */
  #choose(set: ConsortiumSet): void {
    const { epsilon, delta } = this.setting;
    this.set = set;
    this.#set({ ...settingOf(set), epsilon, delta }, ALL);
  }

  readonly #reset = (): void => {
    this.#set(settingOf(this.set), ALL);
  };

  // What is drawn

  #figure(): TemplateResult {
    const { curves, problem } = this.#curves;
    const isBehind = curves !== undefined && curves.set !== this.set;
    return html`<h2 id="title">${TITLES[this.shown]}</h2>
      <p class="finding" role="status">${this.#finding()}</p>
      ${
        problem === ''
          ? nothing
          : notice({ kind: 'bad', title: 'This cannot be simulated.', body: problem })
      }
      <div class="choose">
        ${this.#select('shown', 'Show', this.shown, [
          ['first', 'the strongest link'],
          ['all', 'all links'],
          ['error', 'error of the correlations'],
        ])}
        ${this.#select('along', 'along', this.along, [
          ['epsilon', 'privacy ε'],
          ['delta', 'chance of a larger leak δ'],
          ['sites', 'sites'],
          ['rows', 'rows per site'],
        ])}
        <label class="check">
          <input
            type="checkbox"
            .checked=${this.published}
            @change=${(event: Event) => {
              this.published = (event.target as HTMLInputElement).checked;
            }}
          />
          capeCCA as published
        </label>
      </div>
      <figure>
        <pm-consortium-figure
          .curves=${curves}
          .shown=${this.shown}
          .ways=${this.#ways}
          ?behind=${isBehind}
        ></pm-consortium-figure>
        <figcaption>
          ${curves === undefined ? 'Simulating …' : caption(curves, this.shown)}
          ${curves === undefined || !this.published ? nothing : this.#promise(curves)}
          ${curves === undefined ? nothing : this.#links(curves)}
        </figcaption>
      </figure>
      ${curves === undefined ? nothing : this.#opened(curves)}`;
  }

  #finding(): string {
    const { curves } = this.#curves;
    return curves?.set === this.set ? finding(curves, this.shown) : '';
  }

  get #ways(): readonly ConsortiumWay[] {
    return this.published ? [...ALWAYS, 'cape-published'] : ALWAYS;
  }

  #select(
    name: 'shown' | 'along',
    label: string,
    value: string,
    choices: readonly (readonly [string, string])[],
  ): TemplateResult {
    const id = `by-${name}`;
    return html`<span class="choice">
      <label for=${id}>${label}</label>
      <select
        id=${id}
        @change=${(event: Event) => {
          Object.assign(this, { [name]: textOf(event) });
        }}
      >
        ${choices.map(
          ([choice, words]) =>
            html`<option value=${choice} ?selected=${choice === value}>${words}</option>`,
        )}
      </select>
    </span>`;
  }

  /** The price of the smaller noise. */
  #promise({ present, setting }: Curves): TemplateResult | typeof nothing {
    const published = outcomeOf(present, 'cape-published');
    if (published === undefined) return nothing;
    const real = bound(roundedUp(published.epsilon, 3));
    return html`<span class="published"
      >The paper’s own noise for capeCCA counts a single message, and a row that is removed. Against
      someone who sees all messages, and for one row replaced by any other, it promises ε = ${real},
      not ${bound(setting.epsilon)}.</span
    >`;
  }

  #links(curves: Curves): TemplateResult {
    const toggle = (what: 'table' | 'words', label: string): TemplateResult =>
      html`<button
        class="link"
        type="button"
        aria-expanded=${this.opened === what ? 'true' : 'false'}
        @click=${() => {
          this.opened = this.opened === what ? undefined : what;
        }}
      >
        ${label}
      </button>`;
    return html`<span class="links">
      <button
        class="link"
        type="button"
        @click=${() => {
          saveCsv(csvOf(curves), `${curves.set.id}-${curves.along}.csv`);
        }}
      >
        Data, CSV
      </button>
      ${toggle('table', 'See as a table')} ${toggle('words', 'Describe this chart')}
    </span>`;
  }

  #opened(curves: Curves): TemplateResult | typeof nothing {
    if (this.opened === 'words') {
      return html`<p class="help described">${description(curves, this.shown, this.#ways)}</p>`;
    }
    return this.opened === 'table' ? this.#table(curves) : nothing;
  }

  #table({ along, grid, outcomes, setting }: Curves): TemplateResult {
    const heads = { epsilon: 'ε', delta: 'δ', sites: 'Sites', rows: 'Rows per site' };
    return html`<div
      class="scroll table"
      tabindex="0"
      role="region"
      aria-label="${TITLES[this.shown]} as a table"
    >
      <table>
        <caption class="hidden-visually">
          ${TITLES[this.shown]}, ${others(along, setting)}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="right">${heads[along]}</th>
            ${this.#ways.map((way) => html`<th scope="col" class="right">${WAYS[way]}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${grid.map(
            (value, i) =>
              html`<tr>
                <th scope="row" class="right">${written(along, value)}</th>
                ${this.#ways.map(
                  (way) =>
                    html`<td class="right">
                      ${shownValue(this.shown, outcomeOf(outcomes[i] ?? [], way)?.[this.shown] ?? NaN)}
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}

const SHOW = Object.fromEntries(
  Object.keys(RANGES).map((along) => [along, (value: number) => written(along as Along, value)]),
) as Record<Along, (value: number) => string>;

const TICKS = Object.fromEntries(
  Object.entries(RANGES).map(([along, [min, max]]) => [
    along,
    endsOf(min, max, (value) => written(along as Along, value)),
  ]),
) as Record<Along, { value: number; label: string }[]>;

function endsOf(min: number, max: number, show: (value: number) => string) {
  return [min, max].map((value) => ({ value, label: show(value) }));
}
