import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { numberIn, textOf } from '../../controls/input-values.js';
import { described, field, fieldError } from '../../controls/field.js';
import type { Problem } from '../draft.js';

/** The numbers that a field accepts, and its error for others. */
export interface Allowed {
  allows: (value: number) => boolean;
  words: string;
}

/** A number field: `set` takes a valid number and returns the one that the field then shows. */
interface NumberField {
  id: string;
  label: string;
  value: number;
  allowed: Allowed;
  set: (value: number) => number;
  show?: (value: number) => string;
}

/** The number fields of the panel. One keeps invalid text, with its error, until it holds a number again. */
export class NumberFields {
  readonly #host: Pick<ReactiveControllerHost, 'requestUpdate'>;
  /** Invalid text by the id of its field, with the error. */
  #mistyped: ReadonlyMap<string, { text: string; words: string; isInline: boolean }> = new Map();

  constructor(host: Pick<ReactiveControllerHost, 'requestUpdate'>) {
    this.#host = host;
  }

  forget(): void {
    this.#mistyped = new Map();
  }

  get problems(): Problem[] {
    return [...this.#mistyped].map(([id, { words }]) => ({ field: id, message: words }));
  }

  /** The errors of the fields that are in lines of text. */
  inlineErrors(): TemplateResult[] {
    return [...this.#mistyped]
      .filter(([, { isInline }]) => isInline)
      .map(([id, { words }]) => html`${fieldError(id, words)}`);
  }

  /** A number in a line of text. */
  inline(about: NumberField): TemplateResult {
    const { id, label, value, set, show = String } = about;
    const mistyped = this.#mistyped.get(id);
    return html`<input
      class="inline"
      id=${id}
      aria-label=${label}
      inputmode="decimal"
      autocomplete="off"
      .value=${mistyped?.text ?? show(value)}
      aria-invalid=${mistyped === undefined ? 'false' : 'true'}
      aria-describedby=${described(id, mistyped?.words) || nothing}
      @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        const number = this.#take(about, input.value, true);
        // Sorting may leave this field's number as it was; rendering would then not replace the text typed.
        if (number !== undefined) input.value = show(set(number));
        this.#host.requestUpdate();
      }}
    />`;
  }

  /** A number in a field with a label above it. */
  labelled(about: NumberField): TemplateResult {
    const { id, label, value, set } = about;
    const mistyped = this.#mistyped.get(id);
    return field({
      id,
      label,
      control: html`<input
        class="text number"
        id=${id}
        inputmode="decimal"
        autocomplete="off"
        .value=${mistyped?.text ?? String(value)}
        aria-invalid=${mistyped === undefined ? 'false' : 'true'}
        aria-describedby=${described(id, mistyped?.words) || nothing}
        @change=${(event: Event) => {
          const number = this.#take(about, textOf(event), false);
          if (number !== undefined) set(number);
          this.#host.requestUpdate();
        }}
      />`,
      error: mistyped?.words,
    });
  }

  /** The number typed, if it is allowed; its error is kept until it is. */
  #take({ id, allowed }: NumberField, text: string, isInline: boolean): number | undefined {
    const number = numberIn(text);
    const { words } = allowed;
    const isAllowed = allowed.allows(number);
    const mistyped = new Map(this.#mistyped);
    if (isAllowed) mistyped.delete(id);
    else mistyped.set(id, { text, words, isInline });
    this.#mistyped = mistyped;
    return isAllowed ? number : undefined;
  }
}

export const ROWS_ALLOWED: Allowed = {
  allows: (value) => Number.isInteger(value) && value >= 1,
  words: 'Enter the rows of a site: a whole number of at least 1.',
};

export const SPREAD_ALLOWED: Allowed = {
  allows: (value) => value > 0 && value <= 0.5,
  words: 'Enter a number above 0, at most 0.5.',
};

export function shareBelow(most: number): Allowed {
  return {
    allows: (value) => value >= 0 && value < most,
    words: `Enter a number from 0 to below ${most}.`,
  };
}
