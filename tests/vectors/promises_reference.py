"""Makes promises.json: what guarantees state, with 400 digits, rounded up to the next double.

usage: python3 promises_reference.py > promises.json      (needs mpmath)

delta of mu-GDP at epsilon from its definition; epsilon and mu by bisection on it; the mu of a pure
epsilon from the normal distribution function; delta of rho-zCDP as the minimum over the order; the
mass of the discrete Gaussian beyond the support of the sampler by adding it up.
"""
import json
import math
import sys

from mpmath import erfc, exp, findroot, log, mp, mpf, pi, sqrt

mp.dps = 400


def up(x):
    near = float(x)
    return math.nextafter(near, math.inf) if mpf(near) < x else near


def phi_cdf(x):
    return erfc(-x / sqrt(mpf(2))) / 2


def delta_of(epsilon, mu):
    epsilon, mu = mpf(epsilon), mpf(mu)
    return phi_cdf(mu / 2 - epsilon / mu) - exp(epsilon) * phi_cdf(-mu / 2 - epsilon / mu)


def bisected(low, high, too_low):
    low, high = mpf(low), mpf(high)
    while high - low > high * mpf(2) ** -80:
        middle = (low + high) / 2
        low, high = (middle, high) if too_low(middle) else (low, middle)
    return high


def deltas():
    rows = []
    for epsilon in (0, 1e-9, 1e-3, 0.1, 0.5, 1, 2, 5, 10, 20, 40, 60, 100):
        mus = {1e-8, 1e-3, 0.3, math.nextafter(0.5, 0), 0.5, 0.7, 1, 3, 10, 30}
        for z in (-3, 0, 1, 3, 6, 10, 16, 25, 33, 36.5):  # epsilon/mu - mu/2
            mus.add(-z + math.sqrt(z * z + 2 * epsilon))
        for mu in sorted(mus):
            if mu <= 0 or delta_of(epsilon, mu) < mpf("1e-304"):
                continue
            rows.append({"eps": epsilon, "mu": mu, "delta": up(delta_of(epsilon, mu))})
    return rows


def epsilons():
    rows = []
    for mu in (1e-9, 1e-4, 0.03, 0.237, 0.6, 2.0, 7.0):
        for delta in (1e-300, 1e-100, 1e-30, 1e-6, 1e-2, 0.3):
            if delta_of(0, mu) <= mpf(delta):
                continue
            high = 1
            while delta_of(high, mu) > mpf(delta):
                high *= 2
            epsilon = bisected(0, high, lambda e: delta_of(e, mu) > mpf(delta))
            rows.append({"mu": mu, "delta": delta, "eps": up(epsilon)})
    return rows


def pure():
    rows = []
    for epsilon in (1e-200, 1e-20, 1e-9, 1e-3, 0.3, math.nextafter(1, 0), 1, 2, 10, 60, 700):
        e = mpf(epsilon)
        # 1 less both sides of Phi(mu/2) = e^epsilon / (1 + e^epsilon); small epsilon by its series.
        if epsilon < 1e-100:
            mu = e * sqrt(2 * pi) / 2 * (1 - e * e / 12 + pi * e * e / 48)
        else:
            mu = bisected(0, 3 * math.sqrt(2 * epsilon) + 2 * epsilon,
                          lambda m: erfc(m / 2 / sqrt(mpf(2))) / 2 > 1 / (1 + exp(e)))
        rows.append({"eps": epsilon, "mu": up(mu)})
    return rows


def zcdp():
    rows = []
    for rho in (1e-6, 0.01, 0.5, 5, 30):
        for epsilon in (1e-3, 1, 10, 60):
            if epsilon <= rho:
                continue
            r, e = mpf(rho), mpf(epsilon)
            start = (e / r - 1) / 2

            def slope(x):  # of the logarithm, in x = order - 1
                return 2 * x * r + r - e - log(1 + 1 / x)

            x = findroot(slope, (start, start * 1.5 + 1), tol=mpf(10) ** -60)
            value = x * ((1 + x) * r - e) + x * log(x) - (1 + x) * log(1 + x)
            if value > log(mpf("1e-304")):
                rows.append({"rho": rho, "eps": epsilon, "delta": up(exp(value))})
    return rows


def tails():
    """log2 of the mass of N_Z(0, (16 w)^2) at 224 w and beyond, both sides."""
    rows = []
    for w in (1, 2, 3, 8, 16):
        variance = mpf(16 * w) ** 2
        beyond = 2 * sum(exp(-(mpf(v) ** 2) / (2 * variance)) for v in range(224 * w, 640 * w))
        whole = sqrt(2 * pi * variance) * (1 + 2 * exp(-2 * pi**2 * variance))  # Poisson
        rows.append({"w": w, "log2": float(log(beyond / whole, 2))})
    return {"widths": rows, "limit": float(log(erfc(14 / sqrt(mpf(2))), 2))}


json.dump({"gdp_delta": deltas(), "gdp_epsilon": epsilons(), "gdp_of_pure": pure(),
           "zcdp_delta": zcdp(), "sampler_tail": tails()}, sys.stdout, indent=1)
print()
