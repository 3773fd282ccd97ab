#pragma once

#include "core/mechanisms/dyadic_scale.hpp"
#include "core/mechanisms/record.hpp"

namespace pm {

/// `wishart`: (epsilon, delta). The second-moment matrix plus one Wishart matrix with scale T I and
/// plan.freedom = nu degrees of freedom, T the largest squared length of a row: positive
/// semidefinite, with a public mean.
/// nu is the smallest number of degrees of freedom for (epsilon, delta), from the exact privacy
/// profile of adding or removing a row, or for replace-one from a bound for two such steps
/// (docs/mechanisms/wishart.md, theorem and proof). guarantee.delta is the value of the profile at
/// this nu, at most the requested one. plan.noise_mean includes (n/2 + 1) steps of the released
/// grid that are added to the diagonal, so that the rounded release is positive semidefinite.

/// plan.own.
struct WishartNoise {
  DyadicScale scale;  ///< T, grid units, rounded up to 40 bits
};

/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kInvalidRowNorm, kInvalidUnit (unit
/// participant: the proof is for changes of rank one), kNoiseTooLarge (also if nu n > 2^28).
/// Source: Sheffet 2019, with exact constants.
Result<Plan> planWishart(const MechanismParams& params);

inline constexpr MechanismRecord kWishartRecord = {
    .mechanism = {.name = "wishart",
                  .plan = &planWishart,
                  .budget = Budget::kApproximate,
                  .numerics = Numerics::kExact,
                  .additive = true,
                  .psd = true,
                  .noise = MomentsNoise{"wishart", Tail::kLogConcave},
                  .units = kRowsOnly},
    .title = "Wishart",
    .summary =
        "Adds a Wishart matrix. The release is positive definite, with more noise than gaussian "
        "(about twice at epsilon 1).",
    .law = "The noise is a random Wishart matrix.",
    .error_order = "d sqrt(d + log(1/delta) / epsilon^2)",
    .source = "Sheffet 2019",
};

}  // namespace pm
