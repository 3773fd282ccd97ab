import type { Budget, Spent } from 'private-moments';
import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { probability } from 'private-moments/words';
import { styles } from '../look/styles.js';

/** Larger budgets are drawn as one bar without segments. */
const MOST_SEGMENTS = 12;

/**
 * The share of a data set's budget that its releases have used, with one segment for each unit of
 * epsilon. Grey if nothing is left. Needs `spent`, and `budget` if there is one.
 */
export class PmBudgetBar extends LitElement {
  static override properties = {
    spent: { attribute: false },
    budget: { attribute: false },
    exhausted: { type: Boolean },
  };

  static override styles = [
    styles,
    css`
      .segments {
        display: flex;
        gap: 2px;
      }

      progress {
        flex: 1;
        min-width: 0;
        height: 8px;
        border: 0;
        appearance: none;
        background: var(--_sunken);
      }

      progress::-webkit-progress-bar {
        background: var(--_sunken);
      }

      progress::-webkit-progress-value {
        background: var(--_accent);
      }

      progress::-moz-progress-bar {
        background: var(--_accent);
      }

      .exhausted progress::-webkit-progress-value {
        background: var(--_line-2);
      }

      .exhausted progress::-moz-progress-bar {
        background: var(--_line-2);
      }

      .words {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 16px;
        margin-top: 6px;
        color: var(--_ink-2);
        font-size: 14px;
        line-height: 22px;
      }

      .words strong {
        color: var(--_ink);
        font-weight: 600;
      }

      @media (forced-colors: active) {
        progress {
          border: 1px solid CanvasText;
          forced-color-adjust: none;
          background: Canvas;
        }

        progress::-webkit-progress-bar {
          background: Canvas;
        }

        progress::-webkit-progress-value,
        .exhausted progress::-webkit-progress-value {
          background: CanvasText;
        }
      }
    `,
  ];

  declare spent: Spent | undefined;
  declare budget: Budget | null;
  /** Whether no further release fits in the budget. */
  declare exhausted: boolean;

  constructor() {
    super();
    this.spent = undefined;
    this.budget = null;
    this.exhausted = false;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { spent, budget } = this;
    if (spent === undefined) return nothing;
    const used = epsilonText(spent.epsilon);
    if (budget === null) {
      return html`<div class="words">
        <strong>ε ${used} used</strong>
        <span>no budget is set, so no release is refused</span>
      </div>`;
    }
    const left = Math.max(0, budget.epsilon - Number(used));
    const most = epsilonText(budget.epsilon);
    const label = `epsilon ${used} of ${most} used, at delta ${probability(budget.delta)}`;
    return html`<div class=${this.exhausted ? 'exhausted' : ''}>
      <div class="segments" role="img" aria-label=${label}>
        ${segments(spent.epsilon, budget.epsilon).map(
          (share) => html`<progress aria-hidden="true" max="1" .value=${share}></progress>`,
        )}
      </div>
      <div class="words">
        <strong>ε ${used} used</strong>
        <span>${Number(left.toFixed(2))} of ${most} left</span>
      </div>
    </div>`;
  }
}

/** Epsilon rounded up to hundredths, so that a cost never looks smaller than it is. */
export function epsilonText(epsilon: number): string {
  return String(Math.ceil(epsilon * 100 - 1e-4) / 100);
}

/** The share of each segment that is used. */
function segments(spent: number, budget: number): number[] {
  const count = Number.isInteger(budget) && budget <= MOST_SEGMENTS ? budget : 1;
  const unit = budget / count;
  return Array.from({ length: count }, (_, i) => Math.min(1, Math.max(0, spent / unit - i)));
}
