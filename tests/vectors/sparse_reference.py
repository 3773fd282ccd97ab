"""Makes sparse.json: sparse principal components and canonical correlations, with numpy.

usage: python3 sparse_reference.py > sparse.json

From the moments of analysis_reference.json plus normal noise with a fixed seed. The two convex
programmes (core/analysis/methods/sparse.hpp) are solved by a plain method of multipliers with a
fixed weight, and each solution is checked by its dual: for the projection the largest eigenvalue
of S - U on the free directions, |U_ij| <= P_ij, and for the pairing the largest singular value of
X^-1/2 (C - U) Y^-1/2, are at least the optimum for every U. "objective" is that of the solution,
"gap" the difference to the dual's, which bounds the error of both.
"""
import json
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 60000
SOLVED = 1e-10


def shrunk(matrix, by):
    return np.sign(matrix) * np.maximum(np.abs(matrix) - by, 0)


def simplex(values):
    ordered = np.sort(values)[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, len(values) + 1)
    return np.maximum(values - excess[np.nonzero(ordered > excess)[0][-1]], 0)


def free(taken):
    u, s, _ = np.linalg.svd(taken, full_matrices=True)
    return u[:, np.count_nonzero(s > 1e-9):]


def projection(s, p, taken):
    basis = free(taken)
    unit = np.abs(s).max()
    z = np.zeros_like(s)
    u = np.zeros_like(s)
    for _ in range(ROUNDS):
        values, vectors = np.linalg.eigh(basis.T @ (z - u + s / unit) @ basis)
        vectors = basis @ vectors
        x = vectors * simplex(values) @ vectors.T
        new = shrunk(x + u, p / unit)
        u += x - new
        moved = np.linalg.norm(new - z)
        z = new
        if max(moved, np.linalg.norm(x - z)) < SOLVED:
            break
    primal = (s * z).sum() - (p * np.abs(z)).sum()
    dual = np.linalg.eigvalsh(basis.T @ (s - np.clip(u * unit, -p, p)) @ basis)[-1]
    return z, primal, dual - primal


def root(matrix, power):
    values, vectors = np.linalg.eigh(matrix)
    return vectors * values ** power @ vectors.T


def ball(matrix):
    u, s, v = np.linalg.svd(matrix, full_matrices=False)
    return u * (s if s.sum() <= 1 else simplex(s)) @ v


def pairing(c, p, x, y):
    rx, ry = root(x, 0.5), root(y, 0.5)
    of_x, ex = np.linalg.eigh(x)
    of_y, ey = np.linalg.eigh(y)
    unit = 1 / (1 + np.outer(of_x, of_y))
    z = np.zeros_like(c)
    m, u, v = z.copy(), z.copy(), z.copy()
    for _ in range(ROUNDS):
        wanted = z - u + rx @ (m - v) @ ry + c
        a = ex @ (unit * (ex.T @ wanted @ ey)) @ ey.T
        new, new_m = shrunk(a + u, p), ball(rx @ a @ ry + v)
        u += a - new
        v += rx @ a @ ry - new_m
        moved = np.linalg.norm(new - z) + np.linalg.norm(new_m - m)
        z, m = new, new_m
        if max(moved, np.linalg.norm(a - z)) < SOLVED:
            break
    primal = (c * z).sum() - (p * np.abs(z)).sum()
    whitened = root(x, -0.5) @ (c - np.clip(u, -p, p)) @ root(y, -0.5)
    return z, primal, np.linalg.svd(whitened, compute_uv=False)[0] - primal


def covariance(table):
    d = len(table["half"])
    sums = np.zeros((d + 1, d + 1))
    sums[np.triu_indices(d + 1)] = table["sums"]
    sums = np.triu(sums) + np.triu(sums, 1).T
    n, c = table["rows"], table["constant"]
    mean = sums[0, 1:] / (c * n)
    return sums[1:, 1:] / n - np.outer(mean, mean)


def support(matrix):
    return [int(i) for i in np.nonzero(np.abs(matrix).max(axis=1) > 1e-5 * np.abs(matrix).max())[0]]


def packed(matrix):
    return matrix[np.triu_indices(len(matrix))].tolist()


def main():
    with open(os.path.join(HERE, "analysis_reference.json")) as file:
        tables = json.load(file)
    random = np.random.default_rng(2026)
    result = {"projections": [], "pairings": []}
    for name in ("wine", "breast_cancer", "diabetes", "mmreg"):
        c = covariance(tables[name])
        d = len(c)
        noise = 0.01 * random.normal(size=(d, d))
        s = c + (noise + noise.T) / np.sqrt(2)
        p = 0.02 * (1 + random.uniform(size=(d, d)))
        p = (p + p.T) / 2
        first, *_ = projection(s, p, np.zeros((d, 0)))
        leading = np.linalg.eigh(first)[1][:, -1:]
        leading[np.abs(leading) < 1e-4] = 0
        leading /= np.linalg.norm(leading)
        for taken in (np.zeros((d, 0)), leading):
            z, objective, gap = projection(s, p, taken)
            result["projections"].append({
                "table": name, "covariance": packed(s), "penalties": packed(p),
                "taken": taken.T.tolist(), "objective": objective, "gap": gap,
                "support": support(z)})
        x, y = tables[name]["cca"]["views"]
        cross = s[np.ix_(x, y)]
        of_x = c[np.ix_(x, x)] + 0.02 * np.eye(len(x))
        of_y = c[np.ix_(y, y)] + 0.02 * np.eye(len(y))
        p = 0.01 * (1 + random.uniform(size=cross.shape))
        z, objective, gap = pairing(cross, p, of_x, of_y)
        result["pairings"].append({
            "table": name, "cross": cross.tolist(), "penalties": p.tolist(), "x": packed(of_x),
            "y": packed(of_y), "objective": objective, "gap": gap, "supportX": support(z),
            "supportY": support(z.T)})
    print(json.dumps(result))


main()
