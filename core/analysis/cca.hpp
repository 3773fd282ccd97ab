#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noisy_covariance.hpp"
#include "core/analysis/variates.hpp"
#include "core/result.hpp"

namespace pm {

struct CcaInput : NoisyCovariance {
  std::vector<int> x;  ///< feature indices of the first view: dx of them, 0 .. D-1
  std::vector<int> y;  ///< feature indices of the second view: dy of them, none also in x
  int components = 0;  ///< 1 .. min(dx, dy)
  /// n, or its estimate, where floors are to count what so few rows show; 0: they count noise alone
  double rows = 0;
};

struct CanonicalCorrelation {
  double value = 0;       ///< in [0, 1]
  double noiseFloor = 0;  ///< what the noise alone would show in this pair's directions
  bool belowNoiseFloor =
      false;  ///< value <= noiseFloor: do not interpret; a pair without weights is
};

/// One of two views.
struct CcaView : CanonicalView {
  /// d x k in [-1, 1]: correlation of each feature with the *other* view's variate, which is the
  /// pair's correlation times the loading.
  Eigen::MatrixXd crossLoadings;
  /// k in [0, 1]: share of the variance of this view's standardised features that its own variate
  /// has, the mean of squared loadings; and that the other view's variate has, the mean of squared
  /// cross-loadings: the redundancy index of Stewart & Love 1968. Means over features that vary.
  Eigen::VectorXd varianceExtracted;
  Eigen::VectorXd redundancy;
};

struct Cca {
  std::vector<CanonicalCorrelation> correlations;  ///< k, largest first
  CcaView x;              ///< in each component the loading of largest size is positive
  CcaView y;              ///< signed so that the variates of a pair correlate positively
  double noiseFloor = 0;  ///< largest correlation that the noise alone would show, in [0, 1]
  /// Of each view, how many directions had less variance than the noise and were raised (`Views`).
  std::vector<int> hidden;
};

/// Canonical correlation analysis of two views from a covariance with noise of known law.
///
/// With s the off-diagonal sd, the noise reaches e(d) = 2 s sqrt(d) in a block of d features
/// (`spectralEdge`). Two estimators, because no single one is good at both:
/// * correlations: singular values of A^T C_xy B. A = V f(L)^(-1/2) from eigenvectors V and
///   eigenvalues L of the noisy block C_xx, f(l) = max(l, e(dx + dy)); B likewise. At that floor
///   noise alone shows correlations of at most about 1 / sqrt 2, whatever dx and dy. What noise and
///   floored variances do to them is then corrected (`SharedNoise::level`).
/// * weights and loadings: both views' covariance with the noise taken off (`denoised`), whitened
///   by (C_xx + r I)^(-1/2), r = e(dx) / 2, and likewise for y.
///
/// Noise floors: what the same whitening makes of the noise between the views with nothing below
/// it, in the directions of each pair (`SharedNoise::level`), and, where `rows` is given, what n
/// rows of unrelated views show, in quadrature (`Views::sampled`). A pair whose directions were
/// denoised away has no weights, and its floor is no less than its value.
///
/// Without noise both are the textbook analysis (Hotelling 1936). Directions without variance, such
/// as constant or duplicate columns and complete sets of indicators, are left out as by a
/// pseudo-inverse; correlations and weights beyond the smaller rank are 0. A correlation that is
/// zero up to rounding has no weights.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidView, kInvalidComponents
Result<Cca> cca(const CcaInput& input);

/// The weights and loadings of `cca` alone, in whichever sign they are found.
/// @param views two
std::vector<CanonicalView> ccaVariates(const Views& views, int components);

/// What is wrong with it, if anything: the errors of `cca`.
Status checkCca(const CcaInput& input);

}  // namespace pm
