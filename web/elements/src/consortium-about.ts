import type { ConsortiumWay } from 'private-moments/research';
import { html, type TemplateResult } from 'lit';
import type { ConsortiumSet } from './consortium-sets.js';
import { WAYS } from './consortium-words.js';
import { disclosure } from './disclosure.js';
import { probability } from './format.js';

/** Whom each way asks to be trusted, and what it costs. */
const TRUST: readonly [ConsortiumWay, string][] = [
  [
    'pooled',
    'All rows go to one computer, which adds noise once. Everybody has to trust it with every row.',
  ],
  [
    'split',
    'No row leaves its site. Masks hide all but the sum, and each site adds its share of the noise. As many sites have to be honest as the slider says; the fewer, the more noise. In a study: modes split and ring.',
  ],
  [
    'cape',
    'Correlated noise that mostly cancels in the sum, after Imtiaz and Sarwate (2019), here with enough of it that all messages together keep the promise.',
  ],
  [
    'conventional',
    'Each site adds the whole noise by itself and trusts nobody. In a study: mode independent.',
  ],
  ['local', 'One site makes a release of its own rows and shares nothing.'],
];

/** Whom each way trusts; what is simulated, and on which data. */
export function about(set: ConsortiumSet): TemplateResult {
  return html`
    ${disclosure(
      'The ways, and whom each asks to be trusted',
      html`<dl>
        ${TRUST.map(
          ([way, words]) =>
            html`<dt>${WAYS[way]}</dt>
              <dd>${words}</dd>`,
        )}
      </dl>`,
    )}
    ${disclosure(
      'What is simulated, and on which data',
      html`<ul class="help">
        <li>
          Data: ${set.title}. ${set.about} Source: ${set.source}; licence: ${set.licence}. What is
          here are sums over all rows, ${set.rows === null ? 'of a law' : 'of public data'}; no row
          is.
        </li>
        <li>
          The promise is for one row replaced by any other. Columns are in half ranges, rows
          centred, and no row is longer than 1: range, means and length are taken as public, as in
          the papers. In a study the means get noise as well.
        </li>
        <li>
          Noise is Gaussian and rotation-invariant, just large enough for ε and δ. Weights and
          correlations are found as Analyse finds them; where nothing rises above the noise there
          are no weights, and that run counts as 0.
        </li>
        <li>
          More or fewer rows than a set has: as if there were so many like them. The noise in the
          mean shrinks with them; what they have in common stays.
        </li>
        <li>
          One site alone has rows of its own, which differ from all by chance. They are drawn from a
          normal law with the moments of the set, as rows without replacement are.
        </li>
        <li>
          Along sites the same share of them stays honest, and each has its rows. All ways see the
          same draws: ${probability(1e-4)} to 1 of noise per entry is simulated, and every setting
          read off between.
        </li>
      </ul>`,
    )}
  `;
}
