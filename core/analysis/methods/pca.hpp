#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/analysis/methods/rotation.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/result.hpp"

namespace pm {

struct PcaInput : NoisyCovariance {
  int components = 0;  ///< 1 .. D
  Rotation rotation = Rotation::kNone;
};

/// The denoised covariance, scaled units: it is denoised in the units of z, where the noise has its
/// law.
/// @param found decomposition of the covariance in scaled units; used if there is no frame
Eigen::MatrixXd cleanCovariance(const NoisyCovariance& data, const Spectrum& found);

struct Explained {
  double value = 0;                ///< variance along the component, scaled units, not negative
  double share = 0;                ///< of the estimated total variance, in [0, 1]
  bool below_noise_floor = false;  ///< value <= noise_floor: do not interpret
};

struct Pca {
  std::vector<Explained> explained;  ///< k, largest first
  Eigen::MatrixXd weights;   ///< D x k: score = sum_i weights_i (x_i - mean_i), x in original units
  Eigen::MatrixXd loadings;  ///< D x k, scaled units, unit columns, largest entry positive
  /// D x k in [-1, 1], structure correlations of each feature with the component's score, from the
  /// denoised covariance; 0 if the feature or the component has no variance.
  Eigen::MatrixXd correlations;
  double noise_floor = 0;  ///< largest variance that noise alone would cause (`varianceFloor`)
  std::optional<RotatedComponents> rotated;  ///< if a rotation was asked for
};

/// Number of an analysis's components that may be rotated: those above the noise floor, which
/// have variance.
int rotatable(const Pca& analysis);

/// The first `components` components, rotated.
/// @param reported see `rotateComponents`
RotatedComponents rotatedComponents(const Pca& analysis, int components, Rotation rotation,
                                    const Eigen::MatrixXd& reported = {});

/// Principal components of the scaled features, from a noisy covariance: its eigenvectors in scaled
/// units, the denoised variances along them (`denoised`), and the largest variance that noise alone
/// would cause. With a frame the covariance is denoised in z: the eigenvectors of both differ
/// there. A rotation is one of the structure correlations of the components above the floor.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidComponents
Result<Pca> pca(const PcaInput& input);

/// Checks the input. Errors: those of `pca`.
Status checkPca(const PcaInput& input);

/// `pca` for input that has been checked.
Pca principalComponents(const PcaInput& input);

/// The variance captured by the span of k directions, relative to the maximum for any k directions:
/// tr(V^T A V) / (sum of the k largest eigenvalues of A), V orthonormal with the same span, in [0,
/// 1] (Chaudhuri, Sarwate & Sinha 2013); 1 if A is zero. It needs a reference, so it is for
/// evaluation, not for release.
/// @param directions D x k, 1 <= k <= D, linearly independent columns of any length
/// @param reference  A, D x D, symmetric, positive semidefinite up to rounding, the same units
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidComponents (also if the directions
/// are linearly dependent)
Result<double> capturedEnergy(const Eigen::MatrixXd& directions, const Eigen::MatrixXd& reference);

}  // namespace pm
