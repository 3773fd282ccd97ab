import { css, html, type TemplateResult } from 'lit';
import { count } from 'private-moments/words';
import { down, file as fileIcon } from '../look/icons.js';
import { save } from '../base/save.js';
import type { SessionFile } from './session-files.js';
import { shareButton } from '../controls/share-button.js';

/** A file to be sent, and its description. */
export interface ListedFile {
  file: SessionFile;
  /** Names the receiver: "For the analyst". */
  heading: string;
  words: unknown;
  /** On its button: "Save the analyst’s file". */
  action: string;
  /** Whether saving it is the next step. */
  primary?: boolean;
}

/** The list of files to be sent. */
export function fileList(files: readonly ListedFile[]): TemplateResult {
  return html`<ul class="handed" part="files">
    ${files.map(({ file: { name, blob }, heading, words, action, primary = true }) => {
      return html`<li>
        ${fileIcon}
        <div>
          <h3>${heading}</h3>
          <p class="mono">${name}</p>
          <p class="help">${words}</p>
          <div class="actions">
            <button
              class="button ${primary ? 'primary' : ''}"
              type="button"
              @click=${() => {
                save(blob, name);
              }}
            >
              ${down} ${action}
            </button>
            ${shareButton(blob, name, 'application/octet-stream')}
          </div>
        </div>
        <p class="size"><strong>${count(blob.size)}</strong> bytes</p>
      </li>`;
    })}
  </ul>`;
}

export const fileListStyles = css`
  .handed {
    border-top: 1px solid var(--_line);
  }

  .handed li {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    gap: 4px 16px;
    padding: 20px 0;
    border-bottom: 1px solid var(--_line);
  }

  .handed svg {
    margin-top: 2px;
    color: var(--_ink-3);
  }

  .handed .mono {
    color: var(--_ink-2);
    overflow-wrap: anywhere;
  }

  .handed .help {
    margin-top: 6px;
    max-width: 46em;
  }

  .handed .actions {
    margin-top: 14px;
  }

  .handed .actions svg {
    margin: 0;
    color: inherit;
  }

  .handed .size {
    color: var(--_ink-3);
    font-size: 14px;
    line-height: 28px;
    white-space: nowrap;
  }

  .handed .size strong {
    color: var(--_ink);
    font-size: 22px;
    font-weight: 600;
    letter-spacing: -0.012em;
  }

  @media (max-width: 759px) {
    .handed li {
      grid-template-columns: minmax(0, 1fr) auto;
    }

    .handed li > svg {
      display: none;
    }

    /* The size is beside the heading; everything else is below both. */
    .handed li > div {
      display: contents;
    }

    .handed .size {
      grid-area: 1 / 2;
      line-height: 24px;
    }

    .handed :is(.mono, .help) {
      grid-column: 1 / -1;
    }

    .handed .button {
      width: 100%;
    }

    .handed .actions {
      grid-column: 1 / -1;
    }
  }
`;
