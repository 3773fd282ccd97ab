"""Tables as data_sets.mjs writes them, and means with their intervals."""
import pathlib

import numpy as np
from scipy.stats import t as student


def read(file):
    """The cells of a table, as they are stored."""
    with open(file, "rb") as content:
        rows, columns, width = np.fromfile(content, "<i8", 3)
        cells = np.fromfile(content, {1: "u1", 8: "<f8"}[int(width)])
    return cells.reshape(rows, columns)


def write(file, cells):
    head = np.array([*cells.shape, 8], "<i8").tobytes()
    pathlib.Path(file).write_bytes(head + np.ascontiguousarray(cells, "<f8").tobytes())


def interval(values):
    """Mean and half width of its 95 % interval."""
    values = np.asarray(values)
    half = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(half)
