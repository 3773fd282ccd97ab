/** The minus sign U+2212, which is read like a hyphen. */
export const MINUS = /\u2212/g;

/** A plain decimal number. No hexadecimal, no thousands separators, no words such as Infinity. */
export const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a text as a number with a decimal point. It may be infinite; NaN if the text is no number. */
export function plainNumber(text: unknown): number {
  const plain = String(text).trim().replace(MINUS, '-');
  return DECIMAL.test(plain) ? Number(plain) : NaN;
}
