import { css } from 'lit';

/**
 * Styles that pin a figure's finding to the foot of a narrow window, where the figure itself is out of
 * view beside its form. Focused controls are kept clear of it.
 */
export const pinned = css`
  .pinned {
    position: sticky;
    z-index: 1;
    bottom: 0;
    display: block;
    min-height: 61px;
    margin: 32px -16px 0;
    padding: 10px 16px;
    border-top: 1px solid var(--_line-2);
    background: var(--_bg);
    font-size: 14px;
    line-height: 20px;
  }

  form :is(input, select, textarea, button, pm-log-slider) {
    scroll-margin-bottom: 96px;
  }
`;
