import { css } from 'lit';

/** Styles of *Find me*: the patients beside the files in a wide window, all in one column otherwise. */
export const findMeStyles = css`
  .board {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-areas: 'who' 'files' 'bet' 'card' 'epsilon' 'allows';
    margin-top: 32px;
  }

  .board.wide {
    grid-template-columns: 400px minmax(0, 664px);
    grid-template-rows: auto auto 1fr auto;
    grid-template-areas: 'who files' 'who bet' 'who epsilon' 'card allows';
    column-gap: 56px;
    justify-content: space-between;
    margin-top: 44px;
  }

  .who {
    grid-area: who;
  }

  .files {
    grid-area: files;
  }

  .bet {
    grid-area: bet;
  }

  .epsilon {
    grid-area: epsilon;
  }

  .card {
    grid-area: card;
  }

  .allows {
    grid-area: allows;
  }

  .h3 {
    font-size: 16px;
    line-height: 24px;
    letter-spacing: 0;
  }

  .patients {
    margin-top: 14px;
  }

  .patients td,
  .patients tbody th {
    padding-block: 0;
    height: 28px;
  }

  .patients tbody tr {
    cursor: pointer;
  }

  .patients tbody tr:hover {
    background: var(--_surface);
  }

  .patients tr > :first-child {
    padding-left: 12px;
  }

  .patients tr > :last-child {
    padding-right: 12px;
  }

  .patients button {
    width: 44px;
    height: 27px;
    margin-left: -12px;
    padding: 0 0 0 12px;
    border: 0;
    border-radius: 2px;
    background: none;
    font-weight: 400;
    text-align: left;
    cursor: pointer;
  }

  .patients .me,
  .patients .me:hover {
    background: var(--_accent-soft);
    box-shadow: inset 3px 0 var(--_accent);
  }

  .patients .me > *,
  .patients .me button {
    color: var(--_ink);
    font-weight: 600;
  }

  .picked {
    padding: 10px 12px;
    border-left: 3px solid var(--_accent);
    background: var(--_accent-soft);
    font-size: 14px;
    line-height: 22px;
  }

  .picked b {
    font-weight: 600;
  }

  .slim .who .link {
    min-height: 44px;
    font-size: 14px;
  }

  .files {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, max-content));
    justify-content: space-between;
    align-items: end;
    gap: 12px 16px;
  }

  .slim .files {
    justify-content: start;
    column-gap: 72px;
    margin-top: 20px;
  }

  .place {
    width: 288px;
    min-height: 256px;
    margin-top: 12px;
  }

  .place.small {
    width: 148px;
    min-height: 176px;
  }

  .slim .files:has(.small) {
    justify-content: space-between;
    column-gap: 16px;
  }

  .files .about {
    grid-column: 1 / -1;
  }

  .about .link {
    min-height: 0;
    font-size: 13px;
    line-height: 20px;
  }

  .file text.number {
    font-size: 13px;
  }

  .file.small text.number {
    font-size: 12px;
  }

  .bet {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 16px 24px;
    align-items: center;
    margin-top: 28px;
    padding: 20px 24px;
    border-radius: 10px;
    background: var(--_surface);
  }

  .bet h2 {
    grid-column: 1 / -1;
    font-size: 20px;
  }

  .choices {
    display: flex;
    gap: 12px;
  }

  .choices .button {
    min-width: 132px;
    min-height: 44px;
  }

  .button[aria-disabled='true'] {
    color: var(--_ink-3);
  }

  .so-far {
    justify-self: end;
    text-align: right;
  }

  .so-far .label {
    min-height: 40px;
    margin-top: 6px;
  }

  .so-far .label b {
    display: block;
    color: var(--_ink);
    font-weight: 600;
  }

  .dots {
    display: flex;
    gap: 7px;
  }

  .dots li {
    display: grid;
    place-items: center;
    width: 24px;
    height: 24px;
    border: 1px solid var(--_line-2);
    border-radius: 50%;
    transition:
      background-color 120ms ease-out,
      border-color 120ms ease-out;
  }

  .dots .now {
    border: 2px solid var(--_accent);
  }

  .dots .hit {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }

  .dots .miss {
    border-color: var(--_sunken);
    background: var(--_sunken);
    color: var(--_ink-2);
  }

  .epsilon {
    margin-top: 24px;
  }

  .card {
    padding: 28px;
    border-radius: 10px;
    background: var(--_surface);
  }

  .wide .card,
  .wide .allows {
    align-self: start;
    margin-top: 56px;
  }

  .big {
    font-size: 36px;
    line-height: 42px;
    font-weight: 600;
    letter-spacing: -0.022em;
  }

  .big small {
    color: var(--_ink-2);
    font-size: 18px;
    font-weight: 400;
    letter-spacing: 0;
  }

  .card .dots {
    justify-content: space-between;
    gap: 4px;
    margin-top: 12px;
  }

  .card pm-score-bar {
    margin-top: 16px;
  }

  .card .help {
    min-height: 66px;
    margin-top: 12px;
  }

  .card.none .help {
    min-height: 0;
    margin: 0;
  }

  .card .actions {
    margin-top: 12px;
  }

  .slim .card,
  .slim.over .bet {
    display: none;
  }

  .slim.over .card {
    display: block;
    margin: 24px -16px 0;
    padding: 24px 16px;
    border-radius: 0;
  }

  .slim .card .actions .button,
  .slim .card .actions pm-copy-button {
    flex: 1 1 120px;
  }

  .slim .card .actions .primary {
    flex: 1 1 100%;
  }

  .slim pm-copy-button::part(button) {
    width: 100%;
  }

  .slim .bet {
    position: sticky;
    bottom: 0;
    z-index: 1;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    margin: 20px -16px 0;
    padding: 8px 16px;
    border-top: 1px solid var(--_line);
    border-radius: 0;
  }

  .slim .bet h2 {
    font-size: 16px;
    line-height: 24px;
  }

  .slim .choices .button {
    flex: 1 1 0;
    min-width: 0;
  }

  .slim .so-far {
    justify-self: stretch;
    text-align: left;
  }

  .slim .so-far .label {
    min-height: 20px;
    margin-top: 0;
  }

  .slim .so-far .label b {
    display: inline;
  }

  /* The words say the same, and the bar must leave room for the files. */
  .slim .bet .dots {
    display: none;
  }

  .slim .allows {
    margin-top: 44px;
  }

  .allows .top {
    display: flex;
    flex-wrap: wrap;
    gap: 12px 24px;
    justify-content: space-between;
    align-items: start;
  }

  .allows .prose {
    margin-top: 2px;
  }

  pm-find-me-figure {
    margin-top: 12px;
  }

  figcaption {
    margin: 12px 0 16px;
  }

  figcaption [role='status'] {
    min-height: 40px;
    margin-top: 4px;
    color: var(--_ink-2);
  }

  .numbers-of {
    max-width: 400px;
  }

  dialog {
    width: min(100% - 32px, 480px);
    max-width: none;
    padding: 16px;
    border: 1px solid var(--_line-2);
    border-radius: 10px;
    background: var(--_bg);
    color: var(--_ink);
  }

  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }

  .sheet-top {
    display: flex;
    justify-content: space-between;
    align-items: start;
  }

  .sheet-top .icon {
    flex: none;
    width: 44px;
    height: 44px;
    margin: -8px -8px 0 0;
  }

  dialog .patients td,
  dialog .patients tbody th {
    height: 44px;
  }

  dialog .patients button {
    height: 44px;
  }

  @media (pointer: coarse) {
    .patients td,
    .patients tbody th {
      height: 44px;
    }

    .patients button {
      height: 44px;
    }

    .about .link {
      min-height: 44px;
    }
  }

  @media (forced-colors: active) {
    .card,
    .bet {
      border: 1px solid CanvasText;
    }

    .patients .me {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }

    .dots .hit {
      border-width: 2px;
    }
  }
`;
