/**
 * The `p` quantile (0 to 1) of the values, interpolated linearly between the two nearest (type 7 of
 * Hyndman and Fan 1996, the default of R and numpy).
 * @param {number[]} values at least one
 */
export function quantile(values, p) {
  if (values.length === 0) throw new RangeError('no values');
  const sorted = [...values].sort((a, b) => a - b);
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

export const median = (values) => quantile(values, 0.5);

/**
 * A summary of repeated measurements for tables: median, minimum, the interquartile range as a share of
 * the median, and the values themselves.
 */
export function summary(values) {
  const middle = median(values);
  return {
    median: middle,
    min: Math.min(...values),
    spread: (quantile(values, 0.75) - quantile(values, 0.25)) / middle,
    values,
  };
}

/**
 * The ratio of two summaries: median and quartiles of the ratios in each turn, in which anything that
 * slowed down both cancels.
 */
export function ratio(a, b) {
  const turns = a.values.map((value, i) => value / b.values[i]);
  return { median: median(turns), low: quantile(turns, 0.25), high: quantile(turns, 0.75) };
}

/**
 * Least squares of log y on log x: y is about `factor` x^`exponent`. `r2` is the share of the
 * variance of log y that the line explains; 1 if y does not vary.
 * @param {{ x: number, y: number }[]} points at least two, positive, not all of one x
 */
export function powerLaw(points) {
  const logs = points.map(({ x, y }) => [Math.log(x), Math.log(y)]);
  if (logs.length < 2 || !logs.flat().every(Number.isFinite)) {
    throw new RangeError('a power law needs two or more points with positive coordinates');
  }
  const mean = (i) => logs.reduce((sum, point) => sum + point[i], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const product = (i, j) =>
    logs.reduce((sum, point) => sum + (point[i] - [mx, my][i]) * (point[j] - [mx, my][j]), 0);
  const [xx, xy, yy] = [product(0, 0), product(0, 1), product(1, 1)];
  if (xx === 0) throw new RangeError('all points have the same x');
  const exponent = xy / xx;
  return {
    exponent,
    factor: Math.exp(my - exponent * mx),
    r2: yy === 0 ? 1 : xy ** 2 / (xx * yy),
  };
}
