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

  .help .aids {
    display: flex;
    flex-wrap: wrap;
    gap: 0 20px;
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

  .example .actions {
    margin-top: 16px;
  }

  .forecast {
    padding: 24px 28px;
    border-radius: 10px;
    background: var(--_surface);
  }

  .aside {
    min-width: 0;
  }

  .forecast > h2 {
    margin: 0;
    font-size: 15px;
    line-height: 22px;
    letter-spacing: 0;
  }

  .verdict {
    min-height: 52px;
    font-size: 18px;
    line-height: 26px;
    font-weight: 600;
    text-wrap: pretty;
  }

  .verdict .notice {
    margin-top: 4px;
    font-size: 14px;
    line-height: 22px;
  }

  .verdict .notice .help {
    margin: 0;
    font-weight: 400;
  }

  .plan-line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px 16px;
    margin-top: 12px;
    font-size: 14px;
    line-height: 22px;
  }

  .size {
    color: var(--_ink-2);
  }

  input.inline {
    width: 5ch;
    min-height: 28px;
    padding: 0 4px;
    border: 0;
    border-bottom: 1px solid var(--_line-2);
    border-radius: 2px 2px 0 0;
    background: none;
    color: var(--_ink);
    font: inherit;
    font-weight: 600;
    font-variant-numeric: inherit;
    text-align: center;
    field-sizing: content;
    min-width: 3ch;
    max-width: 10ch;
  }

  input.inline:hover {
    background: var(--_sunken);
  }

  input.inline[aria-invalid='true'] {
    border-bottom: 2px solid var(--_bad);
  }

  .segments {
    display: flex;
    border: 1px solid var(--_line-2);
    border-radius: 6px;
    background: var(--_bg);
  }

  .segments label {
    flex: 1;
    cursor: pointer;
  }

  .segments input {
    position: absolute;
    opacity: 0;
    pointer-events: none;
  }

  .segments span {
    display: block;
    padding: 4px 11px;
    border-radius: 5px;
    color: var(--_ink-2);
    line-height: 22px;
    text-align: center;
    white-space: nowrap;
  }

  .segments label:hover span {
    color: var(--_ink);
  }

  .segments input:checked + span {
    background: var(--_ink);
    color: var(--_bg);
    font-weight: 600;
  }

  .segments input:focus-visible + span {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }

  .stale {
    opacity: 0.35;
  }

  .forecast pm-forecast-figure {
    display: block;
    margin-top: 16px;
  }

  .forecast .caption {
    margin-top: 4px;
  }

  .assuming,
  .power,
  .unseen {
    margin-top: 12px;
    font-size: 14px;
    line-height: 22px;
    text-wrap: pretty;
  }

  /* Leaves room for the sentence, so that content below does not jump. */
  .power {
    min-height: 2lh;
  }

  @media (max-width: 459px) {
    .power {
      min-height: 3lh;
    }
  }

  .unseen {
    color: var(--_warn);
  }

  .unseen .link {
    min-height: 0;
    font-size: 14px;
  }

  .bullets {
    margin-top: 16px;
    padding-left: 18px;
    list-style: disc;
  }

  .bullets li + li {
    margin-top: 4px;
  }

  .pairs {
    margin-top: 12px;
  }

  .pairs :is(td, tbody th) {
    padding-top: 5px;
    padding-bottom: 5px;
  }

  .pairs th:last-child {
    width: 116px;
  }

  .lever {
    display: flex;
    align-items: flex-start;
    justify-content: space-between;
    gap: 16px;
    min-height: 66px;
    margin: 14px 0 8px;
    font-size: 14px;
    line-height: 22px;
  }

  .lever p {
    color: var(--_ink-2);
    text-wrap: pretty;
  }

  .lever .others {
    margin: 4px 0 0;
  }

  .lever b {
    color: var(--_ink);
    font-weight: 600;
  }

  .all-levers td:last-child,
  .forecast .all-levers .link {
    white-space: nowrap;
  }

  /* The fold above has a line at its foot. */
  .forecast > div + .disclosure {
    border-top: 0;
  }

  .all-levers .link {
    min-height: 0;
    font-size: 14px;
  }

  .between {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 12px;
    align-items: center;
    margin-top: 12px;
    font-size: 14px;
  }

  .between select {
    width: auto;
  }

  .assumed {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 12px;
    align-items: end;
  }

  .assumed .field + .field {
    margin-top: 0;
  }

  .assumed .field > label {
    margin-bottom: 4px;
    font-size: 13px;
    font-weight: 400;
  }

  .disclosed .button {
    margin-top: 12px;
  }

  .undo {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
    padding: 8px 0;
    color: var(--_ink-2);
    font-size: 14px;
    line-height: 22px;
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

    ${pinned}
  }

  @media (max-width: 459px) {
    :is(.pairs, .all-levers, .example) :is(th, td) {
      padding-right: 8px;
      white-space: normal;
    }

    :is(.pairs, .all-levers, .example) :is(th, td):last-child {
      width: auto;
      padding-right: 0;
    }
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

    .segments {
      width: 100%;
    }

    .segments span {
      padding: 11px 8px;
    }

    input.inline {
      min-height: 44px;
      font-size: 16px;
    }

    /* Lines as far apart as the fields in them need, with or without one. */
    .assuming {
      line-height: 36px;
    }

    .assuming input.inline {
      margin: -4px 0;
    }

    .assuming .label {
      display: block;
      margin-top: 8px;
    }

    .assumed {
      grid-template-columns: minmax(0, 1fr);
    }

    .confirm {
      min-height: 44px;
    }
  }
`;
