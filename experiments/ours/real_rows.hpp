// The real sets on which this library's own claims are tested, and one that is simulated, as rows
// of length at most 1 about their mean.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/random/continuous.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/table_file.hpp"

namespace ours {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The cells of a set without its labels.
struct RealSet {
  std::string name;
  MatrixXd cells;  ///< rows x columns
};

/// Normal rows with these variances along random directions.
inline MatrixXd normalRows(Index rows, const VectorXd& variances, std::uint64_t seed) {
  pm::Drbg random = experiments::seeded(seed);
  const Index d = variances.size();
  const auto normals = [&](Index n) {
    return MatrixXd(MatrixXd::NullaryExpr(n, d, [&]() { return pm::standardNormal(random); }));
  };
  const MatrixXd axes = Eigen::HouseholderQR<MatrixXd>(normals(d)).householderQ();
  return normals(rows) * variances.cwiseSqrt().asDiagonal() * axes.transpose();
}

/// 5000 rows of 20 columns; the k-th variance is 1 / k.
inline RealSet simulatedSet() {
  return {"simulated", normalRows(5000, VectorXd::LinSpaced(20, 1, 20).cwiseInverse(), 1)};
}

/// The sets of the folder that are there, and the simulated one; a word about each that is not.
inline std::vector<RealSet> setsFrom(const std::filesystem::path& folder,
                                     std::initializer_list<const char*> names) {
  std::vector<RealSet> sets;
  for (const std::string name : names) {
    if (!experiments::haveTable(folder, name)) {
      std::printf("%s: skipped, it is not there\n", name.c_str());
      continue;
    }
    const MatrixXd cells = experiments::readTableFile(folder, name);
    const bool labelled = name != "adult" && name != "mmreg" && name != "eeg";
    sets.push_back({name, cells.leftCols(cells.cols() - (labelled ? 1 : 0))});
  }
  sets.push_back(simulatedSet());
  return sets;
}

/// Whether all cells of a column are 0 or 1.
inline bool isIndicator(const MatrixXd& cells, Index column) {
  const auto values = cells.col(column).array();
  return (values * (values - 1)).abs().maxCoeff() == 0;
}

/// Columns in units of half their range, 0 if that is 0. Indicators stay as they are, as a study
/// encodes them.
inline MatrixXd inRanges(MatrixXd cells) {
  for (Index j = 0; j < cells.cols(); ++j) {
    if (isIndicator(cells, j)) continue;
    const double low = cells.col(j).minCoeff(), high = cells.col(j).maxCoeff();
    const double half = high > low ? (high - low) / 2 : 1;
    cells.col(j) = (cells.col(j).array() - (low + high) / 2) / half;
  }
  return cells;
}

/// The covariance of such rows about their mean, in units of the longest squared length about it.
inline MatrixXd centredCovariance(MatrixXd rows) {
  rows.rowwise() -= rows.colwise().mean().eval();
  rows /= rows.rowwise().norm().maxCoeff();
  MatrixXd covariance = MatrixXd::Zero(rows.cols(), rows.cols());
  covariance.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose(), 1 / double(rows.rows()));
  return covariance.selfadjointView<Eigen::Lower>();
}

}  // namespace ours
