#pragma once

#include <Eigen/Core>

namespace pm {

/// A latent number's regression, constant first, and its deviation from it.
struct NumberFit {
  Eigen::VectorXd coefficients;  ///< 1 + q
  double deviation = 0;          ///< at most kMostLatentDeviation
  double missing = 0;            ///< mean square that the bounds do not allow
};

/// Finds the latent regression whose number, moved to the bounds -1 and 1, has the regression and
/// the mean square of a linear one that is not moved. For a given deviation that of a generalised
/// linear model: its score is the gradient of a convex function, whose zero Newton's steps find
/// (McCullagh & Nelder 1989), by conjugate gradients. The mean square increases with the deviation.
class NumberFitter {
 public:
  /// Both are kept by reference.
  /// @param weights of k scenarios, adding up to 1
  /// @param design  k x (1 + q): ones, and what the regression is on
  NumberFitter(const Eigen::VectorXd& weights, const Eigen::MatrixXd& design);

  /// @param linear   1 + q, of the number that is not moved
  /// @param residual its deviation, not negative
  /// @returns regression and mean square match to 1e-10, where there is such a number; otherwise
  /// the
  ///          regression is met as far as can be, and then the mean square
  NumberFit fit(const Eigen::VectorXd& linear, double residual);

  /// k: the means of the number last found, moved, in the scenarios.
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
  /// Of the scenarios, as in CensoredMoments.
  Eigen::VectorXd mean_, square_, inside_, meanByDeviation_, squareByMean_, squareByDeviation_;
};

}  // namespace pm
