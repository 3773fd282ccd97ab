"""`eigenvector-sampling`: directions with density exp(kappa u'Cu), then values with Laplace noise, half of epsilon for each.

docs/mechanisms/eigenvector-sampling.md: u'Cu moves within an interval of length 1 if a row comes or goes and 2 if it is replaced, so
that kappa per epsilon is 1 or 1/2; values move by 1, or by 2 if several do and a row is replaced. Cutting an average adds
2 D^(3/2) grid units at most. Only the noise must be enough; how much more it is, may be up to SLACK.
"""

from grid import Grid
from normal import mu_of_pure
from promise import Pure
from real import Decimal, real

SLACK = Decimal("1e-3")


def check(claims, study, release):
    noise, guarantee = release["noise"], release["guarantee"]
    grid = Grid(study, release)
    d, k = study.features, study.mechanism["components"]
    cut = 2 * d * real(d).sqrt() / (1 << 2 * grid.bits) if study.is_average else real(0)
    moved = (1 + cut) * (2 if study.replaces and k > 1 else 1)
    # The last direction of all is what the others leave.
    draws = min(k, d - 1)
    directions = study.epsilon / 2 if draws else real(0)
    facts = noise["parameters"]
    claims.at_least("directionsEpsilon", directions, facts["directionsEpsilon"])
    kappa = 1 / ((1 + cut) * (2 if study.replaces else 1))
    drawn = real(facts["kappaPerEpsilon"])
    claims.at_least("1/kappaPerEpsilon", 1 / drawn, 1 / kappa, SLACK)
    scale = moved / (study.epsilon - directions) * (1 << 2 * grid.bits)
    claims.at_least("laplaceScale", facts["laplaceScale"], scale, SLACK)
    grid.check(claims, noise, real(0), real(0))
    agreed = costs(study, directions, study.epsilon - directions, draws)
    kept = costs(
        study,
        directions * drawn / kappa,
        (study.epsilon - directions) * scale / real(facts["laplaceScale"]),
        draws,
    )
    stated = {part["what"]: part for part in guarantee.get("parts", [])}
    if stated:
        claims.equal("parts", sorted(stated), sorted(name for name in agreed if name))
    for name, figures in {**stated, "": guarantee}.items():
        kept[name].check(claims, figures, agreed[name], f"{name}: " if name else "")


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
