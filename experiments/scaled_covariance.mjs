/**
 * Covariance of rows in scaled units, divisor n.
 * @param bounds for each column its lowest and its highest value
 */
export function scaledCovariance(rows, bounds) {
  const d = bounds.length;
  const mean = new Float64Array(d);
  const products = new Float64Array(d * d);
  for (const row of rows) {
    const z = row.map(
      (v, c) => (2 * v - bounds[c][0] - bounds[c][1]) / (bounds[c][1] - bounds[c][0]),
    );
    for (let i = 0; i < d; ++i) {
      mean[i] += z[i] / rows.length;
      for (let j = 0; j < d; ++j) products[i * d + j] += (z[i] * z[j]) / rows.length;
    }
  }
  return products.map((v, at) => v - mean[Math.floor(at / d)] * mean[at % d]);
}
