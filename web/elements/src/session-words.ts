import type { Guarantee, Study } from 'private-moments';
import { css, html, type TemplateResult } from 'lit';
import { strengthInWords } from '../../package/src/report/guarantee.js';
import { count } from './format.js';

/** What is left of the promise if analyst and helper put together what they have: the floor. */
export function floorWords({ floor }: Guarantee): string {
  if (floor == null) return 'nothing is promised then';
  // A value stays with its name.
  const strength = strengthInWords(floor).replaceAll(' = ', '\u00a0=\u00a0');
  return `what is left of the promise then is ${strength}`;
}

/** "a third of the noise": each site's share, as so many honest ones together must have all of it. */
export function shareOfNoise({ federation }: Study): string {
  const { honest = 1 } = federation;
  if (honest === 1) return 'all of the noise';
  const names = ['', '', 'half', 'a third', 'a quarter', 'a fifth'];
  return `${names[honest] ?? `1/${count(honest)}`} of the noise`;
}

/**
 * The fewest sites that a session of this study adds up, as `Session.least` has it; of independent
 * releases each can be read by itself.
 */
export function leastSummed({ federation }: Study): number {
  switch (federation.mode) {
    case 'independent':
      return 1;
    case 'split':
      return Math.max(federation.honest, 2);
    case 'ring':
      return Math.max(federation.honest, federation.threshold, 2);
    case 'correlated':
      return federation.sites;
  }
}

/** What anybody gets to read, as long as those whom a study counts on keep what they hold. */
export function whatIsSeen(study: Study): string {
  const { mode, sites } = study.federation;
  if (mode === 'independent') return 'what leaves';
  if (mode === 'correlated') return 'what all sites send';
  const least = leastSummed(study);
  return least === sites ? 'the sum of all sites' : `a sum of at least ${count(least)} sites`;
}

/** Who gets what, and who must not put together what, for whoever has rows. */
export function whoGetsWhat(
  study: Study,
  guarantee: Guarantee | undefined,
  words: string,
): TemplateResult {
  return html`<dl class="facts parties">
    <div>
      <dt>The analyst gets</dt>
      <dd>
        Your sums behind a mask. By themselves they are random numbers: only ${whatIsSeen(study)}
        can be read.
      </dd>
    </div>
    <div>
      <dt>The helper gets</dt>
      <dd>What takes the masks off such a sum, once. Nothing in it depends on your file.</dd>
    </div>
    <div>
      <dt>These two must not</dt>
      <dd>
        Put together what they have. They could read your sums, which hold
        ${shareOfNoise(study)}${guarantee === undefined ? '' : `: ${floorWords(guarantee)}`}.
      </dd>
    </div>
    <div>
      <dt>The helper’s six words</dt>
      <dd>
        <span class="six">${words}</span> Ask the helper for them, not the analyst. With other words
        the keys are somebody else’s.
      </dd>
    </div>
  </dl>`;
}

export const partyStyles = css`
  .facts.parties {
    margin-top: 0;
  }

  .six {
    display: block;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
`;
