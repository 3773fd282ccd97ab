import type { Guarantee } from 'private-moments';
import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { plural, strength } from 'private-moments/words';
import { save, saveCsv, slug } from '../base/save.js';
import { down } from '../look/icons.js';
import { styles } from '../look/styles.js';
import { csvOf, pngOf, svgOf, type Drawing, type SavableFigure } from './figure-file.js';

/** What a figure shows, as far as its file says so: every result of the package has these. */
export interface FigureSource {
  origin: { study: { title: string }; releases: number };
  guarantee: Guarantee | null;
}

type Kind = 'svg' | 'png' | 'csv';

const KINDS: readonly Kind[] = ['svg', 'png', 'csv'];

/**
 * One or more figures, in its slot at any depth, the parts with `data-part`, and buttons that save them as one file. The heading and
 * what belongs to it are in the slot `head`. `heading` is the title in the file, `caption` says how to
 * read it. `unprotected` says whose rows are drawn without noise, in place of the guarantee of `result`.
 */
export class PmFigure extends LitElement {
  static override properties = {
    result: { attribute: false },
    heading: {},
    caption: {},
    unprotected: {},
    empty: { type: Boolean },
    problem: { state: true },
  };

  static override styles = [
    styles,
    css`
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-start;
        justify-content: space-between;
        gap: 8px 24px;
      }

      .head > slot {
        display: block;
        flex: 1 1 0;
        min-width: 110px;
      }

      .save {
        display: inline-flex;
        flex: none;
        align-items: center;
        padding-left: 10px;
        border: 1px solid var(--_line-2);
        border-radius: 6px;
        color: var(--_ink-3);
        overflow: clip;
      }

      .save svg {
        width: 15px;
        height: 15px;
      }

      .save button {
        min-height: 28px;
        padding: 0 10px;
        border: 0;
        background: none;
        color: var(--_ink);
        font-size: 13px;
        line-height: 20px;
        font-weight: 500;
        cursor: pointer;
      }

      .save button + button {
        border-left: 1px solid var(--_line);
      }

      .save button:hover {
        background: var(--_surface);
      }

      .save button:focus-visible {
        outline-offset: -3px;
      }

      .problem {
        margin-top: 8px;
        color: var(--_bad);
        font-size: 14px;
        line-height: 22px;
      }

      @media (max-width: 759px) {
        .head > slot {
          min-width: min(100%, 220px);
        }
      }

      @media (pointer: coarse), (max-width: 759px) {
        .save button {
          min-width: 52px;
          min-height: 44px;
        }
      }

      @media print {
        .save {
          display: none;
        }
      }
    `,
  ];

  declare result: FigureSource | undefined;
  declare heading: string;
  declare caption: string;
  declare unprotected: string;
  /** Whether nothing is drawn, so that there is nothing to save. */
  declare empty: boolean;
  /** Why the last file was not made. */
  declare problem: string;

  constructor() {
    super();
    this.result = undefined;
    this.heading = '';
    this.caption = '';
    this.unprotected = '';
    this.empty = false;
    this.problem = '';
  }

  protected override render(): TemplateResult {
    return html`<div class="head">
        <slot name="head"></slot>
        <div
          class="save"
          role="group"
          ?hidden=${this.empty}
          aria-label="Save the figure: ${this.heading}"
        >
          ${down}
          ${KINDS.map(
            (kind) =>
              html`<button type="button" @click=${() => this.#save(kind)}>
                <span class="hidden-visually">Save as </span>${kind.toUpperCase()}
              </button>`,
          )}
        </div>
      </div>
      ${this.problem === '' ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      <slot></slot>`;
  }

  async #save(kind: Kind): Promise<void> {
    const { result } = this;
    const drawings = this.#drawings();
    if (result === undefined || drawings.length === 0) return;
    const { title } = result.origin.study;
    const words = {
      ...{ study: title, title: this.heading, caption: this.caption },
      guarantee: this.unprotected === '' ? guaranteeOf(result) : this.unprotected,
    };
    const name = `${slug(title, 'study')}-${slug(this.heading, 'figure')}.${kind}`;
    this.problem = '';
    if (kind === 'csv') {
      saveCsv(csvOf(drawings, words), name);
      return;
    }
    const text = svgOf(drawings, words);
    try {
      save(kind === 'png' ? await pngOf(text) : new Blob([text], { type: 'image/svg+xml' }), name);
    } catch {
      this.problem = 'This browser cannot make the PNG. Save the SVG instead.';
    }
  }

  /** The figures in the slot, in the order of the page. */
  #drawings(): Drawing[] {
    return [...this.querySelectorAll<HTMLElement>('*')].filter(isSavable).map((figure) => ({
      part: figure.dataset.part ?? '',
      figure,
    }));
  }
}

function isSavable(element: HTMLElement): element is SavableFigure {
  return 'numbers' in element && typeof element.numbers === 'function';
}

/** "Each of the 10 releases: ε = 1, δ = 10⁻⁶, for one row." */
export function guaranteeOf({ guarantee, origin }: FigureSource): string {
  if (guarantee === null) return 'Computed from the rows themselves, without noise.';
  const { releases } = origin;
  const whose =
    guarantee.honest !== undefined
      ? `The sum of ${plural(releases, 'release')}`
      : releases === 1
        ? 'One release'
        : `Each of ${plural(releases, 'release')}`;
  return `${whose} is differentially private: ${strength(guarantee)}, for one ${guarantee.unit}.`;
}
