/** The fragments of the headings in a text. */
export function anchors(text: string): Set<string>;
