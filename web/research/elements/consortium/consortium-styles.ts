import { css } from 'lit';
import { pinned } from 'private-moments/internal/elements';

/** Styles of the consortium: sliders beside the figure, which comes first in a narrow window. */
export const consortiumStyles = css`
  .layout {
    display: grid;
    grid-template-columns: 232px minmax(0, 1fr);
    grid-template-rows: auto 1fr;
    gap: 32px 72px;
  }

  .controls h2 {
    margin-bottom: 16px;
    font-size: 16px;
    line-height: 24px;
  }

  .controls pm-log-slider,
  .controls .reset {
    margin-top: 20px;
  }

  .controls .hint {
    margin-top: 8px;
  }

  .controls .set-hint {
    min-height: 60px;
  }

  .finding {
    min-height: 26px;
    margin-top: 6px;
    color: var(--_ink-2);
    text-wrap: pretty;
  }

  .choose {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 24px;
    align-items: center;
    margin: 16px 0 12px;
    font-size: 14px;
    line-height: 20px;
  }

  .choice,
  .choose .check {
    display: flex;
    gap: 8px;
    align-items: center;
    color: var(--_ink-2);
  }

  .choose select {
    width: auto;
    min-height: 32px;
    padding: 0 8px;
    color: var(--_ink);
    font-size: 14px;
  }

  .choose .check {
    min-height: 32px;
    cursor: pointer;
  }

  figure pm-consortium-figure {
    display: block;
  }

  figcaption {
    min-height: 60px;
    margin-top: 12px;
    text-wrap: pretty;
  }

  .links {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    margin-top: 4px;
  }

  .links .link {
    font-size: 13px;
    line-height: 20px;
  }

  .described {
    margin-top: 12px;
  }

  .table {
    max-height: 320px;
    margin-top: 16px;
  }

  .table thead th {
    position: sticky;
    top: 0;
    background: var(--_bg);
  }

  .table td,
  .table th {
    padding-right: 12px;
  }

  .published {
    margin-top: 12px;
  }

  .figure {
    min-width: 0;
  }

  .controls {
    grid-row: span 2;
  }

  .pinned {
    display: none;
  }

  .about dl {
    display: grid;
    grid-template-columns: 128px minmax(0, 1fr);
    gap: 8px 16px;
    max-width: 46em;
    font-size: 14px;
    line-height: 22px;
  }

  .about dt {
    font-weight: 500;
  }

  .about dd {
    color: var(--_ink-2);
    text-wrap: pretty;
  }

  .about li + li {
    margin-top: 8px;
  }

  @media (max-width: 1167px) {
    .layout {
      gap: 32px 40px;
    }

    .finding {
      min-height: 52px;
    }
  }

  @media (max-width: 759px) {
    .layout {
      grid-template-rows: none;
      grid-template-columns: minmax(0, 1fr);
      gap: 32px;
    }

    .figure {
      order: -1;
    }

    .controls {
      grid-row: auto;
    }

    ${pinned}

    .pinned {
      margin-top: 20px;
    }

    .controls .set-hint {
      min-height: 0;
    }

    .finding {
      min-height: 78px;
    }

    figcaption {
      min-height: 100px;
    }

    .choose {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
    }

    .choice {
      justify-content: space-between;
    }

    .choose .check {
      justify-content: start;
      min-height: 44px;
    }

    .choose select {
      width: 68%;
      min-height: 44px;
      font-size: 16px;
    }

    .about dl {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }

    .about dd + dt {
      margin-top: 8px;
    }
  }
`;
