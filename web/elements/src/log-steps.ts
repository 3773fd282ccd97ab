const STEPS = [1, 2, 5];
/** Of a step, so that a value that was computed counts as the step it means. */
const NEAR = 1e-9;

/** The next of .., 0.1, 0.2, 0.5, 1, 2, 5, .. above (or below) a positive value. */
export function nextStep(value: number, up: boolean): number {
  const power = Math.floor(Math.log10(value));
  const steps = [power - 1, power, power + 1].flatMap((exponent) =>
    STEPS.map((step) => Number(`${step}e${exponent}`)),
  );
  const found = up
    ? steps.find((step) => step > value * (1 + NEAR))
    : steps.filter((step) => step < value * (1 - NEAR)).at(-1);
  return found ?? value;
}

/** Where `value` lies between `min` and `max` on a log scale, 0 to 1 and never outside. */
export function logShare(value: number, min: number, max: number): number {
  const share = Math.log(value / min) / Math.log(max / min);
  return Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share));
}

/** The inverse, to two significant digits. */
export function atShare(share: number, min: number, max: number): number {
  return Number((min * (max / min) ** share).toPrecision(2));
}
