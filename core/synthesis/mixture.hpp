#pragma once

#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "core/synthesis/gaussian.hpp"
#include "core/synthesis/noise.hpp"
#include "core/synthesis/plan.hpp"
#include "core/synthesis/table.hpp"

namespace pm {

struct ReleasedMixture {
  /// One for each class, by level; with public labels none for a class without rows.
  std::vector<ReleasedGaussian> gaussians;
  bool shared = false;  ///< they have one covariance
};

/// A Gaussian for each class of rows z on the grid of 2^kRowBits: noisy counts N, at least 1 (with
/// public labels the counts themselves); m = noisy sum of z over N, shortened to the unit ball; the
/// noisy sum of w w^T over N, w = z - m of the row's class shortened to the radius, repaired - or
/// over all rows and n. Of joint sums `gaussiansOf`. Rows of class -1 are in no sum. The corrected
/// form of Algorithm 3 of Chanyaswad, Liu, Mittal 2017; docs/mechanisms/pca-gauss.md. Error
/// kIntegrity.
/// @param classes as many rows, of one entry
Result<ReleasedMixture> fitMixture(const SynthesisPlan& plan, const IntegerRows& rows,
                                   const IntegerRows& classes, NoiseSource& noise);

}  // namespace pm
