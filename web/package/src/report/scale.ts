/** The smallest of 1, 2, 2.5 and 5 times a power of ten that is at least `value`; 1 for zero. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 2.5, 5, 10];
  return (steps.find((step) => step * power >= value * (1 - 1e-9)) ?? 10) * power;
}

/**
 * Rounds up to `digits` significant digits (with a tolerance of a millionth of the last digit), because a
 * guarantee must not look stronger than it is.
 */
export function roundedUp(value: number, digits: number): number {
  if (!(value > 0)) return value;
  const power = digits - 1 - Math.floor(Math.log10(value));
  const steps = Math.ceil(value * 10 ** power - 1e-6);
  return Number(`${steps}e${-power}`);
}

/** The step of `value` on the nine-step diverging scale from -limit to limit: 1 to 9, with 5 around zero. */
export function divergingStep(value: number, limit: number): number {
  return Math.max(1, Math.min(9, Math.round((value / limit) * 4) + 5));
}

/** Ticks from 0 to `max`, at most `intervals` + 1 of them, at round distances. */
export function ticks(max: number, intervals: number): number[] {
  const step = roundUp(max / intervals);
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, i) => i * step);
}

/** Maximum absolute error of `normalCdf`. */
export const NORMAL_CDF_ERROR = 7.5e-8;

/** Distribution function of the standard normal (Abramowitz and Stegun 26.2.17). */
export function normalCdf(x: number): number {
  if (x < 0) return 1 - normalCdf(-x);
  const t = 1 / (1 + 0.2316419 * x);
  const tail =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (tail * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
