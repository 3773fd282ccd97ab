import { css, type CSSResult } from 'lit';

/** The styles of `pm-save-page`. */
export const saveStyles: CSSResult = css`
  .lead {
    max-width: none;
  }

  .box {
    margin-top: 36px;
    padding: 32px;
    border: 1px solid var(--_line-2);
    border-radius: 10px;
  }

  .top {
    display: flex;
    justify-content: space-between;
    gap: 24px;
    padding-bottom: 24px;
    border-bottom: 1px solid var(--_line);
  }

  .top .prose {
    margin-top: 4px;
  }

  .size {
    flex: none;
    min-height: 40px;
    font-size: 36px;
    line-height: 40px;
    font-weight: 600;
    letter-spacing: -0.022em;
  }

  .size small {
    color: var(--_ink-3);
    font-size: 14px;
    font-weight: 400;
    letter-spacing: 0;
  }

  .columns {
    display: grid;
    grid-template-columns: minmax(0, 544fr) minmax(0, 454fr);
    gap: 40px 56px;
    margin-top: 28px;
  }

  .file {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    gap: 14px;
    align-items: center;
    padding: 14px 16px;
    border: 1px solid var(--_line);
    border-radius: 8px;
  }

  .file > svg {
    color: var(--_ink-2);
  }

  .file-name {
    white-space: nowrap;
    font-size: 15px;
    line-height: 22px;
    font-weight: 600;
  }

  .file .primary:hover {
    color: var(--_on-accent);
  }

  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px 16px;
    min-height: 34px;
    margin-top: 28px;
  }

  .hash {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    gap: 2px 0;
    min-height: 62px;
    margin-top: 8px;
    font: 500 19px/30px var(--_font-mono);
    letter-spacing: 0.01em;
    white-space: pre;
  }

  .hash + .label {
    margin-top: 8px;
  }

  .label code {
    font: inherit;
    font-family: var(--_font-mono);
  }

  .failed {
    margin-top: 28px;
  }

  .code {
    margin-top: 12px;
    padding: 16px 20px;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .drop {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: 12px 16px;
    align-items: center;
    margin-top: 12px;
    padding: 14px 16px;
    border: 1px dashed var(--_line-2);
    border-radius: 8px;
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 20px;
  }

  .drop.over {
    border: 1px solid var(--_accent);
    background: var(--_accent-soft);
    color: var(--_ink);
  }

  .drop > svg {
    width: 20px;
    height: 20px;
    color: var(--_ink-3);
  }

  .outcome {
    grid-column: 2 / -1;
  }

  .outcome:empty {
    display: none;
  }

  .outcome .tag {
    white-space: normal;
  }

  .outcome svg {
    display: inline;
    vertical-align: -3px;
  }

  .rules {
    margin-top: 12px;
  }

  .rules th,
  .rules td {
    padding: 8px 16px 8px 12px;
    vertical-align: baseline;
  }

  .rules th {
    width: 204px;
    font: 400 13px/20px var(--_font-mono);
  }

  .rules td {
    padding-left: 0;
  }

  .main-rule th,
  .main-rule td {
    background: var(--_accent-soft);
  }

  .main-rule th {
    box-shadow: inset 3px 0 var(--_accent);
    color: var(--_accent);
    font-weight: 600;
  }

  .limit {
    margin-top: 20px;
    padding-left: 14px;
    border-left: 3px solid var(--_warn);
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 22px;
    text-wrap: pretty;
  }

  b {
    color: var(--_ink);
    font-weight: 600;
  }

  .needs-title {
    margin-top: 28px;
  }

  .needs {
    display: grid;
    gap: 8px;
    margin-top: 12px;
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 22px;
  }

  .needs li {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr);
    gap: 10px;
  }

  .needs svg {
    margin-top: 3px;
    color: var(--_accent);
  }

  .needs b {
    font-weight: 500;
  }

  .steps {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    gap: 20px 32px;
    margin-top: 32px;
    padding-top: 24px;
    border-top: 1px solid var(--_line);
  }

  .steps li {
    display: grid;
    grid-template-columns: 24px minmax(0, 1fr);
    gap: 12px;
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 22px;
  }

  .steps .link {
    text-align: start;
  }

  .steps b {
    display: block;
    font-size: 15px;
  }

  @media (max-width: 999px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }

    .steps {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  @media (max-width: 759px) {
    .box {
      margin-top: 24px;
      padding: 20px 16px;
    }

    .steps {
      grid-template-columns: minmax(0, 1fr);
    }

    .top {
      flex-direction: column;
      gap: 12px;
    }

    .hash {
      grid-template-columns: repeat(2, max-content);
      gap: 2px 24px;
      min-height: 126px;
    }

    .file {
      grid-template-columns: 20px minmax(0, 1fr);
    }

    .file .button,
    .drop .button {
      grid-column: 1 / -1;
    }

    .outcome {
      grid-column: 1 / -1;
    }

    .segments {
      width: 100%;
    }

    .segments button {
      flex: 1;
    }

    .rules tr {
      display: grid;
      padding: 8px 12px;
      border-bottom: 1px solid var(--_line);
    }

    .rules th,
    .rules td {
      width: auto;
      padding: 0;
      border: 0;
    }

    .rules .main-rule {
      background: var(--_accent-soft);
      box-shadow: inset 3px 0 var(--_accent);
    }

    .main-rule th {
      box-shadow: none;
    }
  }
`;
