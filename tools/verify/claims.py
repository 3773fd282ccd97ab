"""Claims of a release, each with the figure that was stated and the one that was recomputed."""

from real import NEGLIGIBLE, Decimal, real

# How far above the recomputed figure a stated one may be, relatively.
TIGHT = Decimal("1e-6")


class Claim:
    def __init__(self, what, holds, stated, recomputed, excess=None):
        self.what, self.holds = what, holds
        self.stated, self.recomputed, self.excess = stated, recomputed, excess

    def line(self):
        verdict = "yes" if self.holds else "no "
        text = f"  {verdict}  {self.what}: {shown(self.stated)}, recomputed {shown(self.recomputed)}"
        return text if self.excess is None else f"{text} ({self.excess:+.1e})"


def shown(x):
    return f"{x:.12g}" if isinstance(x, Decimal) else str(x)


class Claims:
    def __init__(self):
        self.all = []

    @property
    def hold(self):
        return all(claim.holds for claim in self.all)

    def equal(self, what, stated, recomputed):
        self.all.append(Claim(what, stated == recomputed, stated, recomputed))

    def at_least(self, what, stated, needed, above=TIGHT, below=NEGLIGIBLE, agreed=None):
        """The stated number, None where there is none, is not below the needed one and not needlessly above.

        A figure that follows from what the study agreed on is not needlessly above: whether its noise is, other claims show.
        """
        needed = real(needed)
        if stated is None:
            self.all.append(Claim(what, False, "not stated", needed))
            return
        stated = real(stated)
        excess = (stated - needed) / max(abs(needed), NEGLIGIBLE)
        most = needed if agreed is None else max(needed, real(agreed))
        is_above = stated > most + max(abs(most), NEGLIGIBLE) * above
        self.all.append(Claim(what, excess >= -below and not is_above, stated, needed, excess))

    def width(self, what, stated, needed):
        """A whole number of steps, of which the plan may have two to spare."""
        self.at_least(what, stated, needed, above=TIGHT + 2 / needed)

    def close(self, what, stated, recomputed, within=TIGHT):
        """A figure that says how much noise there is may be off in neither direction."""
        self.at_least(what, stated, recomputed, within, within)
