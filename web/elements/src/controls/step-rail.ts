import { css, html, type TemplateResult } from 'lit';
import { tick } from '../look/icons.js';

/** The steps of a page: done steps have a tick, the current one a filled number. */
export function stepRail(steps: readonly string[], present: number): TemplateResult {
  const name = steps[present] ?? '';
  return html`<nav class="rail" aria-label="Steps">
    <ol>
      ${steps.map((step, i) => {
        const state = i < present ? 'done' : i === present ? 'present' : 'later';
        return html`<li class=${state} aria-current=${i === present ? 'step' : 'false'}>
          <span class="mark" aria-hidden="true">${i < present ? tick : i + 1}</span>
          <span class="step-name"
            >${step}${i < present ? html`<span class="hidden-visually">, done</span>` : ''}</span
          >
        </li>`;
      })}
    </ol>
    <p class="label" aria-hidden="true">
      Step ${present + 1} of ${steps.length}: ${name.charAt(0).toLowerCase() + name.slice(1)}
    </p>
  </nav>`;
}

/** The number of a step, in a ring; filled for the present one. */
export const stepNumberStyles = css`
  .mark {
    display: grid;
    flex: none;
    place-items: center;
    width: 24px;
    height: 24px;
    border: 1px solid var(--_line-2);
    border-radius: 12px;
    font-size: 13px;
    font-weight: 500;
    line-height: 1;
  }

  .done .mark {
    border-color: var(--_accent);
    color: var(--_accent);
  }

  .present .mark {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
  }

  @media (forced-colors: active) {
    .present .mark {
      forced-color-adjust: none;
      border-color: Highlight;
      background: Highlight;
      color: HighlightText;
    }
  }
`;

export const stepRailStyles = [
  stepNumberStyles,
  css`
    .rail ol {
      display: grid;
      gap: 18px;
    }

    .rail li {
      display: flex;
      align-items: center;
      gap: 12px;
      color: var(--_ink-3);
      font-size: 15px;
      line-height: 26px;
    }

    .rail .done {
      color: var(--_ink-2);
    }

    .rail .present {
      color: var(--_ink);
      font-weight: 600;
    }

    .rail .label {
      display: none;
    }

    @media (max-width: 999px) {
      .rail ol {
        grid-auto-flow: column;
        grid-auto-columns: 1fr;
        gap: 6px;
      }

      .rail li {
        height: 4px;
        border-radius: 2px;
        background: var(--_sunken);
        overflow: hidden;
      }

      .rail .done,
      .rail .present {
        background: var(--_accent);
      }

      .rail .mark {
        display: none;
      }

      .rail .step-name {
        position: absolute;
        width: 1px;
        height: 1px;
        overflow: hidden;
        clip-path: inset(50%);
      }

      .rail .label {
        display: block;
        margin-top: 8px;
      }
    }

    @media (max-width: 999px) and (forced-colors: active) {
      .rail li {
        height: 6px;
        border: 1px solid CanvasText;
      }

      .rail .done,
      .rail .present {
        forced-color-adjust: none;
        background: CanvasText;
      }
    }
  `,
];
