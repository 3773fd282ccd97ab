#include "core/research/audit/laws.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pm {
namespace {

constexpr int kSteps = 2000;
constexpr double kStep = std::numbers::pi / 2 / kSteps;

// -infinity outside the support.
double logWishart(const Eigen::MatrixXd& w, double freedom, double scale) {
  const Eigen::LLT<Eigen::MatrixXd> llt(w);
  if (llt.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
  const Eigen::MatrixXd l = llt.matrixL();
  return (freedom - double(w.rows()) - 1) * l.diagonal().array().log().sum() -
         w.trace() / (2 * scale);
}

}  // namespace

double laplaceBelow(double z) {
  const double above = std::exp(-std::fabs(z)) / 2;
  return z < 0 ? above : 1 - above;
}

bool isPositive(const Eigen::MatrixXd& symmetric) {
  return Eigen::LLT<Eigen::MatrixXd>(symmetric).info() == Eigen::Success;
}

double wishartScore(const Eigen::MatrixXd& one, const Eigen::MatrixXd& other, double freedom,
                    double scale) {
  const double first = logWishart(one, freedom, scale);
  const double second = logWishart(other, freedom, scale);
  return std::isinf(first) && std::isinf(second) ? 0 : first - second;
}

AxisLaw::AxisLaw(double concentration) : mass_(kSteps + 1) {
  const auto density = [&](double t) {
    const double sine = std::sin(t);
    return std::exp(-concentration * sine * sine);
  };
  for (int i = 0; i < kSteps; ++i) {
    const double t = i * kStep;
    mass_[std::size_t(i) + 1] =
        mass_[std::size_t(i)] +
        (density(t) + 4 * density(t + kStep / 2) + density(t + kStep)) / 6 * kStep;
  }
  const double all = mass_.back();
  for (double& mass : mass_) mass /= all;
}

double AxisLaw::below(double t) const {
  const double at = std::clamp(t / kStep, 0.0, double(kSteps) - 1e-9);
  const auto i = std::size_t(at);
  return mass_[i] + (at - double(i)) * (mass_[i + 1] - mass_[i]);
}

}  // namespace pm
