"""Rows of the experiments on symmetric noise (docs/experiments/symmetric-noise.md).

usage: rows.py scatter <data sets> <folder> <results> full|quick
           writes scatter matrices of the rows to <folder>, for the program symmetric_noise
       rows.py classify <data sets> <folder> <results> full|quick
           writes the errors of classifiers of rows projected to that program's directions
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import numpy as np
from sklearn.svm import LinearSVC
from tables import interval, read, write

PARTS = 20  # of the rows in random order, whose scatter matrices are summed
SPLITS = 5
SHARES = (0.7, 0.5)
CLASSIFIED = 4000  # at most as many rows to train, and to test


def synthetic():
    """Normal rows with ten long axes, as the authors generate them: variances from 10 to 1, the
    others uniform up to 0.5. Two classes: whether the ten standardised coordinates add up to more
    than 0."""
    random = np.random.default_rng(1)
    variances = np.concatenate([np.linspace(10, 1, 10), random.uniform(0, 0.5, 90)])
    rows = random.standard_normal((60000, 100))
    return rows * np.sqrt(variances), rows[:, :10].sum(axis=1) > 0


def mnist(data, block):
    """Digits as means of blocks of pixels."""
    cells = read(Path(data) / "mnist.bin")
    pixels, side = cells[:, :-1], 28 // block
    means = pixels.reshape(-1, side, block, side, block).mean(axis=(2, 4))
    return means.reshape(len(cells), -1), cells[:, -1]


def adult(data):
    cells = read(Path(data) / "adult_income.bin")
    columns, income = cells[:, :-1], cells[:, -1]
    low, high = columns.min(axis=0), columns.max(axis=0)
    return (columns - low) / np.where(high > low, high - low, 1), income


# For each set: how many directions, and the epsilon at which numbers of rows are compared; without
# one the set is neither divided nor classified.
SETS = {"synthetic": (10, 0.1), "mnist": (50, 1), "mnist-blocks": (10, None), "adult": (10, 0.1)}


def prepared(name, data, quick):
    """Rows in random order about their mean, the longest of length 1, and their labels."""
    if name == "synthetic":
        rows, labels = synthetic()
    elif name == "adult":
        rows, labels = adult(data)
    else:
        rows, labels = mnist(data, 4 if quick else 2 if name == "mnist-blocks" else 1)
    order = np.random.default_rng(2).permutation(len(rows))[:: 20 if quick else 1]
    rows = rows[order]
    rows -= rows.mean(axis=0)
    rows /= np.sqrt((rows**2).sum(axis=1).max())
    return rows, labels[order]


def parts_of_split(split, share):
    """Which parts are for training."""
    return np.random.default_rng(100 + split).permutation(PARTS)[: round(share * PARTS)]


def scatter(data, folder, quick, names):
    lines = []
    for name in names:
        rows, _ = prepared(name, data, quick)
        components, epsilon = SETS[name]
        if quick:
            components = 10
        parts = np.array_split(rows, PARTS)
        sums = np.array([part.T @ part for part in parts])
        sizes = np.array([len(part) for part in parts])

        def add(case, which):
            write(Path(folder) / f"{name}-{case}.bin", sums[which].sum(axis=0))
            lines.append(f"{name} {case} {sizes[which].sum()} {components} {epsilon or 0}")

        add("all", np.arange(PARTS))
        if epsilon is None:
            continue
        for count in (1, PARTS) if quick else (1, 2, 4, 8, PARTS):
            add(f"rows-{count}", np.arange(count))
        for split in range(2 if quick else SPLITS):
            for share in SHARES:
                add(f"split-{split}-{share}", parts_of_split(split, share))
    (Path(folder) / "samples.txt").write_text("\n".join(lines) + "\n")


def error_of(train, test, directions):
    """Share of wrong answers of a linear support vector machine on projected rows."""
    rows, labels = train
    projected = rows @ directions.T
    scale = projected.std()
    machine = LinearSVC(dual=False).fit(projected / scale, labels)
    return np.mean(machine.predict(test[0] @ directions.T / scale) != test[1])


def classify(data, folder, out, quick, names):
    released = [line.split() for line in (Path(folder) / "directions.txt").read_text().splitlines()]
    errors = {}
    for name in names:
        rows, labels = prepared(name, data, quick)
        number = np.array_split(np.arange(len(rows)), PARTS)
        for set_, case, method, epsilon, delta, file in released:
            if set_ != name:
                continue
            split, share = int(case.split("-")[1]), float(case.split("-")[2])
            chosen = parts_of_split(split, share)
            train, test = (
                np.concatenate([number[part] for part in which])
                for which in (chosen, np.setdiff1d(np.arange(PARTS), chosen))
            )
            few = np.random.default_rng(split)
            train, test = (
                few.choice(which, min(CLASSIFIED, len(which)), replace=False)
                for which in (train, test)
            )
            directions = read(Path(folder) / f"{file}.bin")
            key = (name, method, share, epsilon, delta, *directions.shape)
            errors.setdefault(key, []).append(
                error_of((rows[train], labels[train]), (rows[test], labels[test]), directions)
            )
    header = "set,method,training,epsilon,delta,components,columns,error,error_low,error_high,repetitions"
    lines = [header]
    for key, values in errors.items():
        mean, margin = interval(values)
        cells = [*key, *(f"{value:.6g}" for value in (mean, mean - margin, mean + margin)), len(values)]
        lines.append(",".join(map(str, cells)))
    (Path(out) / "errors.csv").write_text("\n".join(lines) + "\n")


def main():
    command, data, folder, out, extent, *names = sys.argv[1:]
    if command == "scatter":
        scatter(data, folder, extent == "quick", names)
    else:
        classify(data, folder, out, extent == "quick", names)


if __name__ == "__main__":
    main()
