import { css, html, nothing, type TemplateResult } from 'lit';
import { count, plural } from './format.js';

export interface Reading {
  /** What is being done. */
  label: string;
  rows: number;
  /** 0 to 1; null while unknown. */
  fraction: number | null;
  /** When it began, on the clock of `performance.now()`. */
  since: number;
}

/** A bar that moves with the bytes read; a screen reader hears every quarter. */
export function progressBar(
  { label, rows, fraction, since }: Reading,
  onCancel: () => void,
  shape: 'box' | 'line' = 'box',
): TemplateResult {
  const share = fraction ?? 0;
  const passed = performance.now() - since;
  const left = share > 0.05 && passed > 500 ? (passed * (1 - share)) / share : undefined;
  const quarter = Math.floor(share * 4) * 25;
  return html`<div class="working ${shape}">
    <div class="working-top">
      <h3>${label}</h3>
      <span>${fraction === null ? nothing : `${Math.floor(share * 100)}%`}</span>
    </div>
    <progress aria-label=${label} max="1" .value=${share}></progress>
    <div class="working-top help">
      <span>${plural(rows, 'row')} so far</span>
      <span>${left === undefined ? nothing : `about ${count(Math.ceil(left / 1000))} s left`}</span>
    </div>
    <p class="hidden-visually" role="status">${label}, ${quarter}%</p>
    <button class="button" type="button" @click=${onCancel}>Cancel</button>
  </div>`;
}

export const progressStyles = css`
  .working.box {
    display: flex;
    flex-direction: column;
    justify-content: center;
    min-height: 232px;
    padding: 24px;
    border: 1px solid var(--_line);
    border-radius: 8px;
  }

  .working.box .button {
    align-self: flex-start;
    margin-top: 20px;
  }

  .working.line {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0 24px;
    align-items: center;
  }

  .working.line > * {
    grid-column: 1;
  }

  .working.line .button {
    grid-area: 1 / 2 / span 3 / 2;
  }

  .working-top {
    display: flex;
    justify-content: space-between;
    gap: 16px;
  }

  .working progress {
    width: 100%;
    height: 4px;
    margin: 12px 0 10px;
    border: 0;
    appearance: none;
    background: var(--_sunken);
    border-radius: 2px;
    overflow: hidden;
  }

  .working progress::-webkit-progress-bar {
    background: var(--_sunken);
  }

  .working progress::-webkit-progress-value {
    background: var(--_accent);
  }

  .working progress::-moz-progress-bar {
    background: var(--_accent);
  }
`;
