"""Trains models on synthetic rows and tests them on real ones.

Each repetition splits a data set again into private, public and test rows and draws new noise. Writes
`<quantity>-p.csv` (at epsilon 1) and, but for clusters, `<quantity>-epsilon.csv` (at the fixed p of a
set). Sets that are in none of the folders are skipped. Exits with 1 if a result of a full run is below a prototype's.

usage: judge.py classification|regression|clustering <result folder> full|quick <data folder> ...
"""
import csv
import multiprocessing
import os
import pathlib
import sys
import time
import warnings
import zlib

for library in ("OMP", "OPENBLAS"):
    os.environ[library + "_NUM_THREADS"] = "1"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import numpy as np
from checks import check_scores, comparisons
from driver import Driver
from methods import OWN_DIRECTIONS, methods_of
from scores import judge_of, rms
from sets import SETS, Split, file_of
from tables import interval

warnings.filterwarnings("ignore")  # of classifiers that do not converge on pure noise

# Number of synthetic rows, and the maximum number of real rows to train on.
DRAWN = {"classification": 1000, "regression": 400, "clustering": 1000}
EPSILON = 1
EPSILONS = (0.1, 0.3, 1, 3, 10)
# With many rows and columns: fewer epsilons, and only the methods that are tried at all of them.
FEW_EPSILONS = (0.1, 1, 10)
SLOW = {"gfe"}
IDENTITY_COMPONENTS = (1, 2, 4)
QUANTITIES = {  # name of the results, and of what a judge returns
    "classification": ("accuracy", ["accuracy"]),
    "regression": ("rmse", ["rmse", "rmse_unclipped"]),
    "clustering": ("clusters", ["ari", "silhouette", "own_silhouette"]),
}
REPETITIONS = {
    "classification": {"digits": 15, "wine": 100, "breast_cancer": 100, "gfe": 3, "simulated": 5},
    "regression": {"buzz": 50, "diabetes": 100, "breast_area": 100, "simulated": 10},
    "clustering": {"gfe": 5, "digits": 20, "wine": 40, "breast_cancer": 40, "simulated": 5},
}
QUICK_SETS = {"wine", "diabetes", "simulated"}


def components_of(task, name):
    many = name in ("digits", "gfe") or (name == "simulated" and task != "regression")
    return (2, 4, 8, 16) if many else (1, 2, 4, 8)


def fixed_components(name):
    """The p that was fixed in advance: about the number of classes, or 4."""
    return 8 if name in ("digits", "gfe") else 4


# --- One repetition ------------------------------------------------------------------------------


def leading(rows, count):
    """The directions with the largest second moments about 0."""
    return np.linalg.eigh(rows.T @ rows)[1][:, ::-1][:, :count]


def farthest(rows):
    """0.99 quantile of the distance to the mean."""
    return float(np.quantile(np.linalg.norm(rows - rows.mean(0), axis=1), 0.99))


def public_radii(split, task, count):
    """Distances of public rows from their mean after projection onto their directions: with the
    label and directions about 0, and without the label and about the mean."""
    rows = split.open @ leading(split.open, count)
    labels = split.open_labels[:, None] if task == "regression" else rows[:, :0]
    centred = split.open - split.open.mean(0)
    return {
        "radius": farthest(np.hstack([rows, labels])),
        "reach": farthest(centred @ leading(centred, count)),
    }


def some(task, random, rows, labels):
    if len(rows) <= DRAWN[task]:
        return rows, labels
    chosen = random.choice(len(rows), DRAWN[task], replace=False)
    return rows[chosen], labels[chosen]


def without_data(task, split, random, judge, components):
    """Scores that no private row is needed for, by p; 0 without a projection."""
    if task == "classification":
        value, count = np.unique(split.open_labels, return_counts=True)
        return {0: [float(np.mean(split.test_labels == value[count.argmax()]))] * 2}
    if task == "regression":
        return {0: [rms(split.test_labels - split.open_labels.mean())] * 2}
    columns = split.rows.shape[1]
    scores = {}
    for p in components:
        directions = np.linalg.qr(random.standard_normal((columns, p)))[0]
        rows = random.standard_normal((DRAWN[task], p)) / (2 * np.sqrt(columns))
        scores[p] = judge(directions, rows, None)
    return scores


def floors(task, split, random, judge, components):
    """Scores that need no mechanism: name: {p: scores}, with p = 0 without a projection."""
    rows, labels = some(task, random, split.rows, split.labels)
    whole = np.eye(split.rows.shape[1])
    directions = leading(split.rows, max(components))
    return {
        "no-data": without_data(task, split, random, judge, components),
        "public-only": {0: judge(whole, *some(task, random, split.open, split.open_labels))},
        "real": {0: judge(whole, rows, labels)},
        "real-pca": {
            p: judge(directions[:, :p], rows @ directions[:, :p], labels) for p in components
        },
    }


def with_directions(name, split, p, rows):
    """The private directions and the centre that a method keeps to itself, which its rows are given
    here all the same, so that they can be compared with real ones."""
    centre = (split.rows if OWN_DIRECTIONS[name] == "mean" else split.open).mean(0)
    directions = leading(split.rows - centre, p)
    return directions, rows + centre @ directions


def epsilons_of(task, name):
    if task == "clustering":
        return (EPSILON,)
    return FEW_EPSILONS if name in SLOW else EPSILONS


def settings_of(method, components, fixed, epsilons):
    """Pairs of epsilon and p."""
    if not method.reduces:
        tried = [0]
    else:
        tried = IDENTITY_COMPONENTS if method.identity else components
    chosen = fixed if method.reduces else 0
    settings = [(EPSILON, p) for p in tried]
    if method.swept:
        settings += [(epsilon, chosen) for epsilon in epsilons]
    return list(dict.fromkeys(settings))


def repetition(folders, task, name, number, components):
    """Scores by method, epsilon (0 where there is none) and p (0 without a projection)."""
    random = np.random.default_rng([zlib.crc32((task + name).encode()), number])
    split = Split(folders, task, name, random)
    judge = judge_of(task, split)
    result = {
        (method, 0, p): scores
        for method, by_components in floors(task, split, random, judge, components).items()
        for p, scores in by_components.items()
    }
    radii = {p: public_radii(split, task, p) for p in {1, *components, *IDENTITY_COMPONENTS}}
    with Driver() as driver:
        driver.send(task, split)
        for key, method in methods_of(task, split.classes).items():
            if name in SLOW and not method.swept:
                continue
            epsilons = epsilons_of(task, name)
            for epsilon, p in settings_of(method, components, fixed_components(name), epsilons):
                asked = method.command.format(**radii.get(p, radii[1]))
                asked += f" p={p}" if p else ""
                asked += f" delta={method.delta}" if method.delta else ""
                seeds = f"seed={random.integers(1 << 31)} public-seed={number}"
                drawn = driver.draw(f"{asked} epsilon={epsilon} drawn={DRAWN[task]} {seeds}")
                projection, rows, labels = drawn
                if len(projection) == 0:
                    projection, rows = with_directions(key, split, p, rows)
                rows, labels = some(task, random, rows, labels)
                result[key, epsilon, p] = judge(projection, rows, labels)
    return result


# --- Results -------------------------------------------------------------------------------------


def summary(task, per_repetition):
    """Mean and half width of each quantity; the accuracy is that of the better machine."""
    scores = np.asarray(per_repetition)
    if task == "classification":
        scores = scores[:, [scores.mean(0).argmax()]]
    return [interval(column) for column in scores.T]


def line_of(task, name, key, epsilon, p, reduces, delta, scores):
    line = {"set": name, "method": key, "epsilon": epsilon, "delta": delta, "p": p}
    line["reduces"] = int(reduces)
    for quantity, (mean, half) in zip(QUANTITIES[task][1], summary(task, scores)):
        line[quantity] = f"{mean:.5g}"
        line[f"{quantity}_low"] = f"{mean - half:.5g}"
        line[f"{quantity}_high"] = f"{mean + half:.5g}"
    line["repetitions"] = len(scores)
    return line


def in_order(lines, column):
    """Lines of the same method together, with rising values of the column."""
    first = {}
    for line in lines:
        first.setdefault(line["method"], len(first))
    return sorted(lines, key=lambda line: (first[line["method"]], line[column]))


def lines_of(task, name, joined, components):
    """Lines by p at one epsilon, and by epsilon at the fixed p. Those without one of the two are
    repeated for every value of it."""
    fixed = fixed_components(name)
    methods = methods_of(task)
    by_p, by_epsilon = [], []
    for (key, epsilon, p), scores in joined.items():
        delta = methods[key].delta if key in methods else 0
        if epsilon in (0, EPSILON):
            for at in [p] if p else components:
                by_p.append(line_of(task, name, key, EPSILON, at, p > 0, delta, scores))
        if (key not in methods or methods[key].swept) and p in (0, fixed):
            for at in [epsilon] if epsilon else epsilons_of(task, name):
                by_epsilon.append(line_of(task, name, key, at, fixed, p > 0, delta, scores))
    return in_order(by_p, "p"), in_order(by_epsilon, "epsilon")


def save(file, lines):
    with open(file, "w", newline="") as out:
        writer = csv.DictWriter(out, lines[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def run(folders, task, name, count, components):
    start = time.time()
    with multiprocessing.Pool(min(os.cpu_count(), count)) as pool:
        arguments = [(folders, task, name, i, components) for i in range(count)]
        results = pool.starmap(repetition, arguments, chunksize=1)
    print(f"{task}, {name}: {count} repetitions, {time.time() - start:.0f} s", flush=True)
    return {key: [result[key] for result in results] for key in results[0]}


def main():
    check_scores()
    task, out, extent, *folders = sys.argv[1:]
    quick = extent == "quick"
    by_p, by_epsilon = [], []
    for name in SETS[task]:
        if quick and name not in QUICK_SETS:
            continue
        if not file_of(folders, task, name):
            print(f"{task}, {name}: skipped, as it is not in PM_DATA")
            continue
        components = (2, 4) if quick else components_of(task, name)
        count = 2 if quick else REPETITIONS[task][name]
        joined = run(tuple(folders), task, name, count, components)
        for kept, lines in zip((by_p, by_epsilon), lines_of(task, name, joined, components)):
            kept += lines
    quantity = QUANTITIES[task][0]
    save(pathlib.Path(out) / f"{quantity}-p.csv", by_p)
    if task != "clustering":
        save(pathlib.Path(out) / f"{quantity}-epsilon.csv", by_epsilon)
    if task != "classification" or quick:
        return 0
    lines = list(comparisons(by_p))
    print("\n".join(lines))
    return 1 if any("MISSED" in line for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
