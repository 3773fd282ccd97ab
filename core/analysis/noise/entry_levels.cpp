#include "core/analysis/noise/entry_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/noise/normal.hpp"

namespace pm {
namespace {

/// Chance that an entry exceeds its level.
constexpr double kChanceOfAny = 0.05;

constexpr int kShareBisections = 60;

double shapeOf(const NoiseLaw& noise, int dimension) {
  const double freedom = static_cast<double>(noise.freedom) * noise.releases;
  switch (noise.family) {
    case NoiseFamily::kLaplace: return noise.releases;
    case NoiseFamily::kFrobenius:
      return noise.releases * (0.5 * dimension * (dimension + 1) + 1) / 2;
    case NoiseFamily::kWishart:
      return freedom > 0 ? freedom / 2 : std::numeric_limits<double>::infinity();
    case NoiseFamily::kTwoSidedWishart:
      return freedom > 0 ? freedom : std::numeric_limits<double>::infinity();
    default: return std::numeric_limits<double>::infinity();
  }
}

/// Chernoff's bound of the level that a difference of two Gamma variables of shape m and of
/// variance 1 in all exceeds with probability exp(-exponent): its moment generating function is
/// (1 - t^2 / 2m)^-m, and with w = t^2 / 2m the best t has the exponent 2 m w / (1 - w) + m log(1 -
/// w), which increases with w.
double levelOfGammas(double shape, double exponent) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < kShareBisections; ++i) {
    const double w = (low + high) / 2;
    (2 * w / (1 - w) + std::log1p(-w) < exponent / shape ? low : high) = w;
  }
  return std::sqrt(2 * shape * low) / (1 - low);
}

}  // namespace

double entryReach(const NoiseLaw& noise, int dimension, double entries) {
  const double chance = kChanceOfAny / entries;
  const double normal = normalReach(1 - chance);
  const double shape = shapeOf(noise, dimension);
  if (!std::isfinite(shape)) return normal;
  const double exponent = std::log(2 / chance);
  return normal * levelOfGammas(shape, exponent) / std::sqrt(2 * exponent);
}

Eigen::MatrixXd entryLevels(const NoisyCovariance& data, double rows, double entries) {
  const Eigen::Index d = data.covariance.rows();
  const NoiseParts parts = noiseParts(data);
  const double square = parts.products * parts.products;
  const double ratio =
      data.noise.off_diagonal > 0 ? data.noise.diagonal / data.noise.off_diagonal : 0;
  const Eigen::VectorXd means = parts.means.rowwise().squaredNorm();
  const Eigen::VectorXd variances = data.covariance.diagonal().cwiseMax(0.0);
  const double reach = entryReach(data.noise, static_cast<int>(d), entries);
  Eigen::MatrixXd levels(d, d);
  for (Eigen::Index i = 0; i < d; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const bool same = i == j;
      double variance = square * (same ? ratio * ratio + 4 * means[i] : 1 + means[i] + means[j]);
      if (rows > 0) variance += (same ? 2 : 1) * variances[i] * variances[j] / rows;
      double level = reach * std::sqrt(variance);
      if (data.centre_spread.size() != 0) level += std::abs(data.centre_spread(i, j));
      levels(i, j) = levels(j, i) = level;
    }
  }
  return levels;
}

}  // namespace pm
