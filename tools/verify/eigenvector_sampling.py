"""`eigenvector-sampling`: directions with density exp(kappa u'Cu), then values with Laplace noise, half of epsilon for each.

docs/mechanisms/eigenvector-sampling.md: u'Cu moves within an interval of length 1 if a row comes or goes and 2 if it is replaced, so
that kappa per epsilon is 1 or 1/2; values move by 1, or by 2 if several do and a row is replaced. Cutting an average adds
2 D^(3/2) grid units at most.
"""

from grid import Grid
from normal import mu_of_pure
from promise import Pure
from real import power_of_two, real, root_up


def check(claims, study, release):
    noise, guarantee = release["noise"], release["guarantee"]
    grid = Grid(study, release)
    d, k = study.features, study.mechanism["components"]
    cut = 2 * d * real(d).sqrt() / (1 << 2 * grid.bits) if study.is_average else real(0)
    moved = eigenvalue_sum(study, grid.bits)
    # The last direction of all is what the others leave.
    draws = min(k, d - 1)
    directions = study.epsilon / 2 if draws else real(0)
    facts = noise["parameters"]
    claims.at_least("directionsEpsilon", directions, facts["directionsEpsilon"])
    kappa = 1 / ((1 + cut) * (2 if study.replaces else 1))
    drawn = real(facts["kappaPerEpsilon"])
    claims.at_least("1/kappaPerEpsilon", 1 / drawn, 1 / kappa)
    values = study.epsilon - directions
    claims.width("w", int(facts["w"]), moved / values / 16)
    sd = real(2).sqrt() * 16 * int(facts["w"])
    claims.equal("gridLog2", noise["gridLog2"], released_step(sd) - 2 * grid.bits)
    grid.check(claims, noise, real(0), real(0))
    agreed = costs(study, directions, values, draws)
    kept = costs(study, directions * drawn / kappa, moved / (16 * int(facts["w"])), draws)
    stated = {part["what"]: part for part in guarantee.get("parts", [])}
    if stated:
        claims.equal("parts", sorted(stated), sorted(name for name in agreed if name))
    for name, figures in {**stated, "": guarantee}.items():
        kept[name].check(claims, figures, agreed[name], f"{name}: " if name else "")


def eigenvalue_sum(study, bits):
    """By how much the values move, as a sum of absolute values, in grid units.

    Quotients are exact products with directions of squared norm up to 1 + 2^-16, rounded down. Eigenvalues are computed in
    doubles and rounded: each may be off by (D + 8)^2 2^-50 of the trace, which is that of 2^22 rows or of an average.
    """
    d, k = study.features, study.mechanism["components"]
    moved = real(1 << 2 * bits)
    if study.is_average:
        moved += 2 * d * real(d).sqrt()
    if study.replaces and k > 1:
        moved *= 2
    if study.mechanism["method"] == "rayleigh":
        return moved * (1 + power_of_two(-16)) + k * (root_up(d) + 2)
    rows = 1 if study.is_average else 1 << 22
    return moved + 2 * k * (rows * (d + 8) ** 2 * power_of_two(2 * bits - 50) + 1)


def released_step(sd):
    """log2 of the largest power of two that leaves 4096 steps in a deviation."""
    step = int(sd / 4096).bit_length() - 1
    return max(step, 0)


def costs(study, directions, values, draws):
    """What the steps promise by name, and the whole without one.

    A draw has bounded range, so it is epsilon^2/8-zCDP. Adaptive shares of epsilon are known only afterwards: one draw with
    all of it is the worst. mu is that of pure epsilon, of the whole or of the steps together.
    """
    if not draws:
        return {"values": Pure(values), "": Pure(values)}
    count = 1 if study.mechanism["method"] == "adaptive" else draws
    shares = [directions / count] * count
    rho = sum(share**2 for share in shares) / 8
    return {
        "directions": Pure(directions, least_mu(directions, shares), rho),
        "values": Pure(values),
        "": Pure(
            directions + values,
            least_mu(directions + values, [*shares, values]),
            rho + values**2 / 2,
        ),
    }


def least_mu(epsilon, shares):
    return min(mu_of_pure(epsilon), sum(mu_of_pure(share) ** 2 for share in shares).sqrt())
