import { css, html, type TemplateResult } from 'lit';

/** A link to share: shown, selected on focus, and copied by a button. */
export function linkBox(label: string, link: string, primary = true): TemplateResult {
  return html`<div class="link-box">
    <input
      class="input"
      readonly
      aria-label=${label}
      .value=${link}
      @focus=${(event: Event) => {
        (event.target as HTMLInputElement).select();
      }}
    />
    <pm-copy-button .text=${link} label="Copy link" ?primary=${primary}></pm-copy-button>
  </div>`;
}

export const linkBoxStyles = css`
  .link-box {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 12px;
    margin-top: 12px;
  }

  .link-box input {
    min-width: 0;
    background: var(--_surface);
    color: var(--_ink-2);
    font-family: var(--_font-mono);
    font-size: 13px;
    text-overflow: ellipsis;
  }

  @media (max-width: 759px) {
    .link-box {
      grid-template-columns: minmax(0, 1fr);
    }

    .link-box input {
      font-size: 16px;
    }
  }
`;
