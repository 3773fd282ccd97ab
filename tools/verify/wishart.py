"""`wishart`: one Wishart matrix of scale T I, which differs by a row as a chi-square number X of m degrees differs from X + 1.

docs/mechanisms/wishart.md: the likelihood ratio is (1 - 1/tau)^h e^(1/2) with h = m/2 - 1, which grows with tau, so that both
worst sets are half-lines that end where it is e^-epsilon or e^epsilon.
"""

from functools import lru_cache

from chi_square import lower, upper
from grid import Grid
from real import Decimal, real
from sensitivity import longest_squared

HALF = Decimal("0.5")

# The mean of the noise holds n/2 + 1 to n/2 + 3 steps of the released grid, which keep it positive semidefinite.
LIFT = 3


def edge(m, exponent):
    """Where 1 - 1/t = e^(-exponent / h); 1 for h = 0."""
    h = real(m) / 2 - 1
    return Decimal(1) if h == 0 else 1 / (1 - (-exponent / h).exp())


def delta_of_adding(m, epsilon):
    t = edge(m, epsilon + HALF)
    return lower(m, t) - epsilon.exp() * lower(m, t - 1)


def delta_of_removing(m, epsilon):
    """0 from epsilon = 1/2 on, which the ratio never reaches."""
    if epsilon >= HALF:
        return Decimal(0)
    t = edge(m, HALF - epsilon)
    return upper(m, t - 1) - epsilon.exp() * upper(m, t)


@lru_cache
def delta(m, epsilon, replaces):
    """Replacing adds the new row with epsilon - a and removes the old one with a; the best a in [0, epsilon]."""
    if not replaces:
        return max(delta_of_adding(m, epsilon), delta_of_removing(m, epsilon))

    def two_steps(a):
        return delta_of_adding(m, epsilon - a) + (epsilon - a).exp() * delta_of_removing(m, a)

    low, high = Decimal(0), min(epsilon, HALF)
    golden = (real(5).sqrt() - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = two_steps(left), two_steps(right)
    for _ in range(30):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = two_steps(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = two_steps(right)
    return min(at_left, at_right, two_steps(Decimal(0)), two_steps(min(epsilon, HALF)))


def check(claims, study, release):
    noise, guarantee = release["noise"], release["guarantee"]
    grid = Grid(study, release)
    claims.equal("bits", grid.bits, 22)
    n = study.features + 1
    freedom = int(noise["parameters"]["degreesOfFreedom"])
    m = freedom - n + 1
    claims.equal("at least n + 1 degrees of freedom", m >= 2, True)
    if m < 2:
        return
    epsilon = real(guarantee["epsilon"])
    kept = delta(m, epsilon, study.replaces)
    claims.at_least("delta", guarantee["delta"], kept)
    claims.equal("delta within the study's", real(guarantee["delta"]) <= study.delta, True)
    claims.equal("one row as the unit", study.unit, "row")
    claims.equal("no degree of freedom to spare", m == 2 or delta(m - 1, study.epsilon, study.replaces) > study.delta, True)
    for law in ("gdp", "zcdp"):
        claims.equal(law, guarantee.get(law), None)
    scale = longest_squared(study, grid.bits) * grid.step
    mean = freedom * scale
    claims.at_least("mean", noise["mean"], mean, above=(real(n) / 2 + LIFT) * real(noise["unit"]) / mean)
    root = (real(freedom)).sqrt()
    grid.check(claims, noise, real(2).sqrt() * root * scale / grid.step, root * scale / grid.step)
