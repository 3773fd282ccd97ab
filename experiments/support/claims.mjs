// What claims and tables count.

export const distinct = (values) => [...new Set(values)];

/** `7 of 9`. */
export const share = (held) => `${held.filter(Boolean).length} of ${held.length}`;

/** `agrees` if all hold, `does not agree` if none does. */
export function verdictOf(held) {
  if (held.every(Boolean)) return 'agrees';
  return held.some(Boolean) ? 'in part' : 'does not agree';
}
