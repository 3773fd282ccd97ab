"""`ppca`: k directions as one subspace V, with density exp(kappa tr V'CV) (docs/mechanisms/ppca.md).

tr V'CV moves within an interval of length 1 if a row comes or goes and 2 if it is replaced, and cutting an average widens it by
2 sqrt(k) D grid units. The release has bounded range, so it is epsilon^2/8-zCDP.
"""

from eigenvector_sampling import least_mu
from grid import Grid
from promise import Pure
from real import power_of_two, real

# A larger concentration is not drawn.
MOST = power_of_two(36)


def check(claims, study, release):
    noise, guarantee = release["noise"], release["guarantee"]
    grid = Grid(study, release)
    d, k = study.features, study.mechanism["components"]
    draws = int(noise["parameters"]["draws"])
    claims.equal("one draw or one for each direction", draws in (1, k), True)
    if draws < 1:
        return
    together = k if draws == 1 else 1
    cut = 2 * real(together).sqrt() * d / (1 << 2 * grid.bits) if study.is_average else real(0)
    # In turn, each direction has its share of epsilon.
    epsilon = study.epsilon
    kappa = min(MOST, epsilon / draws / ((1 + cut) * (2 if study.replaces else 1)))
    drawn = real(noise["parameters"]["kappa"])
    claims.at_least("1/kappa", 1 / drawn, 1 / kappa)
    # No values, whose grid the released one would be.
    claims.equal("gridLog2", noise["gridLog2"], -2 * grid.bits)
    grid.check(claims, noise, real(0), real(0))
    kept = epsilon * drawn / kappa
    cost(kept, draws).check(claims, guarantee, cost(epsilon, draws))
    names = [part["what"] for part in guarantee.get("parts", [])]
    claims.equal("parts", names, ["direction"] * draws if draws > 1 else [])
    for part in guarantee.get("parts", []):
        cost(kept / draws, 1).check(claims, part, cost(epsilon / draws, 1), "direction: ")


def cost(epsilon, draws):
    """What that many draws promise, with equal shares of epsilon."""
    shares = [epsilon / draws] * draws
    return Pure(epsilon, least_mu(epsilon, shares), sum(share**2 for share in shares) / 8)
