"""The grids of a release: that of its rows, of which noise is a number of steps, and that of what leaves."""

from fractions import Fraction

from real import power_of_two, real

# Ladders of clip radii: the first over the others.
ADAPTIVE = (5, 7, 10, 14, 20, 28, 40)
CENTRED = (2, 3, 4, 6, 8, 11, 16, 23, 32, 38, 45, 54, 64, 76, 91, 108, 128, 152, 215, 304, 430, 608, 860, 1216)


def radius(study, release):
    """The clip radius of the release. Sums state noise for the longest, or for 1 where every release has coordinates of its own."""
    if study.clipping == "adaptive" and "clipping" in release:
        return study.row_norm * ADAPTIVE[0] / ADAPTIVE[release["clipping"]["level"]]
    if study.is_centred:
        if "groups" in release:
            return real(1)
        longest, levels = real(release["centring"]["radius"]), release["centring"]["levels"]
        ladder = CENTRED[-levels:]
        return longest * ladder[0] / ladder[release["clipping"]["level"]]
    return study.row_norm


class Grid:
    """`step` is what 1 in the sums of integer rows means, in scaled units squared."""

    def __init__(self, study, release):
        self.bits = release["noise"]["bits"]
        if not 14 <= self.bits <= 24:
            raise ValueError("bits of the grid must be 14 to 24")
        self.radius = radius(study, release)
        self.step = self.radius**2 * power_of_two(-2 * self.bits)

    def check(self, claims, noise, diagonal, off_diagonal):
        """The deviations of the noise in steps, and the unit, as released."""
        claims.close("unit", noise["unit"], self.radius**2 * power_of_two(noise["gridLog2"]))
        claims.close("sdDiagonal", noise["sdDiagonal"], diagonal * self.step)
        claims.close("sdOffDiagonal", noise["sdOffDiagonal"], off_diagonal * self.step)


def finest_bits(most, fits):
    """The bits of the row grid: `most`, or fewer where the noise would not fit the sampler."""
    return next((bits for bits in range(most, 13, -1) if fits(bits)), 14)
