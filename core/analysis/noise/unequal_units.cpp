#include "core/analysis/noise/unequal_units.hpp"

#include <cmath>

namespace pm {
namespace {

constexpr int kHalvings = 50;

/// Where a function that increases from below 0 has its zero; `high` if it stays below.
template <class Function>
double zeroOf(double low, double high, Function f) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) < 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

double edgeInUnits(const Eigen::VectorXd& units, const Eigen::VectorXd& means) {
  const double most = units.maxCoeff();
  // a and u in units of the largest a and its inverse. For u <= 1/2 y^2 decreases, as all a <= 1.
  const Eigen::ArrayXd a = (units.array() / most).square();
  const double edge = zeroOf(
      0.5, 1, [&](double u) { return (a.cube() / (1 - a * u).square() - a / (u * u)).sum(); });
  const Eigen::ArrayXd pulls = a * means.array().square();
  const double at = zeroOf(0, edge, [&](double u) { return u * (pulls / (1 - a * u)).sum() - 1; });
  return most * most * std::sqrt((a / (at * (1 - a * at))).sum());
}

}  // namespace pm
