#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

struct CcaInput {
  Eigen::MatrixXd covariance;  ///< D x D, scaled units, as assembled (noisy, not denoised)
  NoiseLaw noise;              ///< of the covariance's entries
  double traceBound = 0;       ///< R^2, positive
  Eigen::VectorXd half;        ///< D, original units, positive (1 for an indicator)
  std::vector<int> x;          ///< feature indices of the first view: dx of them, 0 .. D-1
  std::vector<int> y;          ///< feature indices of the second view: dy of them, none also in x
  int components = 0;          ///< 1 .. min(dx, dy)
  /// Study column of each of the D features, or empty. Features of one column are the indicators of
  /// a category: they sum to one, so that direction is a constant and the analysis leaves it out.
  std::vector<int> columns;
};

struct CanonicalCorrelation {
  double value = 0;              ///< in [0, 1]
  double noiseFloor = 0;         ///< what the noise alone would show in this pair's directions
  bool belowNoiseFloor = false;  ///< value <= noiseFloor: do not interpret
};

struct CanonicalView {
  /// d x k: the variate sum_i weights_i (x_i - mean_i), x in original units, has variance 1 by this
  /// estimate.
  Eigen::MatrixXd weights;
  /// d x k in [-1, 1]: correlation of each feature with its own view's variate; 0 where the feature
  /// has no variance.
  Eigen::MatrixXd loadings;
};

struct Cca {
  std::vector<CanonicalCorrelation> correlations;  ///< k, largest first
  CanonicalView x;        ///< in each component the loading of largest size is positive
  CanonicalView y;        ///< signed so that the variates of a pair correlate positively
  double noiseFloor = 0;  ///< first correlation that the noise alone would show, in [0, 1]
};

/// Canonical correlation analysis of two views from a covariance with noise of known law.
///
/// With s the off-diagonal sd, the noise reaches e_x = 2 s sqrt(dx) and e_y = 2 s sqrt(dy) in the
/// two blocks. Two estimators, because no single one is good at both:
/// * correlations: singular values of A^T C_xy B, at most 1. A = V f(L)^(-1/2) from eigenvectors V
///   and eigenvalues L of the noisy block C_xx, where f(l) is l above e_x and otherwise 2 e_x;
///   B likewise.
/// * weights and loadings: both views' covariance after the trace projection (`projectTrace`),
///   whitened by (C_xx + e_x I)^(-1/2) and (C_yy + e_y I)^(-1/2).
///
/// Noise floors: what the same whitening makes of the noise E in C_xy with nothing below it.
/// * of the first correlation: |A^T E B|_2 <= s (|A|_2 |B|_F + |A|_F |B|_2 + |A|_2 |B|_2 / 2);
/// * of a pair (p, q): |p^T A^T E B q| <= |A p| |B q| |E|_2, |E|_2 <= s (sqrt dx + sqrt dy + 1/2),
///   however p and q were found; the smaller of this and the first.
/// Without their last terms these bound the mean (Chevet 1978; Gordon 1985), which a norm exceeds
/// about half the time at worst. The term is half of the norm's Lipschitz constant; with it, noise
/// alone stays below in at least 97 % of draws (measured, docs/analysis.md).
///
/// Without noise both are the textbook analysis (Hotelling 1936). Directions without variance, such
/// as constant or duplicate columns and complete sets of indicators, are left out as by a
/// pseudo-inverse; correlations and weights beyond the smaller rank are 0. A correlation that is
/// zero up to rounding has no weights.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidView, kInvalidComponents
Result<Cca> cca(const CcaInput& input);

}  // namespace pm
