import { css } from 'lit';
import { pinned } from '../look/pinned.js';

export const designerStyles = css`
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-end;
    justify-content: space-between;
    gap: 16px 32px;
  }

  .above {
    margin-top: 28px;
  }

  .layout {
    display: grid;
    grid-template-columns: minmax(0, 520px) minmax(0, 552px);
    gap: 48px;
    margin-top: 32px;
  }

  section + section {
    margin-top: 40px;
    padding-top: 32px;
    border-top: 1px solid var(--_line);
  }

  section > h2 {
    margin-bottom: 20px;
    scroll-margin-top: 24px;
  }

  h2 + .help {
    margin: -14px 0 20px;
  }

  .field + .field {
    margin-top: 20px;
  }

  .pair .field + .field {
    margin-top: 0;
  }

  .help .link {
    min-height: 0;
    font-size: 14px;
  }

  .example {
    margin: 0 0 24px;
    padding: 20px;
    border-radius: 10px;
    background: var(--_surface);
  }

  .example h3 {
    outline: none;
  }

  .example pm-drop-zone {
    --pm-drop-zone-height: 168px;

    margin-top: 16px;
  }

  .confirm {
    display: grid;
    grid-template-columns: 18px minmax(0, 1fr);
    gap: 12px;
    margin-top: 16px;
    font-size: 14px;
    line-height: 20px;
    cursor: pointer;
  }

  .confirm input {
    margin-top: 1px;
  }

  .example table {
    margin-top: 12px;
  }

  .example .scroll {
    max-height: 280px;
  }

  .example .actions {
    margin-top: 16px;
  }

  .forecast {
    padding: 28px;
    border-radius: 10px;
    background: var(--_surface);
  }

  .aside {
    min-width: 0;
  }

  .forecast h2 + p {
    min-height: 52px;
    margin-top: 8px;
    color: var(--_ink-2);
    text-wrap: pretty;
  }

  .forecast pm-forecast-figure {
    display: block;
    margin-top: 20px;
  }

  .forecast .label {
    margin-top: 8px;
  }

  .forecast .helps {
    min-height: 66px;
    margin: 16px 0;
  }

  .between {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 12px;
    align-items: center;
    margin-top: 16px;
    font-size: 14px;
  }

  .between select {
    width: auto;
  }

  .truths {
    display: flex;
    flex-wrap: wrap;
    gap: 12px;
    margin-top: 6px;
  }

  .truths .field {
    width: 96px;
    margin-top: 0;
  }

  .truths + .field-label {
    margin-top: 16px;
  }

  .truths.columns .field {
    width: 150px;
  }

  .truths .field > label {
    margin-bottom: 4px;
    font-size: 13px;
    font-weight: 400;
  }

  .disclosed .button {
    margin-top: 12px;
  }

  .hand-out {
    margin-top: 56px;
    padding-top: 44px;
    border-top: 1px solid var(--_line);
  }

  .hand-out > h2 {
    margin-bottom: 6px;
  }

  .hand-out > .who {
    max-width: 520px;
    margin: 20px 0 24px;
  }

  .hand-out > .prose {
    min-height: 26px;
    margin-bottom: 24px;
  }

  .missing {
    display: grid;
    gap: 0;
    margin-top: 12px;
  }

  .missing .link {
    text-align: left;
  }

  .pinned {
    display: none;
  }

  /* Keeps the forecast in view while the sliders move. */
  @media (min-width: 1000px) and (min-height: 560px) {
    .aside > .forecast {
      position: sticky;
      top: 24px;
      max-height: calc(100vh - 48px);
      overflow-y: auto;
    }
  }

  @media (max-width: 1099px) {
    .layout {
      grid-template-columns: minmax(0, 432px) minmax(0, 1fr);
      gap: 40px;
    }
  }

  @media (max-width: 999px) {
    .layout {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }

    .forecast h2 + p {
      position: absolute;
      width: 1px;
      height: 1px;
      min-height: 0;
      overflow: hidden;
      clip-path: inset(50%);
    }

    ${pinned}
  }

  @media (max-width: 759px) {
    .layout {
      margin-top: 28px;
    }

    .forecast {
      margin: 0 -16px;
      padding: 24px 16px;
      border-radius: 0;
    }

    .example {
      padding: 16px;
    }

    .hand-out {
      margin-top: 44px;
      padding-top: 32px;
    }

    .confirm {
      min-height: 44px;
    }
  }
`;
