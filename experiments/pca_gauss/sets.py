"""Data sets of the PCA-Gauss experiments: rows in [-1, 1], labels, and how they are split."""
import functools
import pathlib

import numpy as np
from tables import read


def scaled(column, low=None, high=None):
    """Columns scaled to [-1, 1]. Without bounds, the range of the data counts as public."""
    low = column.min(0) if low is None else low
    high = column.max(0) if high is None else high
    return 2 * (column - low) / np.where(high > low, high - low, 1) - 1


def by_range(cells):
    return scaled(cells[:, :-1]), cells[:, -1]


def pixels(cells):
    return scaled(cells[:, :-1], 0, 16), cells[:, -1]


def numbers_by_range(cells):
    return scaled(cells[:, :-1]), scaled(cells[:, -1])


def area(cells):
    """Predicts the largest area of a nucleus from the other measurements."""
    rows = scaled(cells[:, :-1])
    return np.delete(rows, 23, axis=1), rows[:, 23]


def as_they_are(cells):
    return cells[:, :-1], cells[:, -1]


# task: set: (file, how it is read)
SETS = {
    "classification": {
        "digits": ("digits", pixels),
        "wine": ("wine", by_range),
        "breast_cancer": ("breast_cancer", by_range),
        "gfe": ("gfe", by_range),
        "simulated": ("simulated_classes", as_they_are),
    },
    "regression": {
        "buzz": ("buzz", numbers_by_range),
        "diabetes": ("diabetes", numbers_by_range),
        "breast_area": ("breast_cancer", area),
        "simulated": ("simulated_numbers", as_they_are),
    },
    "clustering": {
        "gfe": ("gfe", by_range),
        "digits": ("digits", pixels),
        "wine": ("wine", by_range),
        "breast_cancer": ("breast_cancer", by_range),
        "simulated": ("simulated_classes", as_they_are),
    },
}
# Public rows and test rows of sets with many rows; otherwise they are a tenth and a fifth of all.
# The paper has 600 and 1290 of 218 106 (Realdisp), and 0.8 % each of the whole Buzz set.
OPEN_AND_TEST = {"simulated": (600, 1290), "gfe": (600, 1290), "buzz": (160, 2000)}


def file_of(folders, task, name):
    """The file of a set, or None if no folder has it."""
    files = (pathlib.Path(folder) / f"{SETS[task][name][0]}.bin" for folder in folders)
    return next((file for file in files if file.exists()), None)


@functools.lru_cache(1)
def load(folders, task, name):
    """Rows in units of the unit ball: x / sqrt(columns)."""
    rows, labels = SETS[task][name][1](read(file_of(folders, task, name)).astype(float))
    return rows / np.sqrt(rows.shape[1]), labels


class Split:
    """Private, public and test rows, drawn anew in every repetition."""

    def __init__(self, folders, task, name, random):
        rows, labels = load(folders, task, name)
        order = random.permutation(len(rows))
        public, test = OPEN_AND_TEST.get(name, (len(rows) // 10, len(rows) // 5))
        open_, tested, taken = np.split(order, [public, public + test])
        self.rows, self.labels = rows[taken], labels[taken]
        self.open, self.open_labels = rows[open_], labels[open_]
        self.test, self.test_labels = rows[tested], labels[tested]
        self.classes = int(labels.max()) + 1 if task != "regression" else 0
