import { html, nothing, type TemplateResult } from 'lit';
import { textOf } from '../controls/input-values.js';
import type { Draft } from './draft.js';
import { described, field } from '../controls/field.js';

/** What the parts of the form share: the draft, how to change it, and the errors of its fields. */
export interface DesignerForm {
  draft: Draft;
  change: (patch: Partial<Draft>) => void;
  /** The error of a field, once the user has left it. */
  error: (field: string) => string | undefined;
  /** Records that a field was edited, which decides where a contradiction is shown. */
  edit: (field: string) => void;
  /** Whether a field has an error, shown or not. */
  isWrong: (field: string) => boolean;
  /** Records that a field was left, so that its errors are shown from now on. */
  leave: (field: string) => void;
  /** Focuses a control once it is rendered. */
  focus: (id: string) => void;
  /** Announces something to screen readers. */
  say: (words: string) => void;
  /** Announces that something was lost, and offers to bring it back. */
  offerUndo: (undo: Undo) => void;
}

/** How to bring back what was lost. */
export interface Undo {
  /** The part of the form that offers it. */
  where: 'columns' | 'views' | 'privacy' | 'draft';
  /** What happened: "age is removed." */
  words: string;
  /** The draft with what was lost; later changes of other parts stay. */
  restore: (draft: Draft) => Draft;
  /** The control to focus then. */
  focus: string;
}

/** A text field. Its error is shown once it has been left. */
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
        form.edit(id);
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

/** A field for a text of the draft; its id is the name of that text unless `id` is set. */
export function draftField(
  form: DesignerForm,
  {
    of,
    ...about
  }: {
    of: 'title' | 'organizer' | 'contact' | 'sites' | 'components' | 'rowNorm' | 'missingValues';
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
    hint?: unknown;
  },
): TemplateResult {
  const { id, label, options, present, set, hint } = about;
  const error = form.error(id);
  return field({
    id,
    label,
    control: html`<select
      id=${id}
      aria-describedby=${described(id, error, hint !== undefined) || nothing}
      aria-invalid=${error === undefined ? 'false' : 'true'}
      @change=${(event: Event) => {
        set(textOf(event));
        form.leave(id);
      }}
    >
      ${options.map(
        ({ value, words }) =>
          html`<option value=${value} .selected=${value === present}>${words}</option>`,
      )}
    </select>`,
    error,
    hint,
  });
}
