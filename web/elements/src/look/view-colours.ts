import { css, type CSSResult } from 'lit';

/** The colour of a view, as `--_view`: of elements with the class `series-N`, N as `viewSeries` says. */
export const viewColours: CSSResult = css`
  .series-1 {
    --_view: var(--_accent);
  }

  .series-2 {
    --_view: var(--_series-2);
  }

  .series-3 {
    --_view: var(--_series-3);
  }

  .series-4 {
    --_view: var(--_series-4);
  }

  .series-5 {
    --_view: var(--_series-5);
  }

  .series-6 {
    --_view: var(--_series-6);
  }
`;
