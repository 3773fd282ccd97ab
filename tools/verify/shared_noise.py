"""Noise that sites share behind masks (docs/mechanisms/federation.md): what h honest releases in a sum promise together."""

from grid import Grid
from gaussian import check_sampler, noisy_entries, width
from normal import mu_of_delta
from promise import SAMPLER_DISTANCE, Gaussian, Pure, check_whole
from real import quotient_up, real
from sensitivity import frobenius_squared, nuclear
from two_sided_wishart import check_scale


def honest_in_sum(study):
    """Everybody who is missing may be honest."""
    return study.federation["honest"] - study.federation.get("dropouts", 0)


def check(claims, study, document):
    honest = honest_in_sum(study)
    claims.equal("honest", document["guarantee"].get("honest"), honest)
    if study.name == "two-sided-wishart":
        check_wishart(claims, study, document, honest)
    elif study.federation["mode"] == "correlated":
        check_correlated(claims, study, document, honest)
    else:
        check_sum(claims, study, document, honest)


def check_sum(claims, study, document, honest):
    """`split` and `ring`: only the sum is seen, whose noise has h times the variance of a site's."""
    noise, guarantee = document["noise"], document["guarantee"]
    grid, moved, w, off = widths(claims, study, noise, document)
    mu = mu_of_delta(study.epsilon, study.delta)
    needed = ((moved / mu**2 + 18) / (256 * honest)).sqrt()
    check_widths(claims, study, noise, ("wDiagonal", "wOffDiagonal"), needed)
    claims.equal("rhoDenominator", width(noise, "rhoDenominator"), 512 * honest * w * w)
    entries = noisy_entries(study)
    whole = of_sum(moved, w, off, honest, entries)
    check_whole(claims, whole, guarantee, study)
    check_sampler(claims, study, noise, whole)
    # If all others collude, a site has its own noise and nothing else.
    check_floor(claims, of_sum(moved, w, off, 1, entries), study, guarantee)


def of_sum(moved, w, off, honest, entries):
    own, shared = 256 * honest * w * w, 512 * honest * off * off
    mu = (real(moved) / min(own - 9, shared - 18)).sqrt()
    return Gaussian(mu, real(moved) / (2 * min(own, shared)), honest * entries * SAMPLER_DISTANCE)


def widths(claims, study, noise, document):
    grid = Grid(study, document)
    moved = frobenius_squared(study, grid.bits)
    claims.at_least("sensitivitySquared", width(noise, "sensitivitySquared"), moved, above=0)
    w, off = width(noise, "wDiagonal"), width(noise, "wOffDiagonal")
    grid.check(claims, noise, real(16 * w), real(16 * off))
    return grid, moved, w, off


def check_widths(claims, study, noise, names, needed):
    is_even = study.mechanism["shape"] == "upper-triangle"
    claims.width(names[0], width(noise, names[0]), needed)
    claims.width(names[1], width(noise, names[1]), needed if is_even else needed / real(2).sqrt())


def check_floor(claims, gaussian, study, guarantee):
    floor = guarantee["floor"]
    if floor is None:
        # It is stated at the study's delta, wherever the sampler leaves room for one.
        claims.equal("floor", gaussian.epsilon(study.delta, study.epsilon), None)
        return
    check_whole(claims, gaussian, floor, study, "floor: ")


def check_correlated(claims, study, document, honest):
    """All messages are seen. In each entry the honest ones have the covariance a I + r^2 (h I - 11'), a the own variance.

    Its inverse has the diagonal element (1/h)/a + (1 - 1/h)/(a + h r^2).
    """
    noise, guarantee = document["noise"], document["guarantee"]
    grid, moved, w, off = widths(claims, study, noise, document)
    u, u_off = width(noise, "wPairDiagonal"), width(noise, "wPairOffDiagonal")
    mu = mu_of_delta(study.epsilon, study.delta)
    ratio, sites = real(study.federation["ratio"]), study.federation["sites"]
    if study.federation["calibration"] == "joint":
        share = 1 / real(honest) + (1 - 1 / real(honest)) / (1 + ratio * honest)
    else:
        share = 1 / (1 + ratio * (sites - 1))
    needed = (moved * share / mu**2 / 256).sqrt()
    check_widths(claims, study, noise, ("wDiagonal", "wOffDiagonal"), needed)
    check_widths(claims, study, noise, ("wPairDiagonal", "wPairOffDiagonal"), ratio.sqrt() * needed)

    def seen(less):
        return max(
            element(own, mask, honest, less) / double
            for own, mask, double in ((w, u, 1), (off, u_off, 2))
        )

    samples = honest * (honest + 1) // 2 * noisy_entries(study)
    whole = Gaussian((moved * seen(9)).sqrt(), moved * seen(0) / 2, samples * SAMPLER_DISTANCE)
    check_whole(claims, whole, guarantee, study)
    check_sampler(claims, study, noise, whole)
    if study.federation["calibration"] == "joint":
        claims.equal("delta within the study's", real(guarantee["delta"]) <= study.delta, True)
    check_floor(claims, of_sum(moved, w, off, 1, noisy_entries(study)), study, guarantee)
    if study.federation["calibration"] == "paper":
        check_alone(claims, moved, (w, off), (u, u_off), study, guarantee["alone"])


def check_alone(claims, moved, own, masks, study, stated):
    """One message, seen alone, has its own noise and the masks it shares with all other sites."""
    sites = study.federation["sites"]

    def variance(i, less):
        return (i + 1) * (256 * (own[i] ** 2 + (sites - 1) * masks[i] ** 2) - less)

    mu = (real(moved) / min(variance(0, 9), variance(1, 9))).sqrt()
    rho = real(moved) / (2 * min(variance(0, 0), variance(1, 0)))
    samples = sites * noisy_entries(study)
    check_whole(claims, Gaussian(mu, rho, samples * SAMPLER_DISTANCE), stated, study, "alone: ")


def element(w, u, honest, less):
    own, mask = real(256 * w * w - less), real(256 * u * u)
    return (1 / own + (honest - 1) / (own + honest * mask)) / honest


def check_wishart(claims, study, document, honest):
    """The sum of h differences of Wishart matrices has h times their degrees of freedom, which must be n + 1."""
    noise, guarantee = document["noise"], document["guarantee"]
    grid = Grid(study, document)
    n = study.features + 1
    moved = nuclear(study, grid.bits)
    claims.at_least("nuclearSensitivity", width(noise, "nuclearSensitivity"), moved, above=0)
    freedom = width(noise, "degreesOfFreedom")
    claims.equal("degreesOfFreedom", freedom, quotient_up(n + 1, honest))
    kept = check_scale(claims, grid, noise, freedom, moved, study.epsilon)
    Pure(kept).check(claims, guarantee, Pure(study.epsilon))
    if honest == 1:
        Pure(kept).check(claims, guarantee["floor"], Pure(study.epsilon), "floor: ")
    else:
        # Fewer degrees of freedom promise nothing.
        claims.equal("floor", guarantee["floor"], None)
