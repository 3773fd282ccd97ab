#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/methods/variates.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

struct GccaInput : NoisyCovariance {
  std::vector<std::vector<int>> views;  ///< feature indices, m >= 2 disjoint lists of d_v each
  int components = 0;                   ///< 1 .. min d_v
  double rows = 0;                      ///< see CcaInput
};

/// The variation that the views share in one component.
struct SharedComponent {
  double value = 0;        ///< (eigenvalue - 1) / (m - 1), in [0, 1]; 1 if all variates are equal
  double eigenvalue = 1;   ///< in [1, m]: the variance of the best sum of one variate per view
  double noise_floor = 0;  ///< value that noise alone would cause in this component's directions
  bool below_noise_floor = false;  ///< value <= noise_floor: do not interpret
  /// m x m in [-1, 1]: estimated correlations between the views' variates, 1 on the diagonal; rows
  /// of zeros for a view without weights in the component.
  Eigen::MatrixXd correlations;
};

struct Gcca {
  std::vector<SharedComponent> components;  ///< k, largest value first
  /// m: weights and loadings of each. Signs change in all views together: in each component the
  /// largest loading of the first view in absolute value is positive, and a view whose variate
  /// opposes the others keeps its sign.
  std::vector<CanonicalView> views;
  double noise_floor = 0;   ///< largest value that noise alone would cause, in [0, 1]
  std::vector<int> hidden;  ///< m, see Cca
};

/// Generalised canonical correlation analysis of two or more views, MAXVAR (Horst 1961; Kettenring
/// 1971): eigenvectors q = (q_1, .., q_m) of the block matrix with identities on its diagonal and
/// A_v^T C_vw A_w off it, A_v a whitener of view v; the variates are A_v q_v, scaled to variance 1.
/// The first component maximises the largest eigenvalue of the variates' correlation matrix. For
/// two views it is CCA: eigenvalue 1 + rho, value rho, and the same weights.
///
/// Estimators and noise floors as in `cca`: values, eigenvalues and `correlations` from noisy
/// blocks with variances floored at the edge of all views' noise, with the same corrections;
/// weights and loadings from the denoised covariance with a ridge.
///
/// Directions without variance are ignored, as with a pseudo-inverse. A component whose value is
/// zero up to rounding has no weights; one with weights in fewer than two views is below its floor.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidView (also fewer than two), kInvalidComponents
Result<Gcca> gcca(const GccaInput& input);

/// The weights and loadings of `gcca` alone, with arbitrary signs.
std::vector<CanonicalView> gccaVariates(const Views& views, int components);

/// Checks the input. Errors: those of `gcca`.
Status checkGcca(const GccaInput& input);

}  // namespace pm
