"""Real numbers to 60 digits, integers rounded up, and the roots of monotone functions."""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, setcontext
from fractions import Fraction
from functools import lru_cache
from math import isqrt

DIGITS = 60
setcontext(Context(prec=DIGITS, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN))

# Far above the error of any figure here, and far below any tolerance.
NEGLIGIBLE = Decimal(10) ** -40


def real(x):
    """The value of an int, float, Fraction, decimal text or Decimal, as a Decimal."""
    if isinstance(x, Fraction):
        return Decimal(x.numerator) / Decimal(x.denominator)
    return +Decimal(x)


def power_of_two(exponent):
    return Decimal(2) ** exponent


@lru_cache
def pi():
    """By Machin's formula, with guard digits."""

    def arctan_of_inverse(n):
        one = 10 ** (DIGITS + 10)
        total, term, k = 0, one // n, 0
        while term:
            total += (-1) ** k * (term // (2 * k + 1))
            term //= n * n
            k += 1
        return total

    return Decimal(4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))).scaleb(-DIGITS - 10)


def root_up(n):
    """The least integer whose square is at least the integer n >= 0."""
    root = isqrt(n)
    return root if root * root == n else root + 1


def quotient_up(a, b):
    return -(-a // b)


def increasing_root(f, low, high):
    """Where the increasing function f, negative at low and positive at high, is zero: the Illinois method."""
    f_low, f_high = f(low), f(high)
    side = 0
    for _ in range(200):
        if f_high == f_low or abs(high - low) <= abs(high) * NEGLIGIBLE:
            break
        middle = high - f_high * (high - low) / (f_high - f_low)
        f_middle = f(middle)
        if abs(middle - (high if side == 1 else low)) <= abs(middle) * NEGLIGIBLE:
            return middle
        if f_middle > 0:
            high, f_high = middle, f_middle
            f_low = f_low / 2 if side == 1 else f_low
            side = 1
        else:
            low, f_low = middle, f_middle
            f_high = f_high / 2 if side == -1 else f_high
            side = -1
    return high
