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
  Chance chance{VectorXd(d), {}, {}, {}, {}};
  simulateNormals({chance.mean.data(), static_cast<std::size_t>(d)}, random);
  chance.spread = wishartRoot(d, sampledRows() - 1, random);
  chance.noise = noise_.drawPacked(random);
  if (sums_.noise_map.size() != 0) chance.noise = mapped(sums_.noise_map, chance.noise);
  if (sums_.gaps.excess.size() == 0) return chance;
  const auto fill = [&random](double* numbers, Index count) {
    simulateNormals({numbers, static_cast<std::size_t>(count)}, random);
  };
  for (const Features& features : featuresOfColumns()) {
    // See addGapErrors.
    chance.gaps.emplace_back(features.count == 1 ? d + 2 : d + d * d);
    fill(chance.gaps.back().data(), chance.gaps.back().size());
  }
  chance.gap_pairs.resize(d, d);
  fill(chance.gap_pairs.data(), d * d);
  return chance;
}

/// Rows behind the part of the sampling error that does not depend on gaps.
double Population::sampledRows() const {
  return sums_.gaps.excess.size() > 0 ? sums_.gaps.rows : exact_.rows;
}

std::vector<Population::Features> Population::featuresOfColumns() const {
  std::vector<Features> all;
  for (Index i = 0; i < exact_.scaled_mean.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i > 0 && !columns_.empty() && columns_[at] == columns_[at - 1]) {
      ++all.back().count;
    } else {
      all.push_back({i, 1});
    }
  }
  return all;
}

void Population::addGapErrors(const Chance& chance, VectorXd& mean, MatrixXd& covariance) const {
  const VectorXd& excess = sums_.gaps.excess;
  const double rows = sums_.gaps.rows;
  const Index d = mean.size();
  const MatrixXd& own = exact_.scaled_covariance;
  const std::vector<Features> columns = featuresOfColumns();
  MatrixXd blocks = MatrixXd::Zero(d, d);  // roots of each column's covariance
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto [first, count] = columns[c];
    const VectorXd& normals = chance.gaps[c];
    const double scale = std::sqrt(excess[first] / rows);
    MatrixXd along(d, count);  // S root^T of the column, S the part's normal matrix
    VectorXd moved(count);
    if (count == 1) {
      const double deviation = std::sqrt(own(first, first));
      blocks(first, first) = deviation;
      moved[0] = deviation * normals[0];
      along = deviation * normals.tail(d) + normals[1] * root_.row(first).transpose();
    } else {
      const Eigen::Map<const MatrixXd> half(normals.data() + d, d, d);
      const MatrixXd of_column = root_.middleRows(first, count);
      blocks.block(first, first, count, count) = lowerRoot(own.block(first, first, count, count));
      moved = multiply(of_column, normals.head(d)).col(0);
      along = multiply(half + half.transpose(), transposed(of_column)) / std::sqrt(2.0);
    }
    mean.segment(first, count) += scale * moved;
    const MatrixXd errors = scale * multiply(root_, along);  // d x count
    for (Index k = 0; k < count; ++k) {
      for (Index j = 0; j < d; ++j) {
        covariance(j, first + k) += errors(j, k);
        const bool within = j >= first && j < first + count;
        if (!within) covariance(first + k, j) += errors(j, k);
      }
    }
  }
  const MatrixXd pairs = multiply(multiply(blocks, chance.gap_pairs), transposed(blocks));
  for (std::size_t b = 1; b < columns.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const bool numbers = columns[a].count == 1 && columns[b].count == 1;
      for (Index j = columns[b].first; j < columns[b].first + columns[b].count; ++j) {
        for (Index i = columns[a].first; i < columns[a].first + columns[a].count; ++i) {
          const double variances = own(i, i) * own(j, j);
          const double shared = numbers && variances > 0 ? own(i, j) * own(i, j) / variances : 0;
          const double error = std::sqrt(excess[i] * excess[j] * (1 + shared) / rows) * pairs(i, j);
          covariance(i, j) += error;
          covariance(j, i) += error;
        }
      }
    }
  }
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
  VectorXd mean =
      exact_.scaled_mean + multiply(root_, chance.mean).col(0) / std::sqrt(sampledRows());
  MatrixXd products = chance.spread.cols() == d
                          ? multiplyLowerByTranspose(multiplyLowers(root_, chance.spread))
                          : multiplyByTranspose(multiply(root_, chance.spread));
  if (sums_.gaps.excess.size() > 0) {
    products /= sampledRows();
    addGapErrors(chance, mean, products);
    products *= rows;
  }

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
