/** A whole number: a number below 2^53 in magnitude, else a string of decimal digits. */
export type Whole = number | string;

/** Each value as high * 2^53 + low, for the core, which takes only numbers. */
export function splitWhole(values: readonly Whole[]): { high: Float64Array; low: Float64Array } {
  const high = new Float64Array(values.length);
  const low = new Float64Array(values.length);
  values.forEach((value, index) => {
    if (typeof value === 'number') {
      low[index] = value;
    } else {
      const whole = BigInt(value);
      const above = whole >> 53n;
      high[index] = Number(above);
      low[index] = Number(whole - (above << 53n));
    }
  });
  return { high, low };
}
