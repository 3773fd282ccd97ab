import { css } from 'lit';

/** Styles of the audit: its words and bar beside the figure, and its checks below. */
export const auditStyles = css`
  :host {
    --_halo: var(--_surface);
  }

  .panel {
    padding: 40px;
    border-radius: 10px;
    background: var(--_surface);
  }

  .top {
    display: grid;
    grid-template-columns: minmax(0, 5fr) minmax(0, 7fr);
    gap: 40px 72px;
  }

  .verdict {
    height: 24px;
  }

  .tag svg {
    display: inline-block;
    margin: 0 4px -3px -2px;
  }

  h2 {
    margin-top: 8px;
  }

  h2 + .prose {
    min-height: 208px;
    margin-top: 6px;
  }

  .choice {
    display: grid;
    gap: 24px;
    margin-top: 20px;
  }

  .run {
    margin-top: 24px;
  }

  .progress {
    min-height: 46px;
    margin-top: 16px;
  }

  .progress progress {
    margin: 0 0 8px;
  }

  .checks {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 16px 44px;
    margin-top: 32px;
  }

  .checks > div {
    padding-top: 12px;
    border-top: 1px solid var(--_line);
  }

  .checks dt {
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 20px;
  }

  .checks dd {
    font-size: 15px;
    line-height: 24px;
    font-weight: 500;
  }

  dd .ok {
    color: var(--_accent);
  }

  dd .ok svg {
    display: inline-block;
    margin-right: 6px;
    vertical-align: -3px;
  }

  dd .off {
    color: var(--_bad);
    font-weight: 500;
  }

  .later {
    color: var(--_ink-3);
    font-weight: 400;
  }

  figure {
    margin-top: 12px;
  }

  figure h3 {
    display: flex;
    align-items: end;
    min-height: 72px;
  }

  figure > .help {
    margin-top: 4px;
  }

  figure pm-audit-figure {
    margin-top: 16px;
  }

  figcaption {
    min-height: 40px;
    margin-top: 12px;
  }

  .more {
    margin-top: 24px;
  }

  .scroll {
    max-width: 640px;
    max-height: 440px;
  }

  .scroll thead th {
    position: sticky;
    top: 0;
    background: var(--_surface);
  }

  .scroll tbody th {
    padding-top: 20px;
  }

  .sets {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 240px));
    gap: 24px 44px;
  }

  .sets caption {
    padding-bottom: 6px;
    font-weight: 600;
    text-align: left;
  }

  .sets .own td {
    color: var(--_accent);
    font-weight: 600;
  }

  .disclosed .prose {
    font-size: 15px;
    line-height: 24px;
  }

  @media (max-width: 999px) {
    .top {
      grid-template-columns: minmax(0, 1fr);
    }
  }

  @media (max-width: 759px) {
    .panel {
      margin: 0 -16px;
      padding: 28px 16px;
      border-radius: 0;
    }

    h2 + .prose {
      min-height: 234px;
    }

    figure h3 {
      min-height: 96px;
    }

    .checks {
      grid-template-columns: minmax(0, 1fr);
    }

    .sets {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
      gap: 24px;
    }
  }

  @media (forced-colors: active) {
    .panel {
      border: 1px solid CanvasText;
    }
  }
`;
