import type { Guarantee, Study } from 'private-moments';
import { html, nothing, type TemplateResult } from 'lit';
import {
  amountTold,
  bestGuess,
  difference,
  guessInWords,
  strength,
} from '../../package/src/report/guarantee.js';
import { capitalised } from './format.js';
import { disclosure } from './disclosure.js';
import { whatIsSeen } from './session-words.js';
import { unitName } from './study-view.js';

/** What an attacker sees: one file, or a sum behind masks. */
type Seen = 'file' | 'sum';

/** What that tells about one unit of privacy: in words, as a bar, exactly, and what else it tells. */
export function told(
  study: Study,
  guarantee: Guarantee,
  seen: Seen,
  { definition, limits }: { definition: TemplateResult; limits: TemplateResult },
): TemplateResult {
  const guess = bestGuess(guarantee);
  const it = seen === 'file' ? 'this file' : whatIsSeen(study);
  return html`<h3>What it tells about ${unitName(study)}</h3>
    <p>${capitalised(amountTold(guess))}. ${guessInWords(guarantee, 'yours', it)}</p>
    <pm-guess-bar guess=${guess} what=${seen === 'file' ? it : 'the sum'}></pm-guess-bar>
    ${disclosure(`The exact definition: ${strength(guarantee)}`, definition)}
    ${disclosure('What it does not protect', limits)}`;
}

/** Differential privacy, for data sets of this size, where that is public. */
export function inequality(guarantee: Guarantee, seen: Seen, size = ''): TemplateResult {
  return html`<p>
      For any two data sets${size} ${difference(guarantee, 'yours')}, and any set of ${seen}s
      <i>S</i>:
    </p>
    <p class="formula">
      P(${seen} in <i>S</i>) ≤ <i>e</i><sup>ε</sup> · P′(${seen} in <i>S</i>)${
        guarantee.delta === 0 ? nothing : ' + δ'
      }
    </p>`;
}

/** What no noise hides. */
export const ofEveryone = html`<li>
  What the study finds out about everyone. A pattern that holds for people in general holds for the
  people in your file.
</li>`;
