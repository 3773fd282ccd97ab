import type { Guarantee, Study } from 'private-moments';
import { css, html, type TemplateResult } from 'lit';
import { collusionTerms, honestInSum, leastSummed } from '../../package/src/federation/terms.js';
import { restsOn, strengthInWords } from '../../package/src/report/guarantee.js';
import { count } from './format.js';

/** What is left of the promise if the analyst and the helper share files: the floor. */
export function floorWords({ floor }: Guarantee): string {
  if (floor == null) return 'nothing is promised then';
  // A value stays with its name.
  const strength = strengthInWords(floor).replaceAll(' = ', '\u00a0=\u00a0');
  return `what is left of the promise then is ${strength}`;
}

/** "a third of the noise": each site's share, as the honest ones in a sum have all of it together. */
export function shareOfNoise({ federation }: Study): string {
  const honest = federation.mode === 'independent' ? 1 : honestInSum(federation);
  if (honest === 1) return 'all of the noise';
  const names = ['', '', 'half', 'a third', 'a quarter', 'a fifth'];
  return `${names[honest] ?? `1/${count(honest)}`} of the noise`;
}

/** Who may collude and what must hold: the same words wherever a study behind masks is spoken of. */
export function holdsIf({ federation }: Study): string {
  return federation.mode === 'independent' ? '' : restsOn(collusionTerms(federation));
}

/** What anybody gets to read, as long as those whom a study counts on keep what they hold. */
export function whatIsSeen(study: Study): string {
  const { mode, sites } = study.federation;
  if (mode === 'independent') return 'what leaves';
  if (mode === 'correlated') return 'what all sites send';
  const least = leastSummed(study.federation);
  return least === sites ? 'the sum of all sites' : `a sum of at least ${count(least)} sites`;
}

/** Who gets what, and who must not share files, for participants. */
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
      <dt>These two must never</dt>
      <dd>
        Share files. They could read your sums, which hold
        ${shareOfNoise(study)}${guarantee === undefined ? '' : `: ${floorWords(guarantee)}`}.
      </dd>
    </div>
    <div>
      <dt>On whom it rests</dt>
      <dd>${holdsIf(study)}</dd>
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
