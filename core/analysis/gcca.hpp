#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noisy_covariance.hpp"
#include "core/analysis/variates.hpp"
#include "core/result.hpp"

namespace pm {

struct GccaInput : NoisyCovariance {
  std::vector<std::vector<int>> views;  ///< feature indices, m >= 2 disjoint lists of d_v each
  int components = 0;                   ///< 1 .. min d_v
  double rows = 0;                      ///< as in CcaInput
};

/// How much the views share in one component.
struct SharedComponent {
  double value = 0;       ///< (eigenvalue - 1) / (m - 1), in [0, 1]; 1: all variates are the same
  double eigenvalue = 1;  ///< in [1, m]: the variance of the best sum of one variate a view
  double noiseFloor = 0;  ///< value that the noise alone would show in this component's directions
  bool belowNoiseFloor = false;  ///< value <= noiseFloor: do not interpret
  /// m x m in [-1, 1]: estimated correlations between the views' variates, 1 on the diagonal; rows
  /// of zeros for a view that has no part in the component.
  Eigen::MatrixXd correlations;
};

struct Gcca {
  std::vector<SharedComponent> components;  ///< k, largest value first
  /// m: weights and loadings of each. All views turn together: in each component the loading of
  /// largest size in the first view is positive, and a view whose variate opposes the others keeps
  /// its sign.
  std::vector<CanonicalView> views;
  double noiseFloor = 0;    ///< largest value that the noise alone would show, in [0, 1]
  std::vector<int> hidden;  ///< m, as in Cca
};

/// Generalised canonical correlation analysis of two or more views, MAXVAR (Horst 1961; Kettenring
/// 1971): eigenvectors q = (q_1, .., q_m) of the block matrix with identities on its diagonal and
/// A_v^T C_vw A_w off it, A_v a whitener of view v; the variates are A_v q_v, scaled to variance 1.
/// The first makes the largest eigenvalue of the variates' correlation matrix as large as can be.
/// For two views it is CCA: eigenvalue 1 + rho, value rho, and the same weights.
///
/// The two estimators and noise floors of `cca`, which see: values, eigenvalues and `correlations`
/// from noisy blocks with variances floored at the edge of all views' noise, corrected as there;
/// weights and loadings from the covariance with the noise taken off and a ridge.
///
/// Directions without variance are left out as by a pseudo-inverse. A component whose value is zero
/// up to rounding has no weights; one that has them in fewer than two views is below its floor.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidView (also fewer than two), kInvalidComponents
Result<Gcca> gcca(const GccaInput& input);

/// The weights and loadings of `gcca` alone, in whichever sign they are found.
std::vector<CanonicalView> gccaVariates(const Views& views, int components);

/// What is wrong with it, if anything: the errors of `gcca`.
Status checkGcca(const GccaInput& input);

}  // namespace pm
