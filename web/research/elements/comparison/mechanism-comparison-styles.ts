import { css } from 'lit';

/** Styles of the comparison of mechanisms: controls beside figures, and the table below. */
export const mechanismComparisonStyles = css`
  h2 + .prose {
    min-height: 78px;
    margin-top: 6px;
  }

  .layout {
    display: grid;
    grid-template-columns: 232px minmax(0, 1fr);
    gap: 72px;
    margin-top: 28px;
  }

  .controls {
    display: grid;
    gap: 20px;
    align-content: start;
  }

  .lines label {
    display: grid;
    grid-template-columns: 18px 20px minmax(0, 1fr);
    gap: 8px;
    align-items: center;
    min-height: 32px;
    font-size: 14px;
    line-height: 20px;
    cursor: pointer;
  }

  .lines label.full {
    color: var(--_ink-3);
    cursor: not-allowed;
  }

  .lines .hint {
    margin: 0 0 6px;
  }

  .lines .disclosure {
    margin-top: 8px;
  }

  .lines .disclosed {
    padding: 0 0 8px;
  }

  .lines .disclosed > * + * {
    margin-top: 0;
  }

  .key {
    height: 0;
    border-top: 2.5px solid var(--_own);
  }

  .key.dashed {
    border-top-style: dotted;
  }

  /* Solid where its claim holds, dotted where it does not. */
  .key.partly {
    display: flex;
    border-top: 0;
  }

  .key.partly::before,
  .key.partly::after {
    content: '';
    flex: 1;
    border-top: 2.5px solid var(--_own);
  }

  .key.partly::after {
    border-top-style: dotted;
  }

  .figures {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 32px 40px;
  }

  figure {
    min-width: 0;
  }

  figure.whole {
    grid-column: 1 / -1;
  }

  figure h3 {
    margin-bottom: 8px;
  }

  .behind {
    opacity: 0.5;
  }

  figure pm-comparison-figure {
    transition: opacity 120ms ease-out;
  }

  .about {
    grid-column: 1 / -1;
  }

  .about > .label + .label {
    margin-top: 4px;
  }

  .flawed {
    margin-top: 12px;
  }

  .about .disclosure {
    margin-top: 16px;
  }

  .tables {
    display: grid;
    gap: 24px;
    max-height: 420px;
  }

  .tables caption {
    padding: 0 0 8px;
    font-weight: 600;
    text-align: left;
  }

  .whole-table {
    margin-top: 56px;
  }

  .whole-table .prose {
    min-height: 78px;
    margin: 6px 0 20px;
  }

  .whole-table .actions {
    margin-top: 16px;
  }

  @media (max-width: 1099px) {
    .layout {
      gap: 40px;
    }

    .figures {
      grid-template-columns: minmax(0, 1fr);
    }
  }

  @media (max-width: 759px) {
    /* The figures come first. */
    .layout {
      grid-template-columns: minmax(0, 1fr);
      gap: 32px;
    }

    .controls {
      order: 2;
    }

    .lines label {
      min-height: 44px;
    }

    h2 + .prose {
      min-height: 156px;
    }

    .whole-table {
      margin-top: 44px;
    }

    .whole-table .prose {
      min-height: 208px;
    }
  }

  @media (pointer: coarse) {
    .lines label {
      min-height: 44px;
    }
  }

  @media (forced-colors: active) {
    .key,
    .key.partly::before,
    .key.partly::after {
      border-top-color: CanvasText;
    }
  }
`;
