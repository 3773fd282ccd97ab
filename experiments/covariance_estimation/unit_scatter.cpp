#include "experiments/covariance_estimation/unit_scatter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "core/random/continuous.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/table_file.hpp"

namespace covariance_estimation {

UnitScatter unitScatter(std::string name, Eigen::MatrixXd cells) {
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

Eigen::MatrixXd featuresOf(const std::filesystem::path& folder, const std::string& name,
                           int columns) {
  if (!experiments::haveTable(folder, name)) {
    std::printf("%s: skipped\n", name.c_str());
    return {};
  }
  return experiments::readTableFile(folder, name).leftCols(columns);
}

UnitScatter decayingScatter(double rows, int dimension) {
  Eigen::VectorXd values(dimension);
  for (int i = 0; i < dimension; ++i) values[i] = 1.0 / (i + 1);
  values *= rows / values.sum();
  return {"simulated", rows, values.asDiagonal()};
}

std::vector<UnitScatter> comparedSets(const std::filesystem::path& folder) {
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

std::string caseOf(const std::string& set, double setting) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "-%g", setting);
  return set + text.data();
}

std::vector<int> fixedOrder(int columns) {
  std::vector<int> order(static_cast<std::size_t>(columns));
  std::iota(order.begin(), order.end(), 0);
  pm::Drbg random = experiments::seeded(2019);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[std::size_t(pm::uniformOpen(random) * double(i))]);
  }
  return order;
}

}  // namespace covariance_estimation
