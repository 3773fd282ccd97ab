// Scatter matrices as in the paper: columns standardised, rows scaled to length 1.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "core/random/continuous.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/table_file.hpp"

namespace covariance_estimation {

/// C = sum x x^T over n rows of length 1.
struct UnitScatter {
  std::string name;
  double rows = 0;
  Eigen::MatrixXd matrix;

  int dimension() const { return int(matrix.rows()); }
};

/// @param cells rows x columns. A column that is constant becomes 0.
inline UnitScatter unitScatter(std::string name, Eigen::MatrixXd cells) {
  const double n = double(cells.rows());
  cells.rowwise() -= cells.colwise().mean().eval();
  const Eigen::ArrayXd sd = (cells.colwise().squaredNorm() / n).cwiseSqrt();
  cells *= (sd > 0).select(1 / sd, 0).matrix().asDiagonal();
  for (auto row : cells.rowwise()) {
    const double length = row.norm();
    if (length > 0) row /= length;
  }
  return {std::move(name), n, cells.transpose() * cells};
}

/// The features of a set, or an empty matrix, with a word about it, if the set is not there.
inline Eigen::MatrixXd featuresOf(const std::filesystem::path& folder, const std::string& name,
                                  int columns) {
  if (!experiments::haveTable(folder, name)) {
    std::printf("%s: skipped\n", name.c_str());
    return {};
  }
  return experiments::readTableFile(folder, name).leftCols(columns);
}

constexpr int kWineColumns = 13;
constexpr int kAdultColumns = 108;

/// Variances that fall like 1/i, their axes the coordinates: all mechanisms that are compared here
/// but the Laplace ones have the same error in any other basis.
inline UnitScatter decayingScatter(double rows, int dimension) {
  Eigen::VectorXd values(dimension);
  for (int i = 0; i < dimension; ++i) values[i] = 1.0 / (i + 1);
  values *= rows / values.sum();
  return {"simulated", rows, values.asDiagonal()};
}

/// The wines, Adult, and a simulated set; sets that are not there are skipped.
inline std::vector<UnitScatter> comparedSets(const std::filesystem::path& folder) {
  std::vector<UnitScatter> sets;
  const auto add = [&](const char* name, int columns) {
    Eigen::MatrixXd cells = featuresOf(folder, name, columns);
    if (cells.size() > 0) sets.push_back(unitScatter(name, std::move(cells)));
  };
  add("wine", kWineColumns);
  add("adult", kAdultColumns);
  sets.push_back(decayingScatter(2000, 20));
  return sets;
}

/// The name of a panel of a figure: a set and one more setting.
inline std::string caseOf(const std::string& set, double setting) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "-%g", setting);
  return set + text.data();
}

/// 0 .. columns - 1 in an order that is always the same.
inline std::vector<int> fixedOrder(int columns) {
  std::vector<int> order(static_cast<std::size_t>(columns));
  std::iota(order.begin(), order.end(), 0);
  pm::Drbg random = experiments::seeded(2019);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[std::size_t(pm::uniformOpen(random) * double(i))]);
  }
  return order;
}

}  // namespace covariance_estimation
