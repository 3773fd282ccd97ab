import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { lock } from '../look/icons.js';
import { styles } from '../look/styles.js';

/** What the seal says of a page, by the policy that the page states. */
interface Claim {
  long: string;
  short: string;
  limits: TemplateResult;
  checks: (string | TemplateResult)[];
}

/**
 * Says what the page's content security policy blocks and what it does not, with checks that anyone can do.
 * Put it only on a page that has one of the policies in docs/elements.md: it says that every request is
 * blocked where the page states `connect-src 'none'`. `save-page` is the address of a page that offers such a
 * copy.
 */
export class PmSeal extends LitElement {
  static override properties = {
    savePage: { attribute: 'save-page' },
    open: { state: true },
    online: { state: true },
  };

  static override styles = [
    styles,
    css`
      :host {
        position: relative;
      }

      .seal {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 44px;
        padding: 0;
        border: 0;
        border-radius: 2px;
        background: none;
        color: var(--_ink-2);
        font-size: 15px;
        line-height: 20px;
        cursor: pointer;
      }

      .seal:hover {
        color: var(--_ink);
      }

      .seal svg {
        color: var(--_accent);
      }

      .claim {
        border-bottom: 1px dotted var(--_ink-3);
      }

      .short {
        display: none;
      }

      .panel {
        position: absolute;
        z-index: 1;
        top: calc(100% + 4px);
        right: 0;
        width: min(500px, calc(100vw - 32px));
        padding: 24px;
        border: 1px solid var(--_line-2);
        border-radius: 10px;
        background: var(--_bg);
      }

      .top {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 4px 12px;
      }

      .help {
        margin-top: 8px;
      }

      ol {
        margin-top: 16px;
        counter-reset: check;
      }

      li {
        display: grid;
        grid-template-columns: 24px 1fr;
        padding: 4px 0;
        font-size: 14px;
        line-height: 22px;
        counter-increment: check;
      }

      ol + .help {
        margin-top: 12px;
      }

      li::before {
        content: counter(check);
        color: var(--_ink-3);
      }

      @media (max-width: 1059px) {
        .long {
          display: none;
        }

        .short {
          display: inline;
        }
      }
    `,
  ];

  declare savePage: string;
  declare open: boolean;
  declare online: boolean;

  constructor() {
    super();
    this.savePage = '';
    this.open = false;
    this.online = navigator.onLine;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('online', this.#connection);
    window.addEventListener('offline', this.#connection);
    document.addEventListener('click', this.#outside);
    document.addEventListener('keydown', this.#escape);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('online', this.#connection);
    window.removeEventListener('offline', this.#connection);
    document.removeEventListener('click', this.#outside);
    document.removeEventListener('keydown', this.#escape);
  }

  protected override render(): TemplateResult {
    const claim = blocksEveryRequest() ? SAVED : HOSTED;
    return html`<button
        class="seal"
        type="button"
        aria-expanded=${this.open ? 'true' : 'false'}
        aria-controls="checks"
        @click=${() => {
          this.open = !this.open;
        }}
      >
        ${lock}
        <span class="claim long">${claim.long}</span>
        <span class="claim short">${claim.short}</span>
      </button>
      <div class="panel" id="checks" part="checks" ?hidden=${!this.open}>
        <div class="top">
          <h3>${claim.long}</h3>
          ${
            this.online
              ? html`<span class="tag quiet">online now</span>`
              : html`<span class="tag">offline now</span>`
          }
        </div>
        <p class="help">${claim.limits} Check for yourself:</p>
        <ol>
          ${claim.checks.map((check) => html`<li><span>${check}</span></li>`)}
        </ol>
        ${
          claim === SAVED || this.savePage === ''
            ? nothing
            : html`<p class="help">
                To have every request blocked, <a href=${this.savePage}>save this page</a> as one
                file.
              </p>`
        }
      </div>`;
  }

  readonly #connection = (): void => {
    this.online = navigator.onLine;
  };

  readonly #outside = (event: Event): void => {
    if (this.open && !event.composedPath().includes(this)) this.open = false;
  };

  readonly #escape = (event: KeyboardEvent): void => {
    if (!this.open || event.key !== 'Escape') return;
    this.open = false;
    this.renderRoot.querySelector('button')?.focus();
  };
}

/** Whether the page states a policy that blocks every request. */
function blocksEveryRequest(): boolean {
  const policies = document.head.querySelectorAll<HTMLMetaElement>(
    'meta[http-equiv="Content-Security-Policy"]',
  );
  return [...policies].some(({ content }) => {
    const rules = content.split(';').map((rule) => rule.trim());
    return ["default-src 'none'", "connect-src 'none'"].every((rule) => rules.includes(rule));
  });
}

const HOSTED: Claim = {
  long: 'Your rows stay in this tab',
  short: 'Rows stay here',
  limits: html`This page’s content security policy blocks requests to other sites. It does not block
  requests to this site, opening another page, WebRTC, or connecting to a site ahead of a request;
  the page uses none of these for your rows.`,
  checks: [
    'When the footer says that this page can be used offline, disconnect from the network and choose ' +
      'your file: everything still works. Close this tab before you reconnect.',
    'Open the browser’s network panel and choose a file. The only requests are for the page’s own files.',
    'Read the policy in the first lines of this page’s source.',
  ],
};

const SAVED: Claim = {
  long: "Requests blocked: connect-src 'none'",
  short: 'No requests',
  limits: html`This is a saved copy. By the policy in its first lines the browser blocks every
  request of the page and its worker, to any address. No policy stops a page from opening another
  page, using WebRTC, or connecting to a site ahead of a request. This page uses none of these for
  your rows, and without a network none can succeed.`,
  checks: [
    'Turn on airplane mode and choose your file: everything still works. Close this tab before you turn ' +
      'it off.',
    'Open the browser’s network panel and choose a file. It lists no address but blob: and data:, which ' +
      'are inside this tab.',
    'Compare the SHA-256 of this file with the published one, and read its policy.',
  ],
};
