"""`power-method`: rounds of an exact product with discrete Gaussian noise in each entry (docs/mechanisms/power-method.md)."""

from gaussian import WIDEST, check_sampler, check_steps, width
from grid import Grid, finest_bits
from normal import mu_of_delta
from promise import SAMPLER_DISTANCE, Gaussian, check_whole, together
from real import real
from sensitivity import power_step


def check(claims, study, release):
    noise, guarantee = release["noise"], release["guarantee"]
    grid = Grid(study, release)
    components, rounds = study.mechanism["components"], study.mechanism["rounds"]
    mu = mu_of_delta(study.epsilon, study.delta) / real(rounds).sqrt()
    moved = power_step(study, grid.bits, components)
    claims.at_least("sensitivitySquared", width(noise, "sensitivitySquared"), rounds * moved**2, above=0)

    def narrowest(bits):
        return ((power_step(study, bits, components) ** 2 / mu**2 + 9) / 256).sqrt()

    claims.equal("bits", grid.bits, finest_bits(22, lambda bits: narrowest(bits) + 2 < WIDEST))
    w = width(noise, "w")
    claims.equal("rhoDenominator", width(noise, "rhoDenominator"), 512 * w * w)
    claims.width("w", w, narrowest(grid.bits))
    grid.check(claims, noise, real(0), real(0))
    variance = 256 * w * w
    one = Gaussian(
        moved / real(variance - 9).sqrt(),
        real(moved**2) / (2 * variance),
        study.features * components * SAMPLER_DISTANCE,
    )
    names = tuple(f"round {i + 1}" for i in range(rounds))
    check_steps(claims, guarantee, names, [one] * rounds)
    check_whole(claims, together([one] * rounds), guarantee, study)
    check_sampler(claims, study, noise, together([one] * rounds))
