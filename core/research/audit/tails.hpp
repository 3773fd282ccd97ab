#pragma once

#include <cstdint>
#include <vector>

namespace pm {

/// Tail probabilities and tests of distributions, for audits and for the tests of this library.

/// P(Gamma(shape) > x), by series or, above the mean, by continued fraction.
double gammaTail(double shape, double x);

/// P(chi-square with `degrees` degrees of freedom > statistic).
double chiSquareTail(double statistic, double degrees);

/// P(X > x), X the difference of two independent Gamma(shape, 1), shape an integer: conditional on
/// X > 0 it is a mixture of Gamma(j + 1), j < shape, by the binomial theorem.
double gammaDifferenceTail(int shape, double x);

/// P(Beta(a, b) < x), by its continued fraction.
double betaBelow(double a, double b, double x);

/// Clopper-Pearson bounds: the true probability is below (above) the result with probability at
/// most `alpha`.
double probabilityAtLeast(std::uint64_t hits, std::uint64_t trials, double alpha);
double probabilityAtMost(std::uint64_t hits, std::uint64_t trials, double alpha);

/// p-value of counts against expected counts. Neighbouring cells are merged until each expects at
/// least 25, so that the chi-square law is accurate far into the tail.
double goodnessOfFit(const std::vector<std::uint64_t>& observed,
                     const std::vector<double>& expected);

}  // namespace pm
