import type { FederationMode, Guarantee } from 'private-moments';
import { bound, leftInWords, restsOn } from 'private-moments/words';
import { css, html, nothing, type TemplateResult } from 'lit';
import { textField, type DesignerForm } from './designer-form.js';
import { dropoutsOf, honestOf, termsOf } from './draft.js';

export const MODES: readonly FederationMode[] = ['independent', 'split', 'ring', 'correlated'];

const MODE_WORDS: Record<FederationMode, readonly [name: string, asks: string]> = {
  independent: [
    'Independent',
    'Each site sends one file, at any time, with all the noise it needs. It has to trust its own computer and the page it loaded, and nobody else.',
  ],
  split: [
    'Split',
    'Each site sends once: masked sums to the analyst, and what unmasks them to a helper. These two must never share files.',
  ],
  ring: [
    'Ring',
    'Sites take part in one session of 2 to 5 messages through a coordinator. Masks between pairs cancel in the sum.',
  ],
  correlated: [
    'Correlated',
    'Like ring, with Gaussian masks as in capeCCA, for comparison. Every site must answer.',
  ],
};

/** The choice of how noise is shared, how many sites may be dishonest, and what is left of the promise then. */
export function modesEditor(
  form: DesignerForm,
  results: {
    noise: readonly (number | null)[];
    /** Which mode is more accurate, in words, or ''. */
    modes: string;
    guarantee: Guarantee | undefined;
    /** The address of the helper's page, or ''. */
    helpPage: string;
  },
): TemplateResult {
  const { draft } = form;
  return html`<fieldset class="modes">
      <legend>How the noise is shared</legend>
      ${MODES.map((mode, i) => modeChoice(form, mode, results.noise[i]))}
    </fieldset>
    <p class="hint">
      Noise in the sum of all sites, compared with one trusted computer that holds all rows, at the
      same limit for long rows. ${results.modes}
    </p>
    ${draft.mode === 'independent' ? nothing : honestFields(form, results.guarantee)}
    ${draft.mode === 'independent' ? nothing : howItRuns(draft.mode, results.helpPage)}`;
}

function modeChoice(
  form: DesignerForm,
  mode: FederationMode,
  noise: number | null | undefined,
): TemplateResult {
  const [name, asks] = MODE_WORDS[mode];
  const id = `mode.${mode}`;
  return html`<div class="mode">
    <input
      type="radio"
      name="mode"
      id=${id}
      .checked=${form.draft.mode === mode}
      aria-describedby="${id}.asks"
      @change=${() => {
        form.change({ mode });
        form.leave('federation.mode');
      }}
    />
    <label for=${id}>${name}</label>
    <span class="noise"
      >${typeof noise === 'number' ? `noise × ${bound(Number(noise.toPrecision(3)))}` : nothing}</span
    >
    <p class="hint" id="${id}.asks">${asks}</p>
  </div>`;
}

/** The fields for sites that may collude or be missing, and what is left of the promise then. */
function honestFields(form: DesignerForm, guarantee: Guarantee | undefined): TemplateResult {
  const { draft } = form;
  const terms = termsOf(draft);
  const left = guarantee === undefined ? [] : leftInWords(guarantee);
  return html`<div class="honest">
    ${textField(form, {
      id: 'federation.honest',
      label: 'Minimum number of honest sites',
      value: honestOf(draft),
      set: (typed) => {
        form.change({ honest: typed });
      },
      hint: 'Sites you assume do not collude: they never share their noise, masks and keys. The others may.',
      kind: 'number short',
      inputmode: 'numeric',
    })}
    ${
      draft.mode === 'correlated'
        ? nothing
        : textField(form, {
            id: 'federation.dropouts',
            label: 'Sites that may fail to send',
            value: dropoutsOf(draft),
            set: (typed) => {
              form.change({ dropouts: typed });
            },
            hint: 'These may be honest sites, so fewer share the noise. If more are missing, there is no result.',
            kind: 'number short',
            inputmode: 'numeric',
          })
    }
    ${
      terms === undefined
        ? nothing
        : html`<p class="hint terms">
            <b>Who has to be trusted.</b> ${[restsOn(terms), ...left].join(' ')}
          </p>`
    }
  </div>`;
}

/** How people run a session of this mode. */
function howItRuns(mode: FederationMode, helpPage: string): TemplateResult {
  if (mode !== 'split') {
    return html`<p class="hint">
      Sites run this session from code, with <code>private-moments/federation</code> and a relay. To
      run a session by hand, with files and these pages, choose split.
    </p>`;
  }
  const own = 'a page of its own';
  return html`<p class="hint">
    By hand: the helper makes keys on
    ${helpPage === '' ? own : html`<a href=${helpPage}>${own}</a>`}, the analyst starts the session
    in Analyse, and each site sends one file to each of the two.
  </p>`;
}

export const sitesStyles = css`
  input.short {
    width: 112px;
  }

  .modes {
    margin-top: 16px;
  }

  .mode {
    display: grid;
    grid-template-columns: 18px minmax(0, 1fr) auto;
    gap: 0 12px;
    align-items: center;
    padding: 12px 0;
    border-bottom: 1px solid var(--_line);
  }

  .mode label {
    font-weight: 600;
    line-height: 24px;
    cursor: pointer;
  }

  .mode .noise {
    min-width: 84px;
    color: var(--_ink-3);
    font-size: 13px;
    text-align: right;
  }

  .mode .hint {
    grid-column: 2 / -1;
    margin-top: 2px;
    font-size: 14px;
  }

  .honest {
    margin-top: 24px;
  }

  .honest .terms {
    margin-top: 16px;
  }

  code {
    font-family: var(--_font-mono);
    font-size: 12px;
  }
`;
