import { LitElement, css, html, type TemplateResult } from 'lit';
import { lock } from '../look/icons.js';
import { styles } from '../look/styles.js';

/**
 * Says what the page's content security policy blocks and what it does not, with three checks that anyone
 * can do. Put it only on a page that has the policy in docs/elements.md.
 */
export class PmSeal extends LitElement {
  static override properties = {
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

  declare open: boolean;
  declare online: boolean;

  constructor() {
    super();
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
        <span class="claim long">Your rows stay in this tab</span>
        <span class="claim short">Rows stay here</span>
      </button>
      <div class="panel" id="checks" part="checks" ?hidden=${!this.open}>
        <div class="top">
          <h3>Your rows stay in this tab</h3>
          ${
            this.online
              ? html`<span class="tag quiet">online now</span>`
              : html`<span class="tag">offline now</span>`
          }
        </div>
        <p class="help">
          This page’s content security policy blocks requests to other sites. It does not block
          requests to this site, opening a link, or WebRTC; the page uses none of these for your
          rows. Check for yourself:
        </p>
        <ol>
          <li>
            Disconnect from the network, then choose your file: everything still works. Close this
            tab before you reconnect.
          </li>
          <li>
            Open the browser’s network panel and choose a file. The only requests are for the page’s
            own files.
          </li>
          <li>Read the policy in the first lines of this page’s source.</li>
        </ol>
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
