#pragma once

#include <span>

#include "core/mechanisms/record.hpp"

namespace pm {

/// `two-sided-wishart`: pure epsilon. The second-moment matrix plus the difference of two
/// independent n x n Wishart matrices with n + 1 = D + 2 degrees of freedom and scale I / (2c), so
/// that each has density proportional to exp(-c tr W). c is TwoSidedWishartNoise::c, plan.freedom
/// is n + 1.

/// plan.own.
struct TwoSidedWishartNoise {
  double c;  ///< per grid unit
};

/// c = epsilon / (nuclear sensitivity), so that the release is epsilon-DP for either relation and
/// unit (docs/mechanisms/two-sided-wishart.md, theorem and proof). delta is always 0. Errors:
/// kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kInvalidRowNorm, kNoiseTooLarge.
Result<Plan> planTwoSidedWishart(const MechanismParams& params);

inline constexpr MechanismRecord kTwoSidedWishartRecord = {
    .mechanism = {.name = "two-sided-wishart",
                  .plan = &planTwoSidedWishart,
                  .budget = Budget::kPure,
                  .numerics = Numerics::kIdealized,
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

/// Fills the packed upper triangle of an n x n matrix with noise: W1 - W2. Standard deviations
/// sqrt(n + 1) / c on the diagonal and sqrt((n + 1) / 2) / c elsewhere, mean 0.
/// Preconditions: n >= 1, c > 0, packed.size() = n (n + 1) / 2.
void twoSidedWishartNoise(int n, double c, Drbg& random, std::span<double> packed);

}  // namespace pm
