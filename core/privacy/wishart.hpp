#pragma once

#include "core/privacy/guarantee.hpp"

namespace pm {

/// The privacy of adding W ~ Wishart_n(nu, I) to a sum of x x^T, |x|^2 <= s. Adding or removing a
/// row is exactly as private as X against X + s, where X ~ chi-square(m), m = nu - n + 1
/// (docs/mechanisms/wishart.md). Preconditions of all functions: epsilon >= 0, m >= 2 (below 2 no
/// bound holds), s > 0. Results are at most 1e-8 (relative) above the true value, and never below
/// it.

/// The maximum over all sets S of P(X in S) - e^epsilon P(X + s in S): outputs likelier without the
/// row.
double wishartDeltaWithout(double epsilon, double m, double s);

/// The maximum of P(X + s in S) - e^epsilon P(X in S): outputs likelier with the row. 0 for epsilon
/// >= s/2.
double wishartDeltaWith(double epsilon, double m, double s);

/// A delta for which the release is (epsilon, delta)-DP. Add-remove: the larger of the two, which
/// is tight. Replace-one: by way of the sum with both rows, for a <= epsilon
///   deltaWithout(epsilon - a) + e^(epsilon - a) deltaWith(a),
/// minimised over a; an upper bound.
double wishartDelta(double epsilon, double m, double s, Neighbours neighbours);

/// The smallest integer m >= 2 with wishartDelta(epsilon, m, 1, neighbours) <= delta; 0 if it would
/// be above 2^30. Preconditions: epsilon > 0, 0 < delta < 1.
int wishartShape(double epsilon, double delta, Neighbours neighbours);

}  // namespace pm
