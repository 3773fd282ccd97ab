import { css, html, nothing, type TemplateResult } from 'lit';
import { count } from 'private-moments/words';
import { tick } from '../look/icons.js';
import { shortId } from './session-files.js';

/** A file that was added to a session. */
export interface AddedFile {
  name: string;
  bytes: number;
  /** Id of the participant who signed it, if known. */
  pid?: string;
  /** How many rows it counts; null if that number is private. */
  rows?: number | null;
  /** Why it was refused. */
  refusal?: string;
  /** Whether it had been added before. */
  again?: boolean;
}

/** The files added to a session, and those refused with the reason. */
export function messageTable(
  files: readonly AddedFile[],
  { rows: showsRows }: { rows: boolean },
): TemplateResult {
  return html`<table class="messages">
    <thead>
      <tr>
        <th scope="col">File</th>
        <th scope="col">Participant</th>
        ${showsRows ? html`<th scope="col" class="right">Rows</th>` : nothing}
        <th scope="col" class="right">Bytes</th>
        <th scope="col" class="right">Accepted</th>
      </tr>
    </thead>
    <tbody>
      ${files.map(
        ({ name, bytes, pid, rows, refusal, again = false }) =>
          html`<tr class=${refusal === undefined ? '' : 'out'}>
            <th scope="row">${name}</th>
            <td class="who">${pid === undefined ? '–' : shortId(pid)}</td>
            ${showsRows ? html`<td class="right wide">${rows == null ? '–' : count(rows)}</td>` : nothing}
            <td class="right wide">${count(bytes)}</td>
            <td class="right state">
              ${
                refusal === undefined
                  ? html`${tick}<span class="hidden-visually">yes</span>`
                  : html`<span class="tag ${again ? 'quiet' : 'bad'}">${refusal}</span>`
              }
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export const messageTableStyles = css`
  .messages tbody th {
    overflow-wrap: anywhere;
  }

  .messages .who {
    white-space: nowrap;
  }

  .messages .state svg {
    margin-left: auto;
    color: var(--_accent);
  }

  .messages .tag {
    text-align: left;
    white-space: normal;
  }

  .messages .out th,
  .messages .out td {
    color: var(--_ink-3);
  }

  .messages .out th {
    font-weight: 400;
  }

  @media (max-width: 759px) {
    .messages,
    .messages tbody {
      display: block;
    }

    .messages thead,
    .messages .wide {
      display: none;
    }

    .messages tbody {
      border-top: 1px solid var(--_line-2);
    }

    .messages tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto 20px;
      gap: 0 12px;
      align-items: center;
      min-height: 48px;
      padding: 8px 0;
      border-bottom: 1px solid var(--_line);
    }

    .messages th,
    .messages td {
      padding: 0;
      border: 0;
    }

    .messages .out .state {
      grid-column: 1 / -1;
      grid-row: 2;
      text-align: left;
    }
  }
`;
