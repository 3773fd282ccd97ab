// Intervals of canonical weights and loadings.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "core/analysis/intervals.hpp"
#include "tests/core/analysis/planted.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace variate_intervals_test {

using namespace testing_support;
using namespace fixtures;

ViewIntervals viewOf(const MomentSums& sums, int d, const BootstrapOptions& options = {}) {
  return intervalsOf(sums, d, options).views[0];
}

/// In scaled units: what a weight is where the variate is one feature of variance 0.3.
const double kWhole = 1 / std::sqrt(0.3);

/// How often the intervals of a planted pair, shortened to `part` of themselves, hold what the
/// population has: the weight and the loading of a feature without part in it, and the weight of
/// the one that is its variate.
struct Hits {
  std::uint64_t idleWeight = 0;
  std::uint64_t idleLoading = 0;
  std::uint64_t ownWeight = 0;
};

Hits covered(double part, std::uint64_t trials) {
  const Eigen::MatrixXd covariance = plant(3, 0.6);
  Drbg random(unsafeTestSeed(81));
  Hits hits;
  const auto holds = [part](double low, double high, double truth) {
    return std::abs(truth - (low + high) / 2) <= part * (high - low) / 2;
  };
  for (std::uint64_t t = 0; t < trials; ++t) {
    const ViewIntervals view = viewOf(released(covariance, 0.01, random), 3, {0.95, 100, t});
    // Turned so that the variate's own feature has the positive sign, as it has here.
    hits.idleWeight += holds(view.weightsLow(1, 0), view.weightsHigh(1, 0), 0);
    hits.idleLoading += holds(view.loadingsLow(2, 0), view.loadingsHigh(2, 0), 0);
    hits.ownWeight += holds(view.weightsLow(0, 0), view.weightsHigh(0, 0), kWhole);
  }
  return hits;
}

TEST(VariateIntervals, CoverTheTruthAsOftenAsTheySay) {
  const std::uint64_t trials = draws(800);
  const Hits hits = covered(1, trials);
  for (const std::uint64_t each : {hits.idleWeight, hits.idleLoading, hits.ownWeight}) {
    std::cout << "covered " << 100.0 * double(each) / double(trials) << " %\n";
    EXPECT_GT(binomialTail(each, trials, 0.95), kAlarm / 3);
  }
}

TEST(VariateIntervals, AFifthShorterDoNot) {
  if (kSlowBuild) return;  // too few trials there
  const std::uint64_t trials = draws(800);
  const Hits hits = covered(0.8, trials);
  for (const std::uint64_t each : {hits.idleWeight, hits.idleLoading, hits.ownWeight}) {
    EXPECT_LT(binomialTail(each, trials, 0.95), kAlarm);
  }
}

TEST(VariateIntervals, OfOneFeatureAreThoseOfItsStandardDeviation) {
  // 1 / s has the standard deviation 1 / (sigma sqrt(2 n)), and the loading is 1.
  const int rows = 400;
  const ViewIntervals view = viewOf(exactSums(plant(1, 0.5), 0, rows), 1, {0.95, 4000, 1});
  const double reach = 1.96 * kWhole / std::sqrt(2.0 * rows);
  EXPECT_NEAR(view.weightsLow(0, 0), kWhole - reach, 0.1 * reach);
  EXPECT_NEAR(view.weightsHigh(0, 0), kWhole + reach, 0.1 * reach);
  EXPECT_EQ(view.loadingsLow(0, 0), view.loadingsHigh(0, 0));
  EXPECT_NEAR(view.loadingsLow(0, 0), 1, 1e-12);
}

TEST(VariateIntervals, HoldTheirEstimates) {
  Drbg random(unsafeTestSeed(82));
  for (const double noise : {0.0, 0.005, 0.02, 0.1}) {
    const MomentSums sums = released(plant(3, 0.6), noise, random);
    const Bootstrap bootstrap = Bootstrap::create(sums, {0.5, 50, 1}).value();
    CcaInput input = inputOf(3, 3);
    const SharedIntervals found = ccaIntervals(bootstrap, input).value();
    input.covariance = bootstrap.moments().scaledCovariance;
    input.noise = bootstrap.moments().covarianceNoise;
    const Cca analysed = cca(input).value();
    const std::vector<CanonicalView> views = {analysed.x, analysed.y};
    for (std::size_t v = 0; v < 2; ++v) {
      const ViewIntervals& own = found.views[v];
      EXPECT_TRUE((own.weightsLow.array() <= views[v].weights.array()).all());
      EXPECT_TRUE((own.weightsHigh.array() >= views[v].weights.array()).all());
      EXPECT_TRUE((own.loadingsLow.array() <= views[v].loadings.array()).all());
      EXPECT_TRUE((own.loadingsHigh.array() >= views[v].loadings.array()).all());
      EXPECT_LE(own.loadingsHigh.maxCoeff(), 1);
      EXPECT_GE(own.loadingsLow.minCoeff(), -1);
    }
  }
}

TEST(VariateIntervals, AreNarrowThoughDrawsComeInEitherSign) {
  // A variate that is the sum of its features: each draw's largest loading is another's, and the
  // sign with it if draws were turned by that.
  Eigen::MatrixXd covariance = 0.3 * Eigen::MatrixXd::Identity(4, 4);
  covariance(0, 2) = covariance(2, 0) = covariance(1, 3) = covariance(3, 1) = 0.12;
  covariance(0, 3) = covariance(3, 0) = covariance(1, 2) = covariance(2, 1) = -0.12;
  const ViewIntervals view = viewOf(exactSums(covariance, 0.005), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::abs(view.weightsLow(i, 0) + view.weightsHigh(i, 0)) / 2, kWhole / std::sqrt(2),
                0.05);
    EXPECT_LT(view.weightsHigh(i, 0) - view.weightsLow(i, 0), 0.5);
  }
  EXPECT_LT(view.weightsLow(0, 0) * view.weightsLow(1, 0), 0);
}

TEST(VariateIntervals, AreWideWhereTwoCorrelationsAreHardToTellApart) {
  const auto widthOf = [](double second) {
    Eigen::MatrixXd covariance = plant(2, 0.6);
    covariance(1, 3) = covariance(3, 1) = 0.3 * second;
    const ViewIntervals view = viewOf(exactSums(covariance, 0.005), 2);
    return view.weightsHigh(1, 0) - view.weightsLow(1, 0);
  };
  EXPECT_LT(widthOf(0.1), 0.4 * kWhole);
  EXPECT_GT(widthOf(0.59), 2 * kWhole);
}

TEST(VariateIntervals, BelowTheFloorAreAllThatIsPossible) {
  const SharedIntervals found = intervalsOf(exactSums(plant(3, 0.05), 0.02), 3, {});
  ASSERT_TRUE(found.values[0].belowNoiseFloor);
  for (const ViewIntervals& view : found.views) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(view.weightsLow(i, 0), -kWhole, 1e-9);
      EXPECT_NEAR(view.weightsHigh(i, 0), kWhole, 1e-9);
      EXPECT_EQ(view.loadingsLow(i, 0), -1);
      EXPECT_EQ(view.loadingsHigh(i, 0), 1);
    }
  }
}

TEST(VariateIntervals, OfAFeatureWithoutVarianceAreZero) {
  Eigen::MatrixXd covariance = plant(2, 0.6);
  covariance(1, 1) = 0;
  const ViewIntervals above = viewOf(exactSums(covariance, 0), 2);
  covariance(0, 2) = covariance(2, 0) = 0;
  const ViewIntervals below = viewOf(exactSums(covariance, 0), 2);
  for (const ViewIntervals& view : {above, below}) {
    EXPECT_EQ(view.weightsLow(1, 0), 0);
    EXPECT_EQ(view.weightsHigh(1, 0), 0);
    EXPECT_EQ(view.loadingsLow(1, 0), 0);
    EXPECT_EQ(view.loadingsHigh(1, 0), 0);
  }
  EXPECT_GT(below.weightsHigh(0, 0), 0);
}

TEST(VariateIntervals, FollowTheUnitsOfTheirFeatures) {
  Drbg random(unsafeTestSeed(83));
  const MomentSums sums = released(plant(3, 0.6), 0.01, random);
  const Bootstrap bootstrap = Bootstrap::create(sums, {}).value();
  CcaInput input = inputOf(3, 2);
  const ViewIntervals scaled = ccaIntervals(bootstrap, input).value().views[1];
  input.half << 1, 1, 1, 4, 0.5, 100;
  const ViewIntervals original = ccaIntervals(bootstrap, input).value().views[1];
  const Eigen::Vector3d units(4, 0.5, 100);
  EXPECT_TRUE(original.weightsLow.isApprox(units.asDiagonal().inverse() * scaled.weightsLow));
  EXPECT_TRUE(original.weightsHigh.isApprox(units.asDiagonal().inverse() * scaled.weightsHigh));
  EXPECT_EQ(original.loadingsLow, scaled.loadingsLow);
  EXPECT_EQ(original.loadingsHigh, scaled.loadingsHigh);
}

TEST(VariateIntervals, AreTheSameHoweverManyMakeTheDraws) {
  Drbg random(unsafeTestSeed(84));
  const MomentSums sums = released(plant(3, 0.6), 0.01, random);
  const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 101, 3}).value();
  const CcaInput input = inputOf(3, 2);
  const SharedIntervals whole = ccaIntervals(bootstrap, input).value();
  for (const int of : {1, 2, 3, 7}) {
    std::vector<Eigen::MatrixXd> parts;
    for (int i = 0; i < of; ++i) parts.push_back(ccaDraws(bootstrap, input, {i, of}).value());
    EXPECT_EQ(parts[0].rows(), sharedDrawRows(2, 6));
    const SharedIntervals joined = ccaIntervals(bootstrap, input, parts).value();
    for (std::size_t v = 0; v < 2; ++v) {
      EXPECT_EQ(joined.views[v].weightsLow, whole.views[v].weightsLow);
      EXPECT_EQ(joined.views[v].weightsHigh, whole.views[v].weightsHigh);
      EXPECT_EQ(joined.views[v].loadingsLow, whole.views[v].loadingsLow);
      EXPECT_EQ(joined.views[v].loadingsHigh, whole.views[v].loadingsHigh);
    }
  }
}

TEST(VariateIntervals, OfTwoViewsAreThoseOfGcca) {
  Drbg random(unsafeTestSeed(85));
  const MomentSums sums = released(plant(3, 0.6), 0.005, random);
  const Bootstrap bootstrap = Bootstrap::create(sums, {}).value();
  const SharedIntervals two = ccaIntervals(bootstrap, inputOf(3, 1)).value();
  const SharedIntervals many = gccaIntervals(bootstrap, generalInputOf(3)).value();
  for (std::size_t v = 0; v < 2; ++v) {
    EXPECT_TRUE(many.views[v].weightsLow.isApprox(two.views[v].weightsLow, 0.01));
    EXPECT_TRUE(many.views[v].weightsHigh.isApprox(two.views[v].weightsHigh, 0.01));
    EXPECT_TRUE(many.views[v].loadingsHigh.isApprox(two.views[v].loadingsHigh, 0.01));
  }
}

TEST(VariateIntervals, OfThreeViewsCoverTheTruth) {
  const std::uint64_t trials = draws(400);
  Eigen::MatrixXd covariance = 0.3 * Eigen::MatrixXd::Identity(6, 6);
  for (const auto& [i, j] : {std::pair{0, 2}, std::pair{0, 4}, std::pair{2, 4}}) {
    covariance(i, j) = covariance(j, i) = 0.15;
  }
  GccaInput input;
  static_cast<NoisyCovariance&>(input) = inputOf(3, 1);
  input.views = {indices(0, 2), indices(2, 2), indices(4, 2)};
  input.components = 1;
  Drbg random(unsafeTestSeed(86));
  std::uint64_t idle = 0, own = 0;
  for (std::uint64_t t = 0; t < trials; ++t) {
    const MomentSums sums = released(covariance, 0.01, random);
    const ViewIntervals view =
        gccaIntervals(Bootstrap::create(sums, {0.95, 100, t}).value(), input).value().views[2];
    idle += view.weightsLow(1, 0) <= 0 && 0 <= view.weightsHigh(1, 0);
    own += view.weightsLow(0, 0) <= kWhole && kWhole <= view.weightsHigh(0, 0);
  }
  EXPECT_GT(binomialTail(idle, trials, 0.95), kAlarm / 2);
  EXPECT_GT(binomialTail(own, trials, 0.95), kAlarm / 2);
}

}  // namespace variate_intervals_test
}  // namespace pm
