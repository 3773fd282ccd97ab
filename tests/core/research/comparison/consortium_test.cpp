#include "core/research/comparison/consortium.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/random/continuous.hpp"

namespace pm {
namespace consortium_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kRuns = 24;

/// Three columns against four; correlations .6, .3 and .1 after mixing each view.
ConsortiumData data() {
  MatrixXd law = MatrixXd::Identity(7, 7);
  const double correlations[] = {0.6, 0.3, 0.1};
  for (int k = 0; k < 3; ++k) law(k, 3 + k) = law(3 + k, k) = correlations[k];
  MatrixXd mixing = MatrixXd::Identity(7, 7);
  mixing(0, 1) = mixing(1, 2) = mixing(3, 4) = mixing(5, 6) = 0.5;
  mixing(2, 0) = mixing(6, 3) = -0.3;
  const MatrixXd covariance = mixing * law * mixing.transpose();
  return {0.3 * covariance / covariance.trace(), 3};
}

MatrixXd noise(int number) {
  Drbg random = simulationDrbg(1, std::uint64_t(number));
  return NoiseDraw(SumNoise::everywhere({std::sqrt(2.0), 1}), 7)
      .draw(random)
      .bottomRightCorner(7, 7);
}

const std::vector<double>& surface() {
  static const std::vector<double> sums = [] {
    std::vector<double> all(ConsortiumSurface::kSize, 0.0);
    ConsortiumSurface::run(data(), 0, kRuns, all);
    return all;
  }();
  return sums;
}

const ConsortiumOutcome& outcomeOf(const std::array<ConsortiumOutcome, 7>& all,
                                   std::string_view name) {
  std::size_t i = 0;
  while (name != consortiumWays()[i].name) ++i;
  return all[i];
}

TEST(ConsortiumTruth, HasThePlantedCorrelations) {
  const VectorXd found = ConsortiumTruth(data()).correlations();
  EXPECT_TRUE(found.isApprox(Eigen::Vector3d(0.6, 0.3, 0.1), 1e-9)) << found;
}

TEST(ConsortiumTruth, LosesNothingWithoutNoise) {
  const Recovered all = ConsortiumTruth(data()).judge(data().covariance, 0);
  EXPECT_NEAR(all.first, 1, 1e-9);
  EXPECT_NEAR(all.all, 1, 1e-9);
  EXPECT_NEAR(all.error, 0, 1e-9);
}

TEST(ConsortiumTruth, EvaluatesTheTrueCorrelationsOfReleasedVariates) {
  const ConsortiumData truth = data();
  const MatrixXd& c = truth.covariance;
  const double deviation = 0.004;
  const MatrixXd noisy = c + deviation * noise(3);
  const Recovered found = ConsortiumTruth(truth).judge(noisy, deviation);

  CcaInput input;
  input.covariance = noisy;
  input.noise = {std::sqrt(2.0) * deviation, deviation};
  input.trace_bound = 1;
  input.half = VectorXd::Ones(7);
  input.x = {0, 1, 2};
  input.y = {3, 4, 5, 6};
  input.components = 3;
  const Cca released = cca(input).value();
  const MatrixXd x = released.x.weights, y = released.y.weights;
  const MatrixXd xx = x.transpose() * c.topLeftCorner(3, 3) * x;
  const MatrixXd yy = y.transpose() * c.bottomRightCorner(4, 4) * y;
  const MatrixXd xy = x.transpose() * c.topRightCorner(3, 4) * y;
  EXPECT_NEAR(found.first, std::abs(xy(0, 0)) / std::sqrt(xx(0, 0) * yy(0, 0)) / 0.6, 1e-9);
  EXPECT_LT(found.first, 0.999);
  // Making columns uncorrelated one after another equals dividing by Cholesky's factor.
  const MatrixXd left = xx.llt().matrixL().solve(xy);
  const MatrixXd both = yy.llt().matrixL().solve(left.transpose()).transpose();
  EXPECT_NEAR(found.all, both.diagonal().cwiseAbs().sum(), 1e-9);
  double error = 0;
  for (int k = 0; k < 3; ++k) {
    const CanonicalCorrelation& pair = released.correlations[std::size_t(k)];
    error += std::abs((pair.below_noise_floor ? 0 : pair.value) - (k == 0   ? 0.6
                                                                   : k == 1 ? 0.3
                                                                            : 0.1));
  }
  EXPECT_NEAR(found.error, error / 3, 1e-9);
}

TEST(ConsortiumTruth, FindsNothingInNoiseAlone) {
  const Recovered drowned = ConsortiumTruth(data()).judge(data().covariance + noise(1), 1);
  EXPECT_LT(drowned.first, 0.9);
  EXPECT_NEAR(drowned.error, 1.0 / 3, 1e-9)
      << "all pairs are below their floors, so the answer is zero";
}

TEST(ConsortiumSurface, ApproximatesTheMeanBetweenGridPoints) {
  const ConsortiumTruth truth(data());
  for (const double deviation : {0.0, 3e-5, 2.2e-3, 7.1e-3, 0.013, 0.09}) {
    Recovered mean;
    for (int run = 0; run < kRuns; ++run) {
      const Recovered one = truth.judge(data().covariance + deviation * noise(run), deviation);
      mean.first += one.first / kRuns;
      mean.all += one.all / kRuns;
      mean.error += one.error / kRuns;
    }
    const Recovered read = ConsortiumSurface::at(surface(), kRuns, deviation, kInfinity);
    EXPECT_NEAR(read.first, mean.first, 0.05) << deviation;
    EXPECT_NEAR(read.all, mean.all, 0.05) << deviation;
    EXPECT_NEAR(read.error, mean.error, 0.02) << deviation;
  }
}

TEST(ConsortiumSurface, AddsRunsToEarlierOnes) {
  std::vector<double> sums(ConsortiumSurface::kSize, 0.0);
  ConsortiumSurface::run(data(), 0, 5, sums);
  ConsortiumSurface::run(data(), 5, kRuns - 5, sums);
  EXPECT_EQ(sums, surface());
}

/// Deviation of the correlations of n of N rows of a normal population from those of all N.
TEST(ConsortiumSurface, GivesASitesRowsTheErrorOfASampleFromAllRows) {
  constexpr int kAll = 400, kSites = 4, kOwn = kAll / kSites, kTries = 150;
  const MatrixXd root = data().covariance.llt().matrixL();
  double error = 0;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Drbg random = simulationDrbg(9, std::uint64_t(attempt));
    MatrixXd rows(7, kAll);
    simulateNormals({rows.data(), std::size_t(rows.size())}, random);
    rows = root * rows;
    const ConsortiumData all = {rows * rows.transpose() / kAll, 3};
    const MatrixXd own = rows.leftCols(kOwn) * rows.leftCols(kOwn).transpose() / kOwn;
    error += ConsortiumTruth(all).judge(own, 0).error / kTries;
  }
  std::vector<double> sums(ConsortiumSurface::kSize, 0.0);
  ConsortiumSurface::run(data(), 0, 60, sums);
  const double sample = double(kOwn) * kSites / (kSites - 1);
  const double read = ConsortiumSurface::at(sums, 60, 0, sample).error;
  // The standard error of either mean is below 4 %; with replacement the deviation would be 15 %
  // larger.
  EXPECT_NEAR(read / error, 1, 0.12);
}

TEST(ConsortiumOutcomes, KeepTheOrderOfTheWays) {
  for (const double epsilon : {0.05, 0.3, 1.0, 5.0}) {
    for (const int sites : {2, 10, 60}) {
      const auto all =
          consortiumOutcomes(surface(), kRuns, {epsilon, 1e-6, sites, sites - 1}, 2000);
      for (std::size_t i = 0; i + 2 < all.size(); ++i) {
        EXPECT_LE(all[i].deviation, all[i + 1].deviation);
        EXPECT_GE(all[i].recovered.first, all[i + 1].recovered.first - 0.02)
            << consortiumWays()[i].name << ", epsilon " << epsilon << ", " << sites << " sites";
      }
      EXPECT_NEAR(outcomeOf(all, "non-private").recovered.first, 1, 1e-9);
    }
  }
}

TEST(ConsortiumOutcomes, AreTheSameForOneSiteInAllWays) {
  const auto all = consortiumOutcomes(surface(), kRuns, {0.3, 1e-6, 1, 1}, 3000);
  for (const char* name : {"split", "cape", "conventional", "local"}) {
    EXPECT_DOUBLE_EQ(outcomeOf(all, name).deviation, outcomeOf(all, "pooled").deviation) << name;
    EXPECT_DOUBLE_EQ(outcomeOf(all, name).recovered.first, outcomeOf(all, "pooled").recovered.first)
        << name;
  }
}

TEST(ConsortiumOutcomes, HaveTheNoiseOfEachWay) {
  const ConsortiumSetting at = {1, 1e-6, 10, 8};
  const auto all = consortiumOutcomes(surface(), kRuns, at, 500);
  const double pooled = outcomeOf(all, "pooled").deviation;
  const auto growth = [&](const char* name) {
    return std::pow(outcomeOf(all, name).deviation / pooled, 2);
  };
  // 1 / mu of the analytic Gaussian mechanism (Balle & Wang 2018) over 5000 rows, sensitivity
  // sqrt 2.
  EXPECT_NEAR(pooled * 5000, 4.2244, 1e-3);
  EXPECT_NEAR(growth("split"), 10.0 / 8, 1e-12);
  // All masks between honest sites unknown: 10 (1/8 + 7/8 / 9).
  EXPECT_NEAR(growth("cape"), 10 * (0.125 + 0.875 / 9), 1e-12);
  EXPECT_NEAR(growth("conventional"), 10, 1e-12);
  EXPECT_NEAR(growth("local"), 100, 1e-9) << "its own rows are a tenth";
}

TEST(ConsortiumOutcomes, StateTheEpsilonOfThePublishedFormula) {
  // Figures of docs/experiments/cape-cca.md and docs/mechanisms/federation.md, honest sites.
  EXPECT_NEAR(publishedCapeEpsilon({0.3, 1e-5, 10, 10}), 0.408, 5e-4);
  EXPECT_NEAR(publishedCapeEpsilon({1, 1e-5, 10, 10}), 1.53, 5e-3);
  EXPECT_NEAR(publishedCapeEpsilon({0.3, 1e-5, 2, 2}), 0.345, 5e-4);
  EXPECT_GT(publishedCapeEpsilon({1, 1e-5, 10, 5}), publishedCapeEpsilon({1, 1e-5, 10, 10}));
  const auto all = consortiumOutcomes(surface(), kRuns, {1, 1e-5, 10, 10}, 500);
  EXPECT_EQ(outcomeOf(all, "split").epsilon, 1);
  EXPECT_EQ(outcomeOf(all, "non-private").epsilon, kInfinity);
}

TEST(Consortium, RejectsInvalidInput) {
  EXPECT_EQ(checkConsortium(ConsortiumSetting{0, 1e-6, 2, 2})->code, Code::kInvalidEpsilon);
  EXPECT_EQ(checkConsortium(ConsortiumSetting{1, 0, 2, 2})->code, Code::kInvalidDelta);
  EXPECT_EQ(checkConsortium(ConsortiumSetting{1, 1e-6, 0, 0})->code, Code::kInvalidFederation);
  EXPECT_EQ(checkConsortium(ConsortiumSetting{1, 1e-6, 2, 3})->code, Code::kInvalidFederation);
  EXPECT_FALSE(checkConsortium(ConsortiumSetting{1, 1e-6, 2, 1}));
  ConsortiumData wrong = data();
  EXPECT_FALSE(checkConsortium(wrong));
  wrong.first = 7;
  EXPECT_EQ(checkConsortium(wrong)->code, Code::kInvalidView);
  wrong = data();
  wrong.covariance *= 4;
  EXPECT_EQ(checkConsortium(wrong)->code, Code::kInvalidRowNorm);
  wrong = data();
  wrong.covariance(0, 1) = wrong.covariance(1, 0) = 0.1;
  EXPECT_EQ(checkConsortium(wrong)->code, Code::kInvalidRowNorm) << "an eigenvalue below 0";
  wrong = {MatrixXd::Identity(4, 4) / 8, 2};
  EXPECT_EQ(checkConsortium(wrong)->code, Code::kInvalidView) << "nothing in common";
}

}  // namespace consortium_test
}  // namespace pm
