import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { css, html, nothing, svg, type TemplateResult } from 'lit';

/** A value in a figure: where it is drawn, in CSS pixels, and what it says. */
export interface Mark {
  x: number;
  y: number;
  words: string;
}

/**
 * Reads out the marks of a figure one at a time, in a line below it: the one nearest to the mouse or the
 * finger, or the one that the arrow keys have reached. For keys and screen readers it is a slider over
 * the marks, which they know how to move and to announce.
 */
export class ReadOut implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  /** How much a distance across and one up or down count when the nearest mark is looked for. */
  readonly #scale: readonly [number, number];
  #marks: readonly Mark[] = [];
  /** Index of the mark that is read out. */
  #place: number | undefined;

  /** With `along`, the marks are one below the other (`rows`) or one beside the other (`columns`). */
  constructor(host: ReactiveControllerHost, along?: 'rows' | 'columns') {
    this.#host = host;
    this.#scale = [along === 'rows' ? 0 : 1, along === 'columns' ? 0 : 1];
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#place = undefined;
  }

  /** Draws a figure `name` so that its marks can be read out. */
  render(
    name: string,
    marks: readonly Mark[],
    draw: (pointer: TemplateResult | typeof nothing) => TemplateResult,
  ): TemplateResult {
    this.#marks = marks;
    const mark = marks[this.#place ?? -1];
    return html`<div
        class="read-out"
        @pointermove=${this.#point}
        @pointerdown=${this.#point}
        @pointerleave=${this.#leave}
      >
        ${draw(mark === undefined ? nothing : pointer(mark))}
        ${
          marks.length === 0
            ? nothing
            : html`<input
                class="hidden-visually"
                type="range"
                min="1"
                max=${marks.length}
                .value=${String((this.#place ?? 0) + 1)}
                aria-label="Read out: ${name}"
                aria-valuetext=${marks[this.#place ?? 0]?.words ?? ''}
                @focus=${this.#start}
                @input=${this.#step}
                @keydown=${this.#key}
                @blur=${this.#end}
              />`
        }
      </div>
      ${marks.length === 0 ? nothing : html`<p class="reading" aria-hidden="true">${mark?.words ?? nothing}</p>`}`;
  }

  #read(place: number | undefined): void {
    if (place === this.#place) return;
    this.#place = place;
    this.#host.requestUpdate();
  }

  readonly #point = (event: PointerEvent): void => {
    const drawn = (event.currentTarget as HTMLElement).querySelector('svg');
    if (drawn === null) return;
    const box = drawn.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const [across, down] = this.#scale;
    let nearest: number | undefined;
    let least = Infinity;
    for (const [place, mark] of this.#marks.entries()) {
      const distance = Math.hypot((mark.x - x) * across, (mark.y - y) * down);
      if (distance < least) [nearest, least] = [place, distance];
    }
    this.#read(nearest);
  };

  /** A finger that is lifted leaves its mark read out; a mouse that leaves does not. */
  readonly #leave = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse') this.#read(undefined);
  };

  readonly #start = (): void => {
    this.#read(this.#place ?? 0);
  };

  readonly #step = (event: Event): void => {
    this.#read(Number((event.target as HTMLInputElement).value) - 1);
  };

  /** In lists of bars, down is forward, which sliders take for backward. */
  readonly #key = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') this.#read(undefined);
    if (step === undefined) return;
    event.preventDefault();
    const place = (this.#place ?? 0) + step;
    this.#read(Math.min(this.#marks.length - 1, Math.max(0, place)));
  };

  readonly #end = (): void => {
    this.#read(undefined);
  };
}

/** A ring around the mark that is read out; files leave it out. */
function pointer({ x, y }: Mark): TemplateResult {
  return svg`<circle class="pointer" data-pointer cx=${x} cy=${y} r="10"></circle>`;
}

export const readOutStyles = css`
  .read-out {
    position: relative;
    border-radius: 4px;
  }

  .read-out:has(input:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: 4px;
  }

  .read-out input {
    margin: -1px;
    padding: 0;
    border: 0;
  }

  .pointer {
    fill: none;
    stroke: var(--_ink);
    stroke-width: 2;
  }

  .reading {
    min-height: 20px;
    margin-top: 8px;
    color: var(--_ink);
    font-size: 13px;
    line-height: 20px;
    font-weight: 500;
  }

  @media (forced-colors: active) {
    .pointer {
      stroke: Highlight;
    }
  }

  @media print {
    .read-out input,
    .reading {
      display: none;
    }
  }
`;
