import { css, html, type TemplateResult } from 'lit';
import { count } from './format.js';

const LONGEST_SHOWN = 12_000;
const LINE = 92;

/**
 * The text of a release with line breaks added for reading: one line for each part at the top, the
 * numbers wrapped after commas. Nothing else is changed.
 */
export function exactBytes(text: string): TemplateResult {
  const shown = text.slice(0, LONGEST_SHOWN);
  const rest = text.length - shown.length;
  const lines = topLevelParts(shown).map((part) => {
    const end = part.indexOf('":') + 1;
    const [key, value] = end > 0 ? [part.slice(0, end), part.slice(end)] : ['', part];
    return html`<span class="key">${key}</span>${wrap(value, LINE - key.length)}${'\n'}`;
  });
  return html`<pre class="bytes" tabindex="0" role="region" aria-label="The exact bytes">
${lines}${rest > 0 ? `… and ${count(rest)} more characters, all in the file` : ''}</pre>`;
}

/** Cuts after the commas between the top-level members of an object. */
function topLevelParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (character === ',' && depth === 1) {
      parts.push(text.slice(start, at + 1));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Breaks a long value after commas, continuation lines set in by three spaces. */
function wrap(value: string, first: number): string {
  const lines: string[] = [];
  let line = '';
  for (const piece of value.split(/(?<=,)/)) {
    if (line !== '' && line.length + piece.length > (lines.length === 0 ? first : LINE)) {
      lines.push(line);
      line = '';
    }
    line += piece;
  }
  return [...lines, line].join('\n   ');
}

export const exactBytesStyles = css`
  .bytes {
    max-height: 420px;
    padding: 20px 24px;
    overflow: auto;
    border-radius: 8px;
    background: var(--_surface);
    color: var(--_ink);
    font-family: var(--_font-mono);
    font-size: 13px;
    line-height: 22px;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .bytes .key {
    color: var(--_ink-3);
  }

  @media (max-width: 759px) {
    .bytes {
      padding: 16px;
    }
  }
`;
