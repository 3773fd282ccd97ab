import { html, nothing, type TemplateResult } from 'lit';
import { textOf } from './controls.js';
import type { Draft } from './draft.js';
import { described, field } from './field.js';

/** What the parts of the form share: the draft, how to change it, and what to say at a field. */
export interface DesignerForm {
  draft: Draft;
  change: (patch: Partial<Draft>) => void;
  /** What is wrong with a field, once there is reason to say it. */
  error: (field: string) => string | undefined;
  /** The field has been left: from now on it is told what is wrong with it. */
  leave: (field: string) => void;
  /** Puts the focus on a control once it is drawn. */
  focus: (id: string) => void;
  /** Says something to those who listen. */
  say: (words: string) => void;
}

/** A field to type into. What is wrong with it is said once it has been left. */
export function textField(
  form: DesignerForm,
  about: {
    id: string;
    label: string;
    value: string;
    set: (typed: string) => void;
    hint?: string;
    /** Classes of the input, beside `text`. */
    kind?: string;
    inputmode?: 'numeric' | 'decimal';
    placeholder?: string;
  },
): TemplateResult {
  const { id, label, value, set, hint, kind = '', inputmode, placeholder } = about;
  const error = form.error(id);
  return field({
    id,
    label,
    control: html`<input
      class="text ${kind}"
      id=${id}
      inputmode=${inputmode ?? nothing}
      autocomplete="off"
      placeholder=${placeholder ?? nothing}
      .value=${value}
      aria-invalid=${error === undefined ? 'false' : 'true'}
      aria-describedby=${described(id, error, hint !== undefined) || nothing}
      @input=${(event: Event) => {
        set(textOf(event));
      }}
      @blur=${() => {
        form.leave(id);
      }}
    />`,
    error,
    hint,
  });
}

/** A field for a text of the draft; its id is that text's name unless another is given. */
export function draftField(
  form: DesignerForm,
  {
    of,
    ...about
  }: {
    of: 'title' | 'organizer' | 'contact' | 'sites' | 'components' | 'rowNorm';
    id?: string;
  } & Omit<Parameters<typeof textField>[1], 'id' | 'value' | 'set'>,
): TemplateResult {
  return textField(form, {
    id: of,
    ...about,
    value: form.draft[of],
    set: (typed) => {
      form.change({ [of]: typed });
    },
  });
}

/** A field to choose from. */
export function selectField(
  form: DesignerForm,
  about: {
    id: string;
    label: string;
    options: readonly { value: string; words: string }[];
    present: string;
    set: (chosen: string) => void;
    hint: unknown;
  },
): TemplateResult {
  const { id, label, options, present, set, hint } = about;
  const error = form.error(id);
  return field({
    id,
    label,
    control: html`<select
      id=${id}
      aria-describedby=${described(id, error, true)}
      aria-invalid=${error === undefined ? 'false' : 'true'}
      @change=${(event: Event) => {
        set(textOf(event));
        form.leave(id);
      }}
    >
      ${options.map(
        ({ value, words }) =>
          html`<option value=${value} ?selected=${value === present}>${words}</option>`,
      )}
    </select>`,
    error,
    hint,
  });
}
