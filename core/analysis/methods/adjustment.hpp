#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/result.hpp"

namespace pm {

struct AdjustmentInput {
  MomentSums sums;                      ///< of all D features, valid for `assembleMoments`
  std::vector<std::vector<int>> views;  ///< features to adjust: disjoint lists, at least one
  std::vector<int> covariates;          ///< features to adjust for, in none of the views
  std::vector<int> columns = {};        ///< see `NoisyCovariance::columns`
  Eigen::MatrixXd centre_spread = {};   ///< D x D, see `NoisyCovariance`; or empty
};

/// Moments of the residuals of d features, in the order of the views.
struct Adjustment {
  /// In coordinates z' = mix^-1 (z - B z_c) of their frame, in which the noise has the law `noise`
  /// within each view. Means are those of z - B z_c.
  MomentSums sums;
  /// d x q, B in original units: the change of each feature per unit of a covariate, with the other
  /// covariates fixed.
  Eigen::MatrixXd coefficients;
  /// Directions of the covariates with less variance than the noise: what depends on these is left
  /// in the residuals, at least in part.
  int hidden = 0;
  /// Variance of the noise that has been added to every direction because fitting takes it away.
  double restored = 0;
  double between_views = 1;            ///< `NoisyCovariance::between_views`
  Eigen::MatrixXd centre_spread = {};  ///< d x d, or empty
};

/// Adjusts features for covariates: the moments of the residuals of their linear regression on the
/// covariates (the partial covariance), from moments with noise of known
/// law. PCA of the result is partial PCA, CCA is partial CCA (Timm & Carlson 1975), whose
/// correlations are partial canonical correlations.
///
/// **Without noise** with C the covariance, c the covariates and x the features,
///   B = C_xc C_cc^+,   C_xx - B C_cx.
/// Covariates may be linearly dependent.
///
/// **With noise** B is found like the weights of a regression (`regress`): directions of the
/// covariates with a variance l below the edge of their block's noise (`spectralEdge`) are hidden,
/// and their inverse is 1/(2 edge) in place of 1/l. The residuals' covariance is A C A^T with
/// A = (I, -B), so its noise is A E A^T to first order in E, the derivative of a Schur complement.
/// With M = A A^T = I + B B^T and the symmetric root L of M, the rows of L^-1 A are orthonormal:
/// rotation-invariant noise has the law of E itself in the coordinates z' = L^-1 A z (for other
/// laws this is exact for its variances and approximate beyond). So every floor, every estimate and
/// every draw of an analysis is that of features with that noise, in a frame that mixes them.
///
/// Two views have their own L. Noise between them then has variance s^2 (1 + (a^T N b)^2) along
/// unit vectors a and b, N = L_x^-1 B_x B_y^T L_y^-1, at most s^2 (1 + |N|^2) (`between_views`),
/// and draws have the joint law (`MomentSums::noise_map`).
///
/// Fitting follows the noise: to second order the residuals' covariance is s^2 M sum_k g_k too
/// small, g_k = f (2 - f l) with f the inverse used along the covariates' direction k. That much is
/// added.
///
/// Sampling takes q of n rows; with few rows intervals are short by a share of about q / (2 n).
/// Categories among the features keep indicators whose residuals sum to zero.
/// @returns those of `assembleMoments`; kInvalidView (views, covariates); kWrongLength (columns,
///          centreSpread)
Result<Adjustment> adjust(const AdjustmentInput& input);

}  // namespace pm
