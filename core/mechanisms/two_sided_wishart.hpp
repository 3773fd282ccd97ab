#pragma once

#include <span>

#include "core/mechanisms/dyadic_scale.hpp"
#include "core/mechanisms/record.hpp"

namespace pm {

/// `two-sided-wishart`: pure epsilon. The second-moment matrix plus the difference of two
/// independent n x n Wishart matrices with n + 1 = D + 2 degrees of freedom and scale I / (2c), so
/// that each has density proportional to exp(-c tr W), rounded to the grid exactly. plan.freedom is
/// n + 1.

/// plan.own.
struct TwoSidedWishartNoise {
  DyadicScale scale;  ///< 1/(2c), grid units

  double c() const { return 1 / (2 * scale.value()); }
};

/// c = epsilon / (nuclear sensitivity), with 1/(2c) rounded up to 40 bits, so that the release is
/// epsilon-DP for either relation and unit (docs/mechanisms/two-sided-wishart.md, theorem and
/// proof). delta is always 0. Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension,
/// kInvalidRowNorm, kNoiseTooLarge.
Result<Plan> planTwoSidedWishart(const MechanismParams& params);

inline constexpr MechanismRecord kTwoSidedWishartRecord = {
    .mechanism = {.name = "two-sided-wishart",
                  .plan = &planTwoSidedWishart,
                  .budget = Budget::kPure,
                  .numerics = Numerics::kExact,
                  .additive = true,
                  .noise = MomentsNoise{"two-sided-wishart", Tail::kLogConcave},
                  .division = Division::kWishart,
                  .centring = true},
    .title = "Two-sided Wishart",
    .summary = "Adds the difference of two Wishart matrices. The default for delta 0.",
    .law = "The noise is the difference of two random Wishart matrices.",
    .error_order = "d^(3/2) / epsilon",
    .source = "this library",
};

/// Fills the packed upper triangle of an n x n matrix with the nearest integers to W1 - W2, two
/// Wishart matrices of `freedom` degrees of freedom and this scale. With n + 1 of them: standard
/// deviations 2 scale sqrt(n + 1) on the diagonal and 2 scale sqrt((n + 1) / 2) elsewhere, mean 0.
/// Preconditions: n >= 1, freedom >= 1, packed.size() = n (n + 1) / 2.
void twoSidedWishartNoise(int n, int freedom, DyadicScale scale, Drbg& random,
                          std::span<Int128> packed);

}  // namespace pm
