#pragma once

#include <Eigen/Core>
#include <vector>

namespace pm {

/// Level of the test whose power is forecast.
constexpr double kTestLevel = 0.05;

/// Power of the test of pairs (`ccaTests`) from simulated statistics: for each pair the probability
/// that it is counted, so that all larger ones are counted as well.
///
/// The critical value of T_j is a quantile of the gamma law for T_j^2 with the mean and variance of
/// the draws under the j-th hypothesis, by the cube root of Wilson & Hilferty (1931); for one
/// column in each view that is the law of T_j^2. The draws with all pairs are smoothed by normal
/// kernels, without a change of mean and variance, so that the result changes smoothly with them.
/// @param found    draws x k: T_j of studies with all pairs
/// @param null     draws x k, as many as one likes: T_j of studies with the first j - 1 pairs
/// @param thinness at least 1: how many times as large the variances of `null` are as those of the
///                 statistics
/// @returns k shares, never increasing
std::vector<double> testPower(const Eigen::MatrixXd& found, const Eigen::MatrixXd& null,
                              double thinness);

}  // namespace pm
