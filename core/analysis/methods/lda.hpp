#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

struct LdaInput : NoisyCovariance {
  Eigen::VectorXd mean;       ///< D, original units
  std::vector<int> features;  ///< p feature indices, 0 .. D-1
  /// g >= 2 feature indices, none in `features`: the indicators of all levels of one category, 0 or
  /// 1 in original units
  std::vector<int> classes;
  int components = 0;  ///< 1 .. min(p, g - 1)
  double rows = 0;     ///< n, or an estimate; weights count degrees of freedom from it
};

struct DiscriminantClass {
  double share = 0;  ///< of the rows, in [0, 1]
  /// Standard deviation of the privacy noise in the class means, units of z.
  double noise = 0;
  /// Fewer than two rows, or noise in the means of more than half a unit: its means are those of
  /// all rows, and its centroid is 0.
  bool below_noise_floor = false;
};

/// k discriminants of g classes.
struct Lda {
  /// k, largest first: correlation r of the discriminant with the classes; r^2 is the share of its
  /// variance that lies between classes.
  std::vector<CanonicalCorrelation> correlations;
  /// p x k: the score sum_i weights_i (x_i - mean_i), x in original units, has variance 1 within
  /// classes, pooled with n - g degrees of freedom.
  Eigen::MatrixXd weights;
  Eigen::MatrixXd loadings;  ///< p x k in [-1, 1]: correlation of each feature with the score
  std::vector<DiscriminantClass> classes;  ///< g
  Eigen::MatrixXd means;                   ///< g x p, original units
  Eigen::MatrixXd centroids;               ///< g x k: mean score of each class
  double noise_floor = 0;   ///< largest correlation that noise alone would cause, in [0, 1]
  std::vector<int> hidden;  ///< as in `Cca`: of the features, of the indicators
};

/// Linear discriminants (Fisher 1936) of the classes of a category, from a noisy covariance that
/// includes its indicators. They are the canonical variates of the features and the indicators
/// (Bartlett 1938), so correlations, floors and weights are those of `cca`: with its total variance
/// 1, a variate has 1 - r^2 within classes. The mean of class c is mean + C_xc / p_c, C_xc the
/// covariance with its indicator and p_c its share.
/// @returns those of `cca` with the field `features` or `target`, kWrongLength (mean)
Result<Lda> lda(const LdaInput& input);

}  // namespace pm
