import { css } from 'lit';

export const columnsStyles = css`
  .columns {
    margin-top: 20px;
    border-top: 1px solid var(--_line-2);
  }

  .columns li {
    border-bottom: 1px solid var(--_line);
  }

  .column {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(80px, 150px) 144px auto;
    gap: 4px 16px;
    align-items: center;
    min-height: 58px;
    padding: 8px 0;
  }

  .column .says,
  .column .range {
    display: grid;
    font-size: 15px;
    line-height: 20px;
    overflow-wrap: anywhere;
  }

  .column .range {
    text-align: right;
  }

  .column .label:empty {
    display: none;
  }

  .in-view {
    display: flex;
    align-items: center;
    gap: 8px;
    min-width: 0;
  }

  .view-mark {
    flex: none;
    width: 9px;
    height: 9px;
    background: var(--_view);
    forced-color-adjust: none;
  }

  .view-mark.none {
    border: 1px solid var(--_line-2);
    background: none;
  }

  .in-view select {
    padding: 0 2px 0 4px;
    font-size: 14px;
    color: var(--_ink-2);
  }

  .in-view select.none {
    color: var(--_ink-3);
  }

  .in-view select:not(:hover, :focus) {
    border-color: transparent;
    background: none;
  }

  .column .edit {
    min-height: 40px;
    padding: 0 2px;
    font-size: 14px;
    text-decoration: none;
  }

  .column .edit:hover {
    text-decoration: underline;
  }

  .columns.flat .column {
    grid-template-columns: minmax(0, 1fr) minmax(80px, 220px) auto;
  }

  .columns li .error {
    margin: 0 0 10px;
  }

  .columns li.open {
    margin: -1px -16px 0;
    padding: 16px;
    border: 0;
    border-radius: 10px;
    background: var(--_surface);
    animation: open 200ms ease-out;
  }

  @keyframes open {
    from {
      opacity: 0;
    }
  }

  .parts {
    display: grid;
    grid-template-columns: repeat(12, minmax(0, 1fr));
    gap: 12px;
    align-items: start;
  }

  .part {
    grid-column: span 4;
  }

  .part.wide {
    grid-column: span 8;
  }

  .part.levels {
    grid-column: 1 / -1;
  }

  .part.note {
    grid-column: 1 / -1;
  }

  .weight .field > label,
  .parts .part .field > label {
    margin-bottom: 4px;
    color: var(--_ink-2);
    font-size: 13px;
    font-weight: 400;
  }

  .columns li .parts .error {
    margin: 8px 0 0;
  }

  .columns .disclosure {
    margin-top: 12px;
  }

  .columns .disclosure summary {
    font-size: 14px;
  }

  .columns .disclosed {
    padding-bottom: 12px;
  }

  .weight {
    display: grid;
    grid-template-columns: 128px minmax(0, 1fr);
    gap: 4px 16px;
    align-items: end;
  }

  .columns .disclosed .hint {
    margin: 0;
  }

  .columns .disclosed .hint .link {
    min-height: 0;
    font-size: 13px;
  }

  .foot {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 8px 24px;
    margin-top: 12px;
  }

  .foot .hint {
    margin: 0;
  }

  .foot-buttons {
    display: flex;
    align-items: center;
    gap: 4px;
  }

  .foot-buttons .link {
    margin: 0 16px 0 8px;
    font-size: 14px;
  }

  .icon {
    width: 28px;
    height: 32px;
  }

  .icon:disabled {
    background: none;
    color: var(--_line);
    cursor: default;
  }

  .add {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 40px;
    font-size: 14px;
    font-weight: 500;
    text-decoration: none;
  }

  .add:hover {
    text-decoration: underline;
  }

  .views {
    margin-top: 20px;
  }

  .views ul {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 8px 16px;
    margin-top: 12px;
  }

  .view-name {
    display: flex;
    align-items: center;
    gap: 8px;
  }

  @media (pointer: coarse), (max-width: 759px) {
    .icon {
      width: 44px;
      height: 44px;
    }

    .add,
    .column .edit {
      min-height: 44px;
    }
  }

  @media (max-width: 759px) {
    .column,
    .columns.flat .column {
      grid-template-columns: minmax(0, 1fr) fit-content(50%);
    }

    .column .edit {
      justify-self: end;
    }

    .in-view {
      width: 180px;
      max-width: 100%;
    }

    .part {
      grid-column: span 6;
    }

    .part:first-child,
    .part.wide {
      grid-column: 1 / -1;
    }

    .foot {
      flex-wrap: wrap;
    }

    .foot-buttons {
      width: 100%;
    }

    .foot-buttons .link {
      margin-left: auto;
    }
  }

  @media (max-width: 459px) {
    .views ul {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
