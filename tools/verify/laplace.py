"""`laplace`: discrete Laplace noise of scale t for a sum of absolute values: epsilon is that over t."""

from grid import Grid, finest_bits
from promise import Pure
from real import real
from sensitivity import feature_bound, upper_triangle_absolute

# The sampler is exact below this width.
WIDEST = 1 << 59


def scale_of(noise, name):
    return real(16 * int(noise["parameters"][name]))


def deviation(t):
    """That of P(v) proportional to exp(-|v|/t) on the integers: sqrt(2x) / (1 - x), x = exp(-1/t)."""
    x = (-1 / t).exp()
    return (2 * x).sqrt() / (1 - x)


def check(claims, study, release):
    noise = release["noise"]
    grid = Grid(study, release)
    t = scale_of(noise, "width")
    moved = upper_triangle_absolute(study, grid.bits)
    claims.at_least("sensitivity", int(noise["parameters"]["sensitivity"]), moved)
    claims.equal("featureBound", int(noise["parameters"]["featureBound"]), feature_bound(study, grid.bits))

    def narrowest(bits):
        return upper_triangle_absolute(study, bits) / study.epsilon / 16

    claims.equal("bits", grid.bits, finest_bits(22, lambda bits: narrowest(bits) + 1 < WIDEST))
    claims.width("width", t / 16, narrowest(grid.bits))
    grid.check(claims, noise, deviation(t), deviation(t))
    Pure(moved / t).check(claims, release["guarantee"], Pure(study.epsilon))
