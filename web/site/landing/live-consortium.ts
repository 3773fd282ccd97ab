import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { bestGuess, count, timesInHundred } from 'private-moments/words';
import type { ValueDetail } from '../../elements/src/index.js';
import { divergingSteps, stepColours } from '../../elements/src/figures/diverging.js';
import { figureStyles } from '../../elements/src/figures/hatch.js';
import { pause, play } from '../../elements/src/look/icons.js';
import { styles } from '../../elements/src/look/styles.js';
import { LENGTH, drawing, paintCells } from './drawing.js';
import { Consortium } from './consortium.js';
import type { Round, Sites } from './consortium-protocol.js';

/** ms between two pictures: half as many as most screens show, as drawing one takes a slow processor long. */
const FRAME = 30;
/** How often the drawing plays by itself. */
const PLAYS = 2;
const NARROW = '(max-width: 999px)';
const DARK = '(prefers-color-scheme: dark)';
const STILL = '(prefers-reduced-motion: reduce)';

const TICKS = [{ value: 0.1, note: 'more noise' }, { value: 1 }, { value: 10, note: 'less noise' }];

export interface RoundDetail {
  round: Round;
}

/**
 * Ten sites and an analyst in one tab, with real mechanisms on public data: `sample` is the address of
 * the folder with study.json and site-01.csv to site-10.csv. Plays twice, while it is in view; the slider
 * makes all releases again. Emits `pm-round` when releases were made.
 */
export class PmLiveConsortium extends LitElement {
  static override properties = {
    sample: {},
    epsilon: { state: true },
    sites: { state: true },
    round: { state: true },
    time: { state: true },
    isPaused: { state: true },
    isNarrow: { state: true },
    problem: { state: true },
  };

  static override styles = [
    styles,
    figureStyles,
    divergingSteps,
    css`
      :host {
        position: relative;
        padding: 28px 32px 24px;
        border-radius: 10px;
        background: var(--_surface);
      }

      .drawing {
        min-height: 316px;
        overflow: hidden;
      }

      .drawing svg {
        overflow: visible;
      }

      .drawing.waiting {
        display: grid;
        place-items: center;
        color: var(--_ink-2);
      }

      text {
        fill: var(--_ink-3);
        font-size: 12px;
      }

      text.below {
        font-size: 13px;
      }

      text.ordinal {
        fill: var(--_ink-2);
      }

      .box {
        fill: var(--_bg);
        stroke: var(--_line);
      }

      .wall {
        stroke: var(--_line-2);
        stroke-dasharray: 4 4;
      }

      .arrow {
        fill: none;
        stroke: var(--_line-2);
        stroke-width: 1.5;
        stroke-linecap: round;
        stroke-linejoin: round;
      }

      .empty {
        fill: none;
        stroke: var(--_line);
      }

      .stage {
        position: relative;
        width: fit-content;
      }

      .stage svg {
        display: block;
      }

      .stage canvas {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
      }

      .bar {
        fill: var(--_accent);
        opacity: 0.9;
      }

      .bar.in-floor {
        opacity: 0.28;
      }

      .dot.hollow {
        fill: var(--_surface);
      }

      .whisker.faint {
        fill: none;
      }

      .play {
        position: absolute;
        top: 22px;
        right: 24px;
        display: flex;
        align-items: center;
        gap: 6px;
        min-height: 32px;
        padding: 0 8px;
        border: 0;
        border-radius: 6px;
        background: none;
        color: var(--_ink-2);
        font: 400 13px/20px var(--_font);
        cursor: pointer;
      }

      .play:hover {
        color: var(--_ink);
      }

      .knobs {
        display: grid;
        grid-template-columns: 43.2% 1fr;
        gap: 16px 8%;
        align-items: start;
        margin-top: 20px;
        padding-top: 20px;
        border-top: 1px solid var(--_line);
      }

      .knobs .help {
        min-height: 44px;
      }

      .knobs .label {
        margin-top: 8px;
      }

      @media (max-width: 1151px) {
        .drawing svg {
          max-width: 100%;
          height: auto;
        }
      }

      @media (max-width: 999px) {
        .drawing {
          min-height: 536px;
        }

        .stage {
          margin: 0 auto;
        }

        .knobs {
          grid-template-columns: 1fr;
        }
      }

      @media (max-width: 759px) {
        :host {
          padding: 20px 16px;
          border-radius: 0;
        }

        .play {
          top: 10px;
          right: 8px;
          min-height: 44px;
        }
      }
    `,
  ];

  declare sample: string;
  declare epsilon: number;
  declare sites: Sites | undefined;
  declare round: Round | undefined;
  /** Since the drawing began, in ms. */
  declare time: number;
  declare isPaused: boolean;
  declare isNarrow: boolean;
  declare problem: boolean;

  readonly #narrow = matchMedia(NARROW);
  readonly #still = matchMedia(STILL);
  readonly #dark = matchMedia(DARK);
  readonly #consortium = new Consortium();
  /** With fresh noise, for the drawing's next time. */
  #next: Round | undefined;
  #played = 0;
  #isInView = false;
  #frame = 0;
  #last: number | undefined;
  readonly #observer = new IntersectionObserver((entries) => {
    this.#isInView = entries.at(-1)?.isIntersecting === true;
    this.#continue();
  });

  constructor() {
    super();
    this.sample = '';
    this.epsilon = 1;
    this.sites = undefined;
    this.round = undefined;
    this.time = this.#still.matches ? LENGTH : 0;
    this.isPaused = false;
    this.isNarrow = this.#narrow.matches;
    this.problem = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#narrow.addEventListener('change', this.#resized);
    this.#dark.addEventListener('change', this.#repaint);
    this.#observer.observe(this);
    void this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#narrow.removeEventListener('change', this.#resized);
    this.#dark.removeEventListener('change', this.#repaint);
    this.#observer.disconnect();
    this.#consortium.end();
    cancelAnimationFrame(this.#frame);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('round') && this.round !== undefined) {
      const detail: RoundDetail = { round: this.round };
      this.dispatchEvent(new CustomEvent('pm-round', { detail }));
    }
  }

  protected override updated(): void {
    const { sites, round, time } = this;
    const canvas = this.renderRoot.querySelector('canvas');
    if (canvas === null || sites === undefined || round === undefined) return;
    const { exact, rows } = sites;
    paintCells(canvas, { round, exact, rows, time }, this.isNarrow, stepColours(this.renderRoot));
  }

  protected override render(): TemplateResult {
    return html`${this.#drawing()} ${this.#playButton()}
      <div class="knobs">
        <pm-log-slider
          label="Privacy, ε"
          name="Epsilon"
          min="0.1"
          max="10"
          .value=${this.epsilon}
          .ticks=${TICKS}
          @pm-value=${this.#slide}
        ></pm-log-slider>
        <div>
          <p class="help">${this.#guess()}</p>
          <p class="label">${this.#about()}</p>
        </div>
      </div>`;
  }

  #drawing(): TemplateResult {
    const { sites, round, time } = this;
    if (sites === undefined || round === undefined) {
      const words = this.problem
        ? 'The sample could not be loaded. Reload the page to try again.'
        : 'Ten sites are being set up in this tab.';
      return html`<p class="drawing waiting" role="status">${words}</p>`;
    }
    const { exact, rows } = sites;
    return html`<div class="drawing">
      <div class="stage">
        ${drawing({ round, exact, rows, time }, this.isNarrow)}
        <canvas aria-hidden="true"></canvas>
      </div>
    </div>`;
  }

  #playButton(): TemplateResult | typeof nothing {
    if (this.round === undefined || this.#still.matches) return nothing;
    const hasEnded = this.time >= LENGTH;
    return html`<button class="play" type="button" @click=${this.#pressed}>
      ${hasEnded || this.isPaused ? play : pause}
      ${hasEnded ? 'Replay' : this.isPaused ? 'Play' : 'Pause'}
    </button>`;
  }

  #guess(): string {
    if (this.round === undefined) return '';
    const { epsilon, guarantee } = this.round;
    return `At ε = ${epsilon}, someone who knows every other row still has to guess which of two equally likely versions yours is. They guess right at most ${timesInHundred(bestGuess(guarantee))} times in 100. A coin gets 50.`;
  }

  #about(): string {
    const rows = this.sites?.rows.reduce((sum, more) => sum + more, 0);
    const people = rows === undefined ? '' : `: ${count(rows)} people, ten sites`;
    return `Public census data${people}. Computed in this tab, again at each step of the slider.`;
  }

  /** Cells are painted in the colours of one theme. */
  readonly #repaint = (): void => {
    this.requestUpdate();
  };

  readonly #resized = (): void => {
    this.isNarrow = this.#narrow.matches;
  };

  async #begin(): Promise<void> {
    try {
      this.sites = await this.#consortium.open(this.sample);
      this.round ??= await this.#consortium.round(this.epsilon, !this.#still.matches);
      if (!this.#still.matches) await this.#prepare();
    } catch {
      this.problem = true;
    }
    this.#continue();
  }

  /** Makes releases for the drawing's next time. */
  async #prepare(): Promise<void> {
    this.#continue();
    this.#next = await this.#consortium.round(this.epsilon, true);
  }

  readonly #slide = async (event: CustomEvent<ValueDetail>): Promise<void> => {
    this.epsilon = event.detail.value;
    this.#played = PLAYS;
    this.#next = undefined;
    this.time = LENGTH;
    try {
      const round = await this.#consortium.round(this.epsilon, false);
      if (round !== undefined) this.round = round;
    } catch {
      this.problem = true;
    }
  };

  readonly #pressed = async (): Promise<void> => {
    if (this.time < LENGTH) {
      this.isPaused = !this.isPaused;
      this.#continue();
      return;
    }
    this.#played = PLAYS - 1;
    this.isPaused = false;
    const round = this.#next ?? (await this.#consortium.round(this.epsilon, true));
    this.#next = undefined;
    if (round === undefined) return;
    this.round = round;
    this.time = 0;
    this.#continue();
  };

  /** Asks for the next frame, unless nothing moves. */
  #continue(): void {
    cancelAnimationFrame(this.#frame);
    this.#last = undefined;
    if (!this.#isMoving()) return;
    this.#frame = requestAnimationFrame(this.#step);
  }

  #isMoving(): boolean {
    return this.round !== undefined && this.#isInView && !this.isPaused && this.time < LENGTH;
  }

  readonly #step = (now: number): void => {
    const passed = now - (this.#last ?? now - FRAME);
    if (passed >= FRAME) {
      this.time = Math.min(LENGTH, this.time + Math.min(100, passed));
      this.#last = now;
      if (this.time >= LENGTH) this.#ended();
    }
    if (this.#isMoving()) this.#frame = requestAnimationFrame(this.#step);
  };

  #ended(): void {
    this.#played++;
    if (this.#played >= PLAYS || this.#next === undefined) return;
    this.round = this.#next;
    this.#next = undefined;
    this.time = 0;
  }
}
