"""Private centring: a survey of sums and squares, counts between radii, then moments (docs/mechanisms/centring.md)."""

from clipping import COUNT_UNIT, check_sums
from gaussian import check_moments, check_sampler, check_steps
from grid import CENTRED
from laplace import scale_of
from normal import mu_of_delta
from promise import Pure, check_whole, together
from real import real
from sensitivity import SURVEY_UNIT, survey
from two_sided_wishart import check_noise

STEPS = ("centre and scale", "clip radius", "second moments")

# Between the radii of the longest ladder; how long a release's is depends on its survey.
COUNTS = len(CENTRED) - 1

# Shares of mu^2 and, without a delta, of epsilon.
GAUSSIAN_SHARES = ("0.12", "0.05", "0.83")
PURE_SHARES = ("0.25", "0.08", "0.67")


def sums_of_survey(study):
    """How many noisy sums a survey has, the number of rows among them, which is counted even where it is public."""
    columns = study.numbers + len(study.levels)
    gaps = columns if study.missing == "mean" else 0
    return study.features + study.numbers + gaps + 1


def check(claims, study, release):
    (check_pure_steps if study.name == "two-sided-wishart" else check_gaussian_steps)(claims, study, release)


def check_gaussian_steps(claims, study, release):
    noise, guarantee = release["noise"], release["guarantee"]
    mu = mu_of_delta(study.epsilon, study.delta)
    shares = [mu * real(share).sqrt() for share in GAUSSIAN_SHARES]
    moved, _ = survey(study)
    # A row is between two radii; replacing it moves one count down and another up.
    counts = (2 if study.replaces else 1) * COUNT_UNIT**2
    parts = [
        check_sums(claims, noise, "wSurvey", moved, sums_of_survey(study), shares[0]),
        check_sums(claims, noise, "wClip", counts, COUNTS, shares[1]),
        check_moments(claims, study, release, shares[2]),
    ]
    check_steps(claims, guarantee, STEPS, parts)
    check_whole(claims, together(parts), guarantee, study)
    check_sampler(claims, study, noise, together(parts))


def check_pure_steps(claims, study, release):
    noise, guarantee = release["noise"], release["guarantee"]
    shares = [study.epsilon * real(share) for share in PURE_SHARES]
    _, moved = survey(study)
    counts = (2 if study.replaces else 1) * COUNT_UNIT
    parts = []
    for name, sensitivity, share in (("wSurvey", moved, shares[0]), ("wClip", counts, shares[1])):
        t = scale_of(noise, name)
        claims.width(name, t / 16, real(sensitivity) / share / 16)
        parts.append(real(sensitivity) / t)
    parts.append(check_noise(claims, study, release, shares[2]))
    Pure(sum(parts)).check(claims, guarantee, Pure(study.epsilon))
