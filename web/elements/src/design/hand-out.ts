import type { Guarantee, Study } from 'private-moments';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { codeStyles, highlighted } from '../controls/code-sample.js';
import { consentText } from './consent.js';
import { bytes, count } from 'private-moments/words';
import { down } from '../look/icons.js';
import { linkBox, linkBoxStyles } from '../controls/link-box.js';
import { save, saveCsv, slug } from '../base/save.js';
import { codeForStudy } from './study-code.js';
import { styles } from '../look/styles.js';
import { templateOf } from '../session/template.js';
import { PmCopyButton } from '../controls/copy-button.js';

/** Width of the white border that QR readers need, in modules. */
const QUIET = 4;
/** Width of the QR code in pixels, without the border of its box. */
const QR_WIDTH = 222;
/** Pixels for each module of a saved code, unless it is scaled. */
const SAVED_PIXELS = 4;

/**
 * Hands out a finished study: its link, as text and as a QR code, its file, a template for data files, a
 * consent text and the code that defines it. Takes `study`, `take-part` (the address that opens links), `analyse` (the address
 * where the session of a split study begins) and optionally `guarantee`.
 */
export class PmHandOut extends LitElement {
  static readonly parts = {
    'pm-copy-button': PmCopyButton,
  };

  static override properties = {
    study: { attribute: false },
    guarantee: { attribute: false },
    takePart: { attribute: 'take-part' },
    analyse: {},
    code: { state: true },
  };

  static override styles = [
    styles,
    codeStyles,
    linkBoxStyles,
    css`
      .layout {
        display: grid;
        grid-template-columns: minmax(0, 480px) minmax(0, 584px);
        gap: 40px 56px;
      }

      h3 {
        margin-bottom: 4px;
      }

      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 8px 16px;
        margin-bottom: 12px;
      }

      .head h3 {
        margin: 0;
      }

      .head .actions {
        margin: 0;
      }

      .actions {
        margin-top: 12px;
      }

      .template {
        margin-top: 8px;
      }

      .qr {
        display: grid;
        grid-template-columns: 224px minmax(0, 1fr);
        gap: 20px;
        align-items: center;
        margin-top: 28px;
      }

      .qr-box {
        display: grid;
        place-items: center;
        width: 224px;
        height: 224px;
        border: 1px solid var(--_line);
        border-radius: 8px;
        background: #fff;
        color: #5c6661;
        font-size: 13px;
        line-height: 20px;
        text-align: center;
      }

      .qr-box svg {
        border-radius: 7px;
        forced-color-adjust: none;
      }

      .qr .button {
        margin-top: 12px;
      }

      .consent {
        max-height: 420px;
        padding: 20px 24px;
        overflow: auto;
        border-radius: 8px;
        background: var(--_surface);
        color: var(--_ink-2);
        font-family: var(--_font);
        font-size: 14px;
        line-height: 22px;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }

      .wide {
        grid-column: 1 / -1;
      }

      @media (max-width: 999px) {
        .layout {
          grid-template-columns: minmax(0, 1fr);
        }
      }

      @media (max-width: 759px) {
        .qr {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  declare study: Study | undefined;
  declare guarantee: Guarantee | undefined;
  declare takePart: string;
  declare analyse: string;
  /** The modules of the QR code, row by row; null if the link is too long for one. */
  declare code: readonly (readonly boolean[])[] | null | undefined;

  constructor() {
    super();
    this.study = undefined;
    this.guarantee = undefined;
    this.takePart = '';
    this.analyse = '';
    this.code = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('study') || changed.has('takePart') || changed.has('analyse'))
      void this.#encode();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { study } = this;
    if (study === undefined) return nothing;
    const isSplit = study.federation.mode === 'split';
    const link = this.#link(study);
    const consent = consentText(study, this.guarantee);
    const code = codeForStudy(study);
    const file = slug(study.title, 'study');
    return html`<div class="layout">
      <div>
        <h3>Study link</h3>
        <p class="help">
          The whole study is inside the link; no server sees it.
          ${
            isSplit
              ? 'This link is for the analyst, who makes the participant link from it with a helper’s keys.'
              : nothing
          }
        </p>
        ${linkBox('Study link', link)}
        <div class="actions">
          <button
            class="button"
            type="button"
            @click=${() => {
              save(studyFileOf(study), `${file}.study.json`);
            }}
          >
            ${down} Study file
          </button>
          <button
            class="button"
            type="button"
            @click=${() => {
              saveCsv(templateOf(study), `${file}.template.csv`);
            }}
          >
            ${down} CSV template
          </button>
          <a class="button" href=${link}>
            ${isSplit ? 'Start the session in Analyse' : 'Open it in Take part'}
          </a>
        </div>
        <p class="help template">
          The template has the study’s column names and a made-up row. Participants can save it in
          Take part, too.
        </p>
        ${this.#qr(link, file)}
      </div>
      <div>
        <div class="head">
          <h3>Consent text</h3>
          <div class="actions">
            <button
              class="button small"
              type="button"
              @click=${() => {
                save(new Blob([consent], { type: 'text/plain' }), `${file}.consent.txt`);
              }}
            >
              ${down} Text file
            </button>
            <pm-copy-button small .text=${consent} label="Copy"></pm-copy-button>
          </div>
        </div>
        <pre class="consent" tabindex="0" role="region" aria-label="Consent text">${consent}</pre>
      </div>
      <div class="wide">
        <div class="head">
          <h3>The same study in code</h3>
          <pm-copy-button small .text=${code} label="Copy"></pm-copy-button>
        </div>
        ${highlighted(code)}
      </div>
    </div>`;
  }

  #link(study: Study): string {
    const page = study.federation.mode === 'split' ? this.analyse : this.takePart;
    return study.toLink(new URL(page, document.baseURI));
  }

  #qr(link: string, file: string): TemplateResult {
    const { code } = this;
    const size = (code?.length ?? 0) + 2 * QUIET;
    return html`<div class="qr">
      <div class="qr-box">
        ${
          code === null
            ? html`Too long<br />for a QR code`
            : code === undefined
              ? nothing
              : html`<svg
                  viewBox="0 0 ${size} ${size}"
                  width=${widthOf(size)}
                  height=${widthOf(size)}
                  role="img"
                  aria-label="QR code of the study link"
                  shape-rendering="crispEdges"
                >
                  <path fill="#fff" d="M0 0h${size}v${size}H0z"></path>
                  <path fill="#000" d=${modulesOf(code)}></path>
                </svg>`
        }
      </div>
      <div>
        <h3>QR code</h3>
        <p class="help">
          ${
            code === null
              ? `A QR code holds 2,953 characters, and this link has ${count(link.length)}. Hand out the link or the file.`
              : `For a slide or a letter: opens the link on a phone or another computer. ${bytes(link.length)}.`
          }
        </p>
        ${
          code === null || code === undefined
            ? nothing
            : html`<button
                class="button small"
                type="button"
                @click=${() => {
                  save(svgOf(code), `${file}.qr.svg`);
                }}
              >
                ${down} SVG
              </button>`
        }
      </div>
    </div>`;
  }

  /** Encodes the link; loads the encoder when it is first needed. */
  async #encode(): Promise<void> {
    const { study } = this;
    if (study === undefined) return;
    const { encode } = await import('uqr');
    if (study !== this.study) return;
    try {
      this.code = encode(this.#link(study), { border: 0, ecc: 'L' }).data;
    } catch {
      this.code = null;
    }
  }
}

/** Whole pixels for each module as far as they fit, as scanners need edges. */
function widthOf(size: number): number {
  const pixels = Math.floor(QR_WIDTH / size);
  return pixels < 2 ? QR_WIDTH : pixels * size;
}

function studyFileOf(study: Study): Blob {
  const text = `${JSON.stringify(study.toJSON(), null, 2)}\n`;
  return new Blob([text], { type: 'application/json' });
}

/** Dark modules as one path, each run of them a rectangle. */
function modulesOf(code: readonly (readonly boolean[])[]): string {
  return code
    .map((row, y) =>
      row
        .map((dark, x) => {
          if (!dark || row[x - 1] === true) return '';
          const end = row.indexOf(false, x);
          const run = (end < 0 ? row.length : end) - x;
          return `M${x + QUIET} ${y + QUIET}h${run}v1h-${run}z`;
        })
        .join(''),
    )
    .join('');
}

function svgOf(code: readonly (readonly boolean[])[]): Blob {
  const size = code.length + 2 * QUIET;
  const pixels = size * SAVED_PIXELS;
  const text =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${modulesOf(code)}"/></svg>`;
  return new Blob([text], { type: 'image/svg+xml' });
}
