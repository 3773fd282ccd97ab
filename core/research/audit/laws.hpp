#pragma once

#include <Eigen/Core>
#include <vector>

namespace pm {

/// Laws and scores that several audits share.

/// P(L <= z), L standard Laplace.
double laplaceBelow(double z);

bool isPositive(const Eigen::MatrixXd& symmetric);

/// ln of the ratio of two Wishart densities of `freedom` degrees of freedom and scale matrix
/// `scale` I, at `one` and at `other`: infinite if one of them is not positive definite, 0 if
/// neither is.
double wishartScore(const Eigen::MatrixXd& one, const Eigen::MatrixXd& other, double freedom,
                    double scale);

/// The law of the angle, in [0, pi/2], between a random axis in the plane and the first axis, if a
/// unit vector (cos t, sin t) has density proportional to exp(concentration cos^2 t): Bingham's
/// law.
class AxisLaw {
 public:
  /// The concentration that audits use; a change by 5 % changes the angle by 2.5 %.
  static constexpr double kConcentration = 8;

  explicit AxisLaw(double concentration);

  /// P(angle <= t), by Simpson's rule.
  double below(double t) const;

 private:
  std::vector<double> mass_;  // distribution function at the i-th grid point
};

}  // namespace pm
