#include "core/analysis/methods/regression.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <iostream>
#include <limits>

#include "core/analysis/uncertainty/bootstrap.hpp"
#include "core/matrix/spectrum.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/support/effort.hpp"

namespace pm {
namespace regression_test {

using fixtures::Deterministic;
using fixtures::indices;
using fixtures::matrixOf;
using fixtures::readVectors;
using fixtures::rotationInvariant;
using fixtures::sumsOf;
using fixtures::vectorOf;
using testing_support::draws;

constexpr double kReference = 1e-9;

Eigen::MatrixXd unpacked(const nlohmann::json& upper, Eigen::Index size) {
  Eigen::MatrixXd matrix(size, size);
  std::size_t next = 0;
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = i; j < size; ++j) {
      matrix(i, j) = matrix(j, i) = upper[next++].get<double>();
    }
  }
  return matrix;
}

/// Scaled units are original units, means are 0, the last feature is the target of all others.
RegressionInput exact(const Eigen::MatrixXd& covariance) {
  RegressionInput input;
  const auto d = static_cast<int>(covariance.rows());
  input.covariance = covariance;
  input.trace_bound = 1e6;
  input.half = Eigen::VectorXd::Ones(d);
  input.mean = Eigen::VectorXd::Zero(d);
  input.target = d - 1;
  input.features = indices(0, d - 1);
  return input;
}

/// From rows in original units; the last column is the target.
RegressionInput ofRows(const Eigen::MatrixXd& rows) {
  const MomentSums sums = sumsOf(rows);
  const AssembledMoments moments = assembleMoments(sums).value();
  RegressionInput input = exact(moments.scaled_covariance);
  input.half = sums.half;
  input.mean = moments.mean;
  input.rows = moments.rows;
  return input;
}

Eigen::VectorXd valuesOf(const Regression& regression) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(regression.coefficients.size()));
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    values[i] = regression.coefficients[static_cast<std::size_t>(i)].value;
  }
  return values;
}

TEST(Regression, WithoutNoiseIsWhatScikitLearnAndNumpyFitToTheRowsOfSevenTables) {
  const auto sets = readVectors("regression.json");
  ASSERT_EQ(sets.size(), 7U);
  for (const auto& set : sets) {
    const auto d = static_cast<int>(set["half"].size());
    RegressionInput input = exact(unpacked(set["covariance"], d));
    input.half = vectorOf(set["half"]);
    input.mean = vectorOf(set["mean"]);
    input.target = set["target"].get<int>();
    input.features.clear();
    for (int feature = 0; feature < d; ++feature) {
      if (feature != input.target) input.features.push_back(feature);
    }
    for (const auto& fit : set["fits"]) {
      SCOPED_TRACE(set["name"].get<std::string>() + ", alpha " + fit["alpha"].dump());
      input.alpha = fit["alpha"].get<double>();
      const Regression result = regress(input).value();
      const Eigen::VectorXd expected = vectorOf(fit["coefficients"]);
      const Eigen::VectorXd values = valuesOf(result);
      // A weight is compared in scaled units, where all predictors are alike.
      for (Eigen::Index i = 0; i < values.size(); ++i) {
        const double unit =
            input.half[input.target] / input.half[input.features[static_cast<std::size_t>(i)]];
        EXPECT_NEAR(values[i] / unit, expected[i] / unit, kReference);
      }
      const double unit = input.half[input.target];
      EXPECT_NEAR(result.intercept / unit, fit["intercept"].get<double>() / unit, kReference);
      EXPECT_NEAR(result.r2.value, fit["r2"].get<double>(), kReference);
      EXPECT_NEAR(result.residual_sd / unit, fit["residualSd"].get<double>() / unit, kReference);
      EXPECT_EQ(result.r2.noise_floor, 0);
      EXPECT_FALSE(result.r2.below_noise_floor);
    }
  }
}

TEST(Regression, OfAnExactRuleFindsItInOriginalUnits) {
  Deterministic random(1);
  Eigen::MatrixXd rows = random.normals(50, 3);
  rows.col(0) = 40 + 10 * rows.col(0).array();
  rows.col(1) = -3 + 0.1 * rows.col(1).array();
  rows.col(2) = 7 + 0.5 * rows.col(0).array() - 20 * rows.col(1).array();
  const Regression result = regress(ofRows(rows)).value();
  EXPECT_NEAR(result.coefficients[0].value, 0.5, 1e-9);
  EXPECT_NEAR(result.coefficients[1].value, -20, 1e-9);
  EXPECT_NEAR(result.intercept, 7, 1e-9);
  EXPECT_NEAR(result.r2.value, 1, 1e-12);
  EXPECT_NEAR(result.residual_sd, 0, 1e-5);
}

TEST(Regression, UsesTheRequestedFeaturesInTheirOrder) {
  Deterministic random(2);
  const Eigen::MatrixXd rows = random.normals(60, 5);
  RegressionInput input = ofRows(rows);
  input.target = 1;
  input.features = {4, 0};
  const Regression result = regress(input).value();
  Eigen::MatrixXd chosen(60, 3);
  chosen << rows.col(4), rows.col(0), rows.col(1);
  const Regression expected = regress(ofRows(chosen)).value();
  EXPECT_LT((valuesOf(result) - valuesOf(expected)).norm(), 1e-12);
  EXPECT_NEAR(result.intercept, expected.intercept, 1e-12);
}

TEST(Regression, DoesNotPenaliseTheIntercept) {
  Deterministic random(3);
  Eigen::MatrixXd rows = random.normals(40, 2);
  rows.col(1) = 1000 + rows.col(0).array();
  RegressionInput input = ofRows(rows);
  input.alpha = 1e9;
  const Regression result = regress(input).value();
  EXPECT_NEAR(result.coefficients[0].value, 0, 1e-6);
  EXPECT_NEAR(result.intercept, rows.col(1).mean(), 1e-6);
}

TEST(DegenerateRegression, DuplicatePredictorsShareTheirWeightAndConstantOnesHaveNone) {
  Deterministic random(4);
  const Eigen::MatrixXd normal = random.normals(30, 2);
  Eigen::MatrixXd rows(30, 4);
  rows << normal.col(0), normal.col(0), Eigen::VectorXd::Constant(30, 5),
      2 * normal.col(0) + normal.col(1);
  const Regression result = regress(ofRows(rows)).value();
  Eigen::MatrixXd once(30, 2);
  once << rows.col(0), rows.col(3);
  const Regression expected = regress(ofRows(once)).value();
  EXPECT_NEAR(result.coefficients[0].value, expected.coefficients[0].value / 2, 1e-10);
  EXPECT_NEAR(result.coefficients[1].value, expected.coefficients[0].value / 2, 1e-10);
  EXPECT_EQ(result.coefficients[2].value, 0);
  EXPECT_NEAR(result.r2.value, expected.r2.value, 1e-12);
  EXPECT_NEAR(result.intercept, expected.intercept, 1e-10);
}

TEST(DegenerateRegression, AllIndicatorsOfACategoryHaveWeightsOfSumZeroAndTheMeansOfTheLevels) {
  // Means of the target by level: 1, 4, 10; a third of the rows each.
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(30, 4);
  for (int i = 0; i < 30; ++i) {
    rows(i, i % 3) = 1;
    rows(i, 3) = (i % 3 == 0 ? 1 : i % 3 == 1 ? 4 : 10) + (i % 2 == 0 ? 0.5 : -0.5);
  }
  RegressionInput input = ofRows(rows);
  for (const std::vector<int>& columns : {std::vector<int>{}, {0, 0, 0, 1}}) {
    input.columns = columns;
    const Regression result = regress(input).value();
    EXPECT_NEAR(valuesOf(result).sum(), 0, 1e-12);
    for (int level = 0; level < 3; ++level) {
      const double fitted =
          result.intercept + result.coefficients[static_cast<std::size_t>(level)].value;
      EXPECT_NEAR(fitted, std::vector<double>({1, 4, 10})[static_cast<std::size_t>(level)], 1e-9);
    }
  }
}

TEST(DegenerateRegression, OfMorePredictorsThanRowsIsTheShortestThatFitsAll) {
  Deterministic random(5);
  const Eigen::MatrixXd rows = random.normals(5, 9);
  const RegressionInput input = ofRows(rows);
  const Regression result = regress(input).value();
  EXPECT_NEAR(result.r2.value, 1, 1e-9);

  const Eigen::MatrixXd centred = rows.rowwise() - rows.colwise().mean();
  const Eigen::MatrixXd scaled =
      centred.leftCols(8) * input.half.head(8).cwiseInverse().asDiagonal();
  const Eigen::VectorXd shortest =
      scaled.completeOrthogonalDecomposition().solve(centred.col(8));  // of the scaled predictors
  EXPECT_LT((valuesOf(result).cwiseProduct(input.half.head(8)) - shortest).norm(), 1e-9);
}

TEST(DegenerateRegression, OfAConstantTargetOrNoVarianceAtAllIsTheMean) {
  Deterministic random(6);
  Eigen::MatrixXd rows = random.normals(20, 3);
  rows.col(2).setConstant(3);
  for (const Eigen::MatrixXd& data : {rows, Eigen::MatrixXd(rows.topRows(1))}) {
    RegressionInput input = ofRows(data);
    input.level = 0.95;
    const Regression result = regress(input).value();
    EXPECT_LT(valuesOf(result).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(result.intercept, 3, 1e-12);
    EXPECT_EQ(result.r2.value, 0);
    EXPECT_TRUE(std::isfinite(result.r2.low) && std::isfinite(result.r2.high));
    EXPECT_NEAR(result.residual_sd, 0, 1e-7);
  }
}

TEST(DegenerateRegression, OnOnePredictorIsTheSlope) {
  RegressionInput input = exact((Eigen::Matrix2d() << 4, 3, 3, 9).finished());
  const Regression result = regress(input).value();
  EXPECT_NEAR(result.coefficients[0].value, 0.75, 1e-15);
  EXPECT_NEAR(result.r2.value, 0.25, 1e-15);
  EXPECT_NEAR(result.residual_sd, std::sqrt(6.75), 1e-15);
  input.alpha = 1;
  EXPECT_NEAR(regress(input).value().coefficients[0].value, 0.5, 1e-15);
}

TEST(DegenerateRegression, StaysFiniteWhateverTheNoise) {
  Deterministic random(7);
  for (const double sd : {1e-12, 1e-3, 1.0, 1e6}) {
    for (const int d : {2, 3, 20}) {
      RegressionInput input = exact(random.noise(d, rotationInvariant(sd)));
      input.noise = rotationInvariant(sd);
      input.trace_bound = d;
      input.rows = 100;
      input.level = 0.9;
      for (const double alpha : {0.0, 0.1}) {
        input.alpha = alpha;
        const Regression result = regress(input).value();
        for (const RegressionFigure& figure : result.coefficients) {
          EXPECT_TRUE(std::isfinite(figure.value) && std::isfinite(figure.noise_floor));
          EXPECT_LE(figure.low, figure.value);
          EXPECT_GE(figure.high, figure.value);
        }
        EXPECT_GE(result.r2.low, 0);
        EXPECT_LE(result.r2.low, result.r2.value);
        EXPECT_LE(result.r2.value, result.r2.high);
        EXPECT_LE(result.r2.high, 1);
        EXPECT_GE(result.residual_sd, 0);
      }
    }
  }
}

TEST(Regression, RejectsInconsistentInput) {
  const RegressionInput good = exact(Eigen::MatrixXd::Identity(3, 3));
  const auto code_of = [](const RegressionInput& input) { return regress(input).error().code; };
  RegressionInput input = good;
  input.target = 3;
  EXPECT_EQ(code_of(input), Code::kInvalidView);
  input.target = -1;
  EXPECT_EQ(code_of(input), Code::kInvalidView);
  for (const std::vector<int>& features : {std::vector<int>{}, {0, 0}, {0, 2}, {0, 3}, {-1}}) {
    input = good;
    input.features = features;
    EXPECT_EQ(code_of(input), Code::kInvalidView);
  }
  for (const double alpha : {-1e-300, std::numeric_limits<double>::infinity(), std::nan("")}) {
    input = good;
    input.alpha = alpha;
    EXPECT_EQ(code_of(input), Code::kInvalidAlpha);
  }
  for (const double level : {-0.1, 1.0, std::nan("")}) {
    input = good;
    input.rows = 10;
    input.level = level;
    EXPECT_EQ(code_of(input), Code::kInvalidInterval);
  }
  input = good;
  input.level = 0.9;
  EXPECT_EQ(code_of(input), Code::kNoRows);
  input = good;
  input.mean = Eigen::VectorXd::Zero(2);
  EXPECT_EQ(code_of(input), Code::kWrongLength);
  input = good;
  input.mean[0] = std::nan("");
  EXPECT_EQ(code_of(input), Code::kNotFinite);
  input = good;
  input.covariance(0, 0) = std::nan("");
  EXPECT_EQ(code_of(input), Code::kNotFinite);
}

/// A population whose last feature is a linear function of the others plus normal noise.
struct Planted {
  Eigen::MatrixXd covariance;
  Eigen::VectorXd weights;
  double r2;
};

/// Variances of p predictors fall as 0.3 / i^decay in random directions; the target's is 0.2.
Planted plant(Deterministic& random, int p, double decay, double r2) {
  Eigen::VectorXd variances(p);
  for (int i = 0; i < p; ++i) variances[i] = 0.3 * std::pow(i + 1, -decay);
  const Eigen::MatrixXd axes = random.orthogonal(p);
  Planted planted{Eigen::MatrixXd(p + 1, p + 1), random.normals(p, 1), r2};
  const Eigen::MatrixXd block = axes * variances.asDiagonal() * axes.transpose();
  planted.weights *= std::sqrt(0.2 * r2 / planted.weights.dot(block * planted.weights));
  const Eigen::VectorXd cross = block * planted.weights;
  planted.covariance << block, cross, cross.transpose(), 0.2;
  return planted;
}

RegressionInput noisy(Deterministic& random, const Eigen::MatrixXd& covariance, double sd) {
  RegressionInput input =
      exact(covariance + random.noise(static_cast<int>(covariance.rows()), rotationInvariant(sd)));
  input.noise = rotationInvariant(sd);
  input.trace_bound = static_cast<double>(covariance.rows());
  return input;
}

TEST(NoiseAwareRegression, TendsToTheExactFitAsTheNoiseVanishes) {
  Deterministic random(11);
  const Planted planted = plant(random, 6, 1, 0.5);
  for (const double alpha : {0.0, 0.05}) {
    RegressionInput input = exact(planted.covariance);
    input.alpha = alpha;
    const Regression expected = regress(input).value();
    input = noisy(random, planted.covariance, 1e-9);
    input.alpha = alpha;
    const Regression result = regress(input).value();
    EXPECT_LT((valuesOf(result) - valuesOf(expected)).norm(), 1e-6);
    EXPECT_NEAR(result.r2.value, expected.r2.value, 1e-6);
    EXPECT_LT(result.r2.noise_floor, 1e-6);
  }
}

/// Share of the target's variance that weights leave unexplained.
double unexplained(const Planted& planted, const Eigen::VectorXd& weights) {
  Eigen::VectorXd u(weights.size() + 1);
  u << -weights, 1;
  return u.dot(planted.covariance * u) / 0.2;
}

TEST(NoiseAwareRegression, PredictsFarBetterThanTheNormalEquationsIfDirectionsAreHidden) {
  // Edge 0.028 against variances from 0.3 down to 0.009. Without privacy 0.5 is unexplained, and
  // the mean alone leaves 1.
  Deterministic random(12);
  double aware = 0;
  double plain = 0;
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    const Planted planted = plant(random, 12, 1.4, 0.5);
    RegressionInput input = noisy(random, planted.covariance, 0.004);
    aware += unexplained(planted, valuesOf(regress(input).value())) / kRounds;
    input.noise = {};
    plain += std::min(2.0, unexplained(planted, valuesOf(regress(input).value()))) / kRounds;
  }
  std::cout << "unexplained: " << aware << ", by the normal equations " << plain
            << " (at most 2)\n";
  EXPECT_LT(aware, 0.65);
  EXPECT_GT(plain, 0.8);
}

TEST(NoiseAwareRegression, NoiseDoesNotAttenuateWeightsAndDoesNotInflateR2) {
  // All directions stay above the edge of 0.08. R^2 straight from the noisy matrix is 0.04 too
  // high.
  Deterministic random(13);
  constexpr int kRounds = 2000;
  double along = 0;
  double r2 = 0;
  double straight = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Planted planted = plant(random, 4, 0, 0.5);
    const RegressionInput input = noisy(random, planted.covariance, 0.02);
    const Regression result = regress(input).value();
    along += valuesOf(result).dot(planted.weights) / planted.weights.squaredNorm() / kRounds;
    r2 += result.r2.value / kRounds;
    straight += valuesOf(result).dot(input.covariance.topRightCorner(4, 1).col(0)) /
                input.covariance(4, 4) / kRounds;
  }
  std::cout << "along " << along << ", R^2 " << r2 << ", straight " << straight << "\n";
  EXPECT_NEAR(along, 1, 0.04);
  EXPECT_NEAR(r2, 0.5, 0.03);
  EXPECT_GT(straight, 0.535);
}

TEST(RegressionFloors, AreAboveNoiseAloneInNinetyFourPercentOfReleases) {
  constexpr int kRounds = 1500;
  Deterministic random(14);
  for (const auto& [p, decay, sd] : {std::tuple{1, 0.0, 0.01}, std::tuple{4, 0.0, 0.01},
                                     std::tuple{10, 1.0, 0.001}, std::tuple{10, 1.0, 0.01}}) {
    int r2_below = 0;
    int below = 0;
    for (int round = 0; round < kRounds; ++round) {
      const Planted planted = plant(random, p, decay, 0);
      const Regression result = regress(noisy(random, planted.covariance, sd)).value();
      r2_below += result.r2.below_noise_floor ? 1 : 0;
      for (const RegressionFigure& figure : result.coefficients) {
        below += figure.below_noise_floor ? 1 : 0;
      }
    }
    std::cout << p << " predictors, noise sd " << sd << ": R^2 below " << double(r2_below) / kRounds
              << ", coefficients " << double(below) / (kRounds * p) << "\n";
    EXPECT_GE(r2_below, kRounds * 94 / 100);
    EXPECT_GE(below, kRounds * p * 94 / 100);
  }
}

TEST(RegressionFloors, BelowTheFloorOfR2TheFitIsTheMeanOfTheTarget) {
  Deterministic random(17);
  const Planted planted = plant(random, 6, 1, 0);
  int drowned = 0;
  for (int round = 0; round < 20; ++round) {
    RegressionInput input = noisy(random, planted.covariance, 0.02);
    input.mean[input.target] = 3;
    input.level = 0.95;
    input.rows = 1000;
    const Regression result = regress(input).value();
    if (!result.r2.below_noise_floor) continue;
    ++drowned;
    EXPECT_EQ(result.intercept, 3);
    EXPECT_EQ(result.r2.value, 0);
    EXPECT_EQ(result.r2.low, 0);
    EXPECT_GT(result.r2.high, 0);
    for (const RegressionFigure& figure : result.coefficients) {
      EXPECT_EQ(figure.value, 0);
      EXPECT_TRUE(figure.below_noise_floor);
      EXPECT_LE(figure.low, 0);
      EXPECT_GE(figure.high, 0);
    }
    const double variance = input.covariance(input.target, input.target);
    EXPECT_NEAR(result.residual_sd, std::sqrt(std::max(0.0, variance)), 1e-12);
  }
  EXPECT_GT(drowned, 15);
}

TEST(RegressionFloors, ATargetLostInTheNoiseMayBeExplainedAltogether) {
  for (const double variance : {-0.5, 0.0, 0.05}) {
    RegressionInput input = exact((Eigen::Matrix2d() << 4, 0.1, 0.1, variance).finished());
    input.noise = rotationInvariant(0.1);
    input.rows = 1000;
    input.level = 0.95;
    const Regression result = regress(input).value();
    EXPECT_EQ(result.r2.noise_floor, 1);
    EXPECT_TRUE(result.r2.below_noise_floor);
    EXPECT_EQ(result.r2.high, 1);
  }
}

TEST(RegressionFloors, IncludeTheNoiseOfMeansFarFromTheCentreAndSamplingError) {
  Deterministic random(18);
  const Planted planted = plant(random, 4, 0, 0);
  RegressionInput input = noisy(random, planted.covariance, 0.002);
  const double alone = regress(input).value().r2.noise_floor;
  const Eigen::Index d = input.covariance.rows();
  input.mean_noise = Eigen::VectorXd::Constant(d, 0.0015);
  // The noise of the covariance includes both.
  input.noise.off_diagonal = std::hypot(0.002, std::sqrt(2) * 0.0015);
  EXPECT_GT(regress(input).value().r2.noise_floor, 1.2 * alone);
  input.rows = 200;
  EXPECT_GT(regress(input).value().r2.noise_floor, alone + 4.0 / 200);
}

TEST(RegressionFloors, DependOnTheSumOfTheSquaredColumnsOfTheMeansNoise) {
  Deterministic random(18);
  const Planted planted = plant(random, 4, 0.5, 0);
  RegressionInput input = noisy(random, planted.covariance, 0.002);
  input.noise.off_diagonal = 0.003;
  const Eigen::VectorXd t = Eigen::VectorXd::Constant(input.covariance.rows(), 0.0015);
  input.mean_noise = t;
  const Regression one = regress(input).value();
  input.mean_noise.resize(t.size(), 2);
  input.mean_noise << 0.6 * t, 0.8 * t;
  const Regression two = regress(input).value();
  EXPECT_NEAR(one.r2.noise_floor, two.r2.noise_floor, 1e-12);
  for (std::size_t j = 0; j < one.coefficients.size(); ++j) {
    EXPECT_NEAR(one.coefficients[j].high, two.coefficients[j].high, 1e-12) << j;
  }
}

TEST(RegressionFloors, FlagOnlyCoefficientsInHiddenDirections) {
  // Two nearly equal predictors and an unrelated one: the difference of the two is hidden.
  Eigen::MatrixXd covariance(4, 4);
  covariance << 0.3, 0.2999, 0, 0.1,  //
      0.2999, 0.3, 0, 0.1,            //
      0, 0, 0.3, 0.1,                 //
      0.1, 0.1, 0.1, 0.2;
  Deterministic random(15);
  const Regression result = regress(noisy(random, covariance, 0.001)).value();
  EXPECT_TRUE(result.coefficients[0].below_noise_floor);
  EXPECT_TRUE(result.coefficients[1].below_noise_floor);
  EXPECT_FALSE(result.coefficients[2].below_noise_floor);
  EXPECT_FALSE(result.r2.below_noise_floor);
}

TEST(RegressionFloors, OfAnIndicatorSetAreNotRuinedByItsConstantSum) {
  Deterministic random(16);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(4, 4);
  covariance.topLeftCorner(3, 3) =
      Eigen::Matrix3d(Eigen::Vector3d::Constant(1.0 / 3).asDiagonal()) -
      Eigen::Matrix3d::Constant(1.0 / 9);
  covariance.topRightCorner(3, 1) << 0.1, -0.05, -0.05;
  covariance.bottomLeftCorner(1, 3) = covariance.topRightCorner(3, 1).transpose();
  covariance(3, 3) = 0.2;
  RegressionInput input = noisy(random, covariance, 1e-4);
  EXPECT_TRUE(regress(input).value().coefficients[0].below_noise_floor);
  input.columns = {0, 0, 0, 1};
  const Regression result = regress(input).value();
  EXPECT_FALSE(result.coefficients[0].below_noise_floor);
  EXPECT_NEAR(result.coefficients[0].value, 0.3, 0.01);
}

TEST(RegressionIntervals, WithoutNoiseAreThoseOfTheTextbookForCoefficients) {
  Deterministic random(21);
  const Eigen::MatrixXd rows = random.normals(40, 3);
  RegressionInput input = ofRows(rows);
  input.level = 0.95;
  const Regression result = regress(input).value();
  const Eigen::MatrixXd centred = rows.rowwise() - rows.colwise().mean();
  const Eigen::Matrix2d gram = centred.leftCols(2).transpose() * centred.leftCols(2);
  for (int i = 0; i < 2; ++i) {
    const double sd = result.residual_sd * std::sqrt(gram.inverse()(i, i));
    const RegressionFigure& figure = result.coefficients[static_cast<std::size_t>(i)];
    EXPECT_NEAR(figure.high - figure.value, 1.959963984540054 * sd, 1e-10);
    EXPECT_NEAR(figure.value - figure.low, 1.959963984540054 * sd, 1e-10);
  }
}

/// A design of the coverage simulation.
struct Design {
  int predictors;
  double decay;
  double r2;
  double rows;
  double sd;  ///< of the noise in off-diagonal entries
  double alpha;
};

struct Coverage {
  double of_coefficients;
  double of_r2;
};

/// How often 95 % intervals cover the population's values in `rounds` simulated data sets with
/// privacy noise; only coefficients whose true value is above the noise floor count. `stretch`
/// widens all intervals about their estimate, to test the test.
Coverage coverageOf(const Design& design, int rounds, double stretch = 1) {
  Deterministic planting(31);
  int above = 0;
  int covered = 0;
  int r2_covered = 0;
  for (int round = 0; round < rounds; ++round) {
    const int p = design.predictors;
    const Planted planted = plant(planting, p, design.decay, design.r2);
    RegressionInput population = exact(planted.covariance);
    population.alpha = design.alpha;
    const Regression truth = regress(population).value();

    MomentSums sums;
    sums.dimension = p + 1;
    sums.constant = std::sqrt(0.5 * (p + 1));
    sums.rows = design.rows;
    sums.mid = Eigen::VectorXd::Zero(p + 1);
    sums.half = Eigen::VectorXd::Ones(p + 1);
    sums.packed.resize(static_cast<std::size_t>((p + 2) * (p + 3) / 2));
    sums.noise = SumNoise::everywhere(rotationInvariant(design.sd * design.rows));
    Seed seed{};
    seed[0] = static_cast<std::uint8_t>(round);
    seed[1] = static_cast<std::uint8_t>(round >> 8);
    Drbg random(seed);
    const AssembledMoments drawn =
        Population(sums, design.rows, Eigen::VectorXd::Constant(p + 1, 0.1), planted.covariance)
            .draw(random);

    RegressionInput input = exact(drawn.scaled_covariance);
    input.noise = drawn.covariance_noise;
    input.trace_bound = p + 1;
    input.rows = design.rows;
    input.level = 0.95;
    input.alpha = design.alpha;
    const Regression result = regress(input).value();
    const auto covers = [&](const RegressionFigure& figure, double value) {
      return figure.value + stretch * (figure.low - figure.value) <= value &&
             value <= figure.value + stretch * (figure.high - figure.value);
    };
    for (std::size_t i = 0; i < result.coefficients.size(); ++i) {
      const double value = truth.coefficients[i].value;
      if (std::fabs(value) <= result.coefficients[i].noise_floor) continue;
      ++above;
      covered += covers(result.coefficients[i], value) ? 1 : 0;
    }
    r2_covered += covers(result.r2, truth.r2.value) ? 1 : 0;
  }
  return {double(covered) / above, double(r2_covered) / rounds};
}

/// In 1500 rounds the rate deviates from a true 95 % by 2 % once in 2700 and by 2.8 % once in two
/// million times; the seeds are fixed.
TEST(RegressionIntervals, Cover93To97PercentOfWhatIsAboveTheNoiseFloor) {
  const auto rounds = static_cast<int>(draws(1500));
  const double slack = testing_support::kSlowBuild ? 0.1 : 0.0;
  for (const Design& design :
       {Design{4, 0, 0.5, 5000, 0.001, 0}, Design{4, 1, 0.1, 500, 0.003, 0},
        Design{4, 1, 0.9, 500, 0.003, 0}, Design{10, 0.5, 0.5, 5000, 0.003, 0},
        Design{1, 0, 0.3, 2000, 0.01, 0}, Design{10, 1.5, 0.5, 5000, 0.003, 0.05},
        Design{6, 0.5, 0.5, 300, 0, 0}}) {
    const Coverage coverage = coverageOf(design, rounds);
    std::cout << design.predictors << " predictors, R^2 " << design.r2 << ", " << design.rows
              << " rows, noise sd " << design.sd << ", alpha " << design.alpha << ": coefficients "
              << coverage.of_coefficients << ", R^2 " << coverage.of_r2 << "\n";
    EXPECT_GE(coverage.of_coefficients, 0.93 - slack);
    EXPECT_LE(coverage.of_coefficients, 0.97 + slack);
    EXPECT_GE(coverage.of_r2, 0.93 - slack);
    EXPECT_LE(coverage.of_r2, 0.97 + slack);
  }
}

TEST(RegressionIntervals, OfTheWrongWidthWouldFailThatTest) {
  const Design design{4, 0, 0.5, 5000, 0.001, 0};
  EXPECT_LT(coverageOf(design, 1500, 0.8).of_coefficients, 0.92);
  EXPECT_GT(coverageOf(design, 1500, 1.25).of_coefficients, 0.975);
}

}  // namespace regression_test
}  // namespace pm
