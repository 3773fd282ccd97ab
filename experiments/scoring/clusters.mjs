// Scores of clusters and classes that papers report for projected rows and for which no maintained
// library exists.
// Points are arrays of numbers of the same length; labels are integers from 0.

const squared = (a, b) => a.reduce((sum, v, i) => sum + (v - b[i]) ** 2, 0);

function means(points, labels) {
  const groups = Array.from({ length: Math.max(...labels) + 1 }, () => ({ count: 0, mean: [] }));
  points.forEach((point, i) => {
    const group = groups[labels[i]];
    group.count += 1;
    group.mean = point.map((v, j) => (group.mean[j] ?? 0) + v);
  });
  return groups.map(({ count, mean }) => ({ count, mean: mean.map((v) => v / count) }));
}

/**
 * Scatter between clusters divided by scatter within, each per degree of freedom (Calinski &
 * Harabasz 1974). Needs at least two clusters, fewer clusters than points, and no empty cluster.
 */
export function calinskiHarabasz(points, labels) {
  const groups = means(points, labels);
  const [{ mean: centre }] = means(
    points,
    points.map(() => 0),
  );
  const between = groups.reduce((sum, g) => sum + g.count * squared(g.mean, centre), 0);
  const within = points.reduce((sum, p, i) => sum + squared(p, groups[labels[i]].mean), 0);
  return (between / (groups.length - 1)) * ((points.length - groups.length) / within);
}

/** Mean silhouette width (Rousseeuw 1987), Euclidean; 0 for a point alone in its cluster. */
export function silhouette(points, labels) {
  const clusters = Math.max(...labels) + 1;
  const counts = new Array(clusters).fill(0);
  labels.forEach((label) => (counts[label] += 1));
  let total = 0;
  points.forEach((point, i) => {
    const sums = new Array(clusters).fill(0);
    points.forEach((other, j) => (sums[labels[j]] += Math.sqrt(squared(point, other))));
    const own = labels[i];
    if (counts[own] === 1) return;
    const inside = sums[own] / (counts[own] - 1);
    const outside = Math.min(...sums.flatMap((s, c) => (c === own ? [] : [s / counts[c]])));
    total += (outside - inside) / Math.max(inside, outside);
  });
  return total / points.length;
}

/**
 * Nearest class mean: takes training points with labels, returns a classifier for further points.
 */
export function nearestCentroid(points, labels) {
  const groups = means(points, labels);
  return (point) => {
    const distances = groups.map(({ mean }) => squared(point, mean));
    return distances.indexOf(Math.min(...distances));
  };
}

/** The share of equal labels. */
export const accuracy = (found, labels) =>
  found.filter((label, i) => label === labels[i]).length / labels.length;

/**
 * The share of points whose cluster matches their class under the best one-to-one matching of
 * clusters to classes. By dynamic programming over subsets, so for at most 16 classes.
 */
export function clusteringAccuracy(clusters, labels) {
  const k = Math.max(...clusters, ...labels) + 1;
  const together = Array.from({ length: k }, () => new Array(k).fill(0));
  clusters.forEach((cluster, i) => (together[cluster][labels[i]] += 1));
  // best[set]: most points matched if the first |set| clusters get the classes of `set`.
  const best = new Array(1 << k).fill(-1);
  best[0] = 0;
  for (let set = 0; set < best.length; ++set) {
    let cluster = 0;
    for (let c = 0; c < k; ++c) cluster += (set >> c) & 1;
    if (cluster === k) continue;
    for (let c = 0; c < k; ++c) {
      if ((set >> c) & 1) continue;
      const next = set | (1 << c);
      best[next] = Math.max(best[next], best[set] + together[cluster][c]);
    }
  }
  return best[best.length - 1] / labels.length;
}
