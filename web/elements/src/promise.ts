/** What is promised of a release, or proved. */
export interface Pair {
  epsilon: number;
  delta: number;
}

/** Whether what is proved is as strong as what is promised. */
export function keeps(proved: Pair, promised: Pair): boolean {
  return (
    proved.epsilon <= promised.epsilon * (1 + 1e-9) && proved.delta <= promised.delta * (1 + 1e-9)
  );
}
