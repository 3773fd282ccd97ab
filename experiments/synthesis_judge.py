"""Trains models on synthetic rows and tests them on real ones; writes experiments/synthesis.md.

Each repetition splits a data set again (70 % private rows, 10 % public rows, 20 % test rows) and
draws new noise. Results are stored in build/experiments/synthesis, so that sets can be run one at a
time; the page contains all stored results. A data set that is missing in PM_DATA is skipped. Exits
with 1 if a line says MISSED.

usage: [PM_DATA=<folder>] [REPETITIONS=20] synthesis_judge.py [set ...]
"""
import functools
import gzip
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import warnings
import zlib

for library in ("OMP", "OPENBLAS"):
    os.environ[library + "_NUM_THREADS"] = "1"

import numpy as np
from scipy.stats import t as student
from sklearn.cluster import KMeans
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import adjusted_rand_score, calinski_harabasz_score, silhouette_score
from sklearn.svm import SVC, LinearSVC

warnings.filterwarnings("ignore")  # of classifiers that do not converge on pure noise

ROOT = pathlib.Path(__file__).resolve().parent.parent
DRIVER = ROOT / "build/native/experiments/synthesis"
KEPT = ROOT / "build/experiments/synthesis"
PAGE = ROOT / "experiments/synthesis.md"
FOLDER = pathlib.Path(os.environ.get("PM_DATA", ROOT / "../shared/data"))
REPETITIONS = int(os.environ.get("REPETITIONS", 20))

EPSILON = 1
DELTA = 1e-5
# Number of synthetic rows, and the maximum number of real rows to train on.
DRAWN = {"classification": 1000, "regression": 400, "clustering": 1000}
FIXED = 4  # the p fixed in advance

# --- Data: rows scaled to [-1, 1] by public bounds, labels ------------------------------------


def table(file, **options):
    opened = gzip.open if file.endswith("gz") else open
    with opened(FOLDER / file, "rt") as lines:
        return np.loadtxt(lines, **options)


def scaled(column, low=None, high=None):
    """Rows scaled to [-1, 1]. Without bounds, the range of the data counts as public."""
    low = column.min(0) if low is None else low
    high = column.max(0) if high is None else high
    return 2 * (column - low) / (high - low) - 1


def digits():
    cells = table("digits/digits.csv.gz", delimiter=",")
    return scaled(cells[:, :-1], 0, 16), cells[:, -1]


def wine():
    cells = table("wine/wine_data.csv", delimiter=",", skiprows=1)
    return scaled(cells[:, :-1]), cells[:, -1]


def breast_cancer():
    cells = table("breast_cancer/breast_cancer.csv", delimiter=",", skiprows=1)
    return scaled(cells[:, :-1]), cells[:, -1]


def breast_area():
    """Predicts the largest area of a nucleus from the other measurements."""
    cells = scaled(table("breast_cancer/breast_cancer.csv", delimiter=",", skiprows=1)[:, :-1])
    return np.delete(cells, 23, axis=1), cells[:, 23]


def diabetes():
    rows = table("diabetes/diabetes_data_raw.csv.gz")
    return scaled(rows), scaled(table("diabetes/diabetes_target.csv.gz"))


def simulated(number_label):
    """58 600 rows of 60 columns of rank 4 with noise: two clouds 5 standard deviations apart, or a
    number that is linear in the four factors."""
    random = np.random.default_rng(4)
    n, rank = 58_600, 4
    hidden = random.standard_normal((n, rank))
    label = random.integers(0, 2, n).astype(float)
    weights = random.standard_normal(rank)
    if number_label:
        label = 0.4 * hidden @ weights / np.linalg.norm(weights)
        label = np.clip(label + 0.03 * random.standard_normal(n), -1, 1)
    else:
        hidden[:, 0] += 5 * label - 2.5
    rows = hidden @ random.standard_normal((rank, 60)) + random.standard_normal((n, 60)) / 2
    return np.clip(rows / 12, -1, 1), label


SETS = {  # task: name: (rows and labels, how often the private part is resampled)
    "classification": {
        "digits": (digits, 1),
        "wine": (wine, 1),
        "breast cancer": (breast_cancer, 1),
        "simulated": (lambda: simulated(False), 1),
        "digits x25": (digits, 25),
        "breast x50": (breast_cancer, 50),
    },
    "regression": {
        "diabetes": (diabetes, 1),
        "breast area": (breast_area, 1),
        "simulated": (lambda: simulated(True), 1),
        "area x50": (breast_area, 50),
    },
    "clustering": {
        "digits": (digits, 1),
        "wine": (wine, 1),
        "breast cancer": (breast_cancer, 1),
        "simulated": (lambda: simulated(False), 1),
    },
}
# Fewer repetitions for slow ones.
FEWER = {"simulated": 3, "digits x25": 3, "breast x50": 5, "area x50": 5, "clustering/digits": 10}
COMPONENTS = {"wine": (1, 2, 4, 8), "breast cancer": (1, 2, 4, 8), "breast x50": (1, 2, 4, 8)}
JITTER = 0.02  # noise on resampled rows


def components_of(name, task):
    return (1, 2, 4, 8) if task == "regression" else COMPONENTS.get(name, (2, 4, 8, 16))


@functools.lru_cache(1)
def load(task, name):
    rows, labels = SETS[task][name][0]()
    return rows / np.sqrt(rows.shape[1]), labels


class Split:
    """Rows in units of the unit ball: x / sqrt(m)."""

    def __init__(self, task, name, random):
        rows, labels = load(task, name)
        order = random.permutation(len(rows))
        private, public = int(0.7 * len(rows)), int(0.8 * len(rows))
        taken, open_, test = order[:private], order[private:public], order[public:]
        if name == "simulated":
            open_, test = open_[:600], test[:1290]
        self.rows, self.labels = rows[taken], labels[taken]
        again = SETS[task][name][1]
        if again > 1:
            drawn = random.integers(0, len(taken), again * len(taken))
            jitter = JITTER * random.standard_normal((len(drawn), rows.shape[1]))
            edge = 1 / np.sqrt(rows.shape[1])
            self.rows = np.clip(self.rows[drawn] + jitter * edge, -edge, edge)
            self.labels = self.labels[drawn]
        self.open, self.open_labels = rows[open_], labels[open_]
        self.test, self.test_labels = rows[test], labels[test]
        self.classes = int(labels.max()) + 1 if task != "regression" else 0


# --- Methods ----------------------------------------------------------------------------------

STEPS = "core noise={} projection=public radius={{radius}}"
PRIVATE = "core noise={} projection={} projection-noise={}"
DELTA_OPTION = f" delta={DELTA}"

# name: (command, whether it has a p)
CORRECTED = {
    "corrected: laplace, public rows' directions": STEPS.format("laplace"),
    "corrected: frobenius, public": STEPS.format("frobenius"),
    "corrected: two-sided Wishart, public": STEPS.format("two-sided-wishart"),
    "corrected: gaussian (delta), public": STEPS.format("gaussian") + DELTA_OPTION,
    "corrected: laplace, Lap-PCA": PRIVATE.format("laplace", "private", "laplace"),
    "corrected: laplace, AG-PCA (delta)": PRIVATE.format("laplace", "private", "gaussian")
    + DELTA_OPTION,
    "corrected: gaussian, AG-PCA (delta)": PRIVATE.format("gaussian", "private", "gaussian")
    + DELTA_OPTION,
    "corrected: Wishart, Wishart-PCA": PRIVATE.format(
        "two-sided-wishart", "private", "two-sided-wishart"
    ),
    "corrected: Wishart, own split": PRIVATE.format(
        "two-sided-wishart", "split", "two-sided-wishart"
    ),
}
# All sums in one query, about the mean of the public rows and clipped to the length of nearly all of
# them.
OPEN = "core noise={} sums=joint projection=public centre=public radius={{reach}}"
JOINT = {
    "joint: laplace, public rows' directions": OPEN.format("laplace"),
    "joint: two-sided Wishart, public": OPEN.format("two-sided-wishart"),
    "joint: gaussian (delta), public": OPEN.format("gaussian") + DELTA_OPTION,
    "joint: two-sided Wishart, random": "core noise=two-sided-wishart projection=random sums=joint",
    "joint: gaussian (delta), random": "core noise=gaussian projection=random sums=joint"
    + DELTA_OPTION,
    "joint: Wishart, Wishart-PCA": CORRECTED["corrected: Wishart, Wishart-PCA"] + " sums=joint",
    "joint: gaussian, AG-PCA (delta)": CORRECTED["corrected: gaussian, AG-PCA (delta)"]
    + " sums=joint",
}
SHARED = {
    "shared covariance: laplace, public": "corrected: laplace, public rows' directions",
    "shared covariance: Wishart, public": "corrected: two-sided Wishart, public",
    "shared covariance: laplace, Lap-PCA": "corrected: laplace, Lap-PCA",
    "shared covariance: laplace, AG-PCA (delta)": "corrected: laplace, AG-PCA (delta)",
    "shared covariance: Wishart, Wishart-PCA": "corrected: Wishart, Wishart-PCA",
}


def published(name, options=""):
    return f"published name={name} {options}".strip()


def methods_of(task, classes):
    """The methods in the order of the table; name: (command, whether it has a p)."""
    paper = {"classification": 3, "regression": 2}.get(task)
    methods = {}
    if paper:
        methods["papers' form: public"] = (published(f"pca-gauss-{paper}"), True)
        private = published(f"pca-gauss-{paper}", "projection=private")
        methods["papers' form: Lap-PCA"] = (private, True)
    methods.update({name: (command, True) for name, command in CORRECTED.items()})
    if task == "classification":
        for name, apart in SHARED.items():
            methods[name] = (CORRECTED[apart] + " covariance=shared", True)
    methods.update({name: (command, True) for name, command in JOINT.items()})
    if task == "classification":
        shared = JOINT["joint: two-sided Wishart, public"] + " covariance=shared"
        methods["joint, shared covariance: Wishart, public"] = (shared, True)
    if task == "classification":
        methods["Li, clean labels"] = (published("li-bernoulli", "labels-public=1"), True)
        methods["Li, private labels"] = (published("li-bernoulli"), True)
        methods["Jiang PCA, clean labels"] = (published("jiang-pca", "labels-public=1"), True)
        methods["Jiang PCA, private labels"] = (published("jiang-pca"), True)
        if classes == 2:
            methods["Jiang LDA, clean labels"] = (published("jiang-lda", "labels-public=1"), False)
    else:
        methods["Li"] = (published("li-bernoulli"), True)
        methods["Jiang PCA"] = (published("jiang-pca"), True)
    methods["Blum, Ligett, Roth: a finite list"] = (published("blum-ligett-roth"), False)
    methods["Liu, as published"] = (published("modips-published"), False)
    methods["Liu, tight"] = (published("modips"), False)
    methods["Blocki, as published (delta)"] = (published("blocki-published") + DELTA_OPTION, False)
    methods["Blocki, by Renyi (delta)"] = (published("blocki") + DELTA_OPTION, False)
    return methods


BASELINE_COMPONENTS = (1, 2, 4)  # of identity queries, whose noise grows with every direction


class Driver:
    def __init__(self):
        self.process = subprocess.Popen(
            [DRIVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1 << 20
        )

    def send(self, task, split):
        root = np.sqrt(split.rows.shape[1])
        blocks = [
            np.column_stack([np.clip(rows * root, -1, 1), labels]).astype("<f8")
            for rows, labels in ((split.rows, split.labels), (split.open, split.open_labels))
        ]
        task = "density" if task == "clustering" else task
        sizes = f"{len(blocks[0])} {len(blocks[1])} {split.rows.shape[1]}"
        self.process.stdin.write(f"data {task} {split.classes} {sizes}\n".encode())
        for block in blocks:
            self.process.stdin.write(block.tobytes())

    def draw(self, command):
        """The projection (None if it is not released), rows and labels."""
        self.process.stdin.write((command + "\n").encode())
        self.process.stdin.flush()
        word, n, coordinates, columns = self.process.stdout.readline().decode().split()
        n, coordinates, columns = int(n), int(coordinates), int(columns)
        assert word == "rows"

        def numbers(count):
            return np.frombuffer(self.process.stdout.read(8 * count), "<f8")

        projection = numbers(columns * coordinates).reshape(coordinates, columns).T
        rows = numbers(n * coordinates).reshape(n, coordinates)
        return projection, rows, numbers(n)


# --- Scores: each from training and test rows in the same coordinates ---------------------------


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


def agreement(split, reference, projection, rows):
    """For real rows labelled by the synthetic centroids: the adjusted Rand index against K-means of
    the real rows, and the silhouette."""
    labels = means_of(rows, split.classes).predict(np.ascontiguousarray(split.test @ projection))
    several = len(np.unique(labels)) > 1
    silhouette = silhouette_score(split.test, labels) if several else 0.0
    return [adjusted_rand_score(reference, labels), float(silhouette)]


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


# --- One repetition ------------------------------------------------------------------------------


def some(task, random, rows, labels):
    if len(rows) <= DRAWN[task]:
        return rows, labels
    chosen = random.choice(len(rows), DRAWN[task], replace=False)
    return rows[chosen], labels[chosen]


def floors(task, split, random, judge, components):
    """Scores that need no mechanism; name: {p: scores}, with p = 0 without a projection."""
    rows, labels = some(task, random, split.rows, split.labels)
    result = {}
    if task == "classification":
        value, count = np.unique(split.labels, return_counts=True)
        common = np.mean(split.test_labels == value[count.argmax()])
        result["no data: the commonest class"] = {0: [common] * 2}
    elif task == "regression":
        errors = split.test_labels - split.labels.mean()
        result["no data: the mean"] = {0: [rms(errors)] * 2}
        guess = random.uniform(-1, 1, len(errors))
        result["no data: a uniform guess"] = {0: [rms(guess - split.test_labels)] * 2}
    else:
        drawn = random.standard_normal((DRAWN[task], split.rows.shape[1])) / split.rows.shape[1]
        result["no data: N(0, I)"] = {0: judge(np.eye(split.rows.shape[1]), drawn, None)}
    whole = np.eye(split.rows.shape[1])
    result["public rows only"] = {0: judge(whole, split.open, split.open_labels)}
    result["real data"] = {0: judge(whole, rows, labels)}
    result["real data, PCA"] = {
        p: judge(leading(split.rows, p), rows @ leading(split.rows, p), labels) for p in components
    }
    return result


def judge_of(task, split):
    if task == "clustering":
        reference = means_of(split.rows, split.classes).predict(split.test)
        return lambda projection, rows, labels: agreement(split, reference, projection, rows)
    score = accuracy if task == "classification" else error

    def judge(projection, rows, labels):
        return score(rows, labels, split.test @ projection, split.test_labels)

    return judge


def own_silhouettes(split, components, driver, random):
    """Silhouettes of the synthetic rows themselves, which N(0, I) reaches as well."""
    result = {}
    drawn_rows = DRAWN["clustering"]
    for p in components[:1]:
        null = random.standard_normal((drawn_rows, p))
        command = f"core noise=laplace projection=public p={p} radius=0.8 drawn={drawn_rows}"
        drawn = driver.draw(f"{command} epsilon={EPSILON} seed={random.integers(1 << 31)}")[1]
        for name, rows in (("N(0, I)", null), ("corrected", drawn)):
            labels = means_of(rows, split.classes).labels_
            result[f"silhouette of the synthetic rows themselves: {name}"] = {
                p: [float(silhouette_score(rows, labels))] * 2
            }
    return result


def repetition(task, name, number):
    random = np.random.default_rng([zlib.crc32((task + name).encode()), number])
    split = Split(task, name, random)
    components = [p for p in components_of(name, task) if p <= split.rows.shape[1]]
    judge = judge_of(task, split)
    result = floors(task, split, random, judge, components)
    driver = Driver()
    driver.send(task, split)
    for method, (command, has_components) in methods_of(task, split.classes).items():
        identity = method.startswith(("Li,", "Jiang PCA")) or method == "Li"
        tried = BASELINE_COMPONENTS if identity else components
        result[method] = {}
        for p in tried if has_components else [0]:
            asked = command.format(**public_radii(split, task, p or 1))
            asked += f" p={p}" if p else ""
            seeds = f"seed={random.integers(1 << 31)} public-seed={number}"
            drawn = driver.draw(f"{asked} epsilon={EPSILON} drawn={DRAWN[task]} {seeds}")
            projection, rows, labels = drawn
            result[method][p] = judge(projection, *some(task, random, rows, labels))
    if task == "clustering":
        result.update(own_silhouettes(split, components, driver, random))
    driver.process.stdin.close()
    driver.process.wait()
    return result


# --- Tables --------------------------------------------------------------------------------------


def interval(values):
    values = np.asarray(values)
    if len(values) < 2:
        return float(values.mean()), float("nan")
    half = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(half)


def summary(task, per_repetition):
    """Mean and half width for one method and p; for a classification, of the better machine."""
    scores = np.asarray(per_repetition)
    if task == "classification":
        scores = scores[:, [scores.mean(0).argmax()]]
    return interval(scores[:, 0])


def best(task, by_components):
    """p, mean and half width."""
    chosen = min if task == "regression" else max
    summaries = {p: summary(task, scores) for p, scores in by_components.items()}
    p = chosen(summaries, key=lambda p: summaries[p][0])
    return p, *summaries[p]


def cell(mean, half):
    return f"{mean:.3f}±{half:.3f}"


HEADS = {
    "classification": "Classification: accuracy of the better of an RBF and a linear support vector machine",
    "regression": "Regression: RMSE of kernel ridge regression, label and predictions in [-1, 1]",
    "clustering": "Clustering: adjusted Rand index of real rows labelled by synthetic centroids",
}
SECOND = {
    "regression": "Regression, predictions not clipped to [-1, 1]: RMSE",
    "clustering": "Clustering: silhouette of real rows labelled by synthetic centroids",
}


def rows_of(task, kept, show):
    names = list(dict.fromkeys(name for result in kept.values() for name in result))
    width = max(map(len, names)) + 1
    yield " " * width + "".join(f"{name:>27}" for name in kept)
    yield " " * width + "".join(f"{'best p':>18}{f'p = {FIXED}':>9}" for _ in kept)
    for name in names:
        line = f"{name:<{width}}"
        for result in kept.values():
            line += f"{show(task, result[name]) if name in result else '-':>27}"
        yield line.rstrip()


def shown(task, by_components):
    p, mean, half = best(task, by_components)
    fixed = by_components.get(FIXED)
    where = f"p{p}" if p else ""
    return f"{cell(mean, half)} {where:>3}{summary(task, fixed)[0] if fixed else mean:>9.3f}"


def shown_second(task, by_components):
    return shown(task, {p: [[b, a] for a, b in scores] for p, scores in by_components.items()})


# Mean and half width of a numpy prototype of the corrected algorithms, with Laplace noise and the
# same protocol. Every method is compared with the prototype that uses the same directions.
PUBLIC_BAR = {"digits": (0.545, 0.028), "wine": (0.613, 0.070), "breast cancer": (0.897, 0.022)}
PRIVATE_BAR = {"digits": (0.148, 0.021), "wine": (0.449, 0.091), "breast cancer": (0.738, 0.051)}
BARS = {
    "corrected: laplace, public rows' directions": PUBLIC_BAR,
    "corrected: two-sided Wishart, public": PUBLIC_BAR,
    "joint: two-sided Wishart, public": PUBLIC_BAR,
    "corrected: laplace, Lap-PCA": PRIVATE_BAR,
    "corrected: Wishart, Wishart-PCA": PRIVATE_BAR,
    "joint: two-sided Wishart, random": PRIVATE_BAR,
    "shared covariance: laplace, public": {
        "digits": (0.479, 0.031),
        "wine": (0.517, 0.083),
        "breast cancer": (0.885, 0.033),
    },
    "shared covariance: laplace, Lap-PCA": {
        "digits": (0.158, 0.028),
        "wine": (0.436, 0.047),
        "breast cancer": (0.715, 0.059),
    },
    "shared covariance: laplace, AG-PCA (delta)": {
        "digits": (0.172, 0.029),
        "wine": (0.424, 0.067),
        "breast cancer": (0.756, 0.037),
    },
}


def bars(kept):
    """A line for each comparison with the prototype; it holds if the two intervals overlap."""
    for method, sets in BARS.items():
        for name, (bar, half) in sets.items():
            if name not in kept:
                continue
            _, mean, own = best("classification", kept[name][method])
            held = mean + own >= bar - half
            yield (f"{name}, {method}: {cell(mean, own)} (prototype {cell(bar, half)}) "
                   + ("holds" if held else "MISSED"))


def page():
    kept = {task: {} for task in SETS}
    for task, sets in SETS.items():
        for name in sets:
            file = KEPT / f"{task}-{name}.json"
            if file.exists():
                result = json.loads(file.read_text())
                kept[task][name] = {
                    method: {int(p): scores for p, scores in by_components.items()}
                    for method, by_components in result.items()
                }
    lines = []
    for task, results in kept.items():
        if not results:
            continue
        lines += [HEADS[task], *repetitions_line(results), ""]
        lines += [*rows_of(task, results, shown), ""]
        if task in SECOND:
            lines += [SECOND[task], "", *rows_of(task, results, shown_second), ""]
    lines += bars(kept["classification"])
    return lines


def repetitions_line(results):
    counts = {}
    for name, result in results.items():
        repetitions = len(next(iter(result["public rows only"].values())))
        counts.setdefault(repetitions, []).append(name)
    yield "; ".join(f"{n} repetitions: {', '.join(names)}" for n, names in counts.items())


PREFACE = f"""# Synthetic rows, tested on real ones

Written by `experiments/synthesis_judge.py`, which `make experiments` runs: models trained on synthetic rows and tested on
real rows that no method saw. Epsilon {EPSILON} under replace-one, labels private; delta {DELTA} in lines that say delta. Mean and 95 %
interval over repetitions, each with a new split and new noise. The best p is chosen by the result, as in the papers;
p = {FIXED} is fixed in advance. The lines are explained in [README.md](README.md#synthetic-rows).

```
"""


def run(task, name):
    file = KEPT / f"{task}-{name}.json"
    fewer = FEWER.get(f"{task}/{name}", FEWER.get(name, REPETITIONS))
    count = min(REPETITIONS, fewer)
    try:
        load(task, name)
    except FileNotFoundError as absent:
        print(f"{task}, {name}: skipped, {absent.filename} is missing (PM_DATA)")
        return
    with multiprocessing.Pool(min(os.cpu_count(), count)) as pool:
        results = pool.starmap(repetition, [(task, name, i) for i in range(count)])
    joined = {
        method: {p: [result[method][p] for result in results] for p in by_components}
        for method, by_components in results[0].items()
    }
    file.write_text(json.dumps(joined))


def check_scores():
    """Compares the scores of small examples with those of an independent program."""
    with open(ROOT / "tests/vectors/pca_gauss.json") as file:
        vectors = json.load(file)
    known, norms = vectors["metrics"], vectors["public_radius"]
    points, labels = known["points"], known["labels"]
    rmse, interval_of = known["rmse"], known["ci95"]
    mean, half = interval(interval_of["x"])
    found = {
        "silhouette": (silhouette_score(points, labels), known["silhouette"]),
        "Calinski-Harabasz": (calinski_harabasz_score(points, labels), known["calinski_harabasz"]),
        "RMSE": (rms(np.subtract(rmse["y"], rmse["yhat"])), rmse["value"]),
        "mean": (mean, interval_of["mean"]),
        "interval": (half, interval_of["half_width_t"]),
        "quantile": (np.quantile(norms["norms"], norms["q"]), norms["value"]),
    }
    for name, (score, expected) in found.items():
        if abs(score - expected) > 1e-9:
            raise SystemExit(f"{name}: {score}, but the reference has {expected}")


def main():
    check_scores()
    KEPT.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:]
    for task, sets in SETS.items():
        for name in sets:
            if not wanted or f"{task}/{name}" in wanted:
                run(task, name)
    lines = page()
    print("\n".join(lines))
    PAGE.write_text(PREFACE + "\n".join(lines) + "\n```\n")
    return 1 if any("MISSED" in line for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
