#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

/// An assembled covariance with the public facts about it: the input of every analysis.
struct NoisyCovariance {
  Eigen::MatrixXd covariance;  ///< D x D, scaled units, as assembled (noisy, not denoised)
  NoiseLaw noise;              ///< noise of the covariance's entries
  double trace_bound = 0;      ///< R^2, positive: a bound for rows of norm at most R
  Eigen::VectorXd half;        ///< D, original units, positive (1 for an indicator)
  /// Study column of each of the D features, or empty. Features of one column are the indicators of
  /// a category: their sum is constant, so analyses may leave out that direction.
  std::vector<int> columns;
  /// D, scaled units, or empty for none: a, the means times the standard deviation of their noise.
  /// With s E the noise of the second moments and independent u of variance 1, the error of the
  /// covariance is s E - (a u^T + u a^T); `noise` is its root mean square. If rows are far from the
  /// centre, the second part is large in the few directions near a.
  Eigen::VectorXd mean_noise = {};
};

/// The two parts of that error: s, and the ratio t = a / s.
struct NoiseParts {
  double products = 0;    ///< s, the standard deviation of an off-diagonal entry
  Eigen::VectorXd means;  ///< D, t; zero if the means have no noise
};
NoiseParts noiseParts(const NoisyCovariance& data);

/// A level that the largest eigenvalue of the noise alone exceeds in at most about one release in
/// twenty: `spectralFloor`, or more due to the noise of the means. In many dimensions a u^T + u a^T
/// has the eigenvalues +-s |t| sqrt(D), and one that exceeds s sqrt(D) moves out of the semicircle
/// to s sqrt(D) (|t| + 1/|t|) (Benaych-Georges & Nadakuditi 2011).
double varianceFloor(const NoisyCovariance& data);

/// Checks the data. Errors: kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise,
/// kInvalidRowNorm (bound), kInvalidBounds (half).
Status checkNoisyCovariance(const NoisyCovariance& data);

}  // namespace pm
