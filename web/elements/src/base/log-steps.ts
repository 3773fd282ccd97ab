const STEPS = [1, 2, 5];
/** Relative tolerance within which a computed value counts as a step. */
const NEAR = 1e-9;

/** The next step above (or below) a positive value, from 0.1, 0.2, 0.5, 1, 2, 5, 10 and so on. */
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

/**
 * The next multiple above (or below) a positive value, of a tenth of the largest power of ten up to it: 1,
 * 1.1, 1.2; 600, 610, 620. Whole numbers only if `isWhole`.
 */
export function fineStep(value: number, up: boolean, isWhole: boolean): number {
  // Below a power of ten, steps are those of the power before.
  const near = up ? value * (1 + NEAR) : value * (1 - NEAR);
  const exponent = Math.floor(Math.log10(near)) - 1;
  const size = isWhole ? Math.max(0, exponent) : exponent;
  const count = near / 10 ** size;
  const steps = up ? Math.floor(count) + 1 : Math.ceil(count) - 1;
  return Number(`${steps}e${size}`);
}

/** The position of `value` between `min` and `max` on a log scale, clamped to 0 to 1. */
export function logShare(value: number, min: number, max: number): number {
  const share = Math.log(value / min) / Math.log(max / min);
  return Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share));
}

/** The inverse of `logShare`, to two significant digits. */
export function atShare(share: number, min: number, max: number): number {
  return Number((min * (max / min) ** share).toPrecision(2));
}
