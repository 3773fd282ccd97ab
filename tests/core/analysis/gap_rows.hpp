#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "core/analysis/noise/gaps.hpp"
#include "core/matrix/cholesky.hpp"
#include "core/random/continuous.hpp"

namespace pm::gap_rows {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kConstant = 0.7;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Rows of numbers, NaN where one is missing, one row per row; `of` is the column of each feature.
inline GapSums sumsOf(const MatrixXd& rows, const std::vector<int>& of) {
  const Index d = rows.cols();
  const int columns = of.back() + 1;
  GapSums data;
  data.columns = of;
  data.trace_bound = double(columns);
  data.sums.dimension = int(d);
  data.sums.constant = kConstant;
  data.sums.rows = double(rows.rows());
  data.sums.mid = VectorXd::Zero(d);
  data.sums.half = VectorXd::Ones(d);
  MatrixXd whole = MatrixXd::Zero(d + columns + 1, d + columns + 1);
  for (Index r = 0; r < rows.rows(); ++r) {
    VectorXd row = VectorXd::Zero(whole.rows());
    row[0] = kConstant;
    for (Index j = 0; j < d; ++j) {
      if (std::isnan(rows(r, j))) {
        row[1 + d + of[std::size_t(j)]] = 1;
      } else {
        row[1 + j] = rows(r, j);
      }
    }
    whole += row * row.transpose();
  }
  for (Index i = 0; i < whole.rows(); ++i) {
    for (Index j = i; j < whole.rows(); ++j) data.sums.packed.push_back(whole(i, j));
  }
  return data;
}

inline MatrixXd covarianceIn(const WithoutGaps& complete) {
  const ScaledMoments moments = scaledMoments(complete.sums);
  return complete.sums.frame.covariance(moments.scaled_covariance);
}

inline VectorXd meanIn(const WithoutGaps& complete) {
  return complete.sums.frame.mean(scaledMoments(complete.sums).scaled_mean);
}

inline std::vector<int> ownColumns(Index d) {
  std::vector<int> columns;
  for (Index j = 0; j < d; ++j) columns.push_back(int(j));
  return columns;
}

/// Normal rows with the given covariance and means, where cells of column j are missing with chance
/// `missing[j]`, independently.
inline MatrixXd rowsWithGaps(const MatrixXd& covariance, double mean, const VectorXd& missing,
                             Index count, Drbg& random) {
  const MatrixXd root = lowerRoot(covariance);
  const Index d = covariance.rows();
  MatrixXd rows(count, d);
  VectorXd normals(d);
  for (Index r = 0; r < count; ++r) {
    simulateNormals({normals.data(), std::size_t(d)}, random);
    rows.row(r) = (root * normals).array() + mean;
    for (Index j = 0; j < d; ++j) {
      if (double(random.next64() >> 11) * 0x1p-53 < missing[j]) rows(r, j) = kNan;
    }
  }
  return rows;
}

inline MatrixXd correlated(Index d, double variance, double correlation) {
  return variance *
         (MatrixXd::Constant(d, d, correlation) + (1 - correlation) * MatrixXd::Identity(d, d));
}

}  // namespace pm::gap_rows
