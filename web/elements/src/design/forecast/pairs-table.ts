import { correlation, ordinal } from 'private-moments/words';
import { html, nothing, type TemplateResult } from 'lit';
import { textOf } from '../../controls/input-values.js';
import type { DesignerForm } from '../designer-form.js';
import { intervalOf, readingsOf, type Reading } from '../../figures/forecast-reading.js';
import { viewNames } from '../../session/view-order.js';
import { relatedViews } from './forecast-question.js';
import { powerInWords, readingInWords } from './forecast-words.js';
import { shareBelow, type NumberFields } from './number-fields.js';
import { replan, type Outlook } from './outlook.js';

const TAGS: Record<Reading, string> = { clear: '', borderline: 'warn', lost: 'quiet' };

/** The choice of the two views that the forecast relates, if the study has more. */
export function viewsChoice(
  form: DesignerForm,
  { last, plan }: Outlook,
): TemplateResult | typeof nothing {
  const study = last?.study;
  const names = study === undefined ? [] : viewNames(study);
  if (study === undefined || names.length < 3) return nothing;
  const present = relatedViews(study, plan.between);
  const select = (at: 0 | 1, label: string): TemplateResult =>
    html`<select
      aria-label=${label}
      @change=${(event: Event) => {
        const chosen = textOf(event);
        const other = present[1 - at] ?? '';
        const instead = other === chosen ? (present[at] ?? '') : other;
        replan(form, { between: at === 0 ? [chosen, instead] : [instead, chosen] });
      }}
    >
      ${names.map((name) => html`<option .selected=${name === present[at]}>${name}</option>`)}
    </select>`;
  return html`<div class="between">
    Between ${select(0, 'First view')} and ${select(1, 'Second view')}
  </div>`;
}

/** The planned pairs, each with what would be seen of it. */
export function pairsTable(
  form: DesignerForm,
  outlook: Outlook,
  fields: NumberFields,
  isPale: boolean,
): TemplateResult | typeof nothing {
  const { planned: truths, point } = outlook;
  if (truths.length === 0) return nothing;
  const readings = point === undefined ? [] : readingsOf(truths, point);
  return html`<table class="pairs">
      <thead>
        <tr>
          <th scope="col">Pair</th>
          <th scope="col">If it is</th>
          <th scope="col" class="right">You would see</th>
          <th scope="col">Reading</th>
        </tr>
      </thead>
      <tbody>
        ${truths.map((truth, i) => {
          const reading = readings[i];
          const interval =
            point === undefined || reading === 'lost'
              ? 'nothing to read'
              : intervalOf(truth, point, i)
                  .map((end) => correlation(end))
                  .join(' to ');
          return html`<tr>
            <th scope="row">${ordinal(i)}</th>
            <td>
              ${fields.inline({
                id: `truths.${i}`,
                label: `${ordinal(i)} pair`,
                value: truth,
                allowed: shareBelow(1),
                set: (value) => {
                  const correlations = outlook.plan.correlations
                    .map((other, j) => (j === i ? value : other))
                    .sort((a, b) => b - a);
                  replan(form, { correlations });
                  return correlations[i] ?? value;
                },
                show: plannedInWords,
              })}
            </td>
            <td
              class="right ${reading === 'lost' ? 'label' : ''} ${isPale ? 'stale' : ''}"
              ?inert=${isPale}
            >
              ${point === undefined ? '…' : interval}
            </td>
            <td class=${isPale ? 'stale' : ''} ?inert=${isPale}>
              ${
                reading === undefined
                  ? nothing
                  : html`<span class="tag ${TAGS[reading]}">${readingInWords(reading)}</span>`
              }
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
    <p class="power ${isPale ? 'stale' : ''}" ?inert=${isPale}>
      ${point === undefined ? nothing : powerInWords(truths, point, outlook.last?.study.clipping === 'centred')}
    </p>
    ${whatPairsAre(outlook)}`;
}

function whatPairsAre({ last, plan }: Outlook): TemplateResult | typeof nothing {
  const { study } = last ?? {};
  const [x, y] = study === undefined ? [] : relatedViews(study, plan.between);
  return x === undefined || y === undefined
    ? nothing
    : html`<p class="label caption">
        1st pair: the strongest correlation between a mix of ${x} columns and a mix of ${y} columns.
        It is at least as large as that of any two single columns.
      </p>`;
}

/** A planned correlation as its field shows it: ".50", or as many digits as it has. */
function plannedInWords(value: number): string {
  const short = correlation(value);
  return Number(short) === value ? short : String(value).replace(/^0/, '');
}
