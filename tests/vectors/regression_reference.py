"""Makes regression.json: moments of real tables and what numpy and scikit-learn fit to their rows.

usage: PM_DATA=<folder> python3 regression_reference.py > regression.json

The file holds second moments and answers, no rows. Columns are scaled to run from -1 to 1 between
their least and largest value. Of each fit one answer is scikit-learn's (Ridge with alpha_sklearn =
2 n alpha, on the scaled columns; LinearRegression where alpha is 0), checked here against
numpy.linalg.lstsq on the rows with a column of ones, and then in original units.
"""
import csv
import gzip
import json
import os

import numpy as np
from sklearn.linear_model import LinearRegression, Ridge

FOLDER = os.environ.get("PM_DATA", "../../../shared/data")
ALPHAS = [0.0, 0.001, 0.1]


def path(name):
    return os.path.join(FOLDER, name)


def table(name, columns, skip=1, delimiter=","):
    with open(path(name)) as file:
        rows = list(csv.reader(file, delimiter=delimiter))[skip:]
    return np.array([[float(row[c]) for c in columns] for row in rows])


def diabetes():
    data = np.loadtxt(gzip.open(path("diabetes/diabetes_data_raw.csv.gz")))
    target = np.loadtxt(gzip.open(path("diabetes/diabetes_target.csv.gz")))
    return np.column_stack([data, target])


def linnerud():
    exercise = np.loadtxt(path("linnerud/linnerud_exercise.csv"), skiprows=1)
    body = np.loadtxt(path("linnerud/linnerud_physiological.csv"), skiprows=1)
    return np.column_stack([exercise, body])


# Name, rows, index of the target.
SETS = [
    ("wine", table("wine/wine_data.csv", range(13)), 0),
    ("diabetes", diabetes(), 10),
    ("linnerud", linnerud(), 3),
    ("savings", table("lifecyclesavings/LifeCycleSavings.csv", range(1, 6)), 0),
    ("mmreg", table("mmreg/mmreg.csv", range(8)), 3),
    ("iris", table("iris/iris.csv", range(4)), 2),
    ("breast cancer, ten means", table("breast_cancer/breast_cancer.csv", range(10)), 9),
]


def upper(matrix):
    return [float(v) for v in matrix[np.triu_indices(len(matrix))]]


def fit(rows, target, mid, half, alpha):
    n = len(rows)
    features = [j for j in range(rows.shape[1]) if j != target]
    z = (rows - mid) / half
    x, y = z[:, features], z[:, target]
    model = Ridge(alpha=2 * n * alpha, solver="svd") if alpha > 0 else LinearRegression()
    model.fit(x, y)

    # The same by least squares on rows with a column of ones, the penalty as further rows.
    design = np.column_stack([np.ones(n), x])
    penalty = np.sqrt(2 * n * alpha) * np.eye(len(features) + 1)[1:]
    direct = np.linalg.lstsq(
        np.vstack([design, penalty]), np.concatenate([y, np.zeros(len(features))]), rcond=None
    )[0]
    assert np.allclose(direct[1:], model.coef_, rtol=1e-10, atol=1e-10), "two solvers disagree"

    weights = direct[1:] * half[target] / half[features]
    intercept = mid[target] + half[target] * direct[0] - weights @ mid[features]
    residual = rows[:, target] - intercept - rows[:, features] @ weights
    variance = np.var(rows[:, target])
    return {
        "alpha": alpha,
        "coefficients": [float(w) for w in weights],
        "intercept": float(intercept),
        "r2": float(1 - np.mean(residual**2) / variance),
        "residualSd": float(np.sqrt(np.mean(residual**2))),
    }


def main():
    sets = []
    for name, rows, target in SETS:
        low, high = rows.min(axis=0), rows.max(axis=0)
        mid, half = (low + high) / 2, (high - low) / 2
        z = (rows - mid) / half
        sets.append(
            {
                "name": name,
                "rows": len(rows),
                "target": target,
                "half": [float(v) for v in half],
                "mean": [float(v) for v in rows.mean(axis=0)],
                "covariance": upper(np.cov(z.T, bias=True)),
                "fits": [fit(rows, target, mid, half, alpha) for alpha in ALPHAS],
            }
        )
    text = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in sets)
    print("[\n" + text + "\n]")


main()
