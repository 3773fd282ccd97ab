#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

struct RegressionInput : NoisyCovariance {
  Eigen::VectorXd mean;       ///< D, original units
  int target = 0;             ///< feature index, 0 .. D-1
  std::vector<int> features;  ///< p predictors: feature indices, none twice, none the target
  double alpha = 0;           ///< ridge penalty on scaled units, at least 0
  double rows = 0;   ///< n, at least 1, or its estimate, for intervals and the floor of R^2;
                     ///< 0: the floor counts noise alone
  double level = 0;  ///< of the intervals, below 1; 0: none are made
};

/// A figure that the noise alone may have made.
struct RegressionFigure {
  double value = 0;
  double noiseFloor = 0;         ///< what the noise alone would show, same unit
  bool belowNoiseFloor = false;  ///< |value| <= noiseFloor: do not interpret
  double low = 0;  ///< interval for the population's value; 0 where none was asked for
  double high = 0;
};

struct Regression {
  /// p, original units: one unit more of the predictor, the others held, is this much more of the
  /// target.
  std::vector<RegressionFigure> coefficients;
  double intercept = 0;   ///< original units of the target: mean_y - sum_i coefficient_i mean_i
  RegressionFigure r2;    ///< share of the target's variance explained, in [0, 1]
  double residualSd = 0;  ///< root mean square residual (divisor n), original units, not negative
};

/// Ridge regression of one feature on others (alpha 0: ordinary least squares), with intercept,
/// from a covariance with noise of known law. In scaled units, over n rows with the means taken
/// off,
///   minimise (1/n) sum (w^T z_A - z_y)^2 / 2 + alpha |w|^2,  w = (C_AA + 2 alpha I)^-1 c_Ay.
/// The intercept is not penalised. One covariance serves every target, predictors and alpha.
///
/// **Without noise** that is the textbook answer. Where predictors depend on each other (constant
/// or duplicate columns, more predictors than rows) it is the shortest w, by pseudo-inverse. The
/// indicators of a category that are all among the predictors have weights of sum 0.
///
/// **With noise**, of off-diagonal sd s, in eigenvectors of C_AA with eigenvalues l and the edge
/// e (`spectralEdge`): 1/(l + 2 alpha) as it is where l + 2 alpha > e, and 1/(2e) in the other,
/// hidden directions, whose inverse would be noise. R^2 is what w explains, less what the noise
/// adds to that on average in directions that are not hidden, s^2 (1 + |w|^2) sum 1/l (w without
/// its own noise). The noise itself is additive with mean zero and does not attenuate w to first
/// order.
///
/// **Noise floors.** Of a coefficient: twice its sd under the noise, to first order, and what the
/// hidden directions it lies in could add if one of variance e carried all unexplained variance. Of
/// R^2: what is explained of a target that has nothing to do with the predictors, by noise and,
/// with `rows`, by few rows, mean and two sds; 1 where the target's own variance is within two sds
/// of its noise. The noise of the means counts as a row more of the noise (`NoiseParts`).
///
/// **Below the floor of R^2** the fit is the mean of the target: coefficients and R^2 are 0 and
/// below their floors. What least squares would say there is noise, and predicts other rows far
/// worse than their mean does. Intervals stay, and hold 0.
///
/// **Intervals** are for the population that the rows are a sample of. First-order (delta method)
/// variances of privacy noise and of sampling, the latter as for normal rows, are added:
/// * w: K M K^T, K the regularised inverse, M the covariance of (E u)_A, u = (-w, 1), where E is
///   the noise or the sampling error of the joint covariance of predictors and target;
/// * R^2: the variance of tr(G E), G its gradient; on the scale of asin sqrt R^2, after taking off
///   the optimism (1 - R^2) p / n.
/// Hidden directions count with the mean square weight of the others; for a coefficient below its
/// floor, with all that they could add. Intervals hold the estimate.
/// Normal laws are assumed throughout. docs/analysis.md has their coverage.
/// @returns kInvalidDimension, kWrongLength (mean), kNotFinite (mean), kInvalidNoise,
///          kInvalidRowNorm (bound), kInvalidBounds (half), kInvalidView (target, features),
///          kInvalidAlpha, kInvalidInterval (level), kNoRows (with a level)
Result<Regression> regress(const RegressionInput& input);

}  // namespace pm
