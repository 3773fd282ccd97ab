#include "core/analysis/uncertainty/detail_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/analysis/noise/normal.hpp"

namespace pm {
namespace {

double angle(double loading) { return std::asin(std::clamp(loading, -1.0, 1.0)); }

/// Root mean square error of the drawn figures at index `place`, or of the angles whose sines they
/// are.
double error(Eigen::Index place, const DetailDraws& draws, bool are_angles) {
  const auto scaled = [are_angles](double figure) { return are_angles ? angle(figure) : figure; };
  const double own = scaled(draws.own[place]);
  double squares = 0;
  for (Eigen::Index b = 0; b < draws.drawn.cols(); ++b) {
    const double error = scaled(draws.drawn(place, b)) - own;
    squares += error * error;
  }
  return std::sqrt(squares / static_cast<double>(draws.drawn.cols()));
}

}  // namespace

Interval weightAt(double weight, Eigen::Index place, const DetailDraws& draws, double z) {
  const double reach = z * error(place, draws, false);
  return {weight - reach, weight + reach};
}

Interval loadingAt(double loading, Eigen::Index place, const DetailDraws& draws, double z) {
  const double reach = z * error(place, draws, true);
  const auto end = [&](double at) {
    return std::sin(std::clamp(at, -std::numbers::pi / 2, std::numbers::pi / 2));
  };
  return {std::min(loading, end(angle(loading) - reach)),
          std::max(loading, end(angle(loading) + reach))};
}

double pValueAt(double figure, bool is_angle, Eigen::Index place, const DetailDraws& draws) {
  const double size = std::abs(is_angle ? angle(figure) : figure);
  const double spread = error(place, draws, is_angle);
  if (spread <= 0) return size > 0 ? 0 : 1;
  return 2 * normalBelow(-size / spread);
}

void matrixIntervals(const Eigen::MatrixXd& figures, bool are_angles, const DetailDraws& draws,
                     double z, Eigen::Index& place, Eigen::MatrixXd& low, Eigen::MatrixXd& high) {
  low = figures;
  high = figures;
  for (Eigen::Index i = 0; i < figures.size(); ++i, ++place) {
    const double figure = figures.data()[i];
    const Interval ends =
        are_angles ? loadingAt(figure, place, draws, z) : weightAt(figure, place, draws, z);
    low.data()[i] = ends.low;
    high.data()[i] = ends.high;
  }
}

}  // namespace pm
