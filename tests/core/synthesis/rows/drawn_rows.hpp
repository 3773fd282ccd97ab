// Rows drawn from a model, and their moments beside those of the model. The largest of the compared
// differences is below `kFar` standard errors in all but one in a million runs; seeds are fixed.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/random/continuous.hpp"
#include "core/synthesis/rows/figures.hpp"
#include "core/synthesis/rows/rows.hpp"

namespace pm::drawn_rows {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFar = 6.5;
inline const Column kNumber{Column::Kind::kNumber, -1, 1, 0};

inline Column category(int levels) { return {Column::Kind::kCategory, 0, 0, levels}; }

inline SyntheticRows drawn(const RowModel& model, const std::vector<Column>& columns,
                           std::int64_t rows, int label = -1, std::uint64_t seed = 1) {
  Drbg random = simulationDrbg(seed);
  return drawRows(model, columns, label, rows, random).value();
}

inline RowModel gaussian(const VectorXd& mean, const MatrixXd& covariance) {
  return {{{1, mean, covariance, -1}}};
}

/// Indicators and numbers of rows whose bounds are -1 and 1.
inline MatrixXd encoded(const std::vector<double>& cells, const std::vector<Column>& columns) {
  const RowEncoder encoder = RowEncoder::create(columns).value();
  const auto rows = cells.size() / columns.size();
  MatrixXd features(Index(rows), Index(encoder.features()));
  std::vector<ColumnCounts> counts(columns.size());
  std::vector<double> scaled(std::size_t(encoder.features()));
  for (std::size_t r = 0; r < rows; ++r) {
    const std::span<const double> row(cells.data() + r * columns.size(), columns.size());
    EXPECT_TRUE(encoder.encode(row, scaled, counts).ok());
    features.row(Index(r)) =
        Eigen::Map<const Eigen::RowVectorXd>(scaled.data(), Index(scaled.size()));
  }
  for (const ColumnCounts& count : counts) EXPECT_EQ(count.missing + count.outside, 0u);
  return features;
}

struct Moments {
  VectorXd mean;
  MatrixXd covariance;
};

inline Moments momentsOf(const MatrixXd& features) {
  const VectorXd mean = features.colwise().mean().transpose();
  const MatrixXd centred = features.rowwise() - mean.transpose();
  return {mean, centred.transpose() * centred / double(features.rows())};
}

/// The largest distance of the rows' moments from those of the model, in standard errors. Means of
/// numbers in [-1, 1], and of their products, have errors of at most sd / sqrt n and 1 / sqrt n;
/// the error of a covariance is taken from the rows.
inline double farthest(const MatrixXd& features, const Moments& model) {
  const Moments found = momentsOf(features);
  const double n = double(features.rows());
  const MatrixXd centred = features.rowwise() - found.mean.transpose();
  double most = 0;
  for (Index i = 0; i < features.cols(); ++i) {
    // The least error, for moments that hardly vary, is what the fits leave.
    const double sd = std::sqrt(found.covariance(i, i) / n) + 1e-5;
    most = std::max(most, std::abs(found.mean[i] - model.mean[i]) / sd);
    for (Index j = 0; j <= i; ++j) {
      const VectorXd products = centred.col(i).cwiseProduct(centred.col(j));
      const double variance = products.squaredNorm() / n - std::pow(products.mean(), 2);
      const double error = std::sqrt(std::max(0.0, variance) / n) + 1e-5;
      most = std::max(most, std::abs(found.covariance(i, j) - model.covariance(i, j)) / error);
    }
  }
  return most;
}

/// Rows of three categories and four dependent numbers, of which one is skewed at a bound, one is
/// at either bound, and one is far from both.
inline const std::vector<Column> kMixed{category(3), kNumber, category(2), kNumber,
                                        category(4), kNumber, kNumber};

inline Moments mixedMoments() {
  Drbg random = simulationDrbg(3);
  std::vector<double> cells;
  for (int row = 0; row < 20000; ++row) {
    const double factor = standardNormal(random);
    const double a = factor + 0.7 * standardNormal(random);
    const int first = a > 1 ? 2 : a > 0 ? 1 : 0;
    const int second = factor + 0.5 * first + standardNormal(random) > 1.8 ? 1 : 0;
    const double b = 1.2 + 0.8 * factor - 0.5 * second + 0.6 * standardNormal(random);
    const int third = std::clamp(int(std::floor(b)), 0, 3);
    const double skewed =
        std::clamp(-0.9 + 0.5 * first * standardNormal(random) + 0.2 * factor, -1.0, 1.0);
    const double either = factor + standardNormal(random) > 0 ? 0.95 : -0.95;
    const double inside = std::clamp(0.1 * factor + 0.1 * standardNormal(random), -0.9, 0.9);
    const double both =
        std::clamp(skewed / 2 + 0.2 * third - 0.5 + 0.3 * standardNormal(random), -1.0, 1.0);
    for (const double cell :
         {double(first), inside, double(second), skewed, double(third), either, both}) {
      cells.push_back(cell);
    }
  }
  return momentsOf(encoded(cells, kMixed));
}

}  // namespace pm::drawn_rows
