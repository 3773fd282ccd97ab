"""Noisy counts of rows in front of moments, for adaptive clipping and private centring."""

from promise import SAMPLER_DISTANCE, Gaussian
from real import real

# Steps of the noise to a row.
COUNT_UNIT = 1 << 16


def check_counts(claims, study, noise, mu):
    """Adaptive clipping: a row moves all six counts of longer rows by one, and the number of rows where that is private."""
    counts = 6 if study.replaces else 7
    return check_sums(claims, noise, "wClip", counts * COUNT_UNIT**2, counts, mu)


def check_sums(claims, noise, name, moved, count, mu):
    """Discrete Gaussian noise in `count` sums whose squared Euclidean sensitivity is `moved`."""
    w = int(noise["parameters"][name])
    claims.width(name, w, ((real(moved) / mu**2 + 9) / 256).sqrt())
    variance = 256 * w * w
    return Gaussian(
        (real(moved) / (variance - 9)).sqrt(), real(moved) / (2 * variance), count * SAMPLER_DISTANCE
    )
