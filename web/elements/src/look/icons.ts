import { svg, html, type TemplateResult } from 'lit';

function icon(paths: TemplateResult, size = 20): TemplateResult {
  return html`<svg
    width=${size}
    height=${size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${paths}
  </svg>`;
}

export const tick = icon(svg`<path d="M4.5 10.5l3.5 3.5 7.5-8" />`, 16);
export const doneRing = icon(
  svg`<circle cx="10" cy="10" r="8" /><path d="M6.5 10.3l2.4 2.4 4.6-5" />`,
);
export const stopRing = icon(
  svg`<circle cx="10" cy="10" r="8" /><path d="M7.3 7.3l5.4 5.4M12.7 7.3l-5.4 5.4" />`,
);
export const warning = icon(
  svg`<path d="M10 3.2L17.8 16.6H2.2zM10 8.2v4" /><path d="M10 14.4v.1" />`,
);
export const lock = icon(
  svg`<rect x="4.5" y="9" width="11" height="8" rx="1.5" /><path d="M7 9V6.2a3 3 0 016 0V9" />`,
  18,
);
export const file = icon(svg`<path d="M5 2.8h6.5L15.5 7v10.2H5zM11.3 3v4.2h4" />`);
export const up = icon(svg`<path d="M10 13V3.5M6 7.2l4-3.9 4 3.9M3.5 16.5h13" />`, 24);
export const down = icon(svg`<path d="M10 3.5V13M6 9.2l4 3.9 4-3.9M3.5 16.5h13" />`, 18);
export const chevron = icon(svg`<path d="M7.5 5l5 5-5 5" />`, 16);
export const cross = icon(svg`<path d="M5.5 5.5l9 9M14.5 5.5l-9 9" />`, 16);
export const plus = icon(svg`<path d="M10 4v12M4 10h12" />`, 16);
export const arrowUp = icon(svg`<path d="M10 15.5v-11M5.5 9l4.5-4.5L14.5 9" />`, 16);
export const arrowDown = icon(svg`<path d="M10 4.5v11M5.5 11l4.5 4.5 4.5-4.5" />`, 16);
export const pause = icon(svg`<path d="M7 4.5v11M13 4.5v11" />`, 16);
export const play = icon(svg`<path d="M6.5 4.5v11l9-5.5z" />`, 16);
