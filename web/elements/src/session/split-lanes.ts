import { css, html, type CSSResult, type TemplateResult } from 'lit';
import { count } from 'private-moments/words';
import { tick } from '../look/icons.js';

/** Who takes part in a session by hand. */
export type Lane = 'helper' | 'analyst' | 'site';

const LANES: Record<Lane, string> = { helper: 'Helper', analyst: 'Analyst', site: 'Each site' };

interface Step {
  lane: Lane;
  does: string;
  /** What is handed over, and to whom. */
  gives?: string;
}

function stepsOf(least: number | undefined): readonly Step[] {
  return [
    { lane: 'helper', does: 'Makes keys, tells six words', gives: 'keys to the analyst' },
    { lane: 'analyst', does: 'Compares the words, starts', gives: 'links to sites and helper' },
    { lane: 'site', does: 'Masks its sums', gives: 'a file each to analyst and helper' },
    {
      lane: 'analyst',
      does:
        least === undefined
          ? 'Closes with enough sites'
          : `Closes with ${count(least)} sites or more`,
      gives: 'a request to the helper',
    },
    { lane: 'helper', does: 'Adds up the masks, once', gives: 'an answer to the analyst' },
    { lane: 'analyst', does: 'Reads the sum' },
  ];
}

/** The steps by name. `over`: all are done. */
export const SPLIT_STEPS = {
  keys: 0,
  start: 1,
  mask: 2,
  close: 3,
  answer: 4,
  read: 5,
  over: 6,
} as const;

export type SplitStep = keyof typeof SPLIT_STEPS;

/**
 * The rounds of a session by hand, a lane for each party, and where the session stands as its reader knows it.
 * @param least how many sites a sum needs, if that is known
 */
export function splitLanes(reader: Lane, at: SplitStep, least?: number): TemplateResult {
  const steps = stepsOf(least);
  const present = SPLIT_STEPS[at];
  return html`<section class="lanes" aria-label="The steps of a session">
    <div class="names" aria-hidden="true">
      ${Object.entries(LANES).map(
        ([lane, name]) =>
          html`<p class="lane-${lane} ${lane === reader ? 'own' : ''}">
            ${name}${lane === reader ? html`<span>you</span>` : ''}
          </p>`,
      )}
    </div>
    <ol role="list">
      ${steps.map(({ lane, does, gives }, i) => {
        const state = i < present ? 'past' : i === present ? 'now' : 'to-come';
        const isOwn = lane === reader;
        return html`<li
          class="lane-${lane} ${state} ${isOwn ? 'own' : ''}"
          aria-current=${i === present ? 'step' : 'false'}
        >
          <p class="who">${LANES[lane]}${isOwn ? ' (you)' : ''}</p>
          <p class="does">
            <span class="nth">${i < present ? tick : i + 1}</span>${does}${
              i < present ? html`<span class="hidden-visually">, done</span>` : ''
            }
          </p>
          ${gives === undefined ? '' : html`<p class="gives">→ ${gives}</p>`}
          ${i === present ? html`<p class="here">${isOwn ? 'You are here' : html`Waiting<span class="hidden-visually"> for ${WAITED[lane]}</span>`}</p>` : ''}
        </li>`;
      })}
    </ol>
  </section>`;
}

const WAITED: Record<Lane, string> = {
  helper: 'the helper',
  analyst: 'the analyst',
  site: 'the sites',
};

export const splitLanesStyles: CSSResult = css`
  .lanes {
    display: grid;
    grid-template-columns: 88px repeat(6, minmax(0, 1fr));
    grid-template-rows: repeat(3, minmax(132px, auto));
    margin-top: 28px;
    border-bottom: 1px solid var(--_line);
    font-size: 13px;
    line-height: 18px;
  }

  .lanes .names,
  .lanes ol {
    display: contents;
  }

  .lanes .names p {
    grid-column: 1 / -1;
    padding-top: 12px;
    border-top: 1px solid var(--_line);
    color: var(--_ink-2);
    font-weight: 600;
  }

  .lanes .names span {
    display: block;
    color: var(--_accent);
    font-weight: 400;
  }

  .lanes .lane-helper {
    grid-row: 1;
  }

  .lanes .lane-analyst {
    grid-row: 2;
  }

  .lanes .lane-site {
    grid-row: 3;
  }

  .lanes li {
    position: relative;
    align-self: stretch;
    margin: 6px;
    padding: 6px 8px;
    border-radius: 6px;
    color: var(--_ink-2);
  }

  .lanes li:nth-child(1) {
    grid-column: 2;
  }

  .lanes li:nth-child(2) {
    grid-column: 3;
  }

  .lanes li:nth-child(3) {
    grid-column: 4;
  }

  .lanes li:nth-child(4) {
    grid-column: 5;
  }

  .lanes li:nth-child(5) {
    grid-column: 6;
  }

  .lanes li:nth-child(6) {
    grid-column: 7;
  }

  .lanes .now {
    background: var(--_accent-soft);
    box-shadow: inset 0 0 0 1px var(--_accent);
    color: var(--_ink);
  }

  .lanes .past {
    color: var(--_ink-3);
  }

  .lanes .who {
    display: none;
  }

  .lanes .does {
    font-weight: 500;
  }

  .lanes .nth {
    display: inline-block;
    min-width: 18px;
    color: var(--_accent);
    font-weight: 600;
  }

  .lanes .nth svg {
    display: inline-block;
    vertical-align: -3px;
  }

  .lanes .gives {
    margin-top: 2px;
    color: var(--_ink-3);
  }

  .lanes .now .gives {
    color: var(--_ink-2);
  }

  .lanes .here {
    margin-top: 2px;
    color: var(--_accent);
    font-weight: 600;
  }

  @media (max-width: 999px) {
    .lanes {
      display: block;
      padding-bottom: 8px;
      border-top: 1px solid var(--_line);
    }

    .lanes .names {
      display: none;
    }

    .lanes ol {
      display: block;
      background: none;
    }

    .lanes li {
      display: grid;
      grid-template-columns: 80px minmax(0, 1fr);
      margin: 8px 0 0;
      padding: 4px 8px;
    }

    .lanes .who {
      display: block;
      grid-row: span 3;
      font-weight: 600;
    }

    .lanes li > :not(.who) {
      grid-column: 2;
    }

    .lanes .gives,
    .lanes .here {
      margin: 0;
    }
  }

  @media (forced-colors: active) {
    .lanes .now {
      outline: 2px solid Highlight;
    }
  }
`;
