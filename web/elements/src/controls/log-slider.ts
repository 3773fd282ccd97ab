import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { numberIn, textOf } from './input-values.js';
import { bound, compact } from 'private-moments/words';
import { described, fieldError, fieldStyles } from './field.js';
import { atShare, logShare, nextStep } from '../base/log-steps.js';
import { styles } from '../look/styles.js';
import type { ValueDetail } from '../contract/elements.js';

export interface Tick {
  value: number;
  /** Written in place of the number. */
  label?: string;
  /** Words below the number. */
  note?: string;
}

const POSITIONS = 400;
/** Up to this value, arrow keys step through whole numbers one by one. */
const ONE_BY_ONE = 10;

/**
 * A number on a log scale: a slider, whose arrow keys go 1, 2, 5, 10, and a field for any value. Takes
 * `label`, `name` (said by screen readers before the value), `min`, `max`, `value`, `ticks`, `error`,
 * `whole` (only whole numbers, small ones one by one), `quiet` (the field looks like text until it is
 * used) and `show`, how a value is written; emits `pm-value` with `{ value }`.
 */
export class PmLogSlider extends LitElement {
  static override properties = {
    label: {},
    name: {},
    min: { type: Number },
    max: { type: Number },
    value: { type: Number },
    ticks: { attribute: false },
    error: {},
    whole: { type: Boolean },
    quiet: { type: Boolean, reflect: true },
    show: { attribute: false },
    typed: { state: true },
  };

  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  static override styles = [
    styles,
    fieldStyles,
    css`
      .top {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 16px;
        margin-bottom: 6px;
      }

      .top label {
        font-size: 14px;
        line-height: 20px;
        font-weight: 600;
      }

      .top input {
        width: 112px;
      }

      :host([quiet]) .top {
        gap: 8px;
        margin-bottom: 0;
      }

      :host([quiet]) .top label {
        flex: none;
      }

      :host([quiet]) .top input:not([aria-invalid='true']) {
        flex: 1 1 0;
        min-height: 32px;
        margin-right: -8px;
        padding: 0 8px;
        border-color: transparent;
        color: var(--_accent);
        font-size: 14px;
        font-weight: 600;
      }

      :host([quiet]) .top input:hover,
      :host([quiet]) .top input:focus {
        border-color: var(--_line-2);
      }

      :host([quiet]) .range {
        padding-bottom: 18px;
      }

      :host([quiet]) .tick span {
        top: 4px;
      }

      :host([quiet]) .tick::before {
        content: none;
      }

      :host([quiet]) .tick b {
        color: var(--_ink-3);
        font-weight: 400;
      }

      .range {
        position: relative;
        padding-bottom: 40px;
      }

      .range.notes {
        padding-bottom: 60px;
      }

      input[type='range'] {
        display: block;
        width: 100%;
        height: 32px;
        margin: 0;
        background: none;
        appearance: none;
        cursor: pointer;
      }

      input[type='range']::-webkit-slider-runnable-track {
        height: 4px;
        border-radius: 2px;
        background: linear-gradient(
          to right,
          var(--_accent) var(--_filled, 50%),
          var(--_sunken) var(--_filled, 50%)
        );
      }

      input[type='range']::-moz-range-track {
        height: 4px;
        border-radius: 2px;
        background: var(--_sunken);
      }

      input[type='range']::-moz-range-progress {
        height: 4px;
        border-radius: 2px;
        background: var(--_accent);
      }

      input[type='range']::-webkit-slider-thumb {
        width: 24px;
        height: 24px;
        margin-top: -10px;
        border: 3px solid var(--_bg);
        border-radius: 50%;
        outline: 1px solid var(--_accent);
        background: var(--_accent);
        appearance: none;
      }

      input[type='range']::-moz-range-thumb {
        width: 18px;
        height: 18px;
        border: 3px solid var(--_bg);
        border-radius: 50%;
        outline: 1px solid var(--_accent);
        background: var(--_accent);
      }

      input[type='range']:focus-visible {
        outline: 2px solid var(--_accent);
        outline-offset: 2px;
        border-radius: 6px;
      }

      .tick {
        position: absolute;
        top: 26px;
        left: calc(12px + (100% - 24px) * var(--_at));
        width: 0;
      }

      .tick::before {
        content: '';
        position: absolute;
        left: -0.5px;
        height: 7px;
        border-left: 1px solid var(--_line-2);
      }

      .tick span {
        position: absolute;
        top: 10px;
        left: 0;
        transform: translateX(-50%);
        color: var(--_ink-3);
        font-size: 12px;
        line-height: 18px;
        text-align: center;
        white-space: nowrap;
      }

      .tick.first span {
        left: -12px;
        transform: none;
        text-align: left;
      }

      .tick.last span {
        right: -12px;
        left: auto;
        transform: none;
        text-align: right;
      }

      .tick.chosen span,
      .tick.chosen b {
        color: var(--_accent);
      }

      .tick b {
        display: block;
        color: var(--_ink-2);
        font-weight: 500;
      }

      @media (pointer: coarse) {
        input[type='range'] {
          height: 44px;
        }

        .tick {
          top: 32px;
        }

        input[type='range']::-webkit-slider-thumb {
          width: 28px;
          height: 28px;
          margin-top: -12px;
        }
      }

      @media (forced-colors: active) {
        input[type='range'] {
          appearance: auto;
        }
      }
    `,
  ];

  declare label: string;
  declare name: string;
  declare min: number;
  declare max: number;
  declare value: number;
  declare ticks: readonly Tick[];
  declare error: string | undefined;
  declare whole: boolean;
  declare quiet: boolean;
  declare show: (value: number) => string;
  /** The text in the field while it is being edited. */
  declare typed: string | undefined;

  /** The last value that was chosen here. */
  #own = NaN;

  constructor() {
    super();
    this.label = '';
    this.name = '';
    this.min = 0.1;
    this.max = 10;
    this.value = 1;
    this.ticks = [];
    this.error = undefined;
    this.whole = false;
    this.quiet = false;
    this.show = String;
    this.typed = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // A value set from outside replaces what was typed.
    if (changed.has('value') && !Object.is(this.value, this.#own)) this.typed = undefined;
  }

  protected override render(): TemplateResult {
    const { value, error } = this;
    const share = logShare(value, this.min, this.max);
    const notes = this.ticks.some(({ note }) => note !== undefined);
    return html`<div class="top">
        <label for="value">${this.label}</label>
        <input
          id="value"
          class="text number"
          inputmode="decimal"
          autocomplete="off"
          .value=${this.typed ?? (Number.isNaN(value) ? '' : this.show(value))}
          aria-invalid=${error === undefined ? 'false' : 'true'}
          aria-describedby=${described('value', error) || nothing}
          @input=${this.#type}
          @focus=${this.#enter}
          @blur=${this.#leave}
        />
      </div>
      <div class="range ${notes ? 'notes' : ''}">
        <input
          type="range"
          min="0"
          max=${POSITIONS}
          step="1"
          .value=${String(Math.round(share * POSITIONS))}
          aria-label=${this.name}
          aria-valuetext="${this.name} ${this.show(value)}"
          @input=${this.#slide}
          @keydown=${this.#key}
        />
        <div aria-hidden="true">
          ${this.ticks.map((tick, i) => this.#tick(tick, i === 0, i === this.ticks.length - 1))}
        </div>
      </div>
      ${fieldError('value', error)}`;
  }

  #tick({ value, label, note }: Tick, isFirst: boolean, isLast: boolean): TemplateResult {
    const chosen = Math.abs(value / this.value - 1) < 1e-9 ? 'chosen' : '';
    const end = isFirst ? 'first' : isLast ? 'last' : '';
    return html`<div class="tick ${end} ${chosen}" data-at=${logShare(value, this.min, this.max)}>
      <span
        ><b>${label ?? (value < 1000 ? bound(value) : compact(value))}</b>${note ?? nothing}</span
      >
    </div>`;
  }

  /** Positions ticks through the style object, which a strict content security policy allows. */
  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('ticks') || changed.has('min') || changed.has('max')) {
      for (const tick of this.renderRoot.querySelectorAll<HTMLElement>('.tick')) {
        tick.style.setProperty('--_at', tick.dataset.at ?? '0');
      }
    }
    const share = logShare(this.value, this.min, this.max);
    this.renderRoot
      .querySelector<HTMLElement>('input[type=range]')
      ?.style.setProperty('--_filled', `calc(12px + (100% - 24px) * ${share})`);
  }

  #set(value: number): void {
    this.typed = undefined;
    this.value = value;
    this.#announce();
  }

  #announce(): void {
    this.#own = this.value;
    const detail: ValueDetail = { value: this.value };
    this.dispatchEvent(new CustomEvent('pm-value', { detail, bubbles: true, composed: true }));
  }

  readonly #slide = (event: Event): void => {
    const share = Number(textOf(event)) / POSITIONS;
    const value = atShare(share, this.min, this.max);
    this.#set(this.whole ? Math.round(value) : value);
  };

  readonly #key = (event: KeyboardEvent): void => {
    const { min, max, value } = this;
    const within = (wanted: number): number => Math.min(max, Math.max(min, wanted));
    const from = Number.isNaN(value) ? min : within(value);
    const step = (up: boolean): number =>
      this.whole && (up ? from < ONE_BY_ONE : from <= ONE_BY_ONE)
        ? from + (up ? 1 : -1)
        : nextStep(from, up);
    const moves: Record<string, () => number> = {
      ArrowRight: () => within(step(true)),
      ArrowUp: () => within(step(true)),
      ArrowLeft: () => within(step(false)),
      ArrowDown: () => within(step(false)),
      PageUp: () => within(from * 10),
      PageDown: () => within(from / 10),
      Home: () => min,
      End: () => max,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.#set(Number(move().toPrecision(12)));
  };

  readonly #type = (event: Event): void => {
    this.typed = textOf(event);
    // A quiet field shows commas between thousands.
    this.value = numberIn(this.quiet ? this.typed.replaceAll(',', '') : this.typed);
    this.#announce();
  };

  /** Selects the text of a quiet field, whose format may differ from what is typed. */
  readonly #enter = (event: Event): void => {
    if (this.quiet) (event.target as HTMLInputElement).select();
  };

  readonly #leave = (): void => {
    if (!Number.isNaN(this.value)) this.typed = undefined;
  };
}
