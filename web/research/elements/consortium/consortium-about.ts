import type { ConsortiumWay } from 'private-moments-research';
import { html, type TemplateResult } from 'lit';
import type { ConsortiumSet } from './consortium-sets.js';
import { WAYS } from './consortium-words.js';
import { probability } from 'private-moments/words';
import { disclosure } from 'private-moments/internal/elements';

/** Who has to be trusted in each way, and what it costs. */
const TRUST: readonly [ConsortiumWay, string][] = [
  [
    'pooled',
    'All rows go to one computer, which adds noise once. Everyone has to trust it with every row.',
  ],
  [
    'split',
    'No row leaves its site. Masks hide all but the sum, and each site adds its share of the noise. The slider sets how many sites have to be honest; the fewer, the more noise. In a study: modes split and ring.',
  ],
  [
    'cape',
    'Correlated noise that mostly cancels in the sum, after Imtiaz and Sarwate (2019), with enough noise here that all messages together keep the promise.',
  ],
  [
    'conventional',
    'Each site adds all the noise by itself and has to trust none of the others. In a study: mode independent.',
  ],
  ['local', 'One site makes a release of its own rows and shares nothing.'],
];

/** Who has to be trusted in each way; what is simulated, and on which data. */
export function about(set: ConsortiumSet): TemplateResult {
  return html`
    ${disclosure(
      'The ways, and who has to be trusted',
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
          Data: ${set.title}. ${set.about} Source: ${set.source}; licence: ${set.licence}. This page
          holds only sums over all rows ${set.rows === null ? 'of a model' : 'of public data'}, and
          no rows.
        </li>
        <li>
          The promise is for one row replaced by any other. Columns are in units of half their
          range, rows are centred, and no row is longer than 1: ranges, means and lengths count as
          public, as in the papers. In a study, the means get noise too.
        </li>
        <li>
          Noise is Gaussian and rotation-invariant, just large enough for ε and δ. Weights and
          correlations are computed as in Analyse; if nothing rises above the noise there are no
          weights, and that run counts as 0.
        </li>
        <li>
          For more or fewer rows than a set has, the page assumes that many similar rows. The noise
          in the mean shrinks as rows are added; their covariance stays the same.
        </li>
        <li>
          One site alone has rows of its own, which differ from the whole set by chance. They are
          drawn from a normal distribution with the moments of the set, like rows drawn without
          replacement.
        </li>
        <li>
          Along the number of sites, the same share of them stays honest, and each site keeps its
          number of rows. All ways use the same draws: noise of ${probability(1e-4)} to 1 per entry
          is simulated, and every setting is interpolated.
        </li>
      </ul>`,
    )}
  `;
}
