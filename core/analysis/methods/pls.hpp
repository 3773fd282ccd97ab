#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

/// A view in partial least squares: d features, k scores.
struct PlsView {
  /// d x k: the score sum_i weights_i (x_i - mean_i), x in original units.
  Eigen::MatrixXd weights;
  Eigen::MatrixXd loadings;  ///< d x k in [-1, 1]: correlation of each feature with the score
};

struct PlsCorrelationInput : NoisyCovariance {
  std::vector<int> x;  ///< feature indices of the first view: dx of them, 0 .. D-1
  std::vector<int> y;  ///< feature indices of the second view: dy of them, none in x
  int components = 0;  ///< 1 .. min(dx, dy)
  /// n, or an estimate, if floors should include sampling error; 0: floors include noise alone
  double rows = 0;
};

struct PlsPair {
  double value = 0;        ///< singular value: covariance of the two scores, not negative
  double share = 0;        ///< of the sum of squared correlations between the views, in [0, 1]
  double correlation = 0;  ///< of the two scores, in [0, 1]
  double noise_floor = 0;  ///< value that noise and sampling alone would cause in these directions
  bool below_noise_floor = false;  ///< value <= noise_floor: do not interpret
};

struct PlsCorrelation {
  std::vector<PlsPair> pairs;  ///< k, largest first
  /// Saliences are weights in standard deviations: columns of length 1, orthogonal to each other.
  /// The largest of each column of `saliences_x` in absolute value is positive.
  Eigen::MatrixXd saliences_x;
  Eigen::MatrixXd saliences_y;
  PlsView x;
  PlsView y;
  double noise_floor = 0;  ///< largest singular value that noise and sampling alone would cause
  /// For each view, the features of `Views::standardised` that are raised.
  std::vector<int> hidden;
};

/// PLS correlation of two views, or PLS-SVD (McIntosh, Bookstein, Haxby & Grady 1996): singular
/// value decomposition of the correlations between features of one view and of the other.
/// Correlations within a view play no part, so nothing is inverted but standard deviations.
///
/// Correlations are A^T C_xy B of the noisy block, A and B from `Views::standardised`. Singular
/// values are corrected for the noise, and floors found, as in `cca` (`SharedNoise`, with A and B
/// for its whiteners). Sampling adds in quadrature what n normal rows of unrelated views have:
/// sqrt(l m') + sqrt(l' m) + sqrt(l l') / 2 over sqrt n, with l and l' the largest eigenvalues and
/// m and m' the traces of the correlations within the views (Gordon 1985). Variances of scores and
/// loadings are those of the denoised covariance.
/// @returns the errors of `cca`
Result<PlsCorrelation> plsCorrelation(const PlsCorrelationInput& input);

struct PlsRegressionInput : NoisyCovariance {
  Eigen::VectorXd mean;       ///< D, original units
  std::vector<int> targets;   ///< m feature indices, 0 .. D-1
  std::vector<int> features;  ///< p predictors, none of them a target
  int components = 0;         ///< 1 .. p
  double rows = 0;            ///< as for `PlsCorrelationInput`
};

struct PlsComponent {
  /// Largest covariance of a combination of standardised predictors, of length 1 and orthogonal to
  /// the loadings before it, with one of standardised targets.
  double value = 0;
  double share_features = 0;  ///< of the predictors' variance that the score explains, in [0, 1]
  double share_targets = 0;   ///< of the targets' variance, in [0, 1]
  double noise_floor = 0;     ///< value that noise and sampling alone would cause; 0 without noise
  bool below_noise_floor = false;  ///< value <= noise_floor: not used
};

struct PlsRegression {
  std::vector<PlsComponent> components;  ///< k, in the order in which they were found
  PlsView features;                      ///< scores have variance 1 and are uncorrelated
  Eigen::MatrixXd target_loadings;  ///< m x k in [-1, 1]: correlation of targets with the scores
  /// Number of leading components above their floors. The following are of these alone; with none,
  /// the fit is the mean.
  int used = 0;
  Eigen::MatrixXd coefficients;  ///< p x m, original units
  Eigen::VectorXd intercepts;    ///< m, original units of the target
  Eigen::VectorXd r2;            ///< m in [0, 1]: share of each target's variance
  Eigen::VectorXd residual_sd;   ///< m, original units, divisor n
  double noise_floor = 0;        ///< that of the first component
  std::vector<int> hidden;       ///< as in `PlsCorrelation`: of the predictors, of the targets
};

/// Partial least squares regression by SIMPLS (de Jong 1993), of standardised targets on
/// standardised predictors. For one target these are also the fits of NIPALS. SIMPLS needs no rows:
/// score a is r_a^T x, with r_a the leading left singular vector of S_a, S_1 = C_xy, and S_(a+1) is
/// S_a without the span of the loadings C_xx r_1 .. C_xx r_a.
///
/// C is the denoised covariance of predictors and targets together (`Views::clean`), in units of
/// `Views::standardised`, so that no score explains more than all of a target. Floors are those of
/// `plsCorrelation` within the space that is left. There the error of S_a is that of the covariance
/// with the residuals: noise counts (1 + |B_a|^2)^(1/2) times, B_a the coefficients so far per unit
/// of z, and sampling as much as residuals vary.
/// @returns those of `cca` with the field `features` or `targets`, kWrongLength (mean)
Result<PlsRegression> plsRegression(const PlsRegressionInput& input);

}  // namespace pm
