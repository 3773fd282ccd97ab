import { css, html, type TemplateResult } from 'lit';
import { count } from 'private-moments/words';

const LONGEST_SHOWN = 12_000;
const LINE = 92;

/**
 * The text of a release broken into lines for reading: one line per top-level member, with long values
 * wrapped after commas and indented. No character is added or removed.
 */
export function exactBytes(text: string): TemplateResult {
  const shown = text.slice(0, LONGEST_SHOWN);
  const rest = text.length - shown.length;
  const lines = topLevelParts(shown).map((part) => {
    const end = part.indexOf('":') + 1;
    const [key, value] = end > 0 ? [part.slice(0, end), part.slice(end)] : ['', part];
    const [first = [], ...more] = wrap(value, LINE - key.length);
    return html`<span class="line"><span class="key">${key}</span>${breakable(first)}</span
      >${more.map((line) => html`<span class="line more">${breakable(line)}</span>`)}`;
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

/** Splits a long value into lines. Each line is a list of pieces, which end with commas. */
function wrap(value: string, first: number): string[][] {
  const lines: string[][] = [[]];
  let [room, length] = [first, 0];
  for (const piece of value.split(/(?<=,)/)) {
    if (length > 0 && length + piece.length > room) {
      lines.push([]);
      [room, length] = [LINE, 0];
    }
    lines.at(-1)?.push(piece);
    length += piece.length;
  }
  return lines;
}

/** Lets a line that is too wide for the window break after commas. */
function breakable(pieces: readonly string[]): TemplateResult[] {
  return pieces.map((piece) => html`${piece}<wbr />`);
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

  .bytes .line {
    display: block;
  }

  .bytes .more {
    padding-left: 3ch;
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
