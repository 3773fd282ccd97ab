// Rows drawn from a model of categories reproduce its tables: statistics of many rows.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/core/synthesis/rows/drawn_rows.hpp"

namespace pm::synthetic_rows_law_test {

using namespace drawn_rows;

TEST(SyntheticRowsLaw, ReproduceTablesOfTwoIfProbabilitiesWereClamped) {
  // For six levels this strongly dependent, a linear regression gives probabilities below 0.
  Drbg random = simulationDrbg(11);
  const std::vector<Column> columns(6, category(2));
  std::vector<double> cells;
  for (int row = 0; row < 20000; ++row) {
    const double factor = standardNormal(random);
    for (int j = 0; j < 6; ++j) {
      const double own = (j % 2 ? factor : -factor) + 0.5 * standardNormal(random);
      cells.push_back(own > 1 + 0.1 * j);
    }
  }
  const Moments model = momentsOf(encoded(cells, columns));
  const SyntheticRows rows = drawn(gaussian(model.mean, model.covariance), columns, 200000);
  EXPECT_LT(farthest(encoded(rows.cells, columns), model), kFar);
}

TEST(SyntheticRowsLaw, ReproduceTablesOfMoreCategoriesThanCanBeEnumerated) {
  Drbg random = simulationDrbg(12);
  const std::vector<Column> columns(16, category(2));
  std::vector<double> cells;
  for (int row = 0; row < 20000; ++row) {
    const double factor = standardNormal(random);
    for (int j = 0; j < 16; ++j) cells.push_back(0.6 * factor + standardNormal(random) > 0.05 * j);
  }
  const Moments model = momentsOf(encoded(cells, columns));
  const SyntheticRows rows = drawn(gaussian(model.mean, model.covariance), columns, 50000);
  const Moments found = momentsOf(encoded(rows.cells, columns));
  // A sample of 2048 scenarios represents all, so a small bias remains.
  EXPECT_LT((found.mean - model.mean).cwiseAbs().maxCoeff(), 0.02);
  EXPECT_LT((found.covariance - model.covariance).cwiseAbs().maxCoeff(), 0.01);
}

/// Rows of twelve dependent categories, with thresholds moved by a multiple of `shift`.
Moments thresholds(double shift, const std::vector<Column>& columns) {
  Drbg random = simulationDrbg(13);
  std::vector<double> cells;
  for (int row = 0; row < 4000; ++row) {
    const double first = standardNormal(random);
    const double second = standardNormal(random);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double value = (c % 2 ? 0.8 : -0.8) * first + (c % 3 ? 0.5 : -0.5) * second +
                           0.7 * standardNormal(random) + shift * (double(c * 7 % 12) - 5.5) / 4;
      const int levels = columns[c].levels;
      cells.push_back(std::clamp(int(std::floor((value + 2) / 4 * levels)), 0, levels - 1));
    }
  }
  return momentsOf(encoded(cells, columns));
}

std::vector<Column> twelveCategories() {
  std::vector<Column> columns;
  for (int c = 0; c < 12; ++c) columns.push_back(category(2 + c % 4));
  return columns;
}

TEST(SyntheticRowsLaw, HaveTheModelsFrequenciesDespiteAnInconsistentCovariance) {
  // A class with the pooled covariance: no table has both, and the fit must not diverge.
  const std::vector<Column> columns = twelveCategories();
  const Moments all = thresholds(0, columns);
  const Moments own = thresholds(0.6, columns);
  const SyntheticRows rows = drawn(gaussian(own.mean, all.covariance), columns, 20000);
  const Moments found = momentsOf(encoded(rows.cells, columns));
  EXPECT_LT((found.mean - own.mean).cwiseAbs().maxCoeff(), 0.1);
}

TEST(SyntheticRowsLaw, OfManySmallClassesHaveJointlyTheMomentsOfTheModel) {
  // Each class has its own sample of scenarios, coarser for fewer rows.
  std::vector<Column> columns = twelveCategories();
  const Moments moments = thresholds(0, columns);
  constexpr int kClasses = 60;
  RowModel model;
  for (int level = 0; level < kClasses; ++level) {
    model.components.push_back({1.0 / kClasses, moments.mean, moments.covariance, level});
  }
  columns.push_back(category(kClasses));
  const SyntheticRows rows = drawn(model, columns, 6000, 12);
  const MatrixXd features = encoded(rows.cells, columns).leftCols(moments.mean.size());
  const Moments found = momentsOf(features);
  EXPECT_LT((found.mean - moments.mean).cwiseAbs().maxCoeff(), 0.03);
  EXPECT_LT((found.covariance - moments.covariance).cwiseAbs().maxCoeff(), 0.02);
}

}  // namespace pm::synthetic_rows_law_test
