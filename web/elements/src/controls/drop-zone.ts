import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { takeFiles } from './input-values.js';
import { up } from '../look/icons.js';
import { styles } from '../look/styles.js';
import type { FilesDetail } from '../contract/elements.js';

/**
 * A box that files can be dropped into, with a button to choose them. Emits `pm-files` with
 * `{ files }`; of a folder it says what to do instead. The default slot holds further buttons.
 */
export class PmDropZone extends LitElement {
  static override properties = {
    heading: {},
    help: {},
    action: {},
    accept: {},
    multiple: { type: Boolean },
    dragging: { state: true },
    isFolder: { state: true },
  };

  static override styles = [
    styles,
    css`
      .zone {
        display: flex;
        flex-direction: column;
        align-items: center;
        justify-content: center;
        gap: 4px;
        min-height: var(--pm-drop-zone-height, 232px);
        padding: 24px;
        border: 1px dashed var(--_line-2);
        border-radius: 8px;
        text-align: center;
        transition:
          background-color 120ms ease-out,
          border-color 120ms ease-out;
      }

      .zone > svg {
        margin-bottom: 8px;
        color: var(--_ink-3);
      }

      .title {
        font-weight: 600;
        line-height: 24px;
        text-wrap: balance;
      }

      .dragging {
        border: 1px solid var(--_accent);
        background: var(--_accent-soft);
      }

      .dragging > svg {
        color: var(--_accent);
      }

      .dragging .help {
        color: var(--_ink);
      }

      .folder {
        margin-top: 8px;
        color: var(--_bad);
        font-size: 14px;
        line-height: 22px;
      }

      .actions {
        justify-content: center;
        margin-top: 16px;
      }

      .dragging .actions {
        visibility: hidden;
      }

      @media (max-width: 759px) {
        .zone {
          padding: 20px 16px;
        }

        .actions {
          align-self: stretch;
          flex-direction: column;
          align-items: stretch;
        }
      }
    `,
  ];

  declare heading: string;
  declare help: string;
  declare action: string;
  declare accept: string;
  declare multiple: boolean;
  declare dragging: boolean;
  /** Whether a folder was dropped last. */
  declare isFolder: boolean;

  constructor() {
    super();
    this.heading = '';
    this.help = '';
    this.action = 'Choose a file';
    this.accept = '';
    this.multiple = false;
    this.dragging = false;
    this.isFolder = false;
  }

  protected override render(): TemplateResult {
    return html`<div
      class="zone ${this.dragging ? 'dragging' : ''}"
      part="zone"
      @dragover=${this.#over}
      @dragleave=${this.#leave}
      @drop=${this.#drop}
    >
      ${up}
      <p class="title">${this.dragging ? 'Drop to read it' : this.heading}</p>
      <p class="help">${this.dragging ? 'Nothing is sent.' : this.help}</p>
      ${
        this.isFolder && !this.dragging
          ? html`<p class="folder" role="alert">
              That is a folder. Open it and drop ${this.multiple ? 'the files' : 'the file'} inside.
            </p>`
          : nothing
      }
      <div class="actions">
        <button class="button primary" type="button" @click=${this.choose}>${this.action}</button>
        <slot></slot>
      </div>
      <input
        type="file"
        hidden
        aria-label=${this.action}
        accept=${this.accept || nothing}
        ?multiple=${this.multiple}
        @change=${this.#chosen}
      />
    </div>`;
  }

  /** Opens the dialog for files; only soon after a click or key. */
  readonly choose = (): void => {
    this.renderRoot.querySelector('input')?.click();
  };

  #over(event: DragEvent): void {
    event.preventDefault();
    this.dragging = true;
  }

  #leave(event: DragEvent): void {
    const to = event.relatedTarget;
    if (to instanceof Node && this.renderRoot.contains(to)) return;
    this.dragging = false;
  }

  #drop(event: DragEvent): void {
    event.preventDefault();
    this.take(event.dataTransfer);
  }

  /** Takes what was dropped, here or elsewhere on the page. */
  take(transfer: DataTransfer | null): void {
    this.dragging = false;
    const items = [...(transfer?.items ?? [])];
    this.isFolder = items.some((item) => item.webkitGetAsEntry()?.isDirectory === true);
    if (!this.isFolder) this.#emit([...(transfer?.files ?? [])]);
  }

  #chosen(event: Event): void {
    this.isFolder = false;
    this.#emit(takeFiles(event));
  }

  #emit(files: File[]): void {
    if (files.length === 0) return;
    const detail: FilesDetail = { files: this.multiple ? files : files.slice(0, 1) };
    this.dispatchEvent(new CustomEvent('pm-files', { detail }));
  }
}
