import type { LocalCounts, Study } from 'private-moments';
import { html, nothing, type TemplateResult } from 'lit';
import { notice } from '../controls/notice.js';
import type { Matching } from './matching.js';

/** The largest correlation there is. */
export const LARGEST = 1;

/** Something that would waste the budget of a release. */
export interface Concern {
  title: string;
  body: string;
  /** Whether a release needs a choice of its own: what it says of a column would be worthless. */
  needsChoice?: true;
}

/** What concerns are found in. */
export interface Found {
  study: Study;
  counts: LocalCounts;
  matching: Matching;
  /** The least noise in a correlation from this file alone; undefined if it is unknown. */
  noise: number | undefined;
}

/** Whether there is anything to check before a release is made. */
export function isConcerning({ counts: { columns, rows }, matching, noise = 0 }: Found): boolean {
  const used = Object.values(matching);
  return (
    noise >= LARGEST ||
    new Set(used).size < used.length ||
    columns.some(
      ({ missing, outside, unreadable }) =>
        unreadable > 0 || (rows > missing && outside === rows - missing),
    )
  );
}

/** The card above the button, before budget is spent. */
export function concernsCard(
  concerns: readonly Concern[],
  actions: TemplateResult | typeof nothing,
): TemplateResult | typeof nothing {
  if (concerns.length === 0) return nothing;
  const [only] = concerns;
  const isOne = concerns.length === 1 && only !== undefined;
  return html`<div class="concerns">
    ${notice({
      kind: 'warn',
      title: isOne ? only.title : 'Check these before you spend privacy budget.',
      body: isOne
        ? html`<p>${only.body} No privacy budget is spent yet.</p>`
        : html`<ul>
              ${concerns.map(({ title, body }) => html`<li><strong>${title}</strong> ${body}</li>`)}
            </ul>
            <p>None is spent yet.</p>`,
      actions,
    })}
  </div>`;
}
