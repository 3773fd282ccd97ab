#pragma once

#include <span>

#include "core/mechanisms/dyadic_scale.hpp"
#include "core/mechanisms/record.hpp"

namespace pm {

/// `frobenius`: the K-norm mechanism (Hardt, Talwar 2010) with the Frobenius norm, on the
/// second-moment matrix of augmented rows: noise of density proportional to exp(-|E|_F / s), s =
/// FrobeniusNoise::scale = sensitivity / epsilon in grid units. Pure: delta is always 0.
/// plan.sensitivity_squared is the squared sensitivity in Frobenius norm, in squared grid units,
/// exact. plan.freedom is the number of noisy coordinates: those of the upper triangle, under
/// replace-one without entry (0, 0), which is public.

/// plan.own.
struct FrobeniusNoise {
  DyadicScale scale;  ///< s, grid units, rounded up
};

/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kInvalidRowNorm, kNoiseTooLarge.
Result<Plan> planFrobenius(const MechanismParams& params);

inline constexpr MechanismRecord kFrobeniusRecord = {
    .mechanism = {.name = "frobenius",
                  .plan = &planFrobenius,
                  .budget = Budget::kPure,
                  .numerics = Numerics::kExact,
                  .additive = true,
                  .noise = MomentsNoise{"frobenius-gamma", Tail::kLogConcave}},
    .title = "Frobenius",
    .summary = "Adds noise of random length in a random direction. Rarely the best choice.",
    .law = "The noise is a matrix of random size in a uniformly random direction.",
    .error_order = "d^2 / epsilon",
    .source = "Hardt and Talwar 2010",
};

/// Fills `x` with the nearest integers to a draw of density proportional to exp(-|x| / scale). Its
/// Euclidean length |x| has the law Gamma(x.size()) with that scale.
void radialNoise(DyadicScale scale, Drbg& random, std::span<Int128> x);

/// Fills `packed` with the nearest integers to the upper triangle, row by row, of a symmetric n x n
/// matrix E of density proportional to exp(-|E|_F / scale). If `first_is_public`, entry (0, 0) is
/// zero and not a coordinate. packed.size() = n (n + 1) / 2, n >= 1; n >= 2 if `first_is_public`.
void frobeniusNoise(int n, DyadicScale scale, bool first_is_public, Drbg& random,
                    std::span<Int128> packed);

}  // namespace pm
