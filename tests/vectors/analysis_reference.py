"""Makes analysis_reference.json: moments of eight real tables, and what numpy gets from their rows.

usage: PM_DATA=<folder> python3 analysis_reference.py > analysis_reference.json

The file holds second moments and results, no rows. Columns are scaled to run from -1 to 1 between
their least and largest value (a column that does not vary: one below and above). Results do not go
through the covariance: principal components are singular values and vectors of the centred rows,
canonical correlations those of Qx'Qy with orthonormal bases of the centred views (Bjorck & Golub
1973), and MAXVAR's eigenvalues those of [Q1 .. Qm]'[Q1 .. Qm] (Kettenring 1971). Weights are on
original units and make variates of variance 1 (divisor n).
"""
import csv
import gzip
import json
import os

import numpy as np

FOLDER = os.environ.get("PM_DATA", "../../../shared/data")
COMPONENTS = 3


def path(name):
    return os.path.join(FOLDER, name)


def table(name, columns, skip=1):
    with open(path(name)) as file:
        rows = list(csv.reader(file))[skip:]
    return np.array([[float(row[c]) for c in columns] for row in rows])


def linnerud():
    return np.hstack([np.loadtxt(path("linnerud/linnerud_" + half + ".csv"), skiprows=1)
                      for half in ("exercise", "physiological")])


def digits():
    # The four middle lines of eight pixels.
    return np.loadtxt(gzip.open(path("digits/digits.csv.gz")), delimiter=",")[:, 16:48]


def span(first, last):
    return list(range(first, last))


# name: rows, two views, three views or more
TABLES = {
    "wine": (lambda: table("wine/wine_data.csv", range(13)),
             [span(0, 6), span(6, 13)], [span(0, 4), span(4, 8), span(8, 13)]),
    "iris": (lambda: table("iris/iris.csv", range(4)), [[0, 1], [2, 3]], [[0], [1], [2, 3]]),
    "breast_cancer": (lambda: table("breast_cancer/breast_cancer.csv", span(0, 10) + span(20, 30)),
                      [span(0, 10), span(10, 20)], [span(0, 6), span(6, 12), span(12, 20)]),
    "diabetes": (lambda: np.loadtxt(gzip.open(path("diabetes/diabetes_data_raw.csv.gz"))),
                 [span(0, 4), span(4, 10)], [span(0, 4), span(4, 7), span(7, 10)]),
    "linnerud": (linnerud, [span(0, 3), span(3, 6)], [[0, 3], [1, 4], [2, 5]]),
    "lifecyclesavings": (lambda: table("lifecyclesavings/LifeCycleSavings.csv", [2, 3, 1, 4, 5]),
                         [[0, 1], [2, 3, 4]], [[0, 1], [2], [3, 4]]),
    "mmreg": (lambda: table("mmreg/mmreg.csv", range(8)),
              [span(0, 3), span(3, 8)], [span(0, 3), span(3, 5), span(5, 8)]),
    "digits": (digits, [span(0, 16), span(16, 32)], [span(8 * v, 8 * v + 8) for v in range(4)]),
}


def basis(centred):
    """Orthonormal basis Q of the columns' span, and T with Q = centred T."""
    deviations = centred.std(axis=0)
    deviations[deviations == 0] = 1
    left, values, right = np.linalg.svd(centred / deviations, full_matrices=False)
    rank = int(np.sum(values > 1e-9 * values[0]))
    return left[:, :rank], (right[:rank].T / values[:rank]) / deviations[:, None]


def cca(rows, views, components):
    n = len(rows)
    centred = rows - rows.mean(axis=0)
    (qx, tx), (qy, ty) = basis(centred[:, views[0]]), basis(centred[:, views[1]])
    left, values, right = np.linalg.svd(qx.T @ qy)
    k = components
    return {"views": views, "correlations": values[:k].tolist(),
            "x": (np.sqrt(n) * tx @ left[:, :k]).tolist(),
            "y": (np.sqrt(n) * ty @ right[:k].T).tolist()}


def gcca(rows, views, components):
    centred = rows - rows.mean(axis=0)
    bases = np.hstack([basis(centred[:, view])[0] for view in views])
    values = np.linalg.svd(bases, compute_uv=False) ** 2
    return {"views": views, "eigenvalues": values[:components].tolist()}


def reference(rows, two, more):
    n, d = rows.shape
    low, high = rows.min(axis=0), rows.max(axis=0)
    mid = (low + high) / 2
    half = np.where(high > low, (high - low) / 2, 1)
    scaled = (rows - mid) / half
    constant = np.sqrt(0.5 * d)
    augmented = np.hstack([np.full((n, 1), constant), scaled])
    second = augmented.T @ augmented
    _, values, vectors = np.linalg.svd(scaled - scaled.mean(axis=0), full_matrices=False)
    k = min(COMPONENTS, d)
    upper = np.triu_indices(d)
    return {
        "rows": n, "constant": constant, "mid": mid.tolist(), "half": half.tolist(),
        "sums": second[np.triu_indices(d + 1)].tolist(),
        "mean": rows.mean(axis=0).tolist(),
        "covariance": np.cov(rows.T, bias=True)[upper].tolist(),
        "pca": {"eigenvalues": (values ** 2 / n).tolist(), "vectors": vectors[:k].T.tolist()},
        "cca": cca(rows, two, min(COMPONENTS, *map(len, two))),
        "gcca": gcca(rows, more, min(COMPONENTS, *map(len, more))),
    }


print(json.dumps({name: reference(rows(), two, more)
                  for name, (rows, two, more) in TABLES.items()}))
