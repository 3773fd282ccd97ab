"""The methods that are compared, by their names in experiments/support/methods.mjs."""
from typing import NamedTuple

DELTA = 1e-5

STEPS = "core noise={} projection=public radius={{radius}}"
PRIVATE = "core noise={} projection={} projection-noise={}"
# All sums in one query, about the mean of the public rows and clipped to the length of nearly all of
# them.
JOINT = "core noise={} sums=joint projection=public centre=public radius={{reach}}"

LAP_PCA = PRIVATE.format("laplace", "private", "laplace")
AG_PCA = PRIVATE.format("laplace", "private", "gaussian")
GAUSSIAN_AG_PCA = PRIVATE.format("gaussian", "private", "gaussian")
WISHART_PCA = PRIVATE.format("two-sided-wishart", "private", "two-sided-wishart")
WISHART_SPLIT = PRIVATE.format("two-sided-wishart", "split", "two-sided-wishart")


class Method(NamedTuple):
    command: str
    reduces: bool = True  # to p directions
    swept: bool = False  # also at other epsilons
    delta: float = 0
    identity: bool = False  # releases every row, so that noise grows with every direction
    only: str = ""  # task
    classes: int = 0  # only for that number


CORRECTED = {
    "pca-gauss-corrected": Method(STEPS.format("laplace"), swept=True),
    "pca-gauss-corrected-frobenius": Method(STEPS.format("frobenius")),
    "pca-gauss-corrected-wishart": Method(STEPS.format("two-sided-wishart")),
    "pca-gauss-corrected-gaussian": Method(STEPS.format("gaussian"), delta=DELTA),
    "pca-gauss-corrected-lap-pca": Method(LAP_PCA, swept=True),
    "pca-gauss-corrected-ag-pca": Method(AG_PCA, swept=True, delta=DELTA),
    "pca-gauss-corrected-gaussian-ag-pca": Method(GAUSSIAN_AG_PCA, delta=DELTA),
    "pca-gauss-corrected-wishart-pca": Method(WISHART_PCA),
    "pca-gauss-corrected-wishart-split": Method(WISHART_SPLIT),
    "pca-gauss-shared": Method(
        STEPS.format("laplace") + " covariance=shared", only="classification"
    ),
    "pca-gauss-shared-wishart": Method(
        STEPS.format("two-sided-wishart") + " covariance=shared", only="classification"
    ),
    "pca-gauss-joint": Method(JOINT.format("two-sided-wishart"), swept=True),
    "pca-gauss-joint-laplace": Method(JOINT.format("laplace")),
    "pca-gauss-joint-gaussian": Method(JOINT.format("gaussian"), delta=DELTA),
    "pca-gauss-joint-shared": Method(
        JOINT.format("two-sided-wishart") + " covariance=shared", only="classification"
    ),
    "pca-gauss-joint-random": Method(
        "core noise=two-sided-wishart projection=random sums=joint", swept=True
    ),
    "pca-gauss-joint-gaussian-random": Method(
        "core noise=gaussian projection=random sums=joint", delta=DELTA
    ),
    "pca-gauss-joint-wishart-pca": Method(WISHART_PCA + " sums=joint"),
    "pca-gauss-joint-gaussian-ag-pca": Method(GAUSSIAN_AG_PCA + " sums=joint", delta=DELTA),
}


def published(name, options=""):
    return f"published name={name} {options}".strip()


# Algorithms 1 to 3 as published. The first and the spectrum do not tell their directions.
PAPER = {
    "clustering": {
        "pca-gauss-published": Method(published("pca-gauss-1"), swept=True),
        "pca-gauss-spectrum": Method("core spectrum=1 centre=public", swept=True),
    },
    "regression": {
        "pca-gauss-published": Method(published("pca-gauss-2"), swept=True),
        "pca-gauss-published-lap-pca": Method(
            published("pca-gauss-2", "projection=private"), swept=True
        ),
    },
    "classification": {
        "pca-gauss-published": Method(published("pca-gauss-3"), swept=True),
        "pca-gauss-published-lap-pca": Method(
            published("pca-gauss-3", "projection=private"), swept=True
        ),
    },
}
OWN_DIRECTIONS = {"pca-gauss-published": "mean", "pca-gauss-spectrum": "public mean"}

# Class labels of identity queries are exact, which is favourable, unless the name says private.
CLEAN = "labels-public=1"
BASELINES = {
    "li": Method(published("li-bernoulli", CLEAN), swept=True, identity=True),
    "li-private-labels": Method(published("li-bernoulli"), identity=True, only="classification"),
    "jiang": Method(published("jiang-pca", CLEAN), swept=True, identity=True),
    "jiang-private-labels": Method(published("jiang-pca"), identity=True, only="classification"),
    "jiang-lda": Method(
        published("jiang-lda", CLEAN), reduces=False, only="classification", classes=2
    ),
    "blum": Method(published("blum-ligett-roth"), reduces=False, swept=True),
    "liu": Method(published("modips-published"), reduces=False, swept=True),
    "liu-tight": Method(published("modips"), reduces=False, swept=True),
    "blocki": Method(published("blocki-published"), reduces=False, swept=True, delta=DELTA),
    "blocki-renyi": Method(published("blocki"), reduces=False, swept=True, delta=DELTA),
    "blocki-features": Method(published("blocki-features"), swept=True, delta=DELTA),
}


def methods_of(task, classes=None):
    """The methods of a task by name, for a number of classes if that is given."""
    methods = {**PAPER[task], **CORRECTED, **BASELINES}
    if task != "classification":
        for name in ("li", "jiang"):
            methods[name] = methods[name]._replace(
                command=methods[name].command.removesuffix(" " + CLEAN)
            )
    return {
        name: method
        for name, method in methods.items()
        if method.only in ("", task) and (classes is None or method.classes in (0, classes))
    }
