/**
 * Characters that no text of ours has, because people do not see them or see the text around them in
 * another order: control characters, line breaks, direction marks, characters without a form, and lone
 * surrogates, which have no UTF-8 form, so no digest. Joiners (U+200C, U+200D) and variation selectors are
 * not among them, because some scripts need them. A list, because what engines know of Unicode differs.
 */
const HIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these are what it is about
  /[\0-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}\ud800-\udfff]/gu;

/** Line breaks and tabs, in texts of several lines. */
const LAYOUT = /[\t\n\r]/g;

/** The first hidden character of a text, as U+202E; undefined if it has none. */
export function hiddenIn(text: string): string | undefined {
  const [found] = text.match(HIDDEN) ?? [];
  const code = found?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return code === undefined ? undefined : `U+${code}`;
}

/** The text with spaces for line breaks and tabs. */
export function onOneLine(text: string): string {
  return text.replace(LAYOUT, ' ');
}

/** The text with U+FFFD for each hidden character but line feeds and tabs. It cannot steer a terminal. */
export function printable(text: string): string {
  return text.replace(HIDDEN, (found) => (found === '\n' || found === '\t' ? found : '\ufffd'));
}

/** JSON text with escapes in place of hidden characters. It means the same. */
export function escapedJson(json: string): string {
  const escaped = (unit: string): string =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(HIDDEN, (found) =>
    found === '\n' ? found : found.split('').map(escaped).join(''),
  );
}
