#pragma once

#include <span>

#include "core/mechanisms/plan.hpp"

namespace pm {

/// `frobenius`: the K-norm mechanism (Hardt, Talwar 2010) whose ball is the Frobenius norm's, on
/// the second-moment matrix of augmented rows: noise of density proportional to
/// exp(-|E|_F / s), s = plan.scale = sensitivity / epsilon in grid units. Pure: delta is 0 whatever
/// is asked. plan.sensitivity_squared is the Frobenius norm's, grid units squared, exact.
/// plan.freedom is the number of coordinates with noise: the upper triangle, under replace-one
/// without entry (0, 0), which is public. Numerics: idealized.

/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kInvalidRowNorm, kNoiseTooLarge.
Result<Plan> planFrobenius(const MechanismParams& params);

/// A vector of density proportional to exp(-|x| / scale), |x| its Euclidean length, which is
/// Gamma(x.size()) of that scale.
void radialNoise(double scale, Drbg& random, std::span<double> x);

/// The noise: the packed upper triangle, row by row, of a symmetric n x n matrix E of density
/// proportional to exp(-|E|_F / scale), entry (0, 0) being zero and not a coordinate if
/// `first_is_public`. packed.size() = n (n + 1) / 2, n >= 1; n >= 2 if `first_is_public`.
void frobeniusNoise(int n, double scale, bool first_is_public, Drbg& random,
                    std::span<double> packed);

}  // namespace pm
