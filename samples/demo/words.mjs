// Number formats for the terminal only; the others come from the package.

import * as format from 'private-moments/words';

/** A difference of correlations, its sign always shown: "+.004". */
export function difference(value, digits = 3) {
  const text = format.correlation(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** Milliseconds as "3 ms" or "1.4 s". */
export const time = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
