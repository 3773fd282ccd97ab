import { css, html, nothing, type TemplateResult } from 'lit';

/** A control with its label above and its error or hint below. */
export function field(about: {
  /** The control's id; its hint has `ID-hint`, its error `ID-error`. */
  id: string;
  label: unknown;
  control: TemplateResult;
  hint?: unknown;
  error?: string | undefined;
}): TemplateResult {
  const { id, label, control, hint, error } = about;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${control} ${fieldError(id, error)}
    ${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}

export function fieldError(id: string, error: string | undefined): TemplateResult | typeof nothing {
  return error === undefined ? nothing : html`<p class="error" id="${id}-error">${error}</p>`;
}

/** The ids of a control's error and hint, for `aria-describedby`. */
export function described(id: string, error: string | undefined, hint = false): string {
  return [error === undefined ? '' : `${id}-error`, hint ? `${id}-hint` : '']
    .filter((part) => part !== '')
    .join(' ');
}

export const fieldStyles = css`
  .field {
    min-width: 0;
  }

  .field > label,
  .field-label,
  legend {
    display: block;
    margin-bottom: 6px;
    padding: 0;
    font-size: 14px;
    line-height: 20px;
    font-weight: 600;
  }

  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .hint,
  .error {
    margin-top: 6px;
    color: var(--_ink-3);
    font-size: 13px;
    line-height: 20px;
    text-wrap: pretty;
  }

  .error {
    color: var(--_bad);
  }

  input.text,
  textarea,
  select {
    width: 100%;
    min-width: 0;
    min-height: 40px;
    padding: 0 12px;
    border: 1px solid var(--_line-2);
    border-radius: 6px;
    background: var(--_bg);
    color: var(--_ink);
    font: inherit;
    font-size: 15px;
    line-height: 24px;
    font-variant-numeric: inherit;
    transition: border-color 120ms ease-out;
  }

  textarea {
    display: block;
    min-height: 64px;
    padding: 7px 12px;
    resize: vertical;
    field-sizing: content;
  }

  input.text:hover,
  textarea:hover,
  select:hover {
    border-color: var(--_ink-2);
  }

  input.number {
    text-align: right;
  }

  input.text[aria-invalid='true'],
  select[aria-invalid='true'] {
    padding: 0 11px;
    border: 2px solid var(--_bad);
  }

  input[type='checkbox'],
  input[type='radio'] {
    flex: none;
    width: 18px;
    height: 18px;
    margin: 0;
    accent-color: var(--_accent);
  }

  @media (pointer: coarse), (max-width: 759px) {
    input.text,
    select {
      min-height: 44px;
    }

    /* Some phones zoom in on fields with text smaller than 16 pixels. */
    input.text,
    textarea,
    select {
      font-size: 16px;
    }
  }
`;
