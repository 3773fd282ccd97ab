"""`frobenius`: density proportional to exp(-|E|_F / s), so that the privacy loss is the Frobenius norm over s."""

from gaussian import noisy_entries
from grid import Grid
from promise import Pure
from real import real
from sensitivity import frobenius_squared


def check(claims, study, release):
    noise = release["noise"]
    grid = Grid(study, release)
    moved = frobenius_squared(study, grid.bits)
    entries = noisy_entries(study)
    claims.at_least("sensitivitySquared", int(noise["parameters"]["sensitivitySquared"]), moved, above=0)
    claims.equal("freedom", int(noise["parameters"]["freedom"]), entries)
    scale = real(noise["parameters"]["scale"])
    distance = real(moved).sqrt()
    claims.at_least("scale", scale, distance / study.epsilon)
    # Each of m coordinates has the variance (m + 1) s^2, halved off the diagonal.
    deviation = real(entries + 1).sqrt() * scale
    grid.check(claims, noise, deviation, deviation / real(2).sqrt())
    Pure(distance / scale).check(claims, release["guarantee"], Pure(study.epsilon))
