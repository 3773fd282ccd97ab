#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

struct RegressionInput : NoisyCovariance {
  Eigen::VectorXd mean;       ///< D, original units
  int target = 0;             ///< feature index, 0 .. D-1
  std::vector<int> features;  ///< p predictors: distinct feature indices without the target
  double alpha = 0;           ///< ridge penalty on weights in scaled units, at least 0
  double rows = 0;        ///< n, at least 1, or its estimate, for intervals and the floor of R^2;
                          ///< 0: the floor includes noise alone
  double level = 0;       ///< level of the intervals, below 1; 0 for no intervals
  GapSampling gaps = {};  ///< that of `MomentSums`, for intervals
};

/// A figure with its noise floor.
struct RegressionFigure {
  double value = 0;
  double noise_floor = 0;          ///< value that noise alone would cause, same unit
  bool below_noise_floor = false;  ///< |value| <= noise_floor: do not interpret
  double low = 0;                  ///< interval for the population's value; 0 if none was requested
  double high = 0;
  /// Of the hypothesis that a coefficient is 0: the interval of level 1 - p ends at 0. With
  /// `level`; 1 for R^2 and without.
  double p = 1;
};

struct Regression {
  /// p, original units: increase of the target per unit of the predictor, with the other predictors
  /// fixed.
  std::vector<RegressionFigure> coefficients;
  double intercept = 0;    ///< original units of the target: mean_y - sum_i coefficient_i mean_i
  RegressionFigure r2;     ///< share of the target's variance explained, in [0, 1]
  double residual_sd = 0;  ///< root mean square residual (divisor n), original units, not negative
};

/// Ridge regression of one feature on others (alpha 0: ordinary least squares), with intercept,
/// from a covariance with noise of known law. In scaled units, over n centred rows,
///   minimise (1/n) sum (w^T z_A - z_y)^2 / 2 + alpha |w|^2,  w = (C_AA + 2 alpha I)^-1 c_Ay.
/// The intercept is not penalised. One covariance serves every choice of target, predictors and
/// alpha. With a frame the fit is that of scaled units, found in those of z, where the noise has
/// its law and the penalty is alpha |U^-1 w|^2, U = diag(units): below, C_AA + 2 alpha U^-2 then
/// takes the place of C_AA + 2 alpha I, and hidden directions are those of z.
///
/// **Without noise** this is the textbook solution. If predictors are linearly dependent (constant
/// or duplicate columns, more predictors than rows), it is the shortest w, by pseudo-inverse. If
/// all indicators of a category are predictors, their weights have sum 0.
///
/// **With noise**, of off-diagonal sd s, in eigenvectors of C_AA with eigenvalues l and the edge e
/// (`spectralEdge`): the inverse is 1/(l + 2 alpha) if l + 2 alpha > e, and 1/(2e) in the other,
/// hidden directions, where it would be noise. R^2 is the variance that w explains, minus the mean
/// contribution of noise in directions that are not hidden, s^2 (1 + |w|^2) sum 1/l (w without its
/// own noise). The noise is additive with mean zero and does not attenuate w to first order.
///
/// **Noise floors.** For a coefficient: twice its sd due to noise, to first order, plus the
/// possible contribution of hidden directions if one of variance e carried all unexplained
/// variance. For R^2: the share explained of a target unrelated to the predictors, due to noise
/// and, with `rows`, to sampling: mean plus two sds; 1 if the target's own variance is within two
/// sds of its noise. The noise of the means counts as another row of the noise (`NoiseParts`).
///
/// **Below the floor of R^2** the fit is the mean of the target: coefficients and R^2 are 0 and
/// below their floors. A least-squares fit would be noise and would predict other rows far worse
/// than their mean does. Intervals are kept and include 0.
///
/// **Intervals** are for the population from which the rows are a sample. First-order (delta
/// method) variances of privacy noise and of sampling, the latter for normal rows, are added:
/// * w: K M K^T, K the regularised inverse, M the covariance of (E u)_A, u = (-w, 1), where E is
///   the noise or the sampling error of the joint covariance of predictors and target;
/// * R^2: the variance of tr(G E), G its gradient; on the scale of asin sqrt R^2, after subtracting
///   the optimism (1 - R^2) p / n.
/// With gaps, the sampling error is the sum that `Population` draws.
/// Hidden directions are assumed to have the mean square weight of the others; for a coefficient
/// below its floor, their largest possible contribution. Intervals include the estimate.
/// Normal laws are assumed throughout. Coverage: docs/analysis.md.
/// @returns kInvalidDimension, kWrongLength (mean), kNotFinite (mean), kInvalidNoise,
///          kInvalidRowNorm (bound), kInvalidBounds (half), kInvalidView (target, features),
///          kInvalidAlpha, kInvalidInterval (level), kNoRows (with a level)
Result<Regression> regress(const RegressionInput& input);

}  // namespace pm
