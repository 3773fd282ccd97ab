import type { Study } from 'private-moments';
import { css, html, nothing, type TemplateResult } from 'lit';
import { cross } from '../look/icons.js';
import { withMinus } from './file/missing-codes.js';

/** Whether each person has one row; undefined while it is not answered. */
export type OnePerson = boolean | undefined;

interface FileQuestions {
  study: Study;
  onePerson: OnePerson;
  /** What the participant said stands for a missing value. */
  codes: readonly string[];
  /** Words in the file that are read as missing values. */
  words: readonly string[];
  /** Why the code typed last cannot be used; empty if it can. */
  problem: string;
  /** Whether a release was made, so that the codes are final. */
  isFixed: boolean;
  onPerson: (onePerson: boolean) => void;
  /** @returns whether it was added */
  onAdd: (typed: string) => boolean;
  onRemove: (code: string) => void;
}

/** Questions about the file that nothing in it answers. */
export function fileQuestions(about: FileQuestions): TemplateResult {
  const asksPerson = about.study.unit === 'row';
  return html`<section aria-labelledby="questions">
    <h2 id="questions">${asksPerson ? 'Two questions' : 'A question'} about the file</h2>
    <div class="questions">
      ${asksPerson ? personQuestion(about) : nothing} ${codesQuestion(about)}
    </div>
  </section>`;
}

function personQuestion({ onePerson, onPerson }: FileQuestions): TemplateResult {
  const choice = (value: boolean, label: string, help: string): TemplateResult =>
    html`<label class="choice"
      ><input
        type="radio"
        name="one-person"
        .checked=${onePerson === value}
        @change=${() => {
          onPerson(value);
        }}
      /><span><b>${label}</b><span class="hint">${help}</span></span></label
    >`;
  return html`<fieldset>
    <legend>Is one row one person?</legend>
    ${choice(true, 'Yes, every person has one row', 'Then the promise is about a person.')}
    ${choice(
      false,
      'No, some have several',
      `Keep one row for each, such as the last visit. Otherwise someone with ten rows is protected ten times less.`,
    )}
  </fieldset>`;
}

function codesQuestion(about: FileQuestions): TemplateResult {
  const { study, codes, words, problem, isFixed, onAdd, onRemove } = about;
  const stated = study.missingValues ?? [];
  const isStated = study.missingValues !== undefined;
  const fixed = [...new Set(['empty', ...stated.map(withMinus), ...words])];
  return html`<div class="codes">
    <label class="question" for=${isStated ? nothing : 'codes'}
      >What stands for “not measured”?</label
    >
    <div class="chips ${problem === '' ? '' : 'wrong'}">
      ${fixed.map((word) => html`<span class="chip">${word}</span>`)}
      ${codes.map(
        (code) =>
          html`<span class="chip"
            >${withMinus(code)}${
              isFixed
                ? nothing
                : html`<button
                    type="button"
                    aria-label="Remove ${withMinus(code)}"
                    @click=${() => {
                      onRemove(code);
                    }}
                  >
                    ${cross}
                  </button>`
            }</span
          >`,
      )}
      ${
        isStated || isFixed
          ? nothing
          : html`<input
              id="codes"
              maxlength="40"
              autocomplete="off"
              spellcheck="false"
              placeholder=${codes.length === 0 ? 'such as −999' : ''}
              aria-describedby="codes-hint${problem === '' ? '' : ' codes-problem'}"
              aria-invalid=${problem === '' ? nothing : 'true'}
              @change=${(event: Event) => {
                add(event.target as HTMLInputElement, onAdd);
              }}
              @keydown=${(event: KeyboardEvent) => {
                const input = event.target as HTMLInputElement;
                if (event.key === 'Enter') add(input, onAdd);
                const last = codes.at(-1);
                if (event.key === 'Backspace' && input.value === '' && last !== undefined) {
                  onRemove(last);
                }
              }}
            />`
      }
    </div>
    ${problem === '' ? nothing : html`<p class="error" id="codes-problem" role="alert">${problem}</p>`}
    <p class="hint" id="codes-hint">
      ${
        isStated
          ? 'The study states these for everyone.'
          : 'Add the codes of your system, each with Enter. Left as a number, a code counts as the nearest allowed value.'
      }
      Other words in a column of numbers count as missing, too, but are shown to you first.
    </p>
  </div>`;
}

function add(input: HTMLInputElement, onAdd: (typed: string) => boolean): void {
  if (input.value.trim() !== '' && onAdd(input.value)) input.value = '';
}

export const fileQuestionsStyles = css`
  .questions {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 32px 56px;
  }

  .questions fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .questions legend,
  .question {
    display: block;
    margin-bottom: 10px;
    padding: 0;
    font-weight: 600;
    line-height: 24px;
  }

  .choice {
    display: grid;
    grid-template-columns: 18px minmax(0, 1fr);
    gap: 12px;
    cursor: pointer;
  }

  .choice + .choice {
    margin-top: 10px;
  }

  .choice input {
    width: 18px;
    height: 18px;
    margin: 2px 0 0;
    accent-color: var(--_accent);
  }

  .choice b {
    display: block;
    font-size: 15px;
    font-weight: 500;
    line-height: 22px;
  }

  .questions .hint,
  .questions .error {
    display: block;
    margin-top: 6px;
    color: var(--_ink-3);
    font-size: 13px;
    line-height: 20px;
    text-wrap: pretty;
  }

  .choice .hint {
    margin-top: 0;
  }

  .questions .error {
    color: var(--_bad);
  }

  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    align-items: center;
    min-height: 40px;
    padding: 6px 8px;
    border: 1px solid var(--_line-2);
    border-radius: 6px;
  }

  .chips.wrong {
    border-color: var(--_bad);
  }

  .chips:has(input:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }

  .chip {
    display: inline-flex;
    align-items: center;
    gap: 2px;
    min-height: 26px;
    padding: 0 8px;
    border-radius: 4px;
    background: var(--_sunken);
    font-size: 14px;
    font-weight: 500;
    line-height: 20px;
    overflow-wrap: anywhere;
  }

  .chip:has(button) {
    padding-right: 1px;
  }

  .chip button {
    display: grid;
    place-items: center;
    width: 24px;
    height: 24px;
    padding: 0;
    border: 0;
    border-radius: 4px;
    background: none;
    color: var(--_ink-2);
    cursor: pointer;
  }

  .chips input {
    flex: 1 1 90px;
    min-width: 0;
    min-height: 26px;
    padding: 0 2px;
    border: 0;
    outline: none;
    background: none;
    color: var(--_ink);
    font: inherit;
    font-size: 15px;
  }

  .chips input::placeholder {
    color: var(--_ink-3);
    opacity: 1;
  }

  @media (pointer: coarse) {
    .chips input,
    .chip button {
      min-width: 44px;
      min-height: 44px;
    }
  }

  @media (max-width: 759px) {
    .questions {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
