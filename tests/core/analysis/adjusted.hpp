#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "core/analysis/methods/adjustment.hpp"
#include "core/analysis/methods/cca.hpp"

namespace pm::adjusted {

using Eigen::MatrixXd;

/// C_xx - C_xc C_cc^-1 C_cx.
inline MatrixXd partial(const MatrixXd& covariance, const std::vector<int>& x,
                        const std::vector<int>& c) {
  const MatrixXd between = covariance(x, c);
  const MatrixXd own = covariance(c, c);
  return covariance(x, x) - between * own.llt().solve(between.transpose());
}

/// Views of three and two features that share two covariates, and one pair beside them. Features 0
/// to 2, 3 and 4; covariates 5 and 6.
inline MatrixXd confounded(double own) {
  MatrixXd loadings(5, 2);
  loadings << 0.5, 0.1, -0.3, 0.4, 0.2, 0.2, 0.6, -0.1, 0.1, 0.5;
  MatrixXd covariates(2, 2);
  covariates << 0.4, 0.1, 0.1, 0.3;
  MatrixXd covariance(7, 7);
  MatrixXd rest = 0.2 * MatrixXd::Identity(5, 5);
  rest(0, 3) = rest(3, 0) = 0.2 * own;
  covariance.topLeftCorner(5, 5) = rest + loadings * covariates * loadings.transpose();
  covariance.topRightCorner(5, 2) = loadings * covariates;
  covariance.bottomLeftCorner(2, 5) = covariates * loadings.transpose();
  covariance.bottomRightCorner(2, 2) = covariates;
  return covariance;
}

inline const std::vector<int> kX = {0, 1, 2};
inline const std::vector<int> kY = {3, 4};
inline const std::vector<int> kBoth = {0, 1, 2, 3, 4};
inline const std::vector<int> kCovariates = {5, 6};

inline AdjustmentInput inputOf(const MomentSums& sums, const std::vector<std::vector<int>>& views) {
  AdjustmentInput input;
  input.sums = sums;
  input.views = views;
  input.covariates = kCovariates;
  return input;
}

template <class Input>
Input analysisOf(const Adjustment& adjusted, double bound) {
  const AssembledMoments moments = assembleMoments(adjusted.sums).value();
  Input input;
  input.covariance = moments.scaled_covariance;
  input.noise = moments.covariance_noise;
  input.mean_noise = moments.mean_noise;
  input.trace_bound = bound;
  input.half = adjusted.sums.half;
  input.frame = adjusted.sums.frame;
  input.between_views = adjusted.between_views;
  return input;
}

inline CcaInput ccaOf(const Adjustment& adjusted, int components) {
  CcaInput input = analysisOf<CcaInput>(adjusted, 14);
  input.x = {0, 1, 2};
  input.y = {3, 4};
  input.components = components;
  return input;
}

}  // namespace pm::adjusted
