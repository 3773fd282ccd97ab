import type { Guarantee, Study } from 'private-moments';
import { css, html, type TemplateResult } from 'lit';
import { collusionTerms, honestInSum, minSummed } from 'private-moments/internal';
import { count, restsOn, strengthInWords } from 'private-moments/words';

/** The floor: the guarantee that remains if the analyst and the helper share files. */
export function floorWords({ floor }: Guarantee): string {
  if (floor == null) return 'no guarantee would remain';
  // Keeps each symbol on the line of its value.
  const strength = strengthInWords(floor).replaceAll(' = ', '\u00a0=\u00a0');
  return `the guarantee that would remain is ${strength}`;
}

/** Each site's share: "a third of the noise". The honest sites in a sum add all of it together. */
export function shareOfNoise({ federation }: Study): string {
  const honest = federation.mode === 'independent' ? 1 : honestInSum(federation);
  if (honest === 1) return 'all of the noise';
  const names = ['', '', 'half', 'a third', 'a quarter', 'a fifth'];
  return `${names[honest] ?? `1/${count(honest)}`} of the noise`;
}

/** Who has to be trusted in a study with masks; empty for other studies. */
export function trustWords({ federation }: Study): string {
  return federation.mode === 'independent' ? '' : restsOn(collusionTerms(federation));
}

/** What can be read, as long as the honest parties keep their secrets. */
export function whatIsSeen(study: Study): string {
  const { mode, sites } = study.federation;
  if (mode === 'independent') return 'what leaves';
  if (mode === 'correlated') return 'what all sites send';
  const least = minSummed(study.federation);
  return least === sites ? 'the sum of all sites' : `a sum of at least ${count(least)} sites`;
}

/** Who gets what, and who must not share files, for participants. */
export function partyFacts(
  study: Study,
  guarantee: Guarantee | undefined,
  words: string,
): TemplateResult {
  return html`<dl class="facts parties">
    <div>
      <dt>The analyst gets</dt>
      <dd>
        Your masked sums. By themselves they are random numbers: only ${whatIsSeen(study)} can be
        read.
      </dd>
    </div>
    <div>
      <dt>The helper gets</dt>
      <dd>What unmasks such a sum, once. Nothing in it depends on your file.</dd>
    </div>
    <div>
      <dt>These two must never</dt>
      <dd>
        Share files. They could read your sums, which carry
        ${shareOfNoise(study)}${guarantee === undefined ? '' : `: ${floorWords(guarantee)}`}.
      </dd>
    </div>
    <div>
      <dt>Who has to be trusted</dt>
      <dd>${trustWords(study)}</dd>
    </div>
    <div>
      <dt>The helper’s six words</dt>
      <dd>
        <span class="six">${words}</span> Ask the helper for them, not the analyst. If the words
        differ, the keys belong to someone else.
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
