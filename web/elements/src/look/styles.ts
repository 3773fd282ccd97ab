import { css, type CSSResult, type CSSResultGroup } from 'lit';
import { tokens } from './tokens.js';

const base = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  :host {
    display: block;
    color: var(--_ink);
    font: 400 16px/26px var(--_font);
    font-variant-numeric: tabular-nums;
    -webkit-font-smoothing: antialiased;
    text-size-adjust: 100%;
    overflow-wrap: break-word;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd,
  figure,
  pre,
  table {
    margin: 0;
    padding: 0;
  }

  h1 {
    font-size: 36px;
    line-height: 42px;
    font-weight: 600;
    letter-spacing: -0.022em;
    text-wrap: balance;
  }

  h2 {
    font-size: 22px;
    line-height: 28px;
    font-weight: 600;
    letter-spacing: -0.012em;
  }

  h3 {
    font-size: 16px;
    line-height: 24px;
    font-weight: 600;
  }

  h1:focus,
  h2:focus {
    outline: none;
  }

  ul,
  ol {
    list-style: none;
  }

  svg {
    display: block;
    flex: none;
  }

  .lead {
    max-width: 40em;
    margin-top: 8px;
    color: var(--_ink-2);
    font-size: 18px;
    line-height: 28px;
    text-wrap: pretty;
  }

  .prose {
    max-width: 46em;
    color: var(--_ink-2);
    text-wrap: pretty;
  }

  .help {
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 22px;
    text-wrap: pretty;
  }

  .label,
  figcaption {
    color: var(--_ink-3);
    font-size: 13px;
    line-height: 20px;
  }

  .name {
    font-weight: 500;
  }

  .mono {
    font-family: var(--_font-mono);
    font-size: 13px;
    line-height: 20px;
  }

  .tag {
    display: inline-block;
    padding: 0 8px;
    border-radius: 4px;
    background: var(--_accent-soft);
    color: var(--_accent);
    font-size: 13px;
    line-height: 22px;
    font-weight: 500;
    white-space: nowrap;
  }

  @media (forced-colors: active) {
    .tag {
      outline: 1px solid;
      outline-offset: -1px;
    }
  }

  .tag.warn {
    background: var(--_warn-soft);
    color: var(--_warn);
  }

  .tag.bad {
    background: var(--_bad-soft);
    color: var(--_bad);
  }

  .tag.quiet {
    background: var(--_sunken);
    color: var(--_ink-2);
  }

  a {
    color: var(--_accent);
    text-underline-offset: 3px;
    text-decoration-thickness: 1px;
  }

  a:hover {
    color: var(--_accent-2);
  }

  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }

  button,
  select {
    font: inherit;
    font-variant-numeric: inherit;
    color: inherit;
  }

  .input {
    min-height: 40px;
    padding: 0 12px;
    border: 1px solid var(--_line-2);
    border-radius: 6px;
    background: var(--_bg);
    color: inherit;
    font: inherit;
    font-weight: 400;
  }

  .link {
    padding: 0;
    border: 0;
    border-radius: 2px;
    background: none;
    color: var(--_accent);
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
    cursor: pointer;
  }

  .link:hover {
    color: var(--_accent-2);
  }

  .icon {
    display: inline-grid;
    place-items: center;
    padding: 0;
    border: 0;
    border-radius: 6px;
    background: none;
    color: var(--_ink-3);
    cursor: pointer;
  }

  .icon:hover {
    background: var(--_surface);
    color: var(--_ink);
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 12px;
    align-items: center;
  }

  table {
    width: 100%;
    border-collapse: collapse;
    font-size: 14px;
    line-height: 20px;
  }

  th {
    padding: 0 16px 8px 0;
    border-bottom: 1px solid var(--_line-2);
    color: var(--_ink-3);
    font-size: 13px;
    font-weight: 400;
    text-align: left;
    vertical-align: bottom;
    white-space: nowrap;
  }

  td,
  tbody th {
    padding: 9px 16px 9px 0;
    border-bottom: 1px solid var(--_line);
    vertical-align: middle;
  }

  tbody th {
    color: var(--_ink);
    font-size: 14px;
    font-weight: 500;
    white-space: normal;
  }

  th:last-child,
  td:last-child {
    padding-right: 0;
  }

  .right {
    text-align: right;
  }

  .scroll {
    overflow: auto;
  }

  .hidden-visually {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  dl.numbers {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    /* Keeps the numbers aligned when a label takes two lines. */
    align-items: end;
    gap: 20px 24px;
  }

  .numbers dt {
    color: var(--_ink-3);
    font-size: 13px;
    line-height: 20px;
  }

  .numbers dd {
    font-size: 22px;
    line-height: 28px;
    font-weight: 600;
    letter-spacing: -0.012em;
  }

  svg text {
    fill: var(--_ink-3);
    font-size: 12px;
    font-family: var(--_font);
  }

  .on-paper {
    display: none;
  }

  @media print {
    :host {
      color-scheme: light;
    }

    .on-screen,
    .link,
    .icon {
      display: none;
    }

    .on-paper {
      display: block;
    }

    h1,
    h2,
    h3 {
      break-after: avoid;
    }

    tr {
      break-inside: avoid;
    }

    .scroll {
      overflow: visible;
    }
  }

  @media (pointer: coarse) {
    .input {
      min-height: 44px;
    }

    .link {
      min-height: 44px;
    }
  }

  @media (max-width: 759px) {
    h1 {
      font-size: 28px;
      line-height: 34px;
    }

    h2 {
      font-size: 20px;
    }

    .lead {
      font-size: 17px;
    }

    .input {
      min-height: 44px;
    }

    dl.numbers {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      transition: none !important;
      animation: none !important;
    }
  }
`;

/** Buttons, and links that look like them. */
export const buttonStyles: CSSResult = css`
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-height: 40px;
    padding: 0 16px;
    border: 1px solid var(--_line-2);
    border-radius: 6px;
    background: var(--_bg);
    color: var(--_ink);
    font-size: 15px;
    line-height: 20px;
    font-weight: 500;
    text-decoration: none;
    white-space: nowrap;
    cursor: pointer;
    transition:
      background-color 120ms ease-out,
      border-color 120ms ease-out,
      color 120ms ease-out;
  }

  .button:hover {
    background: var(--_surface);
    border-color: var(--_ink-2);
    color: var(--_ink);
  }

  .button.primary {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }

  .button.primary:hover {
    border-color: var(--_accent-2);
    background: var(--_accent-2);
  }

  .button.small {
    min-height: 32px;
    padding: 0 12px;
    font-size: 14px;
  }

  .button:disabled,
  .button[aria-disabled='true'] {
    border-color: var(--_line);
    background: var(--_surface);
    color: var(--_ink-3);
    cursor: not-allowed;
  }

  @media print {
    .button {
      display: none;
    }
  }

  @media (pointer: coarse), (max-width: 759px) {
    .button,
    .button.small {
      min-height: 44px;
    }
  }
`;

/** What every element starts from: the tokens, the type scale, buttons, tables, tags. */
export const styles: CSSResultGroup = [tokens, base, buttonStyles];
