import { css } from 'lit';

/** Styles shared by the panels that show what leaves this computer. */
export const panelStyles = css`
  .panel {
    padding: 32px;
    border: 1px solid var(--_line-2);
    border-radius: 10px;
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    justify-content: space-between;
    gap: 12px 24px;
    padding-bottom: 24px;
  }

  header p {
    margin-top: 6px;
    color: var(--_ink-2);
  }

  .size {
    color: var(--_ink-3);
    font-size: 15px;
    line-height: 44px;
  }

  .size strong {
    margin-right: 2px;
    color: var(--_ink);
    font-size: 40px;
    font-weight: 600;
    letter-spacing: -0.022em;
  }

  .words p {
    margin-top: 6px;
    color: var(--_ink-2);
    text-wrap: pretty;
  }

  pm-guess-bar {
    margin: 20px 0 20px;
  }

  .disclosed p,
  .disclosed li {
    margin-top: 0;
    font-size: 14px;
    line-height: 22px;
    color: var(--_ink-2);
  }

  .disclosed .formula {
    font-size: 16px;
    line-height: 26px;
    color: var(--_ink);
  }

  .exact .disclosed {
    padding-left: 0;
  }

  @media (max-width: 759px) {
    .panel {
      padding: 28px 0 0;
      border: 0;
      border-top: 2px solid var(--_accent);
      border-radius: 0;
    }

    header {
      display: block;
      padding-bottom: 16px;
    }

    .size strong {
      font-size: 32px;
    }
  }
`;
