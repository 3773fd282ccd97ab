/**
 * Arithmetic that gives the same bits in every engine: only operations that IEEE 754 rounds correctly.
 * `Math.hypot`, `**` and the like may differ in their last digits (the linter keeps them out of here).
 */

export function square(value: number): number {
  return value * value;
}

export function rootSumSquares(...values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + square(value), 0));
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The middle value; of two, the lower. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;
}
