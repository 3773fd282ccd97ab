"""Compares scores with those of an independent program, and accuracies with those of a prototype in
which the same algorithms were written independently: with Laplace noise, under the same protocol."""
import json
import pathlib

import numpy as np
from scores import rms
from sklearn.metrics import silhouette_score
from tables import interval

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "tests/vectors/pca_gauss.json"

# Mean and half width of its interval, for the best p.
PUBLIC = {"digits": (0.545, 0.028), "wine": (0.613, 0.070), "breast_cancer": (0.897, 0.022)}
PRIVATE = {"digits": (0.148, 0.021), "wine": (0.449, 0.091), "breast_cancer": (0.738, 0.051)}
SHARED = {"digits": (0.479, 0.031), "wine": (0.517, 0.083), "breast_cancer": (0.885, 0.033)}

# Every method is compared with the form of the prototype that has the same source of directions.
BARS = {
    "pca-gauss-corrected": PUBLIC,
    "pca-gauss-corrected-wishart": PUBLIC,
    "pca-gauss-joint": PUBLIC,
    "pca-gauss-corrected-lap-pca": PRIVATE,
    "pca-gauss-corrected-wishart-pca": PRIVATE,
    "pca-gauss-joint-random": PRIVATE,
    "pca-gauss-shared": SHARED,
}


def comparisons(lines):
    """A sentence for each; it holds if ours is at most three standard errors below, as there are
    many comparisons. Half widths are two of them."""
    for method, sets in BARS.items():
        for name, (bar, half) in sets.items():
            own = [line for line in lines if (line["method"], line["set"]) == (method, name)]
            if not own:
                continue
            best = max(own, key=lambda line: float(line["accuracy"]))
            mean = float(best["accuracy"])
            below = (bar - mean) / (np.hypot(float(best["accuracy_high"]) - mean, half) / 2)
            yield (f"{name}, {method}: {mean:.3f} (prototype {bar:.3f} ± {half:.3f}) "
                   + ("holds" if below <= 3 else "MISSED"))


def check_scores():
    """Stops if the scores of small examples are not those of the independent program."""
    vectors = json.loads(VECTORS.read_text())
    known, norms = vectors["metrics"], vectors["public_radius"]
    rmse, expected = known["rmse"], known["ci95"]
    mean, half = interval(expected["x"])
    found = {
        "silhouette": (silhouette_score(known["points"], known["labels"]), known["silhouette"]),
        "RMSE": (rms(np.subtract(rmse["y"], rmse["yhat"])), rmse["value"]),
        "mean": (mean, expected["mean"]),
        "interval": (half, expected["half_width_t"]),
        "quantile": (np.quantile(norms["norms"], norms["q"]), norms["value"]),
    }
    for name, (score, reference) in found.items():
        if abs(score - reference) > 1e-9:
            raise SystemExit(f"{name}: {score}, but the reference has {reference}")
