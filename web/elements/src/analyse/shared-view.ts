import type { GccaResult, Study } from 'private-moments';
import type { ChosenDetail } from '../contract/elements.js';
import { axisOf, intervalsInWords } from './result-words.js';
import { html, type TemplateResult } from 'lit';
import {
  allHiddenInWords,
  correlation,
  estimatesInWords,
  floorInWords,
  list,
  ordinal,
  adjustmentFinding,
  pairsFinding,
  type Meaning,
} from 'private-moments/words';

/** The section on what three or more views share. */
export function sharedSection(
  result: GccaResult,
  study: Study,
  meanings: Map<string, Meaning>,
  chosen: number,
  onChosen: (place: number) => void,
): TemplateResult {
  const { shared, views, pairs, options, hidden } = result;
  const names = Object.keys(views);
  const { level } = options;
  const measure = `The figure shows the mean correlation between one score from each of ${list(names)}, assuming that all pairs of views are equally correlated.`;
  return html`<section aria-labelledby="shared">
      <pm-figure
        .result=${result}
        heading="What all views share"
        caption=${[measure, ...intervalsInWords(level)].join(' ')}
      >
        <div slot="head">
          <h2 id="shared">What all views share</h2>
          <p class="prose">
            ${allHiddenInWords(shared, hidden, 'component').join(' ')} ${adjustmentFinding(result)}
            ${pairsFinding(names, shared)} ${measure}
          </p>
        </div>
        <div class="figure-and-words">
          <pm-correlation-figure
            .pairs=${shared}
            axis-label=${axisOf('shared correlation', level)}
          ></pm-correlation-figure>
          <div class="scroll" tabindex="0" role="region" aria-label="Correlations between views">
            <table>
              <thead>
                <tr>
                  <th scope="col">Correlation between</th>
                  ${shared.map((_, k) => html`<th scope="col" class="right">${ordinal(k)}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${pairs.rows.map(
                  (name, i) =>
                    html`<tr>
                      <th scope="row">${name}</th>
                      ${shared.map(
                        ({ belowNoiseFloor }, k) =>
                          html`<td class="right">
                            ${belowNoiseFloor ? '–' : correlation(pairs.values[i * shared.length + k] ?? 0)}
                          </td>`,
                      )}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>
        </div>
        <div class="in-words">
          <h3>The components in words</h3>
          <p>${estimatesInWords(shared, { level, hidden, what: 'shared component' })}</p>
          <p>${floorInWords(shared, 'component')}</p>
        </div>
      </pm-figure>
    </section>
    <pm-score-weights
      .result=${result}
      .study=${study}
      .meanings=${meanings}
      .chosen=${chosen}
      @pm-chosen=${(event: CustomEvent<ChosenDetail>) => {
        onChosen(event.detail.place);
      }}
    ></pm-score-weights>`;
}
