import { LitElement, css, html, svg, nothing, type TemplateResult } from 'lit';
import { LEAST, atLeast, promisedText } from './audit-words.js';
import { bound } from 'private-moments/words';
import { figureStyles, styles, WidthController } from 'private-moments/internal/elements';

const AXIS = 40;

/** The lower bound on epsilon that attacks have shown, on a scale with the promised epsilon. */
export class PmAuditBar extends LitElement {
  static override properties = {
    shown: { type: Number },
    promise: { type: Number },
    broken: { type: Boolean },
  };

  static override styles = [
    styles,
    figureStyles,
    css`
      svg {
        overflow: visible;
      }

      text.shown {
        fill: var(--_accent);
        font-size: 14px;
        font-weight: 600;
      }

      text.promised {
        fill: var(--_ink);
        font-size: 14px;
        font-weight: 600;
      }

      .bar {
        fill: var(--_accent);
      }

      .promise {
        stroke: var(--_ink);
        stroke-width: 2;
      }

      .broken .bar,
      .broken text.shown {
        fill: var(--_bad);
      }

      @media (forced-colors: active) {
        .bar {
          fill: CanvasText;
        }
      }
    `,
  ];

  /** NaN before the first attack. */
  declare shown: number;
  /** 0 if nothing was promised. */
  declare promise: number;
  declare broken: boolean;

  readonly #size = new WidthController(this, 440);

  constructor() {
    super();
    this.shown = NaN;
    this.promise = 1;
    this.broken = false;
  }

  protected override render(): TemplateResult {
    const width = this.#size.width;
    const { promise } = this;
    const isKnown = this.shown >= LEAST;
    const shown = isKnown ? this.shown : 0;
    const end = promise > 0 ? 1.5 * promise : Math.max(1, Math.ceil(shown));
    const x = (value: number): number => 1 + (Math.min(value, end) / end) * (width - 2);
    const label = `shown by attack: ${isKnown ? `at least ${atLeast(shown)}` : 'nothing yet'}`;
    const promised = promise > 0 ? `promised ${promisedText(promise)}` : 'nothing promised';
    const isLong = x(shown) > 230;
    return html`<svg
      class=${this.broken ? 'broken' : ''}
      width=${width}
      height="72"
      role="img"
      aria-label="Epsilon ${label}; ${promised}."
    >
      <text class="shown" x=${isLong ? x(shown) : 0} y="18" text-anchor=${isLong ? 'end' : 'start'}>
        ${label}${shown > end ? ' →' : ''}
      </text>
      <line class="baseline" x1="0" x2=${width} y1=${AXIS} y2=${AXIS}></line>
      <rect class="bar" x="1" y=${AXIS - 8} width=${x(shown) - 1} height="8"></rect>
      ${mark(0, x(0), 'start')} ${mark(end, x(end), 'end')}
      ${
        promise > 0
          ? svg`<line class="promise" x1=${x(promise)} x2=${x(promise)} y1=${AXIS - 16} y2=${AXIS + 6}></line>
              <text class="promised" x=${x(promise)} y=${AXIS + 24} text-anchor="middle">${promised}</text>`
          : nothing
      }
    </svg>`;
  }
}

function mark(value: number, x: number, anchor: string): TemplateResult {
  return svg`<line class="baseline" x1=${x} x2=${x} y1=${AXIS} y2=${AXIS + 5}></line>
    <text x=${x} y=${AXIS + 23} text-anchor=${anchor}>${bound(value)}${anchor === 'end' ? ' ε' : ''}</text>`;
}
