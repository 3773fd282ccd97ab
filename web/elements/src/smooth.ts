/** A path through points in order of x that has no bumps between them (Fritsch and Carlson 1980). */
export function smooth(points: readonly (readonly [number, number])[]): string {
  const slopes = points.slice(1).map(([x, y], i) => {
    const [px, py] = points[i] ?? [x - 1, y];
    return (y - py) / (x - px);
  });
  const tangents = points.map((_, i) => {
    const [before, after] = [slopes[i - 1], slopes[i]];
    if (before === undefined || after === undefined) return after ?? before ?? 0;
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
  return points
    .map(([x, y], i) => {
      const from = points[i - 1];
      if (from === undefined) return `M${tenth(x)} ${tenth(y)}`;
      const third = (x - from[0]) / 3;
      const [start, end] = [tangents[i - 1] ?? 0, tangents[i] ?? 0];
      return `C${tenth(from[0] + third)} ${tenth(from[1] + start * third)} ${tenth(x - third)} ${tenth(y - end * third)} ${tenth(x)} ${tenth(y)}`;
    })
    .join('');
}

/** To a tenth of a pixel. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
