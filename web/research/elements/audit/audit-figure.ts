import { LitElement, css, html, nothing, svg, type TemplateResult } from 'lit';
import { atLeast, promisedText, type Verdict } from './audit-words.js';
import { bound, compact, count, ticks } from 'private-moments/words';
import {
  figureStyles,
  levels,
  lineFigureStyles,
  logShare,
  placeLabels,
  slotStyles,
  styles,
  tenth,
  textWidth,
  WidthController,
  type Box,
  type Placed,
  type Point,
} from 'private-moments/internal/elements';

const HEIGHT = 240;
const TOP = 16;
const LEFT = 44;
const RIGHT = 8;
const FOOT = 46;
/** The scale reaches at most this multiple of the promise; curves beyond it leave at the top. */
const REACH = 3;
const FIRST = 10;
const BEYOND = 'above this line the promise is broken';
/** What the description of the figure adds to a bound. */
const VERDICT_NOTES: Partial<Record<Verdict, string>> = {
  broken: ', promise broken',
  contradicted: ', above a promise that is proved',
  none: ', nothing promised',
  false: ', promise known to be false',
  unproved: ', promise without a proof here',
};

/** The bounds that attacks have shown for one mechanism. */
export interface AuditCurve {
  title: string;
  /** A shorter title for narrow figures. */
  short: string;
  looks: readonly { runs: number; epsilon: number }[];
  verdict: Verdict;
  /** Index of its colour, 0 to 7. */
  slot: number;
  /** 0: the present audit; else which of the earlier ones, up to 3. */
  order: number;
}

function isBroken(verdict: Verdict): boolean {
  return verdict === 'broken' || verdict === 'contradicted';
}

/**
 * Lower bounds on epsilon as they climb with the number of attacks, and the promise that they must not
 * cross.
 */
export class PmAuditFigure extends LitElement {
  static override properties = {
    curves: { attribute: false },
    promise: { type: Number },
    attacks: { type: Number },
  };

  static override styles = [
    styles,
    figureStyles,
    lineFigureStyles,
    slotStyles,
    css`
      text.halo {
        stroke: var(--_halo, var(--_bg));
      }

      text.beyond-label,
      text.own.beyond-promise {
        stroke: var(--_bad-soft);
      }

      text.promised {
        fill: var(--_ink);
        font-weight: 600;
      }

      .beyond {
        fill: var(--_bad-soft);
      }

      text.beyond-label {
        fill: var(--_bad);
      }

      .curve {
        fill: none;
        stroke: var(--_own);
        stroke-width: 1.75;
        stroke-linejoin: round;
      }

      .curve.order-0 {
        stroke-width: 2.25;
      }

      .curve.order-1 {
        stroke-dasharray: 8 4;
      }

      .curve.order-2 {
        stroke-dasharray: 2 4;
      }

      .curve.order-3 {
        stroke-dasharray: 10 3 2 3;
      }

      .curve.broken {
        stroke: var(--_bad);
      }

      .end {
        fill: var(--_own);
      }

      .end.broken {
        fill: var(--_bad);
      }

      text.own {
        fill: var(--_own);
        font-size: 14px;
        font-weight: 600;
      }

      text.own.broken {
        fill: var(--_bad);
      }

      @media (forced-colors: active) {
        .beyond {
          fill: none;
        }

        .curve {
          stroke: CanvasText;
        }
      }
    `,
  ];

  declare curves: readonly AuditCurve[];
  /** The promised epsilon; 0 if nothing was promised. */
  declare promise: number;
  /** The least end of the horizontal axis. */
  declare attacks: number;

  readonly #size = new WidthController(this, 640);

  constructor() {
    super();
    this.curves = [];
    this.promise = 1;
    this.attacks = 10_000;
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const right = width - RIGHT;
    const bottom = TOP + HEIGHT;
    const most = Math.max(0, ...this.curves.map(({ looks }) => looks.at(-1)?.epsilon ?? 0));
    const top =
      this.promise > 0
        ? Math.max(1.5 * this.promise, Math.min(REACH * this.promise, 1.1 * most))
        : Math.max(1, 1.1 * most);
    const last = Math.max(this.attacks, ...this.curves.map(({ looks }) => looks.at(-1)?.runs ?? 0));
    const y = (epsilon: number): number => tenth(bottom - (epsilon / top) * HEIGHT);
    const x = (runs: number): number => tenth(LEFT + logShare(runs, FIRST, last) * (right - LEFT));
    const decades = Array.from(
      { length: Math.round(Math.log10(last / FIRST)) + 1 },
      (_, i) => FIRST * 10 ** i,
    );
    const labels = this.#labels(x, y, top, { left: LEFT + 4, right, top: TOP, bottom });
    return html`<svg
      width=${width}
      height=${bottom + FOOT}
      role="img"
      aria-label=${this.#description()}
    >
      <defs>
        <clipPath id="plot">
          <rect x=${LEFT} y=${TOP} width=${right - LEFT} height=${HEIGHT + 2}></rect>
        </clipPath>
      </defs>
      ${
        this.promise > 0
          ? svg`<rect class="beyond" x=${LEFT} y=${TOP} width=${right - LEFT} height=${y(this.promise) - TOP}></rect>`
          : nothing
      }
      ${levels(ticks(top, 4), { left: LEFT, right, bottom }, y, bound)}
      ${decades.map(
        (runs, i) => svg`
          <line class="baseline" x1=${x(runs)} x2=${x(runs)} y1=${bottom} y2=${bottom + 4}></line>
          <text x=${x(runs)} y=${bottom + 18} text-anchor=${i === 0 ? 'start' : i === decades.length - 1 ? 'end' : 'middle'}>${width < 480 ? compact(runs) : count(runs)}</text>`,
      )}
      <text x=${(LEFT + right) / 2} y=${bottom + 38} text-anchor="middle">
        attacks on each data set, log scale
      </text>
      ${this.curves.map((curve) => this.#curve(curve, x, y, top))}
      ${
        this.promise > 0
          ? svg`<line class="reference" x1=${LEFT} x2=${right} y1=${y(this.promise)} y2=${y(this.promise)}></line>
              <text class="promised halo" x=${LEFT + 8} y=${y(this.promise) + 16}>promised ${promisedText(this.promise)}</text>
              <text class="beyond-label halo" x=${LEFT + 8} y=${y(this.promise) - 8}>${BEYOND}</text>`
          : nothing
      }
      ${labels}
    </svg>`;
  }

  #curve(
    { looks, verdict, slot, order }: AuditCurve,
    x: (runs: number) => number,
    y: (epsilon: number) => number,
    top: number,
  ): TemplateResult | typeof nothing {
    const [first, ...others] = looks;
    const end = looks.at(-1);
    if (first === undefined || end === undefined) return nothing;
    const path = others.reduce(
      (drawn, { runs, epsilon }) => `${drawn}H${x(runs)}V${y(epsilon)}`,
      `M${x(first.runs)} ${y(first.epsilon)}`,
    );
    const kind = `slot-${slot} order-${order} ${isBroken(verdict) ? 'broken' : ''}`;
    return svg`<path class="curve ${kind}" clip-path="url(#plot)" d=${path}></path>
      ${end.epsilon > top ? nothing : svg`<circle class="end ${kind}" cx=${x(end.runs)} cy=${y(end.epsilon)} r=${order === 0 ? 4.5 : 3}></circle>`}`;
  }

  /** Names beside the curves, each on the side of the promise where its curve ends. */
  #labels(
    x: (runs: number) => number,
    y: (epsilon: number) => number,
    top: number,
    area: Box,
  ): (TemplateResult | typeof nothing)[] {
    const lines = this.curves.map(({ title, short, looks }) => {
      const end = looks.at(-1)?.epsilon ?? 0;
      const isOut = end > top;
      const bound = `${atLeast(end)}${isOut ? ' ↑' : ''}`;
      const wordings = [`${title}: at least ${bound}`, `${short}: ≥ ${bound}`];
      const points = looks.flatMap(({ runs, epsilon }, i): Point[] => {
        const height = Math.max(area.top, y(epsilon));
        const before = Math.max(area.top, y(looks[i - 1]?.epsilon ?? epsilon));
        return [
          [x(runs), before],
          [x(runs), height],
        ];
      });
      return { points, wordings, isBeyond: this.promise > 0 && end > this.promise };
    });
    const limit = this.promise > 0 ? y(this.promise) : area.top;
    const room = (words: string, weight: number): number =>
      area.left + textWidth(words, 12, weight) + 8;
    const promised = `promised ${promisedText(this.promise)}`;
    const taken: Box[] =
      this.promise > 0
        ? [
            { left: area.left, right: room(BEYOND, 400), top: limit - 22, bottom: limit },
            { left: area.left, right: room(promised, 600), top: limit, bottom: limit + 22 },
          ]
        : [];
    const place = (isBeyond: boolean, within: Box): (Placed | undefined)[] =>
      placeLabels(
        lines.map((line) => ({
          points: line.points,
          widths:
            line.isBeyond === isBeyond ? line.wordings.map((text) => textWidth(text, 14, 600)) : [],
        })),
        within,
        taken,
      );
    const below = place(false, { ...area, top: limit, bottom: area.bottom - 2 });
    const above = place(true, { ...area, bottom: limit });
    return this.curves.map(({ slot, verdict, looks }, i) => {
      const line = lines[i];
      const at = line?.isBeyond ? above[i] : below[i];
      if (line === undefined || at === undefined || looks.length === 0) return nothing;
      return svg`<text class="own halo slot-${slot} ${isBroken(verdict) ? 'broken' : ''} ${line.isBeyond ? 'beyond-promise' : ''}" x=${tenth(at.x)} y=${tenth(at.y)} text-anchor=${at.anchor}>${line.wordings[at.wording]}</text>`;
    });
  }

  #description(): string {
    const promised =
      this.promise > 0 ? `Promised epsilon ${promisedText(this.promise)}.` : 'Nothing is promised.';
    const shown = this.curves.map(({ title, looks, verdict }) => {
      const end = looks.at(-1);
      return end === undefined
        ? ''
        : ` ${title}: at least ${atLeast(end.epsilon)} after ${count(end.runs)} attacks${VERDICT_NOTES[verdict] ?? ''}.`;
    });
    const none = shown.join('') === '' ? ' No attacks have been made yet.' : shown.join('');
    return `Lower bound on epsilon proved by attacks, against the number of attacks. ${promised}${none}`;
  }
}
