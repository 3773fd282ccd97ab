import { LitElement, css, html, svg, type TemplateResult } from 'lit';
import { timesInHundred } from 'private-moments/words';
import { guessStyles, styles, textWidth, WidthController } from 'private-moments/internal/elements';

/** A text beside a mark of the bar. */
export interface BarLabel {
  words: string;
  x: number;
  anchor: 'start' | 'middle' | 'end';
}

/** Where everything on a bar of a width lies; widths of words come from `measure`. */
export function barOf(
  { score, best }: { score: number; best: number },
  width: number,
  measure: (words: string) => number,
): { coin: number; you: number; most: number; labels: BarLabel[] } {
  const at = (share: number): number => (share / 100) * width;
  const [coin, you, most] = [at(50), at(score), at(best)];
  const hundred = width - measure('100') - 8;
  const shown = timesInHundred(best);
  // To the right of its mark while it fits before the end, else to the left; shorter if it fits nowhere.
  const fits = (words: string): 'start' | 'end' | undefined => {
    const room = measure(words) + 4;
    if (most + room < hundred) return 'start';
    if (most - room > coin) return 'end';
    return most + room <= width ? 'start' : undefined;
  };
  const long = `best possible ${shown}`;
  const words = fits(long) === undefined ? `best ${shown}` : long;
  const isRight = fits(words) !== 'end';
  const end = isRight ? most + 4 + measure(words) : most;
  return {
    ...{ coin, you, most },
    labels: [
      { words: 'coin 50', x: coin - 4, anchor: 'end' },
      { words, x: isRight ? most + 4 : most - 4, anchor: isRight ? 'start' : 'end' },
      ...(end < hundred ? [{ words: '100', x: width, anchor: 'end' as const }] : []),
    ],
  };
}

/** A game's score on a scale with a coin, and the best possible share of right bets. */
export class PmScoreBar extends LitElement {
  static override properties = { score: { type: Number }, best: { type: Number } };

  static override styles = [
    styles,
    guessStyles,
    css`
      :host {
        height: 62px;
      }

      svg {
        overflow: visible;
      }

      .mark {
        stroke-width: 2;
      }

      .at {
        stroke: var(--_ink-3);
      }
    `,
  ];

  /** Right bets in 100. */
  declare score: number;
  declare best: number;

  readonly #size = new WidthController(this, 344);

  constructor() {
    super();
    this.score = 50;
    this.best = 50;
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const { coin, you, most, labels } = barOf(this, width, (words) => textWidth(words, 12, 400));
    const own = `you ${Math.round(this.score)}`;
    const half = textWidth(own, 14, 600) / 2;
    const x = Math.max(half, Math.min(width - half, you));
    return html`<svg
      width=${width}
      height="62"
      role="img"
      aria-label="You ${Math.round(this.score)}, a coin 50, best possible ${timesInHundred(this.best)} of 100."
    >
      <text class="own" x=${x} y="14" text-anchor="middle">${own}</text>
      <rect class="track" x="0" y="24" width=${width} height="8"></rect>
      <rect class="coin" x="0" y="24" width=${Math.min(coin, you)} height="8"></rect>
      ${you > coin ? svg`<rect class="gain" x=${coin} y="24" width=${you - coin} height="8"></rect>` : ''}
      <line class="mark" x1=${you} x2=${you} y1="18" y2="32"></line>
      <path class="at" d="M${coin} 32v6M${most} 32v6"></path>
      ${labels.map(
        ({ words, x: place, anchor }) =>
          svg`<text x=${place} y="52" text-anchor=${anchor}>${words}</text>`,
      )}
    </svg>`;
  }
}
