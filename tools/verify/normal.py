"""The normal law, and what noise of it promises: the exact delta of mu-GDP, and its inverses."""

from functools import lru_cache

from real import DIGITS, NEGLIGIBLE, Decimal, increasing_root, pi


def density(x):
    return (-x * x / 2).exp() / (2 * pi()).sqrt()


def mills(x):
    """R(x), the upper tail over the density: Q(x) / phi(x).

    From x = 4 on by Laplace's continued fraction, 1/(x + 1/(x + 2/(x + 3/...))). Its terms are positive, so
    that two consecutive convergents enclose it. Below by the series of Q = 1/2 - phi (x + x^3/3 + x^5/15 + ...), whose
    terms have one sign; the difference costs four digits at most.
    """
    if x < 0:
        return 1 / density(x) - mills(-x)
    if x < 4:
        term = total = x
        k = 1
        while term > total.scaleb(-DIGITS - 2):
            k += 2
            term = term * x * x / k
            total += term
        return Decimal("0.5") / density(x) - total
    depth = 64
    while True:
        one, other = convergent(x, depth), convergent(x, depth + 1)
        if abs(one - other) <= one.scaleb(5 - DIGITS):
            return one
        depth *= 2


def convergent(x, depth):
    tail = x
    for k in range(depth, 0, -1):
        tail = x + k / tail
    return 1 / tail


def upper_tail(x):
    """Q(x) = 1 - Phi(x)."""
    return density(x) * mills(x)


def delta_of_gdp(epsilon, mu):
    """The least delta for which every mu-GDP mechanism is (epsilon, delta)-private (Dong, Roth, Su 2022).

    Q(y) - e^epsilon Q(y + mu) with y = epsilon/mu - mu/2; as e^epsilon phi(y + mu) = phi(y), that is
    phi(y) (R(y) - R(y + mu)). The difference costs -log10(mu) of the 60 digits.
    """
    y = epsilon / mu - mu / 2
    return density(y) * (mills(y) - mills(y + mu))


@lru_cache
def mu_of_delta(epsilon, delta):
    """The largest mu for which mu-GDP implies (epsilon, delta)."""
    goal = delta.ln()

    def excess(mu):
        return delta_of_gdp(epsilon, mu).ln() - goal

    low = high = Decimal(1)
    while excess(low) > 0:
        low /= 2
    while excess(high) < 0:
        high *= 2
    return increasing_root(excess, low, high)


@lru_cache
def epsilon_of_delta(mu, delta):
    """The least epsilon >= 0 at which mu-GDP implies (epsilon, delta)."""
    if delta_of_gdp(Decimal(0), mu) <= delta:
        return Decimal(0)
    goal = delta.ln()

    def room(epsilon):
        return goal - delta_of_gdp(epsilon, mu).ln()

    high = Decimal(1)
    while room(high) < 0:
        high *= 2
    return increasing_root(room, Decimal(0), high)


@lru_cache
def mu_of_pure(epsilon):
    """The least mu for which every (epsilon, 0)-private mechanism is mu-GDP: Q(-mu/2) = e^eps / (1 + e^eps).

    The trade-off curve of pure epsilon has its only corner where both errors are 1/(1 + e^epsilon).
    """
    corner = -(1 + epsilon.exp()).ln()

    def excess(mu):
        return corner - upper_tail(mu / 2).ln()

    high = Decimal(1)
    while excess(high) < 0:
        high *= 2
    return increasing_root(excess, high * NEGLIGIBLE, high)
