import { LitElement, css, html, type CSSResult, type TemplateResult } from 'lit';
import { timesInHundred } from 'private-moments/words';
import { styles } from '../look/styles.js';
import { WidthController } from './width.js';

/** The styles of a scale of right guesses: its track, a coin's part, the gain on it, and a mark with words. */
export const guessStyles: CSSResult = css`
  .track {
    fill: var(--_sunken);
  }

  .coin {
    fill: var(--_line-2);
  }

  .gain {
    fill: var(--_accent);
  }

  .mark {
    stroke: var(--_accent);
  }

  text.own {
    fill: var(--_accent);
    font-size: 14px;
    font-weight: 600;
  }

  @media (forced-colors: active) {
    .track {
      stroke: CanvasText;
    }
  }
`;

/**
 * How many of 100 best possible guesses about one unit of privacy are right, on a scale with a coin (50)
 * and certainty (100).
 */
export class PmGuessBar extends LitElement {
  static override properties = { guess: { type: Number }, what: {} };

  static override styles = [styles, guessStyles];

  declare guess: number;
  declare what: string;

  readonly #size = new WidthController(this, 544);

  constructor() {
    super();
    this.guess = 50;
    this.what = 'this file';
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const shown = timesInHundred(this.guess);
    const at = (value: number): number => (value / 100) * width;
    const x = at(this.guess);
    const left = x > width - 110;
    return html`<svg
      width=${width}
      height="64"
      role="img"
      aria-label="A coin is right 50 times in 100, a guess with ${this.what} at most ${shown} times."
    >
      <rect class="track" x="0" y="26" width=${width} height="8"></rect>
      <rect class="coin" x="0" y="26" width=${at(50)} height="8"></rect>
      <rect class="gain" x=${at(50)} y="26" width=${x - at(50)} height="8"></rect>
      <line class="mark" x1=${x - 0.5} x2=${x - 0.5} y1="4" y2="34"></line>
      <text class="own" x=${left ? x - 8 : x + 8} y="16" text-anchor=${left ? 'end' : 'start'}>
        ${this.what} ${shown}
      </text>
      <text x=${at(50)} y="54" text-anchor="middle">coin 50</text>
      <text x=${width} y="54" text-anchor="end">certain 100</text>
    </svg>`;
  }
}
