#pragma once

#include <Eigen/Core>

namespace pm {

/// The regression of a latent variable, constant first, and its residual deviation.
struct NumberFit {
  Eigen::VectorXd coefficients;  ///< 1 + q
  double deviation = 0;          ///< at most kMostLatentDeviation
  double missing = 0;            ///< mean square that cannot be reached within the bounds
};

/// Finds the latent regression for which the variable clamped to [-1, 1] has the regression and the
/// mean square of a given unclamped linear one. For a fixed deviation this is a generalised linear
/// model: its score is the gradient of a convex function, whose zero Newton's method finds
/// (McCullagh & Nelder 1989), with conjugate gradients. The mean square increases with the
/// deviation.
class NumberFitter {
 public:
  /// Stores references to both arguments.
  /// @param weights of k scenarios, with sum 1
  /// @param design  k x (1 + q): ones, then the regressors
  NumberFitter(const Eigen::VectorXd& weights, const Eigen::MatrixXd& design);

  /// @param linear   1 + q, regression of the unclamped variable
  /// @param residual its residual deviation, not negative
  /// @returns a fit that matches regression and mean square to 1e-10 if one exists; otherwise it
  /// matches the regression as closely as possible, then the mean square
  NumberFit fit(const Eigen::VectorXd& linear, double residual);

  /// k: the means of the last fitted variable, clamped, in the scenarios.
  const Eigen::VectorXd& moved() const { return mean_; }

 private:
  void measure(const Eigen::VectorXd& coefficients, double deviation);
  void solve(NumberFit& fit);
  double tether() const;
  Eigen::VectorXd gather(const Eigen::VectorXd& values) const;
  Eigen::VectorXd score(const Eigen::VectorXd& coefficients) const;
  Eigen::VectorXd divided(const Eigen::VectorXd& by) const;

  const Eigen::VectorXd& weights_;
  const Eigen::MatrixXd& design_;
  Eigen::VectorXd linear_, target_;
  /// CensoredMoments in each scenario.
  Eigen::VectorXd mean_, square_, inside_, mean_by_deviation_, square_by_mean_,
      square_by_deviation_;
};

}  // namespace pm
