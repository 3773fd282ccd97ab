"""`gaussian`: discrete Gaussian noise for the Frobenius norm (docs/mechanisms/gaussian.md).

N_Z(0, s^2) promises what N(0, s^2 - 9) promises, up to a distance that the sampler's has room for. Entries off the
diagonal count twice in the Frobenius norm, so E is at the distance |E|_F / sqrt(min(s^2 - 9, 2 (s'^2 - 9))).
"""

from math import ceil

from clipping import check_counts
from grid import Grid, finest_bits
from normal import mu_of_delta
from promise import SAMPLER_DISTANCE, Gaussian, check_part, check_whole, together
from real import real
from sensitivity import frobenius_squared

# The sampler is exact up to this width.
WIDEST = 1 << 54


def width(noise, name):
    return int(noise["parameters"][name])


def noisy_entries(study):
    """Entries of the upper triangle with noise: all but the public count."""
    n = study.features + 1
    return n * (n + 1) // 2 - (1 if study.replaces else 0)


def check(claims, study, release):
    noise, guarantee = release["noise"], release["guarantee"]
    mu = mu_of_delta(study.epsilon, study.delta)
    if study.clipping == "adaptive":
        parts = [
            check_counts(claims, study, noise, mu / 4),
            check_moments(claims, study, release, mu * (real(15) / 16).sqrt()),
        ]
        check_steps(claims, guarantee, ("clip radius", "second moments"), parts)
    else:
        parts = [check_moments(claims, study, release, mu)]
    check_whole(claims, together(parts), guarantee, study)
    check_sampler(claims, study, noise, together(parts))


def check_steps(claims, guarantee, names, parts):
    claims.equal("parts", tuple(part["what"] for part in guarantee["parts"]), names)
    for stated, part in zip(guarantee["parts"], parts):
        check_part(claims, stated, part, guarantee)


def check_moments(claims, study, release, mu):
    """The noise of the moments, which must be mu-GDP; what it is, exactly."""
    noise = release["noise"]
    grid = Grid(study, release)
    w, off = width(noise, "wDiagonal"), width(noise, "wOffDiagonal")
    moved = frobenius_squared(study, grid.bits)
    claims.at_least("sensitivitySquared", width(noise, "sensitivitySquared"), moved, above=0)

    def narrowest(bits):
        return ((frobenius_squared(study, bits) / mu**2 + 18) / 256).sqrt()

    claims.equal("bits", grid.bits, finest_bits(22, lambda bits: narrowest(bits) + 2 < WIDEST))
    needed = narrowest(grid.bits)
    is_even = study.mechanism["shape"] == "upper-triangle"
    claims.width("wDiagonal", w, needed)
    claims.width("wOffDiagonal", off, needed if is_even else needed / real(2).sqrt())
    if not study.is_centred:
        claims.equal("rhoDenominator", width(noise, "rhoDenominator"), 512 * w * w)
    grid.check(claims, noise, real(16 * w), real(16 * off))
    return of_widths(moved, w, off, noisy_entries(study))


def of_widths(moved, w, off, entries):
    own, shared = 256 * w * w, 2 * 256 * off * off
    mu = (real(moved) / min(own - 9, shared - 18)).sqrt()
    return Gaussian(mu, real(moved) / (2 * min(own, shared)), entries * SAMPLER_DISTANCE)


def check_sampler(claims, study, noise, gaussian):
    share = ((1 + study.epsilon.exp()) * gaussian.distance).ln() / real(2).ln()
    claims.equal("samplerDeltaLog2", noise["parameters"]["samplerDeltaLog2"], ceil(share))
