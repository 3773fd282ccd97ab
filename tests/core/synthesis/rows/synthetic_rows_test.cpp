// Rows drawn from a model respect its bounds and levels and reproduce its moments. The largest of
// the compared differences is below `kFar` standard errors in all but one in a million runs; seeds
// are fixed.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/random/continuous.hpp"
#include "core/synthesis/rows/figures.hpp"
#include "core/synthesis/rows/rows.hpp"

namespace pm::synthetic_rows_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFar = 6.5;
const Column kNumber{Column::Kind::kNumber, -1, 1, 0};

Column category(int levels) { return {Column::Kind::kCategory, 0, 0, levels}; }

SyntheticRows drawn(const RowModel& model, const std::vector<Column>& columns, std::int64_t rows,
                    int label = -1, std::uint64_t seed = 1) {
  Drbg random = simulationDrbg(seed);
  return drawRows(model, columns, label, rows, random).value();
}

RowModel gaussian(const VectorXd& mean, const MatrixXd& covariance) {
  return {{{1, mean, covariance, -1}}};
}

/// Indicators and numbers of rows whose bounds are -1 and 1.
MatrixXd encoded(const std::vector<double>& cells, const std::vector<Column>& columns) {
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

Moments momentsOf(const MatrixXd& features) {
  const VectorXd mean = features.colwise().mean().transpose();
  const MatrixXd centred = features.rowwise() - mean.transpose();
  return {mean, centred.transpose() * centred / double(features.rows())};
}

/// The largest distance of the rows' moments from those of the model, in standard errors. Means of
/// numbers in [-1, 1], and of their products, have errors of at most sd / sqrt n and 1 / sqrt n;
/// the error of a covariance is taken from the rows.
double farthest(const MatrixXd& features, const Moments& model) {
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
const std::vector<Column> kMixed{category(3), kNumber, category(2), kNumber,
                                 category(4), kNumber, kNumber};

Moments mixedMoments() {
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

TEST(SyntheticRows, ReproduceTablesOfTwoIfProbabilitiesWereClamped) {
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

TEST(SyntheticRows, ReproduceTablesOfMoreCategoriesThanCanBeEnumerated) {
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

TEST(SyntheticRows, HaveTheModelsFrequenciesDespiteAnInconsistentCovariance) {
  // A class with the pooled covariance: no table has both, and the fit must not diverge.
  const std::vector<Column> columns = twelveCategories();
  const Moments all = thresholds(0, columns);
  const Moments own = thresholds(0.6, columns);
  const SyntheticRows rows = drawn(gaussian(own.mean, all.covariance), columns, 20000);
  const Moments found = momentsOf(encoded(rows.cells, columns));
  EXPECT_LT((found.mean - own.mean).cwiseAbs().maxCoeff(), 0.1);
}

TEST(SyntheticRows, OfManySmallClassesHaveJointlyTheMomentsOfTheModel) {
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
