import type { ReportInput } from 'private-moments/report';
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { codeFor, codeStyles, highlighted, type Language } from '../controls/code-sample.js';
import { headStyles, segmentStyles } from './result-styles.js';
import { save } from '../base/save.js';
import { styles } from '../look/styles.js';
import { PmCopyButton } from '../controls/copy-button.js';

const LANGUAGES: [Language, string][] = [
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
  ['r', 'R'],
];
const FILES = { python: 'results.py', r: 'results.R' };
const COMMANDS = {
  python: 'python3 results.py results.json',
  r: 'Rscript results.R results.json',
};

/**
 * Code that reproduces the results: from the releases with this library and, if `recomputes` is set,
 * from the JSON file of the results without it.
 */
export class PmResultCode extends LitElement {
  static readonly parts = {
    'pm-copy-button': PmCopyButton,
  };

  static override properties = {
    results: { attribute: false },
    recomputes: { type: Boolean },
    language: { state: true },
    scripts: { state: true },
  };

  static override styles = [
    styles,
    codeStyles,
    segmentStyles,
    headStyles,
    css`
      section {
        margin-top: 56px;
      }

      .head .actions {
        margin-left: auto;
      }

      .help {
        max-width: 46em;
        margin-bottom: 16px;
      }

      .code {
        max-height: 520px;
        overflow: auto;
      }

      @media (max-width: 759px) {
        section {
          margin-top: 44px;
        }

        .head .actions {
          margin-left: 0;
        }
      }
    `,
  ];

  declare results: readonly ReportInput[];
  declare recomputes: boolean;
  declare language: Language;
  /** The programs that do not need this library, loaded when one is chosen. */
  declare scripts: { python: string; r: string } | undefined;

  constructor() {
    super();
    this.results = [];
    this.recomputes = false;
    this.language = 'typescript';
    this.scripts = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('recomputes') && !this.recomputes) this.language = 'typescript';
  }

  protected override render(): TemplateResult {
    const { language } = this;
    const code = this.#code();
    return html`<section aria-labelledby="code">
      <div class="head">
        <h2 id="code">The same result in code</h2>
        ${this.recomputes ? this.#choice() : nothing}
        <div class="actions">
          ${
            language === 'typescript'
              ? nothing
              : html`<button
                  class="button small"
                  type="button"
                  @click=${() => {
                    save(new Blob([code], { type: 'text/plain' }), FILES[language]);
                  }}
                >
                  Save ${FILES[language]}
                </button>`
          }
          <pm-copy-button small .text=${code}></pm-copy-button>
        </div>
      </div>
      ${
        language === 'typescript'
          ? nothing
          : html`<p class="help">
              Reads the file from <em>Download JSON</em> and recomputes components, canonical
              correlations, weights and the regression from the released numbers, without this
              library: <span class="mono">${COMMANDS[language]}</span>
            </p>`
      }
      ${highlighted(code, language)}
    </section>`;
  }

  #choice(): TemplateResult {
    return html`<div class="segments" role="group" aria-label="Language">
      ${LANGUAGES.map(
        ([language, label]) =>
          html`<button
            type="button"
            aria-pressed=${language === this.language ? 'true' : 'false'}
            @click=${() => this.#choose(language)}
          >
            ${label}
          </button>`,
      )}
    </div>`;
  }

  async #choose(language: Language): Promise<void> {
    if (language !== 'typescript') this.scripts = (await import('private-moments/report')).scripts;
    this.language = language;
  }

  #code(): string {
    const { language } = this;
    if (language !== 'typescript') return this.scripts?.[language] ?? '';
    return codeFor(this.results);
  }
}
