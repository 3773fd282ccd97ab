/** A promised or proved (epsilon, delta). */
export interface Pair {
  epsilon: number;
  delta: number;
}

/** Whether the proved pair is as strong as the promised one. */
export function isWithin(proved: Pair, promised: Pair): boolean {
  return (
    proved.epsilon <= promised.epsilon * (1 + 1e-9) && proved.delta <= promised.delta * (1 + 1e-9)
  );
}
