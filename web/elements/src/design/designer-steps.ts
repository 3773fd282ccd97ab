import { css, html, type TemplateResult } from 'lit';
import type { Problem } from './draft.js';
import { tick } from '../look/icons.js';
import { stepNumberStyles } from '../controls/step-rail.js';

/** The sections of the form, by the ids of their headings, and the beginnings of their fields' names. */
const STEPS: readonly { id: string; name: string; fields: readonly string[] }[] = [
  { id: 'question', name: 'Question', fields: ['title', 'description'] },
  { id: 'columns', name: 'Columns', fields: ['columns', 'views'] },
  { id: 'privacy', name: 'Privacy', fields: [''] },
  { id: 'hand-out', name: 'Hand it out', fields: ['organizer', 'contact'] },
];

/** Buttons that lead to the sections; one without problems has a tick. Nothing is hidden behind them. */
export function stepsOf(problems: readonly Problem[], goTo: (id: string) => void): TemplateResult {
  const owner = ({ field }: Problem): number => {
    const named = STEPS.findIndex(({ fields }) =>
      fields.some((start) => start !== '' && field.startsWith(start)),
    );
    return named < 0 ? 2 : named;
  };
  const first = Math.min(STEPS.length - 1, ...problems.map(owner));
  return html`<nav class="steps" aria-label="Steps">
    <ol>
      ${STEPS.map(({ id, name }, i) => {
        // Its settings have defaults, so a section counts only once those before it are filled in.
        const isDone =
          i < STEPS.length - 1 &&
          (id !== 'privacy' || i <= first) &&
          problems.every((problem) => owner(problem) !== i);
        const isPresent = i === first;
        return html`<li class=${isDone ? 'done' : isPresent ? 'present' : 'later'}>
          <button
            type="button"
            aria-current=${isPresent ? 'step' : 'false'}
            @click=${() => {
              goTo(id);
            }}
          >
            <span class="mark" aria-hidden="true">${isDone ? tick : i + 1}</span>
            ${name}${isDone ? html`<span class="hidden-visually">, complete</span>` : ''}
          </button>
        </li>`;
      })}
    </ol>
  </nav>`;
}

export const stepsStyles = [
  stepNumberStyles,
  css`
    .steps {
      margin-top: 24px;
      border-top: 1px solid var(--_line);
      border-bottom: 1px solid var(--_line);
    }

    .steps ol {
      display: flex;
      flex-wrap: wrap;
    }

    .steps li {
      display: flex;
      align-items: center;
    }

    .steps li + li::before {
      content: '';
      width: 36px;
      margin: 0 20px;
      border-top: 1px solid var(--_line-2);
    }

    .steps button {
      display: flex;
      align-items: center;
      gap: 10px;
      min-height: 54px;
      padding: 0;
      border: 0;
      border-radius: 2px;
      background: none;
      color: var(--_ink-3);
      font-size: 15px;
      line-height: 22px;
      cursor: pointer;
    }

    .steps button:hover,
    .steps .done button {
      color: var(--_ink-2);
    }

    .steps .present button {
      color: var(--_ink);
      font-weight: 600;
    }

    @media (max-width: 759px) {
      .steps ol {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        padding: 4px 0;
      }

      .steps li + li::before {
        content: none;
      }

      .steps button {
        min-height: 44px;
      }
    }
  `,
];
