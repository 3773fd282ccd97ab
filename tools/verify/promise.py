"""What noise promises, as the figures of a guarantee: epsilon, delta, gdp, zcdp and totalVariation."""

from normal import delta_of_gdp, epsilon_of_delta, mu_of_pure
from real import Decimal, power_of_two, real

# The sampler of discrete Gaussian noise ends 14 standard deviations out: less than this for each number.
SAMPLER_DISTANCE = power_of_two(-144)


class Gaussian:
    """Within `distance` in total variation of a law that is mu-GDP and of one that is rho-zCDP."""

    def __init__(self, mu, rho, distance):
        self.mu, self.rho, self.distance = mu, rho, distance

    def delta(self, epsilon):
        return min(Decimal(1), delta_of_gdp(epsilon, self.mu) + (1 + epsilon.exp()) * self.distance)

    def epsilon(self, delta, allowed):
        """The least epsilon at that delta, less the sampler's share at the epsilon `allowed`; None if nothing is left."""
        room = delta - (1 + allowed.exp()) * self.distance
        return epsilon_of_delta(self.mu, room) if room > 0 else None

    def check_laws(self, claims, stated, prefix=""):
        claims.at_least(prefix + "gdp", stated.get("gdp"), self.mu)
        claims.at_least(prefix + "zcdp", stated.get("zcdp"), self.rho)
        claims.at_least(prefix + "totalVariation", stated.get("totalVariation"), self.distance)


def together(parts):
    """Adaptive composition: squares of mu add up, and so do rho and distances (docs/composition.md)."""
    return Gaussian(
        sum(part.mu**2 for part in parts).sqrt(),
        sum(part.rho for part in parts),
        sum(part.distance for part in parts),
    )


def check_whole(claims, gaussian, stated, study, prefix=""):
    """The guarantee of a release: its delta at the stated epsilon, and its epsilon at the stated delta."""
    epsilon, delta = real(stated["epsilon"]), real(stated["delta"])
    claims.at_least(prefix + "delta", delta, gaussian.delta(epsilon), agreed=study.delta)
    if delta < 1:
        needed = gaussian.epsilon(delta, epsilon)
        needed = Decimal("Infinity") if needed is None else needed
        claims.at_least(prefix + "epsilon", epsilon, needed, agreed=study.epsilon)
    gaussian.check_laws(claims, stated, prefix)


def check_part(claims, part, gaussian, whole):
    """A step keeps what the whole keeps, of which it is a function; mostly it keeps more."""
    prefix = f"{part['what']}: "
    delta, allowed = real(whole["delta"]), real(whole["epsilon"])
    own = gaussian.epsilon(delta, allowed)
    claims.equal(prefix + "delta", part["delta"], whole["delta"])
    claims.at_least(prefix + "epsilon", part["epsilon"], allowed if own is None else min(allowed, own))
    gaussian.check_laws(claims, part, prefix)


class Pure:
    """(epsilon, 0), mu-GDP and rho-zCDP; the latter two are what every (epsilon, 0)-private mechanism is, unless said."""

    def __init__(self, epsilon, mu=None, rho=None):
        self.epsilon = real(epsilon)
        self.mu = mu_of_pure(self.epsilon) if mu is None else mu
        self.rho = self.epsilon**2 / 2 if rho is None else rho

    def check(self, claims, stated, agreed, prefix=""):
        """`agreed` is the promise of the study, which has room for the rounding of this one, that of the noise."""
        claims.at_least(prefix + "epsilon", stated["epsilon"], self.epsilon, agreed=agreed.epsilon)
        claims.equal(prefix + "delta", stated["delta"], 0)
        claims.at_least(prefix + "gdp", stated.get("gdp"), self.mu, agreed=agreed.mu)
        claims.at_least(prefix + "zcdp", stated.get("zcdp"), self.rho, agreed=agreed.rho)
        claims.equal(prefix + "totalVariation", stated.get("totalVariation"), 0)
