import type { PcaResult } from 'private-moments';
import {
  bound,
  constantInWords,
  correlationsOf,
  ordinal,
  percent,
  sentenceOfComponent,
} from 'private-moments/words';
import { html, nothing, type TemplateResult } from 'lit';
import type { Choices, MomentsResult } from '../contract/elements.js';
import { longestOf } from '../figures/figure-data.js';
import { figureLabels, labelled } from '../session/figure-labels.js';
import { constantsIn } from './analysis-result.js';
import { intervalsInWords } from './result-words.js';

/** What is shown of one component, rotated or not. */
interface Shown {
  /** In the list of components. */
  name: string;
  /** Why it is not drawn; empty if it is. */
  hidden: string;
}

/** The correlations of each column with the score of the component chosen, and the choice of a rotation. */
export function loadingsSection(
  result: MomentsResult,
  { component: wanted = 0 }: Choices,
  choose: (choice: Choices) => void,
): TemplateResult {
  const { pca, moments } = result;
  const { rotation } = pca;
  const isRotated = rotation !== undefined && rotation.components > 1;
  const all = isRotated ? rotatedComponents(rotation) : principalComponents(result);
  const component = wanted < all.length ? wanted : 0;
  const hidden = all[component]?.hidden ?? '';
  const correlations = isRotated ? rotation.correlations : pca.correlations;
  const sentence = sentenceOfComponent({ ...pca, correlations }, component);
  const { level } = pca.options;
  const shown = labelled(correlationsOf(correlations, component), figureLabels(moments.study));
  const place = `${ordinal(component)} ${isRotated ? 'rotated component' : 'component'}`;
  return html`<section aria-labelledby="loadings">
    <pm-figure
      .result=${pca}
      heading="Loadings of the ${place}"
      caption=${[`Correlation of each column with the score of the ${place}.`, ...intervalsInWords(level)].join(' ')}
      ?empty=${hidden !== ''}
    >
      <h2 id="loadings" slot="head">Loadings</h2>
      <div class="view-choice">
        <span class="labelled"
          ><label for="component">Component</label>
          <select
            id="component"
            @change=${(event: Event) => {
              choose({ component: (event.target as HTMLSelectElement).selectedIndex });
            }}
          >
            ${all.map(({ name }, k) => html`<option .selected=${k === component}>${name}</option>`)}
          </select></span
        >
        ${rotationChoice(pca, choose)}
      </div>
      ${rotation?.note ? html`<p class="help">${rotation.note}</p>` : nothing}
      ${
        hidden === ''
          ? html`<p class="prose">
                ${sentence} Correlation of each column with the score of the
                ${place}.${level === undefined ? nothing : html` Thin lines: ${bound(level * 100)}% intervals.`}
              </p>
              <pm-weight-bars
                .weights=${shown}
                limit="1"
                .longest=${longestOf(shown)}
                kind="correlations"
              ></pm-weight-bars>`
          : html`<p class="prose">${hidden} Its loadings are not drawn.</p>`
      }
    </pm-figure>
  </section>`;
}

const ROTATIONS = [
  { value: '', label: 'none' },
  { value: 'varimax', label: 'varimax' },
  { value: 'promax', label: 'promax' },
] as const;

function rotationChoice({ options }: PcaResult, choose: (choice: Choices) => void): TemplateResult {
  const { rotation = '' } = options;
  return html`<span class="labelled"
    ><label for="rotation">Rotation</label>
    <select
      id="rotation"
      @change=${(event: Event) => {
        const { value } = event.target as HTMLSelectElement;
        const chosen = ROTATIONS.find((each) => each.value === value)?.value;
        choose({ rotation: chosen === '' ? undefined : chosen, component: 0 });
      }}
    >
      ${ROTATIONS.map(
        ({ value, label }) =>
          html`<option value=${value} .selected=${value === rotation}>${label}</option>`,
      )}
    </select></span
  >`;
}

function rotatedComponents({ explained }: NonNullable<PcaResult['rotation']>): Shown[] {
  return explained.map(({ share }, k) => ({
    name: `${ordinal(k)}, ${percent(share)}`,
    hidden: '',
  }));
}

function principalComponents(result: MomentsResult): Shown[] {
  const constants = constantsIn(result);
  return result.pca.explained.map(({ belowNoiseFloor }, k) => {
    const constant = constants[k];
    const name = ordinal(k);
    if (constant !== undefined) {
      const hidden = `This component is ${constantInWords(constant)}.`;
      return { name: `${name}, zero by construction`, hidden: belowNoiseFloor ? hidden : '' };
    }
    return belowNoiseFloor
      ? {
          name: `${name}, below the floor`,
          hidden: 'This component is below the noise floor: do not interpret it.',
        }
      : { name, hidden: '' };
  });
}
