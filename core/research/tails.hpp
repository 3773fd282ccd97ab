#pragma once

#include <cstdint>
#include <vector>

namespace pm {

/// Tails of laws and what tests are made of, for audits and for the tests of this library.

/// P(Gamma(shape) > x), by its series or, beyond the mean, its continued fraction.
double gammaTail(double shape, double x);

/// P(chi-square with `degrees` degrees of freedom > statistic).
double chiSquareTail(double statistic, double degrees);

/// P(X > x), X the difference of two independent Gamma(shape, 1), shape a whole number: given
/// X > 0 it is a mixture of Gamma(j + 1), j < shape, by the binomial theorem.
double gammaDifferenceTail(int shape, double x);

/// P(Beta(a, b) < x), by its continued fraction.
double betaBelow(double a, double b, double x);

/// Clopper-Pearson: the true probability is below (above) the result with probability at most
/// `alpha`.
double probabilityAtLeast(std::uint64_t hits, std::uint64_t trials, double alpha);
double probabilityAtMost(std::uint64_t hits, std::uint64_t trials, double alpha);

/// p-value of counts against expected counts. Neighbouring cells are merged until each expects at
/// least 25, where the chi-square law holds far enough out.
double goodnessOfFit(const std::vector<std::uint64_t>& observed,
                     const std::vector<double>& expected);

}  // namespace pm
