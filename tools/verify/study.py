"""What a study says about noise: its features, bounds and budget, with every default written out."""

from math import sqrt

from canonical import digest
from real import real

# The constant coordinate of a row is this many 16384ths of the row norm.
CONSTANT = 11585
CONSTANT_ABOUT_CENTRE = 5181


def with_defaults(study):
    """The canonical form of a study, by the tables of docs/formats.md."""
    full = dict(study)
    columns = full["columns"]
    full.setdefault("format", "private-moments/study@1")
    full.setdefault("unit", "row")
    full.setdefault("neighbours", "replace-one")
    full.setdefault("missing", "centre" if full["neighbours"] == "replace-one" else "drop")
    full["mechanism"] = dict(full.get("mechanism", {}))
    mechanism = full["mechanism"]
    mechanism.setdefault("name", "gaussian" if full["privacy"]["delta"] > 0 else "two-sided-wishart")
    if mechanism["name"] == "gaussian":
        mechanism.setdefault("shape", "rotation-invariant")
    if mechanism["name"] == "power-method":
        mechanism.setdefault("rounds", 3)
    if mechanism["name"] == "eigenvector-sampling":
        mechanism.setdefault("method", "rayleigh")
        mechanism.setdefault("components", sum(len(column.get("levels", [0])) for column in columns))
    full["federation"] = {"mode": "independent", **full.get("federation", {})}
    is_stated = any("centre" in column or "spread" in column for column in columns)
    if is_stated:
        full["columns"] = [stated_column(column) for column in columns]
    if "clipping" not in full:
        full["clipping"] = default_clipping(full, is_stated)
    full.setdefault("rowNorm", (2 if is_stated else 1) * sqrt(len(columns)))
    return full


def stated_column(column):
    if column["type"] != "number":
        return column
    low, high = column["min"] / 2, column["max"] / 2
    return {"centre": low + high, "spread": high - low, **column}


def default_clipping(full, is_stated):
    name = full["mechanism"]["name"]
    free = full["unit"] == "row" and full["federation"]["mode"] == "independent"
    if not free or is_stated or "rowNorm" in full or name not in ("gaussian", "two-sided-wishart"):
        return "fixed"
    if full["missing"] == "pairwise":
        return "adaptive" if name == "gaussian" else "fixed"
    return "centred"


class Study:
    """Public parameters of a study. Raises KeyError, TypeError or ValueError where they are missing."""

    def __init__(self, written):
        self.written = full = with_defaults(written)
        if full["format"] != "private-moments/study@1":
            raise ValueError("not a study of version 1")
        self.id = digest(full)
        self.unit = full["unit"]
        self.neighbours = full["neighbours"]
        self.replaces = self.neighbours == "replace-one"
        self.is_average = self.unit == "participant"
        self.epsilon = real(full["privacy"]["epsilon"])
        self.delta = real(full["privacy"]["delta"])
        self.mechanism = full["mechanism"]
        self.name = full["mechanism"]["name"]
        self.clipping = full["clipping"]
        self.missing = full["missing"]
        self.row_norm = real(full["rowNorm"])
        self.federation = full["federation"]
        self.is_shared = self.federation["mode"] != "independent"
        columns = full["columns"]
        self.numbers = sum(column["type"] == "number" for column in columns)
        self.levels = [len(column["levels"]) for column in columns if column["type"] == "category"]
        # Under the rule pairwise every column has a mark beside its features.
        marks = len(columns) if self.missing == "pairwise" else 0
        self.features = self.numbers + sum(self.levels) + marks
        self.is_centred = self.clipping == "centred"
        about_centre = self.is_centred or any("centre" in column for column in columns)
        self.constant = CONSTANT_ABOUT_CENTRE if about_centre else CONSTANT
