// Rows drawn from a model respect its bounds and levels and reproduce its moments.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/core/synthesis/rows/drawn_rows.hpp"

namespace pm::synthetic_rows_test {

using namespace drawn_rows;

TEST(SyntheticRows, ReproduceMomentsOfNumbersFarFromTheirBounds) {
  MatrixXd covariance(3, 3);
  covariance << 0.02, 0.01, -0.005, 0.01, 0.01, 0, -0.005, 0, 0.015;
  const VectorXd mean = VectorXd::LinSpaced(3, -0.2, 0.2);
  const std::vector<Column> columns(3, kNumber);
  const SyntheticRows rows = drawn(gaussian(mean, covariance), columns, 100000);
  EXPECT_LT(farthest(encoded(rows.cells, columns), {mean, covariance}), kFar);
  EXPECT_TRUE(rows.narrowed.empty());
}

TEST(SyntheticRows, ReproduceMomentsOfNumbersNearTheirBounds) {
  MatrixXd covariance(3, 3);
  covariance << 0.05, -0.03, 0.05, -0.03, 0.1, -0.08, 0.05, -0.08, 0.3;
  VectorXd mean(3);
  mean << 0.9, -0.8, 0;
  const std::vector<Column> columns(3, kNumber);
  const MatrixXd features =
      encoded(drawn(gaussian(mean, covariance), columns, 200000).cells, columns);
  EXPECT_LT(farthest(features, {mean, covariance}), kFar);
  // A tenth or more of the first are at its bound: merely truncated normal rows would miss all
  // three.
  EXPECT_GT((features.col(0).array() == 1).cast<double>().mean(), 0.1);
}

TEST(SyntheticRows, ReproduceFrequenciesTablesAndRegressionsOfMixedColumns) {
  const Moments model = mixedMoments();
  const SyntheticRows rows = drawn(gaussian(model.mean, model.covariance), kMixed, 200000);
  EXPECT_LT(farthest(encoded(rows.cells, kMixed), model), kFar);
}
TEST(SyntheticRows, AreWithinTheirBoundsAndLevelsForEveryModel) {
  const std::vector<Column> columns{{Column::Kind::kNumber, 18, 90, 0},
                                    category(3),
                                    {Column::Kind::kNumber, -1e-9, 1.0 / 3, 0},
                                    category(1)};
  VectorXd mean(6);
  mean << 7, -2, 0.4, 3, -0.9, 5;
  for (const double scale : {0.0, 1.0, 1e3}) {
    const MatrixXd covariance =
        scale * (MatrixXd::Identity(6, 6) - 2 * MatrixXd::Ones(6, 6));  // indefinite
    const SyntheticRows rows = drawn(gaussian(mean, covariance), columns, 500);
    for (std::size_t at = 0; at < rows.cells.size(); at += 4) {
      const double* cells = rows.cells.data() + at;
      EXPECT_TRUE(cells[0] >= 18 && cells[0] <= 90);
      EXPECT_TRUE(cells[1] == 0 || cells[1] == 1 || cells[1] == 2);
      EXPECT_TRUE(cells[2] >= -1e-9 && cells[2] <= 1.0 / 3);
      EXPECT_EQ(cells[3], 0);
    }
  }
}

TEST(SyntheticRows, HaveTheLargestPossibleVarianceIfTheModelHasMoreAndReportIt) {
  const std::vector<Column> columns{category(2), kNumber, kNumber};
  VectorXd mean(4);
  mean << 0.5, 0.5, 0.2, 0;
  MatrixXd covariance = MatrixXd::Zero(4, 4);
  covariance.diagonal() << 0.25, 0.25, 0.5, 1.7;
  const SyntheticRows rows = drawn(gaussian(mean, covariance), columns, 20000);
  EXPECT_EQ(rows.narrowed, std::vector<int>{2});
  const Moments found = momentsOf(encoded(rows.cells, columns));
  EXPECT_NEAR(found.covariance(3, 3), 1, 0.01);
  EXPECT_NEAR(found.mean[3], 0, kFar / std::sqrt(20000));
  EXPECT_NEAR(found.covariance(2, 2), 0.5, 0.02);
}

TEST(SyntheticRows, OfANumberAlwaysAtABoundAreRarelyBetween) {
  const std::vector<Column> columns(2, kNumber);
  VectorXd mean(2);
  mean << 0.3, -0.6;
  MatrixXd covariance(2, 2);
  covariance << 0.91, 0.3, 0.3, 0.64;
  const SyntheticRows rows = drawn(gaussian(mean, covariance), columns, 20000);
  EXPECT_TRUE(rows.narrowed.empty());
  const MatrixXd features = encoded(rows.cells, columns);
  EXPECT_GT((features.array().abs() == 1).cast<double>().mean(), 0.99);
  EXPECT_LT((momentsOf(features).covariance - covariance).cwiseAbs().maxCoeff(), 0.04);
}

TEST(SyntheticRows, OfAConstantAreConstantAndOfADuplicateEqual) {
  const std::vector<Column> columns(4, kNumber);
  MatrixXd covariance = MatrixXd::Zero(4, 4);
  covariance(1, 1) = covariance(2, 2) = covariance(1, 2) = covariance(2, 1) = 0.04;
  VectorXd mean(4);
  mean << 0.25, 0, 0.1, -1;
  const SyntheticRows rows = drawn(gaussian(mean, covariance), columns, 200);
  for (std::size_t at = 0; at < rows.cells.size(); at += 4) {
    EXPECT_EQ(rows.cells[at], 0.25);
    EXPECT_NEAR(rows.cells[at + 2], rows.cells[at + 1] + 0.1, 1e-5);
    EXPECT_EQ(rows.cells[at + 3], -1);
  }
}

TEST(SyntheticRows, HaveNoLevelOfZeroProbability) {
  const std::vector<Column> columns{category(3), category(2)};
  VectorXd mean(5);
  mean << 0.7, 0, 0.3, 1, 0;
  const MatrixXd none = MatrixXd::Zero(5, 5);
  const SyntheticRows rows = drawn(gaussian(mean, none), columns, 2000);
  for (std::size_t at = 0; at < rows.cells.size(); at += 2) {
    EXPECT_NE(rows.cells[at], 1);
    EXPECT_EQ(rows.cells[at + 1], 0);
  }
}

TEST(SyntheticRows, OfAMixtureHaveEachClassWithItsMeanAndItsNumberOfRows) {
  const std::vector<Column> columns{kNumber, category(2), kNumber};
  RowModel model;
  MatrixXd covariance(2, 2);
  covariance << 0.02, 0.01, 0.01, 0.03;
  VectorXd first(2), second(2);
  first << 0.9, 0;
  second << -0.4, 0.1;
  model.components = {{0.25, first, covariance, 0}, {0.75, second, covariance, 1}};
  const SyntheticRows rows = drawn(model, columns, 40000, 1);
  MatrixXd of_first(10000, 2), of_second(30000, 2);
  Index a = 0, b = 0;
  for (std::size_t at = 0; at < rows.cells.size(); at += 3) {
    const double* cells = rows.cells.data() + at;
    const Eigen::RowVector2d numbers(cells[0], cells[2]);
    if (cells[1] == 0) {
      ASSERT_LT(a, 10000);
      of_first.row(a++) = numbers;
    } else {
      ASSERT_LT(b, 30000);
      of_second.row(b++) = numbers;
    }
  }
  EXPECT_EQ(a, 10000);
  EXPECT_LT(farthest(of_first, {first, covariance}), kFar);
  EXPECT_LT(farthest(of_second, {second, covariance}), kFar);
  // In random order: the first hundred rows are of both classes.
  double early = 0;
  for (std::size_t row = 0; row < 100; ++row) early += rows.cells[3 * row + 1];
  EXPECT_GT(early, 50);
  EXPECT_LT(early, 97);
}

TEST(SyntheticRows, AreApportionedInWholeRowsThatAddUp) {
  EXPECT_EQ(allocateRows({0.5, 0.5}, 5, 0), (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(allocateRows({1, 1, 1}, 100, 2), (std::vector<std::int64_t>{34, 33, 33}));
  EXPECT_EQ(allocateRows({1, 0, 0}, 100, 2), (std::vector<std::int64_t>{96, 2, 2}));
  EXPECT_EQ(allocateRows({1, 0, 0}, 5, 2), (std::vector<std::int64_t>{5, 0, 0}));
  const auto many = allocateRows(std::vector<double>(7, 0.1), 10, 0);
  EXPECT_EQ(std::accumulate(many.begin(), many.end(), std::int64_t{0}), 10);
}

TEST(SyntheticRows, AreEqualForEqualSeedsAndDifferForOthers) {
  const Moments model = mixedMoments();
  const RowModel made = gaussian(model.mean, model.covariance);
  const SyntheticRows once = drawn(made, kMixed, 100);
  EXPECT_EQ(once.cells, drawn(made, kMixed, 100).cells);
  EXPECT_NE(once.cells, drawn(made, kMixed, 100, -1, 2).cells);
}

TEST(SyntheticRows, AreRejectedWithAnExplanation) {
  const std::vector<Column> columns{kNumber, category(2)};
  const RowModel model = gaussian(VectorXd::Zero(3), MatrixXd::Zero(3, 3));
  Drbg random = simulationDrbg(1);
  const auto code = [&](const RowModel& of, int label, std::int64_t rows) {
    return drawRows(of, columns, label, rows, random).error().code;
  };
  EXPECT_EQ(code(model, -1, 0), Code::kNoRows);
  EXPECT_EQ(code(model, -1, kMostCells), Code::kTooManyRows);
  EXPECT_EQ(code(model, 1, 1), Code::kInvalidDimension);
  EXPECT_EQ(code(model, 0, 1), Code::kInvalidLevel);
  EXPECT_EQ(code({}, -1, 1), Code::kInvalidDimension);
  RowModel unsure = model;
  unsure.components[0].mean[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code(unsure, -1, 1), Code::kNotFinite);
  RowModel unlabelled{{{1, VectorXd::Zero(1), MatrixXd::Zero(1, 1), 2}}};
  EXPECT_EQ(code(unlabelled, 1, 1), Code::kInvalidLevel);
}

TEST(FiguresOfRows, AreTheirMeansDeviationsAndCorrelationsWithSamplingErrors) {
  const Moments model = mixedMoments();
  const RowModel made = gaussian(model.mean, model.covariance);
  std::vector<Column> columns = kMixed;
  columns[1] = {Column::Kind::kNumber, 0, 10, 0};  // scaled 1 is 5
  constexpr int kDraws = 200;
  MatrixXd values(kDraws, 4), errors(kDraws, 4);
  for (int draw = 0; draw < kDraws; ++draw) {
    const SyntheticRows rows = drawn(made, columns, 1000, -1, std::uint64_t(draw));
    const RowFigures figures = figuresOf(rows.cells, columns, {{{0, 1, 2, 3}, {6, 11}}}, 1).value();
    values.row(draw) << figures.means[3], figures.deviations[6], figures.correlations(3, 6),
        figures.correlations(1, 11);
    errors.row(draw) << figures.mean_errors[3], figures.deviation_errors[6],
        figures.correlation_errors(3, 6), figures.correlation_errors(1, 11);
    EXPECT_EQ(figures.canonical.size(), 1u);
    EXPECT_GT(figures.canonical[0][0], 0.2);
  }
  EXPECT_NEAR(values.col(0).mean(), 5 + 5 * model.mean[3], kFar * errors(0, 0) / std::sqrt(kDraws));
  EXPECT_NEAR(values.col(1).mean(), std::sqrt(model.covariance(6, 6)), 0.01);
  for (Index k = 0; k < 4; ++k) {
    const double spread = std::sqrt((values.col(k).array() - values.col(k).mean()).square().mean());
    // The spread of 200 draws is within a third of the truth but once in a million times.
    EXPECT_NEAR(spread / errors.col(k).mean(), 1, 0.34) << k;
  }
}

TEST(FiguresOfRows, OfConstantColumnsAreZeroNotUndefined) {
  const std::vector<Column> columns{kNumber, category(2)};
  const RowFigures figures = figuresOf(std::vector<double>{0.5, 1, 0.5, 1}, columns, {}, 1).value();
  EXPECT_EQ(figures.deviations.maxCoeff(), 0);
  EXPECT_TRUE(figures.correlations.allFinite());
  EXPECT_EQ(figures.means[2], 1);
}

}  // namespace pm::synthetic_rows_test
