#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/methods/variates.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

struct CcaInput : NoisyCovariance {
  std::vector<int> x;  ///< feature indices of the first view: dx of them, 0 .. D-1
  std::vector<int> y;  ///< feature indices of the second view: dy of them, none in x
  int components = 0;  ///< 1 .. min(dx, dy)
  /// n, or an estimate, if floors should include sampling error; 0: floors include noise alone
  double rows = 0;
};

struct CanonicalCorrelation {
  double value = 0;        ///< in [0, 1]
  double noise_floor = 0;  ///< correlation that noise alone would cause in this pair's directions
  bool below_noise_floor = false;  ///< value <= noise_floor, or no weights: do not interpret
};

/// One of two views.
struct CcaView : CanonicalView {
  /// d x k in [-1, 1]: correlation of each feature with the *other* view's variate, that is, the
  /// pair's correlation times the loading.
  Eigen::MatrixXd cross_loadings;
  /// k in [0, 1]: share of the variance of this view's standardised features explained by its own
  /// variate (the mean of squared loadings), and by the other view's variate (the mean of squared
  /// cross-loadings: the redundancy index of Stewart & Love 1968). Means over features that are not
  /// constant.
  Eigen::VectorXd variance_extracted;
  Eigen::VectorXd redundancy;
};

struct Cca {
  std::vector<CanonicalCorrelation> correlations;  ///< k, largest first
  CcaView x;               ///< the largest loading in absolute value is positive in each component
  CcaView y;               ///< signed so that the variates of a pair are positively correlated
  double noise_floor = 0;  ///< largest correlation that noise alone would cause, in [0, 1]
  /// For each view, the number of directions whose variance was below the noise and was raised
  /// (`Views`).
  std::vector<int> hidden;
};

/// Canonical correlation analysis of two views from a covariance with noise of known law.
///
/// With s the off-diagonal sd, the spectrum of the noise in a block of d features extends to e(d) =
/// 2 s sqrt(d) (`spectralEdge`). There are two estimators, as no single one is good at both:
/// * correlations: singular values of A^T C_xy B. A = V f(L)^(-1/2) from eigenvectors V and
///   eigenvalues L of the noisy block C_xx, f(l) = max(l, e(dx + dy)); B likewise. At that floor
///   noise alone causes correlations of at most about 1 / sqrt 2, for any dx and dy. The effects of
///   noise and of floored variances are then corrected (`SharedNoise::level`).
/// * weights and loadings: the denoised covariance of both views (`denoised`), whitened by
///   (C_xx + r I)^(-1/2), r = e(dx) / 2, and likewise for y.
///
/// Noise floors: the correlation that noise alone between the views would cause after the same
/// whitening, in the directions of each pair (`SharedNoise::level`), combined in quadrature with
/// that of n rows of unrelated views if `rows` is set (`Views::sampled`). A pair whose directions
/// denoising removed has no weights, and its floor is at least its value.
///
/// Without noise both are the textbook analysis (Hotelling 1936). Directions without variance, such
/// as constant or duplicate columns and complete sets of indicators, are ignored, as with a
/// pseudo-inverse; correlations and weights beyond the smaller rank are 0. A correlation that is
/// zero up to rounding has no weights.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidView, kInvalidComponents
Result<Cca> cca(const CcaInput& input);

/// The weights and loadings of `cca` alone, with arbitrary signs.
/// @param views two
std::vector<CanonicalView> ccaVariates(const Views& views, int components);

/// Checks the input. Errors: those of `cca`.
Status checkCca(const CcaInput& input);

}  // namespace pm
