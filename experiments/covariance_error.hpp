// The error of covariances that releases of a table yield, and what experiments about it share.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/random/continuous.hpp"
#include "core/random/drbg.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/table.hpp"

constexpr const char* kMadeUp = "made up off-centre";

/// 1500 rows of six columns with bounds 0 .. 10, means 2 .. 8 and standard deviations .4 .. .8.
inline Table farFromCentre() {
  Table table;
  table.name = kMadeUp;
  table.columns.assign(6, {pm::Column::Kind::kNumber, 0, 10, 0});
  table.views = {0, 0, 0, 1, 1, 1};
  table.cells.resize(6, 1500);
  pm::Drbg random = experiments::seeded(5);
  const Eigen::VectorXd mean = Eigen::VectorXd::LinSpaced(6, 2, 8);
  const Eigen::VectorXd sd = Eigen::VectorXd::LinSpaced(6, 0.4, 0.8);
  for (Eigen::Index i = 0; i < table.cells.cols(); ++i) {
    Eigen::VectorXd z(6);
    for (double& x : z) x = pm::standardNormal(random);
    for (Eigen::Index j = 3; j < 6; ++j) z[j] = 0.7 * z[j - 3] + std::sqrt(0.51) * z[j];
    table.cells.col(i) = mean + sd.cwiseProduct(z);
  }
  table.finish();
  return table;
}

/// The covariance of a table's features, and how far others are from it: |S^-1 (C' - C) S^-1|_F
/// over |S^-1 C S^-1|_F, with S the standard deviations of the features.
class TrueCovariance {
 public:
  /// @param columns those of the table, perhaps with other bounds: errors are in original units
  TrueCovariance(const Table& table, const std::vector<pm::Column>& columns) {
    Eigen::Index j = 0;
    Eigen::VectorXd half(table.features);
    Eigen::MatrixXd features = Eigen::MatrixXd::Zero(table.features, table.cells.cols());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool number = columns[c].kind == pm::Column::Kind::kNumber;
      for (Eigen::Index i = 0; i < table.cells.cols(); ++i) {
        const double cell = table.cells(Eigen::Index(c), i);
        if (number) {
          features(j, i) = cell;
        } else {
          features(j + Eigen::Index(cell), i) = 1;
        }
      }
      half.segment(j, columns[c].features())
          .setConstant(number ? (columns[c].max - columns[c].min) / 2 : 1);
      j += columns[c].features();
    }
    features.colwise() -= features.rowwise().mean().eval();
    const Eigen::ArrayXd sd =
        (features.rowwise().squaredNorm() / double(features.cols())).cwiseSqrt();
    const Eigen::ArrayXd unit = (sd > 0).select(1 / sd, 0);
    units_ = half.array() * unit;
    rows_ = unit.matrix().asDiagonal() * features;
    truth_ = rows_ * rows_.transpose() / double(rows_.cols());
  }

  /// @param covariance in scaled units
  double errorOf(const Eigen::MatrixXd& covariance) const {
    return errorOfStandardised(units_.asDiagonal() * covariance * units_.asDiagonal());
  }

  /// @param covariance in standard deviations of the features
  double errorOfStandardised(const Eigen::MatrixXd& covariance) const {
    return (covariance - truth_).norm() / truth_.norm();
  }

  /// D x n, less the mean and in standard deviations; 0 for a feature that is the same everywhere.
  const Eigen::MatrixXd& standardisedRows() const { return rows_; }

 private:
  Eigen::VectorXd units_;  // half the bounds' widths in standard deviations; 0 where that is 0
  Eigen::MatrixXd rows_, truth_;
};

/// Moments of released integers, in the units in which rows were clipped to `radius`.
inline pm::ScaledMoments momentsOf(const pm::Plan& plan, std::span<const double> values,
                                   double rows, double radius) {
  const double unit = std::ldexp(radius * radius, plan.release_shift - 2 * plan.bits);
  pm::MomentSums sums;
  for (const double value : values) sums.packed.push_back(value * unit);
  sums.dimension = plan.params.dimension;
  sums.constant = std::ldexp(double(plan.constant), -plan.bits) * radius;
  sums.rows = rows;
  return pm::scaledMoments(sums);
}

template <class Error>
double median(int releases, Error error) {
  std::vector<double> errors;
  for (int i = 0; i < releases; ++i) errors.push_back(error());
  std::nth_element(errors.begin(), errors.begin() + releases / 2, errors.end());
  return errors[std::size_t(releases) / 2];
}
