// Partial least squares, compared with pls::plsr and svd in R (tests/vectors/pls_reference.R).
#include "core/analysis/methods/pls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/core/analysis/planted.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace pls_test {

using fixtures::matrixOf;
using fixtures::vectorOf;

constexpr double kTolerance = 1e-6;

/// Predictors first, then targets, in units of four standard deviations.
template <class Input>
Input inputOf(const nlohmann::json& table) {
  Input input;
  const Eigen::MatrixXd covariance = matrixOf(table["covariance"]);
  input.half = 4 * covariance.diagonal().cwiseSqrt();
  const Eigen::VectorXd inverse = input.half.cwiseInverse();
  input.covariance = inverse.asDiagonal() * covariance * inverse.asDiagonal();
  input.trace_bound = static_cast<double>(input.half.size());
  input.rows = table["rows"].get<double>();
  return input;
}

std::vector<int> targetsOf(const nlohmann::json& table) {
  return table["targets"].get<std::vector<int>>();
}

std::vector<int> othersOf(const nlohmann::json& table) {
  const std::vector<int> targets = targetsOf(table);
  std::vector<int> others;
  for (int i = 0; i < static_cast<int>(table["mean"].size()); ++i) {
    if (std::find(targets.begin(), targets.end(), i) == targets.end()) others.push_back(i);
  }
  return others;
}

PlsRegressionInput regressionOf(const nlohmann::json& table) {
  auto input = inputOf<PlsRegressionInput>(table);
  input.mean = vectorOf(table["mean"]);
  input.features = othersOf(table);
  input.targets = targetsOf(table);
  input.components = table["components"].get<int>();
  return input;
}

PlsCorrelationInput correlationOf(const nlohmann::json& table) {
  auto input = inputOf<PlsCorrelationInput>(table);
  input.x = othersOf(table);
  input.y = targetsOf(table);
  input.components = static_cast<int>(input.y.size());
  return input;
}

void expectSameUpToSigns(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected,
                         const std::string& name) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  for (Eigen::Index j = 0; j < found.cols(); ++j) {
    const double sign = found.col(j).dot(expected.col(j)) < 0 ? -1 : 1;
    EXPECT_LT((sign * found.col(j) - expected.col(j)).cwiseAbs().maxCoeff(), kTolerance) << name;
  }
}

TEST(PlsRegression, HasTheFitAndTheScoresOfR) {
  const nlohmann::json tables = fixtures::readVectors("pls.json");
  ASSERT_EQ(tables.size(), 3U);
  for (const auto& [name, table] : tables.items()) {
    const PlsRegressionInput input = regressionOf(table);
    const PlsRegression result = plsRegression(input).value();
    EXPECT_EQ(result.used, input.components) << name;
    EXPECT_EQ(result.hidden, (std::vector<int>{0, 0}));
    const Eigen::MatrixXd expected = matrixOf(table["coefficients"]);
    const Eigen::VectorXd of_y = input.half(input.targets);
    for (Eigen::Index i = 0; i < expected.rows(); ++i) {
      const double of_x = input.half[input.features[static_cast<std::size_t>(i)]];
      for (Eigen::Index j = 0; j < expected.cols(); ++j) {
        EXPECT_NEAR(result.coefficients(i, j) * of_x / of_y[j], expected(i, j) * of_x / of_y[j],
                    kTolerance)
            << name;
      }
    }
    const Eigen::VectorXd intercepts = vectorOf(table["intercepts"]);
    for (Eigen::Index j = 0; j < intercepts.size(); ++j) {
      EXPECT_NEAR(result.intercepts[j] / of_y[j], intercepts[j] / of_y[j], 1e-4) << name;
      const double variance = std::pow(of_y[j] / 4, 2);
      EXPECT_NEAR(std::pow(result.residual_sd[j], 2) / variance, 1 - result.r2[j], kTolerance);
    }
    EXPECT_LT((result.r2 - vectorOf(table["r2"])).cwiseAbs().maxCoeff(), kTolerance) << name;
    expectSameUpToSigns(result.features.loadings, matrixOf(table["loadings"]), name);
    expectSameUpToSigns(result.target_loadings, matrixOf(table["targetLoadings"]), name);
    double explained = 0;
    for (const PlsComponent& component : result.components) explained += component.share_targets;
    EXPECT_NEAR(explained, result.r2.mean(), kTolerance) << name;
  }
}

TEST(PlsCorrelation, HasTheSingularValuesAndTheScoresOfR) {
  const nlohmann::json tables = fixtures::readVectors("pls.json");
  for (const auto& [name, table] : tables.items()) {
    const PlsCorrelation result = plsCorrelation(correlationOf(table)).value();
    const nlohmann::json& pairs = table["pairs"];
    const Eigen::VectorXd values = vectorOf(pairs["values"]);
    const Eigen::VectorXd correlations = vectorOf(pairs["correlations"]);
    ASSERT_EQ(result.pairs.size(), static_cast<std::size_t>(values.size()));
    for (Eigen::Index j = 0; j < values.size(); ++j) {
      const PlsPair& pair = result.pairs[static_cast<std::size_t>(j)];
      EXPECT_NEAR(pair.value, values[j], kTolerance) << name;
      EXPECT_NEAR(pair.correlation, correlations[j], kTolerance) << name;
      EXPECT_NEAR(pair.share, values[j] * values[j] / values.squaredNorm(), kTolerance) << name;
    }
    expectSameUpToSigns(result.saliences_x, matrixOf(pairs["x"]), name);
    expectSameUpToSigns(result.saliences_y, matrixOf(pairs["y"]), name);
    expectSameUpToSigns(result.x.loadings, matrixOf(pairs["loadings"]), name);
    EXPECT_GT(result.saliences_x.colwise().maxCoeff().minCoeff(), 0);
  }
}

TEST(PlsRegression, IsLeastSquaresWithAsManyComponentsAsPredictorsAndKeepsWhatIsLeftAtZero) {
  const nlohmann::json table = fixtures::readVectors("pls.json")["wine"];
  PlsRegressionInput input = regressionOf(table);
  input.components = static_cast<int>(input.features.size());
  const PlsRegression result = plsRegression(input).value();
  const Eigen::MatrixXd block = input.covariance(input.features, input.features);
  const Eigen::VectorXd with = input.covariance(input.features, input.targets).col(0);
  const Eigen::VectorXd solution = block.ldlt().solve(with);
  EXPECT_NEAR(result.r2[0], solution.dot(with) / input.covariance(0, 0), kTolerance);

  PlsRegressionInput two = input;  // the second predictor is a copy of the first
  two.features = {1, 2};
  two.components = 2;
  two.covariance.row(2) = two.covariance.row(1);
  two.covariance.col(2) = two.covariance.col(1);
  const PlsRegression dependent = plsRegression(two).value();
  EXPECT_EQ(dependent.used, 1);
  EXPECT_TRUE(dependent.components[1].below_noise_floor);
  EXPECT_TRUE(dependent.features.weights.col(1).isZero(0));
}

/// Predictors that are all related to each other, and targets of which the first follows the first
/// two, or none if `slope` is 0.
Eigen::MatrixXd related(double slope) {
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Constant(8, 8, 0.09);
  covariance.diagonal().setConstant(0.3);
  covariance.rightCols(2).setZero();
  covariance.bottomRows(2).setZero();
  const Eigen::VectorXd with = slope * (covariance.col(0) + covariance.col(1));
  covariance.col(6) = with;
  covariance.row(6) = with.transpose();
  covariance(6, 6) = covariance(7, 7) = 0.3;
  return covariance;
}

template <class Input>
Input noisyOf(const Eigen::MatrixXd& covariance, double noise, Drbg& random) {
  const AssembledMoments moments =
      assembleMoments(fixtures::released(covariance, noise, random)).value();
  Input input;
  input.covariance = moments.scaled_covariance;
  input.noise = moments.covariance_noise;
  input.mean_noise = moments.mean_noise;
  input.trace_bound = 8;
  input.half = Eigen::VectorXd::Ones(8);
  input.rows = fixtures::kRows;
  return input;
}

PlsRegressionInput noisyRegression(double slope, double noise, Drbg& random) {
  auto input = noisyOf<PlsRegressionInput>(related(slope), noise, random);
  input.mean = Eigen::VectorXd::Zero(8);
  input.features = fixtures::indices(0, 6);
  input.targets = {6};
  input.components = 3;
  return input;
}

PlsCorrelationInput noisyCorrelation(double slope, double noise, Drbg& random) {
  auto input = noisyOf<PlsCorrelationInput>(related(slope), noise, random);
  input.x = fixtures::indices(0, 6);
  input.y = {6, 7};
  input.components = 2;
  return input;
}

constexpr int kReleases = 400;

constexpr int kMostAlarms = kReleases / 20;

TEST(Pls, FlagsWhatNoiseAndFewRowsAloneMakeOfUnrelatedColumns) {
  for (const double noise : {1e-4, 0.01, 0.05}) {
    Drbg random(testing_support::unsafeTestSeed(61));
    int pairs = 0;
    int components = 0;
    for (int k = 0; k < kReleases; ++k) {
      const PlsCorrelation correlation = plsCorrelation(noisyCorrelation(0, noise, random)).value();
      pairs += correlation.pairs[0].below_noise_floor ? 0 : 1;
      const PlsRegression regression = plsRegression(noisyRegression(0, noise, random)).value();
      components += regression.used > 0 ? 1 : 0;
      if (regression.used == 0) {
        EXPECT_TRUE(regression.coefficients.isZero(0));
        EXPECT_EQ(regression.r2[0], 0);
      }
    }
    EXPECT_LE(pairs, kMostAlarms) << noise;
    EXPECT_LE(components, kMostAlarms) << noise;
  }
}

/// The target follows the first two of six predictors with R^2 = 0.65: two components have it all.
TEST(Pls, FindsInNoiseWhatIsThereAndNoMore) {
  for (const double noise : {1e-3, 0.01}) {
    Drbg random(testing_support::unsafeTestSeed(62));
    for (int k = 0; k < 100; ++k) {
      const PlsCorrelation pairs = plsCorrelation(noisyCorrelation(0.5, noise, random)).value();
      EXPECT_FALSE(pairs.pairs[0].below_noise_floor);
      EXPECT_TRUE(pairs.pairs[1].below_noise_floor);
      EXPECT_NEAR(pairs.pairs[0].correlation, 0.73, noise > 1e-3 ? 0.15 : 0.06);
      const PlsRegression fit = plsRegression(noisyRegression(0.5, noise, random)).value();
      EXPECT_EQ(fit.used, 2);
      EXPECT_TRUE(fit.components[2].below_noise_floor);
      EXPECT_NEAR(fit.r2[0], 0.65, noise > 1e-3 ? 0.15 : 0.05);
      EXPECT_NEAR(fit.coefficients(0, 0), 0.5, noise > 1e-3 ? 0.2 : 0.06);
    }
  }
}

TEST(Pls, RaisesVariancesThatNoiseHidesAndCountsThem) {
  Drbg random(testing_support::unsafeTestSeed(63));
  PlsCorrelationInput input = noisyCorrelation(0.5, 1e-3, random);
  input.covariance.row(5) *= 0.01;
  input.covariance.col(5) *= 0.01;
  EXPECT_EQ(plsCorrelation(input).value().hidden, (std::vector<int>{1, 0}));
  input.covariance.setZero();
  const PlsCorrelation nothing = plsCorrelation(input).value();
  EXPECT_EQ(nothing.hidden, (std::vector<int>{6, 2}));
  EXPECT_TRUE(nothing.pairs[0].below_noise_floor);
  EXPECT_TRUE(nothing.x.weights.isZero(0));
}

TEST(Pls, RefusesWhatItCannotAnswer) {
  Drbg random(testing_support::unsafeTestSeed(64));
  PlsRegressionInput regression = noisyRegression(0.5, 0.01, random);
  regression.features.push_back(6);
  EXPECT_EQ(plsRegression(regression).error().field, "features");
  regression.features.pop_back();
  regression.components = 7;
  EXPECT_EQ(plsRegression(regression).error().code, Code::kInvalidComponents);
  regression.components = 1;
  regression.mean.resize(3);
  EXPECT_EQ(plsRegression(regression).error().code, Code::kWrongLength);
  PlsCorrelationInput correlation = noisyCorrelation(0.5, 0.01, random);
  correlation.components = 3;
  EXPECT_EQ(plsCorrelation(correlation).error().code, Code::kInvalidComponents);
  correlation.y = {0};
  EXPECT_EQ(plsCorrelation(correlation).error().code, Code::kInvalidView);
}

}  // namespace pls_test
}  // namespace pm
