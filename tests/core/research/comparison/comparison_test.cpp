#include "core/research/comparison/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/registry.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace comparison_test {

using namespace testing_support;
using Eigen::MatrixXd;

// Positive definite, trace 1: rows of length 1.
MatrixXd mean() {
  MatrixXd m(4, 4);
  m << 40, 12, 3, 0, 12, 30, 5, 2, 3, 5, 20, 1, 0, 2, 1, 10;
  return m / 100;
}

ComparedRows rowsOf(double rows, int components = 2) {
  return comparedRows(mean(), rows, components).value();
}

Plan planOf(const char* name, double epsilon = 1, int components = 2) {
  MechanismParams params{};
  params.epsilon = epsilon;
  params.delta = 1e-6;
  params.neighbours = Neighbours::kReplaceOne;
  params.unit = Unit::kRow;
  params.dimension = 4;
  params.components = components;
  return findMechanism(name)->plan(params).value();
}

PublishedParams publishedParams(double epsilon = 1, int components = 2) {
  PublishedParams params{epsilon, 1e-6, Neighbours::kReplaceOne, 1};
  params.components = components;
  params.rounds = 3;
  return params;
}

double rms(const EstimateRun& run, const ComparedRows& rows, int runs, std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  double squares = 0;
  for (int i = 0; i < runs; ++i) {
    const double distance = figuresOf(run(random), rows).distance;
    squares += distance * distance;
  }
  return std::sqrt(squares / runs);
}

// A squared distance has a relative deviation of at most 0.9 (Laplace's), the root of the mean of
// 1500 of them 0.012. Six percent is five times that.
constexpr int kRuns = 1500;
constexpr double kWithin = 0.06;

TEST(Comparison, MeasuresTheRootMeanSquareDistanceOfAPlansNoise) {
  const ComparedRows rows = rowsOf(1000);
  for (const char* name : {"gaussian", "laplace", "two-sided-wishart", "frobenius", "wishart"}) {
    const Plan plan = planOf(name);
    const double diagonal = plan.sd_diagonal, off = plan.sd_off_diagonal;
    const double predicted =
        std::ldexp(std::sqrt(4 * diagonal * diagonal + 12 * off * off), -2 * plan.bits) / 1000;
    EXPECT_NEAR(rms(studyRuns(plan, rows).value(), rows, kRuns, 7) / predicted, 1, kWithin) << name;
  }
}

TEST(Comparison, MeasuresTheDistanceOfPublishedNoise) {
  const ComparedRows rows = rowsOf(500);
  // Laplace noise of scale 2 d/epsilon has variance 2 (2 d/epsilon)^2 in d^2 entries.
  const auto laplace = publishedRuns(*findPublished("laplace-2d"), publishedParams(), rows).value();
  EXPECT_NEAR(rms(laplace, rows, kRuns, 8) / (std::sqrt(2.0) * 8 * 4 / 500), 1, kWithin);
}

TEST(Comparison, IsExactWithoutNoise) {
  const ComparedRows rows = rowsOf(300);
  Drbg random(unsafeTestSeed(1));
  const auto exact = publishedRuns(*findPublished("non-private"), publishedParams(), rows).value();
  const ComparisonFigures figures = figuresOf(exact(random), rows);
  EXPECT_EQ(figures.distance, 0);
  EXPECT_NEAR(figures.truncated, 0, 1e-14);
  EXPECT_NEAR(figures.share, 1, 1e-14);
}

TEST(Comparison, ApproachesTheMatrixForEnormousEpsilon) {
  const ComparedRows rows = rowsOf(100000);
  for (const Mechanism& mechanism : mechanisms()) {
    const bool has_matrix = mechanism.name != "ppca";
    const std::string name(mechanism.name);
    // All directions give the whole matrix; ppca has no values and cannot release all directions.
    const Plan plan = planOf(name.c_str(), 1e4, has_matrix ? 4 : 2);
    Drbg random(unsafeTestSeed(2));
    const ComparisonFigures figures = figuresOf(studyRuns(plan, rows).value()(random), rows);
    EXPECT_EQ(std::isnan(figures.distance), !has_matrix) << name;
    if (has_matrix) {
      EXPECT_LT(figures.distance, 0.01) << name;
    }
    EXPECT_GT(figures.share, 0.99) << name;
    EXPECT_LT(figures.share, 1 + 1e-4) << name;
  }
}

TEST(Comparison, ReadsTheOutputOfEveryPublishedMechanism) {
  const ComparedRows rows = rowsOf(1000);
  for (const Published& mechanism : published()) {
    Drbg random(unsafeTestSeed(3));
    const auto run = publishedRuns(mechanism, publishedParams(), rows);
    ASSERT_TRUE(run.ok()) << mechanism.name;
    const ComparisonFigures figures = figuresOf(run.value()(random), rows);
    EXPECT_EQ(!std::isnan(figures.distance), mechanism.output == Output::kMatrix) << mechanism.name;
    EXPECT_EQ(std::isnan(figures.share), mechanism.output == Output::kWeights) << mechanism.name;
  }
}

TEST(Comparison, SharesAreRelativeToTheMaximumForAsManyDirections) {
  const Spectrum exact = spectrum(mean());
  const auto share_of = [&](int components, int first) {
    const Estimate estimate{{}, exact.vectors.middleCols(first, components)};
    return figuresOf(estimate, rowsOf(10, components)).share;
  };
  EXPECT_NEAR(share_of(1, 0), 1, 1e-12);
  EXPECT_NEAR(share_of(1, 3), exact.values[3] / exact.values[0], 1e-12);
  EXPECT_NEAR(share_of(2, 1),
              (exact.values[1] + exact.values[2]) / (exact.values[0] + exact.values[1]), 1e-12);
}

TEST(Comparison, ClampsEigenvaluesToThePossibleRange) {
  MatrixXd estimate = MatrixXd::Zero(2, 2);
  estimate(0, 0) = -3;
  estimate(1, 1) = 50;
  EXPECT_NEAR(truncated(estimate, 10)(0, 0), 0, 1e-12);
  EXPECT_NEAR(truncated(estimate, 10)(1, 1), 10, 1e-12);
  const ComparedRows rows = comparedRows(MatrixXd::Identity(2, 2) / 2, 10, 1).value();
  const ComparisonFigures figures = figuresOf({estimate, {}}, rows);
  EXPECT_NEAR(figures.distance, std::hypot(8, 45) / 10, 1e-12);
  EXPECT_NEAR(figures.truncated, std::hypot(5, 5) / 10, 1e-12);
}

TEST(Comparison, HasNoFiguresForAnEstimateThatIsNotFinite) {
  const ComparedRows rows = rowsOf(100);
  PublishedParams without_delta = publishedParams();
  without_delta.delta = 0;
  Drbg random(unsafeTestSeed(4));
  const auto run = publishedRuns(*findPublished("sheffet-wishart"), without_delta, rows).value();
  const ComparisonFigures figures = figuresOf(run(random), rows);
  EXPECT_TRUE(std::isnan(figures.distance) && std::isnan(figures.truncated) &&
              std::isnan(figures.share));
}

TEST(Comparison, RejectsMatricesThatNoRowsHave) {
  const auto code_of = [](const MatrixXd& matrix, double rows, int components) {
    return comparedRows(matrix, rows, components).error().code;
  };
  EXPECT_EQ(code_of(MatrixXd::Ones(2, 3), 10, 1), Code::kInvalidDimension);
  EXPECT_EQ(code_of(MatrixXd::Zero(2, 2), 10, 1), Code::kInvalidDimension);
  MatrixXd matrix(2, 2);
  matrix << 0.5, 0.1, -0.3, 0.2;
  EXPECT_EQ(code_of(matrix, 10, 1), Code::kInvalidDimension) << "not symmetric";
  matrix << 0.5, 0.1, 0.1, 0.51;
  EXPECT_EQ(code_of(matrix, 10, 1), Code::kInvalidRowNorm) << "longer than 1";
  matrix << 0.5, 0.3, 0.3, 0.1;
  EXPECT_EQ(code_of(matrix, 10, 1), Code::kInvalidRowNorm) << "an eigenvalue below 0";
  EXPECT_EQ(code_of(mean() * std::nan(""), 10, 1), Code::kNotFinite);
  for (const double rows : {0.0, 2.5, 0x1p60}) EXPECT_EQ(code_of(mean(), rows, 1), Code::kNoRows);
  for (const int k : {0, 5}) EXPECT_EQ(code_of(mean(), 10, k), Code::kInvalidComponents);
  EXPECT_EQ(studyRuns(planOf("gaussian"), rowsOf(0x1p53)).error().code, Code::kTooManyRows);
}

TEST(Comparison, AcceptsMomentsRoundedToSixDecimals) {
  // One row of length 1 in three columns: rank 1, trace 1.
  const Eigen::Vector3d row = Eigen::Vector3d(1, 2, 4) / std::sqrt(21.0);
  const MatrixXd rounded = (row * row.transpose() * 1e6).array().round() / 1e6;
  ASSERT_LT(eigenvalues(rounded).minCoeff(), 0);
  EXPECT_TRUE(comparedRows(rounded, 10, 1).ok());
}

}  // namespace comparison_test
}  // namespace pm
