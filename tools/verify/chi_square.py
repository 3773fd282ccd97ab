"""Chi-square distribution functions by series of positive terms, to some 50 digits."""

from functools import lru_cache

from normal import upper_tail
from real import DIGITS, Decimal, pi, real


@lru_cache(maxsize=None)
def gamma_of_half(m):
    """Gamma(m / 2)."""
    if m == 1:
        return pi().sqrt()
    if m == 2:
        return Decimal(1)
    value = gamma_of_half(2 - m % 2)
    for k in range(2 - m % 2, m, 2):
        value = value * k / 2
    return value


def lower(m, t):
    """P(X < t) for X with m >= 1 degrees of freedom: x^a e^-x sum of x^k / Gamma(a + k + 1), x = t/2, a = m/2."""
    if t <= 0:
        return Decimal(0)
    x, a = t / 2, real(m) / 2
    term = total = (a * x.ln() - x).exp() / gamma_of_half(m + 2)
    k = 0
    while term > total.scaleb(-DIGITS) or a + k < 2 * x:
        k += 1
        term = term * x / (a + k)
        total += term
    return total


def upper(m, t):
    """P(X > t): the finite sum of x^j e^-x / Gamma(j + 1), j = a - 1, a - 2, ..., and for odd m a normal tail.

    Below t = m, where that is most of everything, 1 - P(X < t) loses no digits. Above, the terms fall.
    """
    if t < m:
        return 1 - lower(m, t)
    x, j = t / 2, real(m) / 2 - 1
    total = 2 * upper_tail(t.sqrt()) if m % 2 else Decimal(0)
    term = (j * x.ln() - x).exp() / gamma_of_half(m) if m > 1 else Decimal(0)
    while j >= 0 and term > total.scaleb(-DIGITS):
        total += term
        term = term * j / x
        j -= 1
    return total
