import type { Guarantee, Study } from 'private-moments';
import { html, nothing, type TemplateResult } from 'lit';
import {
  amountTold,
  bestGuess,
  capitalised,
  difference,
  guessInWords,
  strength,
} from 'private-moments/words';
import { disclosure } from '../controls/disclosure.js';
import { whatIsSeen } from '../session/session-words.js';
import { unitName } from '../session/study-view.js';

/** What an attacker sees: one file, or a masked sum. */
type Seen = 'file' | 'sum';

/**
 * How much a release reveals about one row or participant: in words, as a bar, as the exact
 * definition, and what is not protected.
 */
export function guaranteeSection(
  study: Study,
  guarantee: Guarantee,
  seen: Seen,
  {
    definition,
    limits,
    onePerson,
  }: { definition: TemplateResult; limits: TemplateResult; onePerson?: boolean | undefined },
): TemplateResult {
  const guess = bestGuess(guarantee);
  const it = seen === 'file' ? 'this file' : whatIsSeen(study);
  return html`<h3>What it reveals about ${unitName(study, onePerson)}</h3>
    <p>${capitalised(amountTold(guess))}. ${guessInWords(guarantee, 'yours', it)}</p>
    ${
      onePerson === false && study.unit === 'row'
        ? html`<p>“One person is one row” does not hold for this file.</p>`
        : nothing
    }
    <pm-guess-bar guess=${guess} what=${seen === 'file' ? it : 'the sum'}></pm-guess-bar>
    ${disclosure(`The exact definition: ${strength(guarantee)}`, definition)}
    ${disclosure('What it does not protect', limits)}`;
}

/** The inequality of differential privacy; `size` names the number of rows if that is public. */
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

/** The list item on what holds for people in general, which no noise hides. */
export const populationLimit = html`<li>
  What the study finds out about everyone. A pattern that holds for people in general holds for the
  people in your file.
</li>`;
