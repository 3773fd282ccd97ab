#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

struct PcaInput {
  Eigen::MatrixXd covariance;  ///< D x D, scaled units, as assembled (noisy, not denoised)
  NoiseLaw noise;              ///< of the covariance's entries
  double traceBound = 0;       ///< R^2, positive
  Eigen::VectorXd half;        ///< D, original units, positive (1 for an indicator)
  int components = 0;          ///< 1 .. D
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
  double noiseFloor = 0;     ///< spectral edge of the noise, scaled units
};

/// Principal components of the scaled features, from a noisy covariance: its eigenvectors, its
/// eigenvalues after the trace projection (`projectEigenvalues`; left alone where there is no
/// noise), and the largest eigenvalue that the noise alone would show (`spectralEdge`).
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidComponents
Result<Pca> pca(const PcaInput& input);

}  // namespace pm
