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
  /// D, scaled units, or empty for none: the means times the standard deviation of their noise.
  /// With it as a, s E the noise of the second moments and u independent with variance 1, the error
  /// of the covariance is s E - (a u^T + u a^T); `noise` is its root mean square. Rows far off
  /// centre make the second part large in the few directions near a.
  Eigen::VectorXd meanNoise = {};
};

/// The two parts of that error: s, and the ratio t = a / s.
struct NoiseParts {
  double products = 0;    ///< s, an off-diagonal standard deviation
  Eigen::VectorXd means;  ///< D: t; zero if the means carry no noise
};
NoiseParts noiseParts(const NoisyCovariance& data);

/// What the largest eigenvalue of nothing but the noise exceeds in about one release of twenty, or
/// fewer: `spectralFloor`, or what the noise of the means makes of it. In many dimensions
/// a u^T + u a^T has the eigenvalues +-s |t| sqrt(D), and one that exceeds s sqrt(D) leaves the
/// semicircle for s sqrt(D) (|t| + 1/|t|) (Benaych-Georges & Nadakuditi 2011).
double varianceFloor(const NoisyCovariance& data);

/// What is wrong with it, if anything: kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise,
/// kInvalidRowNorm (bound), kInvalidBounds (half).
Status checkNoisyCovariance(const NoisyCovariance& data);

}  // namespace pm
