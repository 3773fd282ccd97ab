import { css, type CSSResultGroup } from 'lit';
import { paperStyles } from '../look/printing.js';

/** A few buttons side by side, one of them chosen. */
export const segmentStyles = css`
  .segments {
    display: inline-flex;
    flex-wrap: wrap;
    border: 1px solid var(--_line-2);
    border-radius: 6px;
    overflow: clip;
  }

  .segments button {
    min-height: 32px;
    padding: 0 14px;
    border: 0;
    background: none;
    color: var(--_ink);
    font-size: 14px;
    font-weight: 500;
    cursor: pointer;
  }

  .segments button:hover {
    background: var(--_surface);
  }

  .segments button:focus-visible {
    outline-offset: -3px;
  }

  .segments .floor {
    color: var(--_ink-3);
    font-weight: 400;
  }

  .segments [aria-pressed='true'],
  .segments [aria-pressed='true']:hover {
    background: var(--_ink);
    color: var(--_bg);
    font-weight: 600;
  }

  @media (pointer: coarse), (max-width: 759px) {
    .segments button {
      min-height: 44px;
    }
  }

  @media (forced-colors: active) {
    .segments [aria-pressed='true'],
    .segments [aria-pressed='true']:hover {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`;

/** A heading with buttons beside it. */
export const headStyles = css`
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 16px;
    margin-bottom: 16px;
  }
`;

/** The layout of both kinds of result. */
const layout = css`
  section {
    margin-top: 56px;
  }

  h2 + .prose {
    margin-top: 6px;
  }

  .figure-and-words {
    display: grid;
    grid-template-columns: minmax(0, 640px) minmax(0, 1fr);
    gap: 80px;
    margin-top: 20px;
  }

  .figure-and-words p + p {
    margin-top: 12px;
  }

  .figure-and-words h3 + p {
    margin-top: 8px;
  }

  .figure-and-words p {
    color: var(--_ink-2);
    font-size: 15px;
    line-height: 24px;
  }

  .answer {
    margin: 20px 0 12px;
  }

  .in-words {
    max-width: 46em;
    margin-top: 20px;
    color: var(--_ink-2);
    font-size: 15px;
    line-height: 24px;
  }

  .in-words h3 {
    color: var(--_ink);
  }

  .in-words p {
    margin-top: 8px;
  }

  .view-choice {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 16px;
    align-items: center;
    margin-top: 12px;
  }

  .view-choice select,
  .choice select {
    min-width: 0;
    max-width: 100%;
    min-height: 40px;
    padding: 0 12px;
    border: 1px solid var(--_line-2);
    border-radius: 6px;
    background: var(--_bg);
  }

  .view-choice .labelled {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    align-items: center;
    max-width: 100%;
  }

  .view-choice label {
    font-size: 14px;
    font-weight: 600;
  }

  .two {
    display: grid;
    grid-template-columns: minmax(0, 440px) minmax(0, 1fr);
    gap: 56px 96px;
  }

  .two pm-scree-figure {
    margin-top: 20px;
  }

  .wide .go {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr));
    gap: 0 72px;
  }

  .view-choice + .prose,
  .view-choice + .help,
  .view-choice + .help + .prose {
    margin-top: 12px;
  }

  .prose + pm-weight-bars {
    margin-top: 16px;
  }

  .go li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 12px 24px;
    padding: 20px 0;
    border-bottom: 1px solid var(--_line);
  }

  .go li > div {
    flex: 1 1 260px;
  }

  .how {
    margin-top: 16px;
  }

  .methods {
    max-width: 46em;
    margin-top: 8px;
    color: var(--_ink-2);
    font-size: 15px;
    line-height: 24px;
    overflow-wrap: anywhere;
  }

  .meanings {
    margin: 8px 0 0;
    padding: 0;
    list-style: none;
    font-size: 14px;
    line-height: 20px;
  }

  .meanings li {
    display: grid;
    grid-template-columns: 76px minmax(0, 1fr);
    padding: 8px 0;
    border-bottom: 1px solid var(--_line);
  }

  .meanings span {
    color: var(--_ink-3);
  }

  .guarantee {
    margin-top: 24px;
    font-weight: 600;
  }

  @media print {
    .segments,
    .view-choice {
      display: none;
    }

    .figure-and-words,
    .two {
      display: block;
    }

    .two > section,
    .view {
      break-inside: avoid;
    }
  }

  @media (max-width: 1099px) {
    .figure-and-words,
    .two {
      grid-template-columns: minmax(0, 1fr);
      gap: 32px;
    }
  }

  @media (max-width: 759px) {
    section {
      margin-top: 44px;
    }

    .two {
      gap: 0;
    }

    .go .button {
      width: 100%;
    }
  }
`;

export const resultStyles: CSSResultGroup = [segmentStyles, headStyles, layout, paperStyles];
