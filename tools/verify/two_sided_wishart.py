"""`two-sided-wishart`: the difference of two Wishart matrices of n + 1 degrees of freedom and scale matrix s I.

Their density is proportional to exp(-tr W / 2s), so that the privacy loss is the nuclear norm over 2s. The scale is not in a
release; the deviations are, and they determine it.
"""

from grid import Grid
from promise import Pure
from real import power_of_two, real
from sensitivity import nuclear

# The deviation is a double, a product of a few.
ROUNDED = 1 + power_of_two(-50)


def check(claims, study, release):
    kept = check_noise(claims, study, release, study.epsilon)
    Pure(kept).check(claims, release["guarantee"], Pure(study.epsilon))


def check_noise(claims, study, release, epsilon):
    """The noise, which must be (epsilon, 0)-private. Returns the epsilon that it keeps."""
    noise = release["noise"]
    grid = Grid(study, release)
    n = study.features + 1
    moved = nuclear(study, grid.bits)
    claims.at_least("nuclearSensitivity", int(noise["parameters"]["nuclearSensitivity"]), moved, above=0)
    # Fewer degrees of freedom promise nothing; more cost noise.
    freedom = int(noise["parameters"]["degreesOfFreedom"])
    claims.equal("degreesOfFreedom", freedom, n + 1)
    return check_scale(claims, grid, noise, freedom, moved, epsilon)


def check_scale(claims, grid, noise, freedom, moved, epsilon):
    """Var W_ij = freedom s^2, twice that on the diagonal; two matrices have twice as much."""
    scale = moved / epsilon / 2
    drawn = real(noise["sdOffDiagonal"]) / grid.step / (2 * real(freedom)).sqrt() * ROUNDED
    claims.at_least("scale", drawn, scale)
    grid.check(claims, noise, 2 * real(freedom).sqrt() * drawn, (2 * real(freedom)).sqrt() * drawn)
    return moved / (2 * drawn)
