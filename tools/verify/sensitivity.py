"""How far neighbours move the integer sums (docs/sensitivity.md). All integers, rounded up.

Rows are (A, q) with |q| <= 2^bits, A the same in all, so their squared length is at most T = 2^2bits + A^2. A
participant's sums are the average of their rows' matrices, each entry cut towards zero.
"""

from decimal import ROUND_CEILING
from fractions import Fraction
from math import floor

from real import quotient_up, real, root_up


def constant_coordinate(study, bits):
    return study.constant << (bits - 14)


def longest_squared(study, bits):
    return (1 << 2 * bits) + constant_coordinate(study, bits) ** 2


def frobenius_squared(study, bits):
    """Of x x' it is |x|^4; of x x' - y y' |x|^4 + |y|^4 - 2 (x.y)^2, and orthogonal rows reach the bound.

    Averages are positive semidefinite with trace at most T, so the same holds for them; the cut moves each of them by less
    than its size n in Frobenius norm, and never makes one longer.
    """
    t = longest_squared(study, bits)
    if not study.replaces:
        return t * t
    if not study.is_average:
        return 2 * t * t
    return (root_up(2 * t * t) + 2 * (study.features + 1)) ** 2


def nuclear(study, bits):
    """T for each of the rows compared; an average's cut adds less than n sqrt(n), by |F|_* <= sqrt(n) |F|_F."""
    n = study.features + 1
    each = longest_squared(study, bits) + (root_up(n**3) if study.is_average else 0)
    return 2 * each if study.replaces else each


def feature_bound(study, bits):
    """Scaled features lie in [-1, 1] and are divided by the row norm, or by 1 if that is more."""
    return quotient_up_real((1 << bits) / max(study.row_norm, real(1)))


def quotient_up_real(x):
    return int(x.to_integral_value(rounding=ROUND_CEILING))


def upper_triangle_absolute(study, bits):
    """The sum of absolute values over the upper triangle."""
    d, a, longest = study.features, constant_coordinate(study, bits), 1 << bits
    h = feature_bound(study, bits)
    if not study.replaces:
        # ((A + sum|q_i|)^2 + A^2 + |q|^2) / 2, with the largest sum and length that both bounds allow.
        squares = min(longest**2, d * h * h)
        total = (real(d) * squares).sqrt()
        return quotient_up_real(a * a + a * total + (total * total + squares) / 2)
    by_feature = by_features(d, a, h)
    by_angle = quotient_up_real(by_length(d, a, longest))
    return min(by_feature, by_angle) + (entries(d) if study.is_average else 0)


def entries(d):
    """Entries of the upper triangle that can differ where the count is public."""
    return (d + 1) * (d + 2) // 2 - 1


def by_features(d, a, h):
    """The largest value of 2 d h ((d + 1) h s (1 - s) + a (1 - s)) for s in [0, 1], rounded up."""
    k = (d + 1) * h
    s = max(Fraction(0), (1 - Fraction(a, k)) / 2)
    value = 2 * d * h * (1 - s) * (k * s + a)
    return quotient_up(value.numerator, value.denominator)


def by_length(d, a, longest):
    """The largest value over t of 2 a sqrt(d) l sin(t/2) + sqrt(d (d + 3) / 2) l^2 sin t.

    That is sqrt(1 - y^2) (p + 2 c y) with y = cos(t/2), so the maximum solves 4 c y^2 + p y = 2 c.
    """
    p = 2 * a * real(d).sqrt() * longest
    c = (real(d * (d + 3)) / 2).sqrt() * longest**2
    y = (-p + (p * p + 32 * c * c).sqrt()) / (8 * c)
    return (1 - y * y).sqrt() * (p + 2 * c * y)


def power_step(study, bits, components):
    """A bound on |floor(C V / 2^32) - floor(C' V / 2^32)|_F for every V of spectral norm up to 2^32 (1 + 2^-17)."""
    d, longest = study.features, 1 << 2 * bits
    step = root_up(2 * longest**2) if study.replaces and components > 1 else longest
    if study.replaces and study.is_average:
        step += 2 * d
    return floor(step * (1 + Fraction(1, 2**17))) + 1 + root_up(d * components)


# Steps to a scaled unit in the survey of private centring.
SURVEY_UNIT = 1 << 16


def survey(study):
    """Squared Euclidean norm and sum of absolute values of what a row moves in the survey, exactly.

    A number x adds q = H x and r = q^2/H - H/2; a category H for its level; a counted gap H instead; a row H to the count.
    """
    counts_gaps = study.missing == "mean"
    h = SURVEY_UNIT
    squared = absolute = Fraction(0)
    if study.replaces:
        # |q - q'| and |r - r'| are at most 2 H a and 4 H a (1 - a): squares are largest at a = 1, sums at 3/4.
        number = (4, Fraction(5, 2) if counts_gaps else Fraction(9, 4))
    else:
        number = (Fraction(5, 4), Fraction(3, 2))
        squared, absolute = Fraction(1), Fraction(1)
    squared += study.numbers * number[0]
    absolute += study.numbers * number[1]
    for levels in study.levels:
        # Another level moves two sums; a single level and a row without it differ in one, or two with the gap.
        moved = 2 if study.replaces and (levels > 1 or counts_gaps) else 1
        squared += moved
        absolute += moved
    return squared * h * h, absolute * h
