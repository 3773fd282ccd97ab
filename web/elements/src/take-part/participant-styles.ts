import { css } from 'lit';

/** Styles of `pm-participate`. */
export const participantStyles = css`
  .layout {
    display: grid;
    grid-template-columns: 176px minmax(0, 888px);
    gap: 56px;
  }

  .rail {
    position: sticky;
    top: 32px;
    align-self: start;
    padding-top: 9px;
  }

  section {
    margin-top: 56px;
    scroll-margin-top: 24px;
  }

  section > h2 {
    margin-bottom: 16px;
  }

  pm-drop-zone.study {
    margin-top: 24px;
  }

  .link-field {
    margin-top: 32px;
  }

  .link-field label {
    display: block;
    margin-bottom: 6px;
    font-size: 14px;
    font-weight: 600;
    line-height: 20px;
  }

  .link-field > div {
    display: flex;
    flex-wrap: wrap;
    gap: 12px;
  }

  .link-field input {
    flex: 1 1 240px;
  }

  .box {
    display: grid;
    align-content: center;
    min-height: 232px;
    padding: 24px;
    border: 1px solid var(--_line);
    border-radius: 8px;
  }

  .file {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 12px 16px;
    padding: 12px 12px 12px 18px;
    border: 1px solid var(--_line);
    border-radius: 8px;
  }

  .file > svg {
    color: var(--_ink-3);
  }

  .file > div {
    flex: 1 1 200px;
    min-width: 0;
  }

  .file .title {
    font-weight: 600;
    line-height: 24px;
    overflow-wrap: anywhere;
  }

  .file .button {
    flex: none;
  }

  dl.numbers {
    margin: 28px 0 24px;
  }

  .above {
    margin: 20px 0 24px;
  }

  .detail {
    display: block;
    margin-top: 8px;
    overflow-wrap: anywhere;
  }

  .note {
    margin-top: 16px;
    max-width: 56em;
  }

  .paste {
    margin-top: 16px;
  }

  .paste label {
    display: block;
    margin-bottom: 6px;
    font-size: 14px;
    font-weight: 600;
    line-height: 20px;
  }

  .paste textarea {
    display: block;
    width: 100%;
    padding: 8px 12px;
    border: 1px solid var(--_line-2);
    border-radius: 6px;
    background: var(--_bg);
    color: inherit;
    font: 13px/20px var(--_font-mono);
    resize: vertical;
  }

  .paste .hint {
    margin-top: 6px;
    color: var(--_ink-3);
    font-size: 13px;
    line-height: 20px;
  }

  .offer {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 16px 24px;
  }

  .offer .help {
    flex: 1 1 320px;
  }

  .unanswered:not(:empty) {
    margin-top: 12px;
    color: var(--_warn);
    font-weight: 500;
  }

  /* Tall enough for every state except refusals, so that content below does not jump. */
  .work {
    min-height: 84px;
  }

  .again,
  .concerns {
    margin-bottom: 24px;
  }

  .concerns ul {
    margin: 4px 0;
    padding-left: 18px;
    list-style: disc;
  }

  .again pm-budget-bar {
    max-width: 440px;
    margin-top: 12px;
  }

  .budget {
    margin-top: 32px;
  }

  .budget pm-budget-bar {
    margin: 14px 0 12px;
  }

  dialog {
    width: min(840px, 100vw - 32px);
    max-height: min(860px, 100vh - 32px);
    padding: 28px 32px 32px;
    border: 1px solid var(--_line-2);
    border-radius: 10px;
    background: var(--_bg);
    color: var(--_ink);
    overscroll-behavior: contain;
  }

  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }

  .dialog-top {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 16px;
    margin-bottom: 20px;
  }

  .made {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr);
    gap: 12px;
  }

  .made svg {
    margin-top: 3px;
    color: var(--_accent);
  }

  pm-what-leaves,
  pm-session-leaves {
    margin-top: 56px;
    scroll-margin-top: 24px;
  }

  @media (max-width: 999px) {
    .layout {
      grid-template-columns: minmax(0, 1fr);
      gap: 24px;
    }

    .rail {
      position: static;
      padding-top: 0;
    }
  }

  @media (max-width: 759px) {
    section,
    pm-what-leaves,
    pm-session-leaves {
      margin-top: 44px;
    }

    .file {
      padding: 12px;
    }

    .work {
      min-height: 190px;
    }

    dialog {
      padding: 20px 16px 24px;
    }

    .file .button,
    .offer .button {
      width: 100%;
    }

    .offer .help {
      flex-basis: 100%;
    }
  }
`;
