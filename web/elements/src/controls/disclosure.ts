import { css, html, nothing, type TemplateResult } from 'lit';
import { chevron } from '../look/icons.js';

/** A row that opens to show more: plain words first, details one click away. */
export function disclosure(
  label: unknown,
  content: unknown,
  {
    open = false,
    aside,
    toggled,
  }: { open?: boolean; aside?: unknown; toggled?: (open: boolean) => void } = {},
): TemplateResult {
  return html`<details
    class="disclosure"
    ?open=${open}
    @toggle=${(event: Event) => {
      toggled?.((event.target as HTMLDetailsElement).open);
    }}
  >
    <summary>
      ${chevron}<span>${label}</span>${
        aside === undefined ? nothing : html`<span class="aside">${aside}</span>`
      }
    </summary>
    <div class="disclosed">${content}</div>
  </details>`;
}

export const disclosureStyles = css`
  .disclosure {
    border-top: 1px solid var(--_line);
    border-bottom: 1px solid var(--_line);
  }

  .disclosure + .disclosure {
    border-top: 0;
  }

  .disclosure summary {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 44px;
    padding: 8px 0;
    border-radius: 2px;
    color: var(--_accent);
    font-size: 15px;
    line-height: 22px;
    font-weight: 500;
    cursor: pointer;
    list-style: none;
  }

  .disclosure summary::-webkit-details-marker {
    display: none;
  }

  .disclosure summary:hover {
    color: var(--_accent-2);
  }

  .disclosure summary > svg {
    transition: transform 120ms ease-out;
  }

  .disclosure[open] > summary > svg {
    transform: rotate(90deg);
  }

  .disclosure .aside {
    color: var(--_ink-3);
    font-weight: 400;
  }

  .disclosed {
    padding: 4px 0 20px 24px;
  }

  .disclosed > * + * {
    margin-top: 12px;
  }

  @media (max-width: 759px) {
    .disclosure summary:has(.aside) {
      flex-wrap: wrap;
      gap: 0 8px;
    }

    /* Below the label, not between it and the edge of the window. */
    .disclosure .aside {
      flex-basis: 100%;
      padding-left: 24px;
    }

    .disclosed {
      padding-left: 0;
    }
  }
`;
