"""What a release or a sum says besides its noise: the study it is of, for whom its promise is, and how many numbers it has."""

from canonical import digest
from real import real
from shared_noise import honest_in_sum

DISTRIBUTIONS = {
    "gaussian": "discrete-gaussian",
    "two-sided-wishart": "two-sided-wishart",
    "laplace": "discrete-laplace",
    "frobenius": "frobenius-gamma",
    "wishart": "wishart",
    "eigenvector-sampling": "bingham-discrete-laplace",
    "power-method": "discrete-gaussian",
}

DIRECTIONS = ("eigenvector-sampling", "ppca", "power-method")


def check(claims, study, document):
    guarantee = document["guarantee"]
    content = {key: value for key, value in document.items() if key != "id"}
    claims.equal("id", document["id"], digest(content))
    claims.equal("study", document["study"], study.id)
    claims.equal("mechanism", document["mechanism"], study.mechanism)
    claims.equal("neighbours", guarantee["neighbours"], study.neighbours)
    claims.equal("unit of privacy", guarantee["unit"], study.unit)
    claims.equal("epsilon within the study's", real(guarantee["epsilon"]) <= study.epsilon, True)
    noise = document["noise"]
    claims.equal("distribution", noise["distribution"], distribution(study, noise["parameters"]))
    claims.equal("numerics", guarantee["numerics"], numerics(study))
    if study.name != "wishart":
        claims.equal("mean", noise["mean"], 0)
    for group in document.get("groups", [document]):
        claims.equal("rows are stated", group["rows"] is not None, study.replaces)
        # The centres of releases differ, so what is summed are their summands.
        is_summands = study.is_centred and "groups" in document
        expected = count_of_summands(study) if is_summands else count_of_values(study)
        claims.equal("values", len(group["values"]), expected)


def distribution(study, parameters):
    """One subspace, or one direction after the other."""
    if study.name == "ppca":
        return "matrix-bingham" if parameters["draws"] == "1" else "bingham-in-turn"
    return DISTRIBUTIONS[study.name]


def numerics(study):
    """Rounded shares of a Wishart matrix do not add up to a rounded matrix."""
    is_split = study.is_shared and study.name == "two-sided-wishart" and honest_in_sum(study) > 1
    return "idealized" if is_split else "exact"


def count_of_values(study):
    d = study.features
    if study.name not in DIRECTIONS:
        return (d + 1) * (d + 2) // 2
    return study.mechanism["components"] * (d if study.name == "ppca" else d + 1)


def count_of_summands(study):
    return 3 * study.features**2 + 8 * study.features + 8
