#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

struct PcaInput : NoisyCovariance {
  int components = 0;  ///< 1 .. D
};

struct Explained {
  double value = 0;              ///< variance along the component, scaled units, not negative
  double share = 0;              ///< of the estimated total variance, in [0, 1]
  bool belowNoiseFloor = false;  ///< value <= noiseFloor: do not interpret
};

struct Pca {
  std::vector<Explained> explained;  ///< k, largest first
  Eigen::MatrixXd weights;   ///< D x k: score = sum_i weights_i (x_i - mean_i), x in original units
  Eigen::MatrixXd loadings;  ///< D x k, scaled units, unit columns, entry of largest size positive
  /// D x k in [-1, 1], structure correlations: of each feature with the component's score, in any
  /// units, by the denoised covariance; 0 where the feature or the component has no variance.
  Eigen::MatrixXd correlations;
  double noiseFloor = 0;  ///< largest variance the noise alone would show (`varianceFloor`)
};

/// Principal components of the scaled features, from a noisy covariance: its eigenvectors, the
/// variances along them with the noise taken off (`denoised`), and the largest variance that the
/// noise alone would show.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidComponents
Result<Pca> pca(const PcaInput& input);

/// What is wrong with it, if anything: the errors of `pca`.
Status checkPca(const PcaInput& input);

/// The same of input that is checked.
Pca principalComponents(const PcaInput& input);

/// Share of the variance that any k directions could capture at most which the span of these k
/// does: tr(V^T A V) / (sum of the k largest eigenvalues of A), V orthonormal with the same span,
/// in [0, 1] (Chaudhuri, Sarwate & Sinha 2013); 1 where A is zero. It needs a reference, so it is
/// for evaluation, not for release.
/// @param directions D x k, 1 <= k <= D, linearly independent columns of any length
/// @param reference  A, D x D, symmetric, positive semidefinite up to rounding, the same units
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidComponents (also if the directions
///          depend on each other)
Result<double> capturedEnergy(const Eigen::MatrixXd& directions, const Eigen::MatrixXd& reference);

}  // namespace pm
