import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import { bound, count, fixed, timesInHundred } from 'private-moments/words';
import {
  across,
  figureStyles,
  levels,
  lineFigureStyles,
  logShare,
  smooth,
  styles,
  tenth,
  textWidth,
  WidthController,
  type Box,
} from 'private-moments/internal/elements';
import { RANGE, type ComputerScore, type Score } from './find-me-game.js';
import type { Best } from './find-me-protocol.js';
import { rightOf } from './find-me-words.js';

const HEIGHT = 300;
const TOP = 16;
const LEFT = 34;
const RIGHT = 8;
const FOOT = 50;
const COIN = 50;
const TICKS = [0.1, 1, 10, 100];
/** Described in words. */
const DESCRIBED = [0.1, 1, 10, 100];
const RING = 6;
const WIDE = 480;

/** A mark of the figure with its words. */
interface Marked {
  x: number;
  y: number;
  words: string;
  isQuiet: boolean;
}

/**
 * The best possible share of right bets along epsilon, a coin's share, and the shares of games and of the
 * computer.
 */
export class PmFindMeFigure extends LitElement {
  static override properties = {
    line: { attribute: false },
    present: { type: Number },
    games: { attribute: false },
    computer: { attribute: false },
  };

  static override styles = [
    styles,
    figureStyles,
    lineFigureStyles,
    css`
      :host {
        min-height: ${HEIGHT}px;
      }

      .line {
        stroke: var(--_accent);
      }

      text.label {
        fill: var(--_accent);
        font-size: 14px;
      }

      text.own {
        fill: var(--_ink);
        font-size: 14px;
        font-weight: 600;
      }

      text.quiet {
        fill: var(--_ink-2);
        font-size: 13px;
      }

      .ring {
        fill: var(--_bg);
        stroke: var(--_ink);
        stroke-width: 2;
      }

      .square {
        fill: var(--_accent);
      }

      @media (forced-colors: active) {
        .ring {
          stroke: CanvasText;
          fill: Canvas;
        }

        .square {
          fill: CanvasText;
        }
      }
    `,
  ];

  declare line: readonly Best[];
  /** The present epsilon. */
  declare present: number;
  /** Scores with at least one bet, at most one at each epsilon; the last is named, and the present one. */
  declare games: readonly Score[];
  declare computer: ComputerScore | undefined;

  readonly #size = new WidthController(this, 664);

  constructor() {
    super();
    this.line = [];
    this.present = 1;
    this.games = [];
    this.computer = undefined;
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const area = { left: LEFT, right: width - RIGHT, top: TOP, bottom: HEIGHT - FOOT };
    const { games, computer } = this;
    const shares = [...games, ...(computer === undefined ? [] : [computer])].map(shareOf);
    const low = Math.min(45, Math.floor((Math.min(COIN, ...shares) - 3) / 10) * 10);
    const x = (epsilon: number): number =>
      tenth(area.left + logShare(epsilon, ...RANGE) * (area.right - area.left));
    const y = (share: number): number =>
      tenth(area.bottom - ((share - low) / (100 - low)) * (area.bottom - area.top));
    const grid = Array.from({ length: 11 }, (_, i) => 10 * i).filter((share) => share > low);
    const points = this.line.map(({ epsilon, best }) => [x(epsilon), y(best)] as const);
    const isWide = width >= WIDE;
    const name = isWide ? 'the best anybody can do' : 'best possible';
    return html`<svg width=${width} height=${HEIGHT} role="img" aria-label=${this.#description()}>
      ${levels(grid, area, y, String)}
      <line
        class="present"
        x1=${x(this.present)}
        x2=${x(this.present)}
        y1=${area.top - 8}
        y2=${area.bottom}
      ></line>
      <line class="reference" x1=${area.left} x2=${area.right} y1=${y(COIN)} y2=${y(COIN)}></line>
      <text class="reference-label halo" x=${area.right} y=${y(COIN) + 17} text-anchor="end">
        a coin
      </text>
      <path class="line" d=${smooth(points)}></path>
      ${points.length === 0 ? nothing : this.#name(name, points, area)}
      ${this.#marks(x, y, area, points, name)}
      ${across(
        {
          present: this.present,
          values: TICKS,
          x,
          show: bound,
          label: 'ε, log scale: more noise to the left',
        },
        area,
      )}
    </svg>`;
  }

  /** To the left of the line, where it is three quarters up. */
  #name(words: string, points: readonly (readonly [number, number])[], area: Box): TemplateResult {
    const { x, y } = namePlace(points, area);
    return svg`<text class="label halo" x=${x} y=${y} text-anchor="end">${words}</text>`;
  }

  #marks(
    x: (epsilon: number) => number,
    y: (share: number) => number,
    area: Box,
    line: readonly (readonly [number, number])[],
    name: string,
  ): TemplateResult {
    const { games, computer, present } = this;
    const rings = games.map((game) => ({ game, x: x(game.epsilon), y: y(shareOf(game)) }));
    const named = rings.filter(({ game }) => game.epsilon === present || game === games.at(-1));
    const square =
      computer === undefined
        ? undefined
        : { x: x(computer.epsilon), y: y(shareOf(computer)), words: computerInWords(computer) };
    const marked: Marked[] = [
      ...named.map(({ game, ...at }) => ({
        ...at,
        words: `you, ${rightOf(game)}`,
        isQuiet: false,
      })),
      ...(square === undefined ? [] : [{ ...square, isQuiet: true }]),
    ];
    const at = line.length === 0 ? undefined : namePlace(line, area);
    const taken: Box[] = [
      ...[...rings, ...(square === undefined ? [] : [square])].map((mark) =>
        boxAround(mark.x, mark.y, RING + 2),
      ),
      ...line.slice(1).map(([px, py], i) => boxBetween(line[i] ?? [px, py], [px, py])),
      ...(at === undefined
        ? []
        : [
            {
              left: at.x - textWidth(name, 14, 600),
              right: at.x,
              top: at.y - 13,
              bottom: at.y + 4,
            },
          ]),
      { left: area.left, right: area.right, top: y(COIN) - 2, bottom: y(COIN) + 2 },
      { left: area.right - 56, right: area.right, top: y(COIN) + 4, bottom: y(COIN) + 22 },
      { left: x(present) - 2, right: x(present) + 2, top: area.top - 8, bottom: area.bottom },
    ];
    return svg`${
      square === undefined
        ? nothing
        : svg`<rect class="square" x=${square.x - 4.5} y=${square.y - 4.5} width="9" height="9"></rect>`
    }
      ${rings.map((ring) => svg`<circle class="ring" cx=${ring.x} cy=${ring.y} r=${RING}></circle>`)}
      ${marked.map((mark) => {
        const size = mark.isQuiet ? 13 : 14;
        const placed = placeBeside(mark, textWidth(mark.words, size, 600), area, taken);
        taken.push(placed.box);
        return svg`<text class="halo ${mark.isQuiet ? 'quiet' : 'own'}" x=${tenth(placed.box.left)} y=${tenth(placed.y)}>${mark.words}</text>`;
      })}`;
  }

  #description(): string {
    const shown = this.line.filter(({ epsilon }) => DESCRIBED.includes(epsilon));
    const best = shown
      .map(({ epsilon, best }, i) =>
        i === 0
          ? `${fixed(best, 1)} in 100 at ε ${bound(epsilon)}`
          : `${timesInHundred(best)} at ${bound(epsilon)}`,
      )
      .join(', ');
    const games = this.games.map((game) => ` You at ε ${bound(game.epsilon)}: ${rightOf(game)}.`);
    const computer =
      this.computer === undefined
        ? ''
        : ` At ε ${bound(this.computer.epsilon)}, ${computerInWords(this.computer)}.`;
    return `The best possible share of right bets: at most ${best}.${games.join('')}${computer}`;
  }
}

/** Right bets in 100. */
export function shareOf({ right, of }: Score): number {
  return (100 * right) / of;
}

export function computerInWords(computer: Score): string {
  return `computer, ${count(computer.of)} bets: ${fixed(shareOf(computer), 1)}`;
}

function namePlace(
  points: readonly (readonly [number, number])[],
  area: Box,
): { x: number; y: number } {
  const height = area.top + 0.3 * (area.bottom - area.top);
  const [x] = points.find(([, y]) => y <= height) ?? [area.right];
  return { x: tenth(x - 12), y: tenth(height) };
}

function boxAround(x: number, y: number, reach: number): Box {
  return { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach };
}

function boxBetween([x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): Box {
  return { left: x, right: toX, top: Math.min(y, toY) - 2, bottom: Math.max(y, toY) + 2 };
}

/** The place beside a mark, within the area, with the least in its way; the first of these. */
export function placeBeside(
  { x, y }: { x: number; y: number },
  width: number,
  area: Box,
  taken: readonly Box[],
): { y: number; box: Box } {
  const reach = RING + 5;
  const spots = [
    [x + reach, y + 5],
    [x - reach - width, y + 5],
    [x + reach, y + 19],
    [x - reach - width, y + 19],
    [x + reach, y - 10],
    [x - reach - width, y - 10],
    [x - width / 2, y + 26],
    [x - width / 2, y - 14],
    [x + reach, y + 33],
    [x + reach, y - 24],
    [x - reach - width, y - 24],
    [x - reach - width, y + 33],
    [area.right - width, y + 26],
    [area.right - width, y + 40],
  ] as const;
  const places = spots
    .map(([left, base]) => ({
      y: base,
      box: { left, right: left + width, top: base - 12, bottom: base + 4 },
    }))
    .filter(
      ({ box }) =>
        box.left >= area.left &&
        box.right <= area.right &&
        box.top >= 0 &&
        box.bottom <= area.bottom,
    );
  const inTheWay = places.map(({ box }) => taken.filter((other) => !isApart(box, other)).length);
  const [left, base] = spots[0];
  return (
    places[inTheWay.indexOf(Math.min(...inTheWay))] ?? {
      y: base,
      box: { left, right: left + width, top: base - 12, bottom: base + 4 },
    }
  );
}

function isApart(one: Box, other: Box): boolean {
  return (
    one.right <= other.left ||
    one.left >= other.right ||
    one.bottom <= other.top ||
    one.top >= other.bottom
  );
}
