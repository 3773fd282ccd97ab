import { LitElement, html, type TemplateResult } from 'lit';
import { styles } from '../look/styles.js';

const ANSWER_MS = 2000;

/** Copies `text` to the clipboard and confirms it in place of its `label`. */
export class PmCopyButton extends LitElement {
  static override properties = {
    text: { attribute: false },
    small: { type: Boolean },
    primary: { type: Boolean },
    label: {},
    answer: { state: true },
  };

  static override styles = [styles];

  declare text: string;
  declare small: boolean;
  declare primary: boolean;
  declare label: string;
  declare answer: string;

  constructor() {
    super();
    this.text = '';
    this.small = false;
    this.primary = false;
    this.label = 'Copy';
    this.answer = '';
  }

  protected override render(): TemplateResult {
    return html`<button
      class="button ${this.small ? 'small' : ''} ${this.primary ? 'primary' : ''}"
      type="button"
      part="button"
      @click=${this.#copy}
    >
      <span aria-live="polite">${this.answer || this.label}</span>
    </button>`;
  }

  readonly #copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(this.text);
      this.answer = 'Copied';
    } catch {
      this.answer = 'Copy failed';
    }
    setTimeout(() => {
      this.answer = '';
    }, ANSWER_MS);
  };
}
