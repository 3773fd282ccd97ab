#include "core/analysis/noise/population.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/matrix/cholesky.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/packed.hpp"
#include "core/random/continuous.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A root of Wishart_d(freedom, I): Bartlett's, lower triangular, or `freedom` normal columns if
/// freedom < d.
MatrixXd wishartRoot(Index d, double freedom, Drbg& random) {
  const bool full = freedom >= static_cast<double>(d);
  const Index columns = full ? d : std::max<Index>(1, static_cast<Index>(freedom));
  MatrixXd root = zeros(d, columns);
  for (Index j = 0; j < columns; ++j) {
    const Index first = full ? j : 0;
    simulateNormals({&root(first, j), static_cast<std::size_t>(d - first)}, random);
    if (full) root(j, j) = std::sqrt(chiSquare(freedom - static_cast<double>(j), random));
  }
  return root;
}

int dimensionOfNoise(const MomentSums& sums) {
  return sums.noise_map.size() == 0 ? sums.dimension : static_cast<int>(sums.noise_map.cols()) - 1;
}

/// T E T^T, packed.
std::vector<double> mapped(const MatrixXd& map, const std::vector<double>& packed) {
  const MatrixXd all = unpacked(std::span<const double>(packed), map.cols());
  return packedUpper(multiply(multiply(map, all), transposed(map)));
}

}  // namespace

Population::Population(const MomentSums& sums, double rows, const VectorXd& mean,
                       const MatrixXd& covariance, const std::vector<int>& columns)
    : sums_(sums), columns_(columns), noise_(sums.noise, dimensionOfNoise(sums)) {
  // Residuals of indicators are not indicators.
  if (sums.frame.isMixed()) columns_.clear();
  exact_.rows = rows;
  exact_.scaled_mean = mean;
  root_ = lowerRoot(covariance);
  exact_.scaled_covariance = multiplyLowerByTranspose(root_);
  const Frame& frame = sums.frame;
  exact_.mean = sums.mid + sums.half.cwiseProduct(frame.mixedMean(mean));
  exact_.covariance =
      sums.half.asDiagonal() * frame.mixed(exact_.scaled_covariance) * sums.half.asDiagonal();
}

/// Whether features i and j are indicators of the same category.
bool Population::indicators(Index i, Index j) const {
  const int column = columns_[static_cast<std::size_t>(i)];
  return column == columns_[static_cast<std::size_t>(j)] &&
         (i != j || std::count(columns_.begin(), columns_.end(), column) > 1);
}

AssembledMoments Population::draw(Drbg& random) const {
  return std::move(assembleMoments(drawSums(chance(random)))).value();
}

ScaledMoments Population::drawScaled(Drbg& random) const { return drawScaled(chance(random)); }

ScaledMoments Population::drawScaled(const Chance& chance) const {
  return scaledMoments(drawSums(chance));
}

Chance Population::chance(Drbg& random) const {
  const Index d = exact_.scaled_mean.size();
  Chance chance{VectorXd(d), {}, {}};
  simulateNormals({chance.mean.data(), static_cast<std::size_t>(d)}, random);
  chance.spread = wishartRoot(d, exact_.rows - 1, random);
  chance.noise = noise_.drawPacked(random);
  if (sums_.noise_map.size() != 0) chance.noise = mapped(sums_.noise_map, chance.noise);
  return chance;
}

/// The mean of z_i z_j, indicators of one category, in rows with this mean of z.
double Population::ofIndicators(Index i, Index j, const VectorXd& mean) const {
  const VectorXd& before = exact_.scaled_mean;
  const double own = exact_.scaled_covariance(i, j) + before[i] * before[j];
  const Frame& frame = sums_.frame;
  if (frame.isIdentity()) return i == j ? own + mean[i] - before[i] : own;
  const auto moved = [&](Index of, Index by) {
    return frame.centre[by] / frame.units[by] * (mean[of] - before[of]);
  };
  const double square = i == j ? (mean[i] - before[i]) / frame.units[i] : 0;
  return own + square - moved(i, j) - moved(j, i);
}

MomentSums Population::drawSums(const Chance& chance) const {
  const double rows = exact_.rows;
  const Index d = exact_.scaled_mean.size();
  const VectorXd mean = exact_.scaled_mean + multiply(root_, chance.mean).col(0) / std::sqrt(rows);
  const MatrixXd products = chance.spread.cols() == d
                                ? multiplyLowerByTranspose(multiplyLowers(root_, chance.spread))
                                : multiplyByTranspose(multiply(root_, chance.spread));

  const double c = sums_.constant;
  MomentSums drawn = sums_;
  drawn.packed = chance.noise;
  double* next = drawn.packed.data();
  *next++ += rows * c * c;
  for (Index j = 0; j < d; ++j) *next++ += rows * c * mean[j];
  for (Index i = 0; i < d; ++i) {
    // The matrix is symmetric; read columns, which are contiguous.
    const double* column = products.data() + i * d;
    const double scaled = rows * mean[i];
    for (Index j = i; j < d; ++j, ++next) {
      if (columns_.empty() || !indicators(i, j)) {
        *next += column[j] + scaled * mean[j];
        continue;
      }
      *next += rows * ofIndicators(i, j, mean);
    }
  }
  return drawn;
}

}  // namespace pm
