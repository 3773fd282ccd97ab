import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import {
  accuracy,
  calinskiHarabasz,
  clusteringAccuracy,
  nearestCentroid,
  silhouette,
} from '../../experiments/scoring/clusters.mjs';
import { linearSvm } from '../../experiments/scoring/svm.mjs';

// 18 points in three groups; figures by scikit-learn 1.2 and scipy 1.10 (linear_sum_assignment).
const of = JSON.parse(readFileSync(new URL('../vectors/scoring.json', import.meta.url), 'utf8'));
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12 * Math.max(1, Math.abs(b)), `${a}, ${b}`);

test('cluster indices agree with scikit-learn', () => {
  near(calinskiHarabasz(of.points, of.labels), of.calinskiHarabasz);
  near(silhouette(of.points, of.labels), of.silhouette);
});

test('a point alone in its cluster has silhouette 0', () => {
  near(silhouette([[0], [1], [9]], [0, 0, 1]), (2 / 3) * ((9 - 1) / 9 + (8 - 1) / 8) * 0.5);
});

test('the nearest centroid decides as in scikit-learn', () => {
  assert.deepEqual(of.further.map(nearestCentroid(of.points, of.labels)), of.nearestCentroid);
});

test('clusters are matched to classes as well as possible', () => {
  near(clusteringAccuracy(of.clusters, of.labels), of.clusteringAccuracy);
  assert.equal(clusteringAccuracy([1, 1, 0, 2], [0, 0, 2, 1]), 1);
});

test('the support vector machine separates separable classes', () => {
  const points = [
    [0, 0],
    [0, 1],
    [4, 4],
    [5, 4],
  ];
  const classify = linearSvm(points, [0, 0, 1, 1]);
  assert.deepEqual(
    [
      [0, 0.4],
      [6, 6],
    ].map(classify),
    [0, 1],
  );
  assert.equal(accuracy(points.map(classify), [0, 0, 1, 0]), 0.75);
});
