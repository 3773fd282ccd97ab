"""Makes federation.json: who sees what of messages behind Gaussian masks, by direct linear algebra.

usage: python3 federation_reference.py > federation.json

No closed form is used. A site's message is its sum, its mask and its own noise; masks of pairs are
the columns of an incidence matrix, a generator's are e - mean(e) of independent numbers e. What a
party knows is conditioned on (Schur complement), and the exposure of a site is an entry of the
inverse of what is left. Own noise has variance 1, the mask of a pair `ratio`.
"""
import json
import math

import numpy as np


def log_phi(x):
    """ln of the normal distribution function, by its asymptotic series far out."""
    if x > -30:
        return math.log(0.5 * math.erfc(-x / math.sqrt(2)))
    return -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi)) + math.log1p(-1 / x**2 + 3 / x**4)


def delta_of(epsilon, mu):
    """Balle and Wang 2018, theorem 8."""
    gain, loss = log_phi(mu / 2 - epsilon / mu), epsilon + log_phi(-mu / 2 - epsilon / mu)
    return math.exp(gain) * -math.expm1(loss - gain) if loss < gain else 0.0


def epsilon_of(delta, mu):
    low, high = 0.0, 1.0
    while delta_of(high, mu) > delta:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle, mu) > delta else (low, middle)
    return high


def analytic(epsilon, delta):
    """Noise per unit of sensitivity."""
    low, high = 1e-3, 1e6
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if delta_of(epsilon, 1 / middle) > delta else (low, middle)
    return high


def given(covariance, seen, known):
    """Covariance of the coordinates `seen` when `known` are known."""
    inner = covariance[np.ix_(seen, seen)]
    if not known:
        return inner
    cross = covariance[np.ix_(seen, known)]
    return inner - cross @ np.linalg.pinv(covariance[np.ix_(known, known)], rcond=1e-10) @ cross.T


def pairs(sites):
    return [(s, t) for s in range(sites) for t in range(s + 1, sites)]


def incidence(sites, among):
    """One column for each pair: the one adds, the other takes off."""
    columns = [(s, t) for s, t in pairs(sites) if t < among]
    matrix = np.zeros((sites, len(columns)))
    for k, (s, t) in enumerate(columns):
        matrix[s, k], matrix[t, k] = 1, -1
    return matrix


def generated(sites, ratio):
    """Masks with the law of those of pairs, from independent numbers less their mean."""
    centring = np.eye(sites) - np.full((sites, sites), 1 / sites)
    return ratio * sites * centring @ centring.T


def exposure(view, sites, honest, ratio):
    own = np.eye(sites)
    others = list(range(honest, sites))
    first = np.eye(sites)[0]
    known_noise = (sites - 1) * np.eye(sites)  # F
    published = np.full((1, sites), 1.0)       # the sum; own noise only

    def both(messages):
        """Messages with this covariance of their noise, and the published sum of the same sites."""
        cross = published @ own
        block = np.block([[messages, cross.T], [cross, published @ own @ published.T]])
        signal = np.append(first, 1.0)
        return float(signal @ np.linalg.inv(block) @ signal)

    if view == "one-message":
        masks = incidence(sites, sites)
        return 1 / (ratio * masks @ masks.T + own)[0, 0]
    if view == "pair-masks":
        masks = incidence(sites, honest)[:honest]
        return float(np.linalg.inv(ratio * masks @ masks.T + own[:honest, :honest])[0, 0])
    if view == "generated-masks":
        left = given(generated(sites, ratio), list(range(honest)), others)
        return float(np.linalg.inv(left + own[:honest, :honest])[0, 0])
    if view == "all-masks":
        return float(np.linalg.inv(own)[0, 0])
    if view == "generator-on-wire":
        return float(np.linalg.inv(known_noise + own)[0, 0])
    if view == "generator-and-published":
        return both(known_noise + own)
    if view == "wire-and-published":
        return both(generated(sites, ratio) + known_noise + own)
    if view == "published":
        return float(1 / (published @ own @ published.T)[0, 0])
    raise ValueError(view)


def views():
    result = []
    for sites in (2, 3, 5, 10, 30):
        for honest in sorted({1, 2, sites - sites // 3, sites - 1, sites} - {0}):
            if honest > sites:
                continue
            for ratio in (0.5, 1, 10, 100):
                for view in ("one-message", "pair-masks", "generated-masks", "all-masks"):
                    result.append([view, sites, honest, ratio, exposure(view, sites, honest, ratio)])
        for ratio in (0.5, 1, 10):
            for view in ("generator-on-wire", "generator-and-published", "wire-and-published",
                         "published"):
                result.append([view, sites, sites, ratio, exposure(view, sites, sites, ratio)])
    return result


def calibrations():
    """Own variance per squared sensitivity with which all messages keep (epsilon, delta)."""
    result = []
    for epsilon, delta in ((1, 1e-5), (0.5, 1e-6), (3, 1e-9)):
        sigma = analytic(epsilon, delta)
        for sites, honest in ((5, 5), (10, 10), (10, 7), (10, 2), (40, 27)):
            for ratio in (1, 10, 100):
                own = sigma**2 * exposure("pair-masks", sites, honest, ratio)
                result.append({"epsilon": epsilon, "delta": delta, "sites": sites,
                               "honest": honest, "ratio": ratio, "own": own})
    return result


def claims():
    """What is true of a label that one message deserves, when all messages are seen."""
    result = []
    for epsilon, delta in ((1, 1e-5), (1, 1e-2)):
        sigma = analytic(epsilon, delta)
        for sites, honest in ((10, 10), (10, 7), (10, 2), (100, 67)):
            masked = exposure("pair-masks", sites, honest, 1)
            mu = math.sqrt(masked / exposure("one-message", sites, honest, 1)) / sigma
            result.append({"epsilon": epsilon, "delta": delta, "sites": sites, "honest": honest,
                           "mu": mu, "trueDelta": delta_of(epsilon, mu),
                           "trueEpsilon": epsilon_of(delta, mu)})
    return result


print(json.dumps({"views": views(), "calibrations": calibrations(), "claims": claims()},
                 indent=1))
