"""Scores of synthetic rows: models trained on them and tested on real rows in the same coordinates."""
import numpy as np
from sklearn.cluster import KMeans
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import adjusted_rand_score, pairwise_distances, silhouette_score
from sklearn.svm import SVC, LinearSVC

OF_SILHOUETTE = 1000  # rows


def common_scale(rows, test):
    """Scales all coordinates by the same number, so that directions keep their weight."""
    mean, scale = rows.mean(0), np.sqrt(rows.var(0).mean()) or 1
    return (rows - mean) / scale, (test - mean) / scale


def accuracy(rows, labels, test, test_labels):
    """Accuracy of support vector machines with a Gaussian and with a linear kernel."""
    if len(np.unique(labels)) < 2:
        return [float(np.mean(test_labels == labels[0]))] * 2
    rows, test = common_scale(rows, test)
    machines = SVC(), LinearSVC(dual=False)
    return [machine.fit(rows, labels).score(test, test_labels) for machine in machines]


def error(rows, labels, test, test_labels):
    """Error of kernel ridge regression, with predictions clipped to [-1, 1] and without."""
    rows, test = common_scale(rows, test)
    mean = labels.mean()
    machine = KernelRidge(alpha=0.1, kernel="rbf", gamma=1 / rows.shape[1])
    predicted = machine.fit(rows, labels - mean).predict(test) + mean
    return [rms(np.clip(predicted, -1, 1) - test_labels), rms(predicted - test_labels)]


def rms(errors):
    return float(np.sqrt(np.mean(errors**2)))


def means_of(rows, clusters):
    return KMeans(clusters, n_init=3, random_state=0).fit(rows)


def silhouette(distances, labels):
    """0 for a single cluster."""
    if len(np.unique(labels)) < 2:
        return 0.0
    return float(silhouette_score(distances, labels, metric="precomputed"))


class ClusterJudge:
    """Scores clusters of synthetic rows with those of real ones."""

    def __init__(self, split):
        self.split = split
        self.reference = means_of(split.rows, split.classes).predict(split.test)
        self.distances = pairwise_distances(split.test[:OF_SILHOUETTE])

    def __call__(self, projection, rows, _labels):
        """For real rows labelled by the synthetic centroids: the adjusted Rand index against K-means
        of the real rows, and the silhouette; then the silhouette of the synthetic rows, as in the
        paper."""
        clusters = means_of(rows, self.split.classes)
        labels = clusters.predict(np.ascontiguousarray(self.split.test @ projection))
        own = pairwise_distances(rows[:OF_SILHOUETTE])
        return [
            adjusted_rand_score(self.reference, labels),
            silhouette(self.distances, labels[:OF_SILHOUETTE]),
            silhouette(own, clusters.labels_[:OF_SILHOUETTE]),
        ]


def judge_of(task, split):
    if task == "clustering":
        return ClusterJudge(split)
    score = accuracy if task == "classification" else error

    def judge(projection, rows, labels):
        return score(rows, labels, split.test @ projection, split.test_labels)

    return judge
