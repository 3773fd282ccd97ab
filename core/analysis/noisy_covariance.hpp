#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

/// A covariance as assembled, and what is publicly known about it: what every analysis starts from.
struct NoisyCovariance {
  Eigen::MatrixXd covariance;  ///< D x D, scaled units, as assembled (noisy, not denoised)
  NoiseLaw noise;              ///< of the covariance's entries
  double traceBound = 0;       ///< R^2, positive: no covariance of rows of norm at most R has more
  Eigen::VectorXd half;        ///< D, original units, positive (1 for an indicator)
  /// Study column of each of the D features, or empty. Features of one column are the indicators of
  /// a category: they sum to one, so that direction is a constant and analyses may leave it out.
  std::vector<int> columns;
};

/// What is wrong with it, if anything: kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise,
/// kInvalidRowNorm (bound), kInvalidBounds (half).
Status checkNoisyCovariance(const NoisyCovariance& data);

}  // namespace pm
