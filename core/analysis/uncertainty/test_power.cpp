#include "core/analysis/uncertainty/test_power.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/noise/normal.hpp"
#include "core/square.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Standard deviation of a kernel, as a share of that of the draws.
constexpr double kKernel = 0.5;

/// The value that a statistic exceeds with the probability of the level.
double criticalValue(const VectorXd& draws, double thinness) {
  const VectorXd squares = draws.cwiseAbs2();
  const double mean = squares.mean();
  const double variance = (squares.array() - mean).square().mean() / thinness;
  if (mean <= 0) return 0;
  // A ninth of the inverse shape of the gamma law.
  const double part = variance / (9 * square(mean));
  const double root = 1 - part + normalReach(1 - 2 * kTestLevel) * std::sqrt(part);
  return std::sqrt(mean * std::pow(std::max(0.0, root), 3));
}

}  // namespace

std::vector<double> testPower(const Eigen::MatrixXd& found, const Eigen::MatrixXd& null,
                              double thinness) {
  VectorXd counted = VectorXd::Ones(found.rows());
  std::vector<double> power;
  for (Index j = 0; j < found.cols(); ++j) {
    const double critical = criticalValue(null.col(j), thinness);
    const double mean = found.col(j).mean();
    const VectorXd deviations = found.col(j).array() - mean;
    const double width = kKernel * std::sqrt(deviations.cwiseAbs2().mean());
    const double kept = std::sqrt(1 - square(kKernel));
    for (Index draw = 0; draw < found.rows(); ++draw) {
      const double beyond = mean + kept * deviations[draw] - critical;
      counted[draw] *= width > 0 ? normalBelow(beyond / width) : double(beyond > 0);
    }
    power.push_back(counted.mean());
  }
  return power;
}

}  // namespace pm
