import type { Guarantee, Study } from 'private-moments';
import { bestGuess, timesInHundred } from 'private-moments/words';
import { css, html, nothing, type TemplateResult } from 'lit';
import type { DesignerForm } from './designer-form.js';
import type { AdviceInWords } from './designer-protocol.js';
import { disclosure } from '../controls/disclosure.js';
import { guideLink } from '../controls/guide-link.js';
import type { Draft } from './draft.js';
import type { Tick } from '../controls/log-slider.js';
import type { ValueDetail } from '../contract/elements.js';
import { whatIsSeen } from '../session/session-words.js';

const TICKS: readonly Tick[] = [
  { value: 0.1, note: 'stronger' },
  { value: 0.2 },
  { value: 0.5 },
  { value: 1 },
  { value: 2 },
  { value: 5 },
  { value: 10, note: 'weaker' },
];

/** Epsilons that others have published, with their sources. */
const OTHERS: readonly { epsilon: string; who: string; what: string; source: string }[] = [
  {
    epsilon: '1',
    who: 'Wikimedia Foundation',
    what: 'page views by country, up to 30 of a person’s views a day, 2017 to 2023',
    source:
      'https://analytics.wikimedia.org/published/datasets/country_project_page_historical/00_README.html',
  },
  {
    epsilon: '1.68',
    who: 'Google',
    what: 'search trends of symptoms, a person’s searches of one day',
    source: 'https://arxiv.org/abs/2009.01265',
  },
  {
    epsilon: '9.98',
    who: 'Israel, Ministry of Health',
    what: 'registry of live births of 2014, one birth',
    source: 'https://registry.opendp.org/deployments-registry',
  },
];

/** What follows from the draft; the study is undefined while the draft is incomplete. */
export interface DraftResults {
  study: Study | undefined;
  advice: AdviceInWords | undefined;
  guarantee: Guarantee | undefined;
}

/**
 * The field for the strength of the promise, and what others have chosen.
 * @param guide the address of the guide's folder, or ''
 */
export function privacyEditor(
  form: DesignerForm,
  results: DraftResults,
  guide = '',
): TemplateResult {
  const { draft } = form;
  return html`${
      guide === ''
        ? nothing
        : html`<p class="help">
            A smaller ε hides more and needs more rows.
            ${guideLink(guide, 'how-to/choose-epsilon-and-delta', 'How to choose ε and δ')}
          </p>`
    }
    <pm-log-slider
      id="privacy.epsilon"
      label="How strong, ε"
      name="epsilon"
      .min=${0.1}
      .max=${10}
      .value=${draft.epsilon}
      .ticks=${TICKS}
      .error=${form.error('privacy.epsilon')}
      @pm-value=${(event: CustomEvent<ValueDetail>) => {
        form.change({ epsilon: event.detail.value });
        form.leave('privacy.epsilon');
      }}
    ></pm-log-slider>
    <p class="hint meaning" role="status">
      ${guessInWords(draft, results)}
      ${draft.epsilon >= WEAK ? html`<span class="caution">${caution(draft)}</span>` : nothing}
    </p>
    ${others()}`;
}

/** From this epsilon on, a caution says that protection is weak. */
const WEAK = 5;

function caution({ epsilon }: Draft): string {
  const beyond = epsilon > 10 ? ', beyond the end of the scale' : '';
  return `This protection is weak${beyond}. The forecast shows what a smaller ε would cost.`;
}

function guessInWords({ unit }: Draft, { study, guarantee }: DraftResults): string {
  const about = unit === 'row' ? 'one row' : 'one participant’s file';
  if (study === undefined || guarantee === undefined)
    return `The smaller ε, the less a release reveals about ${about}.`;
  const guess = timesInHundred(bestGuess(guarantee));
  const seen = study.federation.mode === 'independent' ? 'a release' : whatIsSeen(study);
  const doubt =
    study.neighbours === 'replace-one'
      ? `two versions of ${about} are equally likely beforehand`
      : `it is equally likely beforehand that ${about} counts or not`;
  return `Take someone who knows everything else and to whom ${doubt}. Seeing ${seen}, they guess right at most ${guess} times in 100. A coin gets 50.`;
}

function others(): TemplateResult {
  return disclosure(
    'What others have chosen',
    html`<div class="others">
      <ul>
        ${OTHERS.map(
          ({ epsilon, who, what, source }) =>
            html`<li>
              <span class="right">ε ${epsilon}</span>
              <span><a href=${source} rel="external noreferrer">${who}</a>: ${what}</span>
            </li>`,
        )}
      </ul>
      <p>
        They protect different things over different periods, so their numbers are for orientation,
        not a rule.
        <a href="https://registry.opendp.org/deployments-registry" rel="external noreferrer"
          >More in a public registry</a
        >.
      </p>
    </div>`,
  );
}

export const privacyStyles = css`
  .meaning {
    min-height: 60px;
    margin: 4px 0 12px;
  }

  .pair {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 20px 16px;
    margin-top: 24px;
  }

  .caution {
    color: var(--_warn);
  }

  .others {
    color: var(--_ink-2);
    font-size: 13px;
    line-height: 20px;
  }

  .others p {
    margin-top: 4px;
  }

  .others li {
    display: grid;
    grid-template-columns: 56px minmax(0, 1fr);
    gap: 16px;
    padding: 3px 0;
  }

  .others .right {
    color: var(--_ink);
    font-weight: 600;
  }

  @media (max-width: 459px) {
    .pair {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
