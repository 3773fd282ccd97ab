#pragma once

#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "core/synthesis/fit/gaussian.hpp"
#include "core/synthesis/plan/noise.hpp"
#include "core/synthesis/plan/plan.hpp"
#include "core/synthesis/plan/table.hpp"

namespace pm {

struct ReleasedMixture {
  /// One for each class, by level; with public labels, none for a class without rows.
  std::vector<ReleasedGaussian> gaussians;
  bool shared = false;  ///< whether they have a common covariance
};

/// A Gaussian for each class of rows z on the grid of 2^kRowBits: noisy counts N, at least 1 (with
/// public labels the counts themselves); m = noisy sum of z divided by N, clipped to the unit ball;
/// the noisy sum of w w^T divided by N, w = z - m of the row's class clipped to the radius,
/// repaired. A shared covariance is summed over all rows and divided by n. For joint sums see
/// `gaussiansOf`. Rows of class -1 are in no sum. The corrected form of Algorithm 3 of Chanyaswad,
/// Liu, Mittal 2017; docs/mechanisms/pca-gauss.md. Error kIntegrity.
/// @param classes one row of one entry for each of `rows`
Result<ReleasedMixture> fitMixture(const SynthesisPlan& plan, const IntegerRows& rows,
                                   const IntegerRows& classes, NoiseSource& noise);

}  // namespace pm
