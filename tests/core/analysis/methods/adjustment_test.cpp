#include "core/analysis/methods/adjustment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/noise/population.hpp"
#include "tests/core/analysis/adjusted.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/core/analysis/planted.hpp"

namespace pm {
namespace adjustment_test {

using namespace adjusted;
using namespace fixtures;
using Eigen::VectorXd;

MatrixXd residualCovariance(const Adjustment& adjusted) {
  const AssembledMoments moments = assembleMoments(adjusted.sums).value();
  return adjusted.sums.frame.covariance(moments.scaled_covariance);
}

void expectNear(const MatrixXd& is, const MatrixXd& expected, double tolerance) {
  ASSERT_EQ(is.rows(), expected.rows());
  ASSERT_EQ(is.cols(), expected.cols());
  EXPECT_LT((is - expected).cwiseAbs().maxCoeff(), tolerance * expected.cwiseAbs().maxCoeff());
}

MatrixXd coefficientsOf(const MatrixXd& covariance, const std::vector<int>& c) {
  const MatrixXd own = covariance(c, c);
  return own.llt().solve(covariance(c, kBoth)).transpose();
}

TEST(Adjustment, WithoutNoiseIsThePartialCovariance) {
  const MatrixXd covariance = confounded(0.5);
  for (const auto& views : {std::vector<std::vector<int>>{kBoth}, {kX, kY}}) {
    const Adjustment adjusted = adjust(inputOf(exactSums(covariance, 0), views)).value();
    const MatrixXd expected = partial(covariance, kBoth, kCovariates);
    EXPECT_LT((residualCovariance(adjusted) - expected).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((adjusted.coefficients - coefficientsOf(covariance, kCovariates)).norm(), 1e-12);
    EXPECT_EQ(adjusted.hidden, 0);
    EXPECT_EQ(adjusted.restored, 0);
  }
}

TEST(Adjustment, OfRealRowsAgreesWithResidualsOfRegressionsInR) {
  const auto vectors = readVectors("adjustment.json");
  for (const auto& one : vectors["cases"]) {
    AdjustmentInput input;
    input.sums = exactSums(matrixOf(one["covariance"]), 0, one["rows"]);
    const std::vector<int> x = one["x"];
    const std::vector<int> y = one["y"];
    input.views = {x, y};
    const std::vector<int> covariates = one["adjust"];
    input.covariates = covariates;
    const Adjustment adjusted = adjust(input).value();
    expectNear(adjusted.coefficients, matrixOf(one["coefficients"]), 1e-9);

    CcaInput question = analysisOf<CcaInput>(adjusted, 100);
    question.x = indices(0, static_cast<int>(x.size()));
    question.y = indices(static_cast<int>(x.size()), static_cast<int>(y.size()));
    question.components = static_cast<int>(one["correlations"].size());
    const Cca found = cca(question).value();
    for (std::size_t j = 0; j < found.correlations.size(); ++j) {
      EXPECT_NEAR(found.correlations[j].value, one["correlations"][j].get<double>(), 1e-9);
    }
    expectNear(found.x.weights, matrixOf(one["weights"]), 1e-6);

    std::vector<int> both = x;
    both.insert(both.end(), y.begin(), y.end());
    input.views = {both};
    PcaInput components = analysisOf<PcaInput>(adjust(input).value(), 100);
    components.components = static_cast<int>(both.size());
    const Pca principal = pca(components).value();
    for (std::size_t j = 0; j < both.size(); ++j) {
      EXPECT_NEAR(principal.explained[j].value, one["variances"][j].get<double>(), 1e-9);
    }
  }
}

TEST(Adjustment, LeavesThePairBesideTheCovariates) {
  const Adjustment adjusted = adjust(inputOf(exactSums(confounded(0.5), 0), {kX, kY})).value();
  const Cca found = cca(ccaOf(adjusted, 2)).value();
  EXPECT_NEAR(found.correlations[0].value, 0.5, 1e-9);
  EXPECT_NEAR(found.correlations[1].value, 0, 1e-6);
  EXPECT_NEAR(found.x.loadings(0, 0), 1, 1e-9);
  EXPECT_NEAR(found.x.loadings(1, 0), 0, 1e-9);
  // The variate has variance 1 among residuals, whose first feature has a variance of 0.2.
  EXPECT_NEAR(found.x.weights(0, 0), 1 / std::sqrt(0.2), 1e-9);
}

TEST(Adjustment, DoesNotDependOnUnitsWithoutNoise) {
  const MatrixXd covariance = confounded(0.5);
  MomentSums sums = exactSums(covariance, 0);
  VectorXd units(7);
  units << 0.5, 2, 1, 0.25, 3, 0.7, 1.5;
  const MatrixXd of_z =
      units.cwiseInverse().asDiagonal() * covariance * units.cwiseInverse().asDiagonal();
  MomentSums moved = exactSums(of_z, 0);
  moved.frame = {VectorXd::Zero(7), units};
  moved.half = units;
  const Adjustment adjusted = adjust(inputOf(moved, {kX, kY})).value();
  EXPECT_LT((residualCovariance(adjusted) - partial(covariance, kBoth, kCovariates)).norm(), 1e-12);
  EXPECT_LT((adjusted.coefficients - coefficientsOf(covariance, kCovariates)).norm(), 1e-12);
  const Cca found = cca(ccaOf(adjusted, 2)).value();
  EXPECT_NEAR(found.correlations[0].value, 0.5, 1e-9);
  EXPECT_NEAR(found.x.weights(0, 0), 1 / std::sqrt(0.2), 1e-9);
}

TEST(Adjustment, TakesLinearlyDependentCovariates) {
  MatrixXd doubled(8, 8);
  const MatrixXd covariance = confounded(0.5);
  doubled.topLeftCorner(7, 7) = covariance;
  doubled.col(7).head(7) = 2 * covariance.col(5);
  doubled.row(7).head(7) = 2 * covariance.row(5);
  doubled(7, 7) = 4 * covariance(5, 5);
  AdjustmentInput input = inputOf(exactSums(doubled, 0), {kBoth});
  input.covariates = {5, 6, 7};
  EXPECT_LT(
      (residualCovariance(adjust(input).value()) - partial(covariance, kBoth, kCovariates)).norm(),
      1e-9);
}

TEST(Adjustment, ForTheIndicatorsOfACategoryIsThatForAllButOne) {
  // Features 0 and 1 depend on a category of three levels with shares .5, .3 and .2 (features 2 to
  // 4).
  const VectorXd shares = (VectorXd(3) << 0.5, 0.3, 0.2).finished();
  const MatrixXd means = (MatrixXd(2, 3) << 0.1, -0.2, 0.4, 0.3, 0.3, -0.5).finished();
  MatrixXd covariance(5, 5);
  const MatrixXd indicators = MatrixXd(shares.asDiagonal()) - shares * shares.transpose();
  covariance.bottomRightCorner(3, 3) = indicators;
  covariance.topRightCorner(2, 3) = means * indicators;
  covariance.bottomLeftCorner(3, 2) = covariance.topRightCorner(2, 3).transpose();
  covariance.topLeftCorner(2, 2) =
      0.1 * MatrixXd::Identity(2, 2) + means * indicators * means.transpose();
  AdjustmentInput input;
  input.sums = exactSums(covariance, 0);
  input.views = {{0, 1}};
  input.covariates = {2, 3, 4};
  input.columns = {0, 1, 2, 2, 2};
  const Adjustment adjusted = adjust(input).value();
  EXPECT_LT((residualCovariance(adjusted) - 0.1 * MatrixXd::Identity(2, 2)).norm(), 1e-9);
  // Weights of a category have sum 0.
  EXPECT_LT(adjusted.coefficients.rowwise().sum().cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Adjustment, OfIndicatorsKeepsTheirSum) {
  const VectorXd shares = (VectorXd(3) << 0.5, 0.3, 0.2).finished();
  const MatrixXd indicators = MatrixXd(shares.asDiagonal()) - shares * shares.transpose();
  MatrixXd covariance = MatrixXd::Zero(5, 5);
  covariance.topLeftCorner(3, 3) = indicators;
  covariance(3, 3) = covariance(4, 4) = 0.3;
  const VectorXd with = (VectorXd(3) << 0.1, -0.06, -0.04).finished();
  covariance.col(4).head(3) = with;
  covariance.row(4).head(3) = with.transpose();
  AdjustmentInput input;
  input.sums = exactSums(covariance, 0.002);
  input.views = {{0, 1, 2, 3}};
  input.covariates = {4};
  input.columns = {0, 0, 0, 1, 2};
  Drbg random = simulationDrbg(51);
  input.sums.packed = pack(unpacked(std::span<const double>(input.sums.packed), 6) +
                           NoiseDraw(input.sums.noise, 5).draw(random));
  const Adjustment adjusted = adjust(input).value();
  EXPECT_NEAR(adjusted.coefficients.topRows(3).sum(), 0, 1e-12);
  // The direction of the sum is not mixed with others.
  const VectorXd ones = (VectorXd(4) << 1, 1, 1, 0).finished();
  EXPECT_LT((adjusted.sums.frame.mix * ones - ones).norm(), 1e-12);
}

constexpr double kNoise = 0.01;
constexpr int kTrials = 4000;

MomentSums noisy(const MatrixXd& covariance, double noise, std::uint64_t seed) {
  MomentSums sums = exactSums(covariance, noise);
  Drbg random = simulationDrbg(seed);
  sums.packed = pack(unpacked(std::span<const double>(sums.packed), covariance.rows() + 1) +
                     NoiseDraw(sums.noise, sums.dimension).draw(random));
  return sums;
}

TEST(Adjustment, OfNoisyMomentsHasNoBiasOfSecondOrderAndTheStatedNoise) {
  // 200 entries' z-values below 5.5: false alarm 1e-6 or so; 25 entries twice.
  const MatrixXd covariance = confounded(0.5);
  const MatrixXd truth = partial(covariance, kBoth, kCovariates);
  const MatrixXd b = coefficientsOf(covariance, kCovariates);
  const MatrixXd metric = MatrixXd::Identity(5, 5) + b * b.transpose();
  const double noise = 0.02;
  MatrixXd sum = MatrixXd::Zero(5, 5);
  MatrixXd squares = MatrixXd::Zero(5, 5);
  double restored = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const Adjustment adjusted = adjust(inputOf(noisy(covariance, noise, trial), {kBoth})).value();
    const MatrixXd error = residualCovariance(adjusted) - truth;
    sum += error;
    squares += error.cwiseAbs2();
    restored += adjusted.restored;
  }
  const MatrixXd mean = sum / kTrials;
  const MatrixXd sd = (squares / kTrials).cwiseSqrt();
  const double added = restored / kTrials;
  int biased_without = 0;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      const double stated =
          noise * std::sqrt(metric(i, i) * metric(j, j) + metric(i, j) * metric(i, j));
      EXPECT_NEAR(sd(i, j) / stated, 1, 0.08) << i << j;
      const double error = 5.5 * sd(i, j) / std::sqrt(double(kTrials));
      EXPECT_LT(std::abs(mean(i, j)), error) << i << j;
      biased_without += std::abs(mean(i, j) - added * metric(i, j)) > error ? 1 : 0;
    }
  }
  EXPECT_GE(biased_without, 5);
}

TEST(Adjustment, OfTheNoiseBetweenViewsIsNoMoreThanStated) {
  // Both views are the same multiple of one covariate: N = 1/2 for B = 1.
  MatrixXd covariance(3, 3);
  covariance << 0.6, 0.5, 0.5, 0.5, 0.6, 0.5, 0.5, 0.5, 0.5;
  AdjustmentInput input;
  input.sums = exactSums(covariance, kNoise);
  input.views = {{0}, {1}};
  input.covariates = {2};
  EXPECT_NEAR(adjust(input).value().between_views, std::sqrt(1.25), 1e-12);
  double squares = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    input.sums = noisy(covariance, kNoise, trial);
    const AssembledMoments moments = assembleMoments(adjust(input).value().sums).value();
    squares += std::pow(moments.scaled_covariance(0, 1), 2);
  }
  // Standard error 1.1 % of the ratio; 6 of these.
  EXPECT_NEAR(std::sqrt(squares / kTrials) / (kNoise * std::sqrt(1.25)), 1, 0.067);
}

TEST(Adjustment, DrawsNoiseOfTheJointLawInSimulations) {
  MatrixXd covariance(3, 3);
  covariance << 0.6, 0.5, 0.5, 0.5, 0.6, 0.5, 0.5, 0.5, 0.5;
  AdjustmentInput input;
  input.sums = exactSums(covariance, kNoise, 1e9);
  input.views = {{0}, {1}};
  input.covariates = {2};
  const Adjustment adjusted = adjust(input).value();
  const AssembledMoments moments = assembleMoments(adjusted.sums).value();
  const Population population(adjusted.sums, moments.rows, moments.scaled_mean,
                              moments.scaled_covariance);
  MatrixXd squares = MatrixXd::Zero(2, 2);
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Drbg random = simulationDrbg(77, trial);
    squares +=
        (population.drawScaled(random).scaled_covariance - population.exact().scaled_covariance)
            .cwiseAbs2();
  }
  const MatrixXd sd = (squares / kTrials).cwiseSqrt() / kNoise;
  EXPECT_NEAR(sd(0, 0) / std::sqrt(2.0), 1, 0.067);
  EXPECT_NEAR(sd(0, 1) / std::sqrt(1.25), 1, 0.067);
}

/// Trials of 400 in which `happens`, from the released moments of a trial.
template <class Event>
std::uint64_t count(const MatrixXd& covariance, double noise, Event happens) {
  std::uint64_t hits = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    Drbg random = simulationDrbg(91, trial);
    hits += happens(released(covariance, noise, random)) ? 1 : 0;
  }
  return hits;
}

TEST(Adjustment, OfViewsThatShareOnlyTheCovariatesIsSeldomAboveTheFloor) {
  const MatrixXd covariance = confounded(0);
  const auto clear = [&](const Adjustment& adjusted) {
    CcaInput input = ccaOf(adjusted, 2);
    input.rows = kRows;
    return !cca(input).value().correlations[0].below_noise_floor;
  };
  const std::uint64_t adjusted = count(covariance, kNoise, [&](const MomentSums& sums) {
    return clear(adjust(inputOf(sums, {kX, kY})).value());
  });
  std::cout << "above the floor: " << adjusted << " of 400\n";
  // 5 %: 46 or more of 400 have a probability below 1e-6.
  EXPECT_LE(adjusted, 46U);
  // Not adjusted the views correlate at .6.
  const std::uint64_t plain = count(covariance, kNoise, [&](const MomentSums& sums) {
    const AssembledMoments moments = assembleMoments(sums).value();
    CcaInput input = fixtures::inputOf(1, 1);
    input.covariance = moments.scaled_covariance;
    input.noise = moments.covariance_noise;
    input.mean_noise = moments.mean_noise;
    input.half = sums.half;
    input.trace_bound = 7;
    input.x = kX;
    input.y = kY;
    return !cca(input).value().correlations[0].below_noise_floor;
  });
  EXPECT_EQ(plain, 400U);
}

TEST(Adjustment, OfFeaturesThatAreTheCovariatesLeavesVariancesBelowTheFloor) {
  // Features are multiples of the covariates; what is left is noise.
  MatrixXd loadings(5, 2);
  loadings << 0.5, 0.1, -0.3, 0.4, 0.2, 0.2, 0.6, -0.1, 0.1, 0.5;
  MatrixXd all(7, 2);
  all << loadings, MatrixXd::Identity(2, 2);
  const MatrixXd covariance = 0.4 * all * all.transpose();
  const std::uint64_t above = count(covariance, kNoise, [&](const MomentSums& sums) {
    PcaInput input = analysisOf<PcaInput>(adjust(inputOf(sums, {kBoth})).value(), 7);
    input.components = 1;
    return !pca(input).value().explained[0].below_noise_floor;
  });
  std::cout << "above the floor: " << above << " of 400\n";
  EXPECT_LE(above, 46U);
}

TEST(Adjustment, CountsCovariatesThatNoiseHides) {
  const MatrixXd covariance = confounded(0.5);
  EXPECT_EQ(adjust(inputOf(exactSums(covariance, 0.01), {kBoth})).value().hidden, 0);
  EXPECT_EQ(adjust(inputOf(exactSums(covariance, 0.1), {kBoth})).value().hidden, 1);
  EXPECT_EQ(adjust(inputOf(exactSums(covariance, 0.5), {kBoth})).value().hidden, 2);
}

TEST(Adjustment, RefusesCovariatesThatAreFeaturesToAdjust) {
  const MomentSums sums = exactSums(confounded(0.5), 0);
  AdjustmentInput input = inputOf(sums, {kBoth});
  input.covariates = {4, 5};
  EXPECT_EQ(adjust(input).error().code, Code::kInvalidView);
  EXPECT_EQ(adjust(input).error().field, "adjust");
  input.covariates = {};
  EXPECT_EQ(adjust(input).error().field, "adjust");
  input = inputOf(sums, {});
  EXPECT_EQ(adjust(input).error().field, "views");
  input = inputOf(sums, {kX, {2, 3}});
  EXPECT_EQ(adjust(input).error().field, "views");
  input = inputOf(sums, {kBoth});
  input.columns = {0, 1};
  EXPECT_EQ(adjust(input).error().field, "columns");
  input = inputOf(sums, {kBoth});
  input.centre_spread = MatrixXd::Zero(3, 3);
  EXPECT_EQ(adjust(input).error().field, "centreSpread");
}

}  // namespace adjustment_test
}  // namespace pm
