"""The mathematics of tools/verify against definitions: laws summed value by value, neighbours tried one by one."""

import random
import sys
import unittest
from decimal import Decimal
from math import erfc, isqrt, sqrt
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[2] / "tools/verify"))

import chi_square
import normal
import sensitivity
from canonical import canonical, number
from real import pi, real
from wishart import delta_of_adding, delta_of_removing

BITS = 14


def study_of(features, neighbours, *, is_average=False, row_norm=1, numbers=0, levels=(), missing="centre"):
    return SimpleNamespace(
        features=features,
        replaces=neighbours == "replace-one",
        is_average=is_average,
        row_norm=real(row_norm),
        constant=11585,
        numbers=numbers,
        levels=list(levels),
        missing=missing,
    )


class Normal(unittest.TestCase):
    def test_tails_are_those_of_the_standard_library(self):
        for x in (-8, -2.5, -1, 0, 0.3, 1.9, 2, 2.1, 5, 20, 37):
            expected = erfc(x / sqrt(2)) / 2
            self.assertLess(abs(float(normal.upper_tail(real(x))) / expected - 1), 1e-13)

    def test_series_and_continued_fraction_agree_where_they_meet(self):
        below, above = (normal.upper_tail(4 + s * real("1e-40")) for s in (-1, 1))
        self.assertLess(abs(below - above) - 2 * normal.density(real(4)) * real("1e-40"), real("1e-54"))

    def test_inverses_undo_delta(self):
        for epsilon, mu in ((0.001, 0.002), (1, 0.3), (30, 5), (1000, 30)):
            epsilon, mu = real(epsilon), real(mu)
            delta = normal.delta_of_gdp(epsilon, mu)
            self.assertLess(abs(normal.mu_of_delta(epsilon, delta) / mu - 1), real("1e-30"))
            self.assertLess(abs(normal.epsilon_of_delta(mu, delta) / epsilon - 1), real("1e-30"))

    def test_delta_is_what_the_best_set_gives(self):
        # Simpson's rule for the integral of (density - e^epsilon density of the neighbour) where that is positive.
        epsilon, mu, steps = 0.7, 0.9, 20000
        low, high = epsilon / mu + mu / 2, 14.0
        width = (high - low) / steps

        def gain(x):
            return (2 * float(pi())) ** -0.5 * (
                2.718281828459045 ** (-((x - mu) ** 2) / 2) - 2.718281828459045 ** (epsilon - x * x / 2)
            )

        total = sum((4 if i % 2 else 2) * gain(low + i * width) for i in range(1, steps))
        total = (total + gain(low) + gain(high)) * width / 3
        self.assertLess(abs(float(normal.delta_of_gdp(real(epsilon), real(mu))) / total - 1), 1e-9)


class DiscreteGaussian(unittest.TestCase):
    @staticmethod
    def delta(sigma, shift, epsilon):
        """The exact delta of N_Z(0, sigma^2) moved by an integer."""
        variance = real(sigma) ** 2
        weight = {z: (-real(z) ** 2 / (2 * variance)).exp() for z in range(-40 * sigma - shift, 40 * sigma + shift)}
        total = sum(weight.values())
        growth = real(epsilon).exp()
        return sum(max(Decimal(0), weight[z] - growth * weight.get(z - shift, 0)) for z in weight) / total

    def test_nine_less_of_variance_is_enough_and_equal_variance_is_not(self):
        for sigma, shift, epsilon in ((4, 1, 1), (5, 3, 0.5), (8, 5, 1), (16, 7, 0.2)):
            exact = self.delta(sigma, shift, epsilon)
            bound = normal.delta_of_gdp(real(epsilon), shift / real(sigma**2 - 9).sqrt())
            self.assertLessEqual(exact, bound)
        equal = normal.delta_of_gdp(real(1), real(1) / 4)
        self.assertGreater(self.delta(4, 1, 1), equal * real("1.04"))


class ChiSquare(unittest.TestCase):
    def test_both_tails_make_one(self):
        for m in (1, 2, 3, 10, 11, 500):
            for t in (0.5, 3, 9.7, 600):
                self.assertLess(abs(chi_square.lower(m, real(t)) + chi_square.upper(m, real(t)) - 1), real("1e-50"))

    def test_two_degrees_are_the_exponential_law(self):
        self.assertLess(abs(chi_square.upper(2, real(3)) - real("-1.5").exp()), real("1e-55"))

    def test_no_half_line_gives_more_than_the_deltas(self):
        m, epsilon = 12, real("0.3")
        growth = epsilon.exp()
        for i in range(1, 400):
            t = real(i) / 10
            adding = chi_square.lower(m, t) - growth * chi_square.lower(m, t - 1)
            removing = chi_square.upper(m, t - 1) - growth * chi_square.upper(m, t)
            self.assertLessEqual(adding, delta_of_adding(m, epsilon))
            self.assertLessEqual(removing, delta_of_removing(m, epsilon))


def random_row(rng, d, bits=BITS):
    """Often of full length, at a corner, or on an axis, where sensitivities are reached."""
    kind = rng.randrange(3)
    if kind == 0:
        x = [rng.gauss(0, 1) for _ in range(d)]
    elif kind == 1:
        x = [rng.choice((-1, 1)) for _ in range(d)]
    else:
        x = [0] * d
        x[rng.randrange(d)] = rng.choice((-1, 1))
    length = sqrt(sum(v * v for v in x))
    return [int(v / length * (1 << bits)) for v in x]


def moved_by(row, other, a):
    """The matrix by which the sums move: x x' - y y', with the constant coordinate in front; no y if there is none."""
    x, y = [a, *row], [a, *other] if other is not None else [0] * (len(row) + 1)
    n = len(x)
    return [[x[i] * x[j] - y[i] * y[j] for j in range(n)] for i in range(n)]


class Sensitivities(unittest.TestCase):
    def setUp(self):
        self.rng = random.Random(1)

    def pairs(self, study, count=400):
        a = sensitivity.constant_coordinate(study, BITS)
        for _ in range(count):
            other = random_row(self.rng, study.features) if study.replaces else None
            yield moved_by(random_row(self.rng, study.features), other, a)

    def test_no_neighbours_move_more_and_some_as_much(self):
        for neighbours in ("add-remove", "replace-one"):
            for d in (2, 3, 5):
                study = study_of(d, neighbours)
                t = sensitivity.longest_squared(study, BITS)
                squares = [sum(v * v for row in e for v in row) for e in self.pairs(study)]
                bound = sensitivity.frobenius_squared(study, BITS)
                self.assertLessEqual(max(squares), bound)
                self.assertGreater(max(squares), 0.9 * bound)
                # Rank two: |E|_*^2 = 2 |E|_F^2 - (tr E)^2 where the eigenvalues differ in sign, and |E|_F^2 for one row.
                nuclear = sensitivity.nuclear(study, BITS)
                for e, square in zip(self.pairs(study), squares):
                    square = sum(v * v for row in e for v in row)
                    trace = sum(e[i][i] for i in range(d + 1))
                    most = 2 * square - trace**2 if study.replaces else square
                    self.assertLessEqual(most, nuclear**2)
                self.assertEqual(nuclear, t if neighbours == "add-remove" else 2 * t)

    def test_orthogonal_rows_reach_the_frobenius_and_the_nuclear_norm(self):
        study = study_of(2, "replace-one")
        a, unit = sensitivity.constant_coordinate(study, BITS), 1 << BITS
        # x . y = -a^2 makes the rows with the constant coordinate orthogonal.
        cosine = -(a * a) / unit**2
        e = moved_by([unit, 0], [int(cosine * unit), isqrt(unit**2 - int(cosine * unit) ** 2)], a)
        square = sum(v * v for row in e for v in row)
        trace = sum(e[i][i] for i in range(3))
        self.assertGreater(square, 0.999 * sensitivity.frobenius_squared(study, BITS))
        self.assertGreater(2 * square - trace**2, 0.999 * sensitivity.nuclear(study, BITS) ** 2)

    def test_sums_of_absolute_values_stay_below_their_bound(self):
        for neighbours, reached in (("add-remove", 0.999), ("replace-one", 0.8)):
            for d in (1, 2, 4, 9):
                for row_norm in (1, sqrt(d)):
                    study = study_of(d, neighbours, row_norm=row_norm)
                    bound = sensitivity.upper_triangle_absolute(study, BITS)
                    most = max(self.absolute(study) for _ in range(600))
                    self.assertLessEqual(most, bound)
                    self.assertGreater(most, reached * bound)

    def absolute(self, study):
        h, d = sensitivity.feature_bound(study, BITS), study.features
        a = sensitivity.constant_coordinate(study, BITS)

        def row(scale):
            return [max(-h, min(h, int(v * scale))) for v in random_row(self.rng, d)]

        x = row(1)
        y = None
        if study.replaces:
            # A corner against a small opposite row is worst for bounds on features, and orthogonal halves for those on lengths.
            s = self.rng.random()
            y = [int(-v * s) for v in x] if self.rng.random() < 0.5 else row(1)
            if self.rng.random() < 0.5 and d > 1:
                c, half = 0.9239, d // 2
                norm = (1 << BITS) / sqrt(half if d % 2 == 0 else half + 1)
                big, small = int(min(h, c * norm)), int(min(h, 0.3826 * norm))
                x = [big] * half + [small] * (d - half)
                y = [-small] * half + [big] * (d - half)
                for row_ in (x, y):
                    length = sum(v * v for v in row_)
                    if length > 1 << 2 * BITS:
                        row_[:] = [int(v * sqrt((1 << 2 * BITS) / length)) for v in row_]
        e = moved_by(x, y, a)
        return sum(abs(e[i][j]) for i in range(d + 1) for j in range(i, d + 1))

    def test_a_round_of_the_power_method_stays_below_its_step(self):
        for neighbours in ("add-remove", "replace-one"):
            for d, k in ((2, 1), (3, 2), (3, 3)):
                study = study_of(d, neighbours)
                bound, most = sensitivity.power_step(study, BITS, k), 0
                for _ in range(300):
                    e = [row[1:] for row in moved_by(random_row(self.rng, d), random_row(self.rng, d) if study.replaces else None, 0)[1:]]
                    # The first k axes, or such as a rotation of two of them makes.
                    c = self.rng.choice((1.0, 0.8, 0.6))
                    v = [[float(i == j) for j in range(k)] for i in range(d)]
                    v[0][0], v[1][0] = c, sqrt(1 - c * c)
                    if k > 1:
                        v[0][1], v[1][1] = -sqrt(1 - c * c), c
                    size = sqrt(sum(sum(e[i][m] * v[m][j] for m in range(d)) ** 2 for i in range(d) for j in range(k)))
                    most = max(most, size)
                self.assertLessEqual(most, bound)
                self.assertGreater(most, 0.9 * bound)

    def test_a_survey_moves_by_no_more_than_its_bounds_which_are_reached(self):
        h = sensitivity.SURVEY_UNIT

        def terms(q):
            return (q, (q * q + h // 2) // h - h // 2, 0)

        gap = (0, 0, h)
        candidates = [terms(q) for q in (h, -h, 0, h // 2, -h // 2, h // 3, 3 * h // 4)]
        for neighbours in ("add-remove", "replace-one"):
            for missing in ("centre", "mean"):
                study = study_of(1, neighbours, numbers=1, missing=missing)
                rows = candidates + ([gap] if missing == "mean" else [])
                if study.replaces:
                    moved = [tuple(u - v for u, v in zip(x, y)) for x in rows for y in rows]
                else:
                    moved = [(*row, h) for row in rows]
                squared, absolute = sensitivity.survey(study)
                self.assertEqual(max(sum(v * v for v in m) for m in moved), squared)
                self.assertEqual(max(sum(map(abs, m)) for m in moved), absolute)


class CanonicalJson(unittest.TestCase):
    def test_numbers_are_written_as_ecmascript_writes_them(self):
        for x, text in (
            (0.000001, "0.000001"),
            (1e-7, "1e-7"),
            (1.5, "1.5"),
            (1e21, "1e+21"),
            (123456789012345680000.0, "123456789012345680000"),
            (-0.0, "0"),
            (5e-324, "5e-324"),
            (1.2345e-7, "1.2345e-7"),
            (100, "100"),
            (1e100, "1e+100"),
        ):
            self.assertEqual(number(x), text)

    def test_keys_are_sorted_by_code_units(self):
        self.assertEqual(canonical({"\ufb33": 1, "\U0001f600": 2, "a": [True, None, "\n"]}), '{"a":[true,null,"\\n"],"\U0001f600":2,"\ufb33":1}')


if __name__ == "__main__":
    unittest.main()
