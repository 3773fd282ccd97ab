import { css, html, nothing, type TemplateResult } from 'lit';
import { count, plural } from 'private-moments/words';
import { tick } from '../look/icons.js';

export interface Reading {
  /** What is being done. */
  label: string;
  /** How many rows, or whatever `counted` names, have been processed so far. */
  rows: number;
  counted?: string;
  /** From 0 to 1; null while unknown. */
  fraction: number | null;
  /** When it began, on the clock of `performance.now()`. */
  since: number;
  /** The steps in order, and the index of the current one. */
  steps?: readonly string[];
  step?: number;
}

/** A bar that moves with the bytes read; a screen reader hears every quarter. */
export function progressBar(
  { label, rows, counted = 'row', fraction, since, steps, step = 0 }: Reading,
  onCancel: () => void,
  shape: 'box' | 'line' = 'box',
): TemplateResult {
  const share = fraction ?? 0;
  const passed = performance.now() - since;
  const left = share > 0.05 && passed > 500 ? (passed * (1 - share)) / share : undefined;
  return html`<div class="working ${shape}">
    <div class="working-top">
      ${steps === undefined ? html`<p class="doing">${label}</p>` : stepList(steps, step)}
      <span>${fraction === null ? nothing : `${Math.floor(share * 100)}%`}</span>
    </div>
    <progress aria-label=${label} max="1" .value=${share}></progress>
    <div class="working-top help">
      <span>${plural(rows, counted)} so far</span>
      <span>${left === undefined ? nothing : `about ${count(Math.ceil(left / 1000))} s left`}</span>
    </div>
    ${quarters(label, share)}
    <button class="button" type="button" @click=${onCancel}>Cancel</button>
  </div>`;
}

/** The same in a line of text, for use beside a Cancel button. */
export function progressLine({ label, fraction }: Reading): TemplateResult {
  const share = fraction ?? 0;
  return html`<div class="working short">
    <div class="working-top help">
      <span>${label}</span>
      <span>${Math.floor(share * 100)}%</span>
    </div>
    <progress aria-label=${label} max="1" .value=${share}></progress>
    ${quarters(label, share)}
  </div>`;
}

/** Progress in quarters for screen readers, which would announce every percent. */
function quarters(label: string, share: number): TemplateResult {
  return html`<p class="hidden-visually" role="status">
    ${label}, ${Math.floor(share * 4) * 25}%
  </p>`;
}

function stepList(steps: readonly string[], present: number): TemplateResult {
  return html`<ol class="steps">
    ${steps.map((name, i) => {
      const state = i < present ? 'done' : i === present ? 'present' : 'later';
      return html`<li class=${state} aria-current=${i === present ? 'step' : 'false'}>
        <span class="ring">${i < present ? tick : nothing}</span>${name}
      </li>`;
    })}
  </ol>`;
}

export const progressStyles = css`
  .steps {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 24px;
    font-size: 15px;
    line-height: 24px;
  }

  .steps li {
    display: flex;
    align-items: center;
    gap: 8px;
    color: var(--_ink-3);
  }

  .steps .present {
    color: var(--_ink);
    font-weight: 600;
  }

  .steps .done {
    color: var(--_ink-2);
  }

  .ring {
    display: grid;
    place-items: center;
    width: 16px;
    height: 16px;
    color: var(--_accent);
  }

  .ring:empty::before {
    content: '';
    width: 12px;
    height: 12px;
    border: 1.5px solid currentColor;
    border-radius: 50%;
  }

  .later .ring {
    color: var(--_line-2);
  }

  .present .ring::before {
    border-right-color: transparent;
    animation: turn 900ms linear infinite;
  }

  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }

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

  @media (max-width: 759px) {
    .working.line {
      grid-template-columns: minmax(0, 1fr);
    }

    .working.line .button {
      grid-area: auto;
      justify-self: start;
      margin-top: 14px;
    }
  }

  .doing {
    font-size: 16px;
    line-height: 24px;
    font-weight: 600;
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

  .working.short progress {
    display: block;
    margin: 2px 0;
  }

  @media (forced-colors: active) {
    .working progress {
      height: 8px;
      border: 1px solid CanvasText;
      forced-color-adjust: none;
      background: Canvas;
    }

    .working progress::-webkit-progress-bar {
      background: Canvas;
    }

    .working progress::-webkit-progress-value {
      background: CanvasText;
    }
  }
`;
