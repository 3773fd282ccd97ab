// Intervals of canonical weights and loadings.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "core/analysis/uncertainty/intervals.hpp"
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

/// In scaled units: the weight of a variate that is one feature of variance 0.3.
const double kWhole = 1 / std::sqrt(0.3);

/// How often the intervals of a planted pair, shrunk by the factor `part`, cover the population's
/// values: the weight and the loading of an unrelated feature, and the weight of the feature that
/// is the variate.
struct Hits {
  std::uint64_t idle_weight = 0;
  std::uint64_t idle_loading = 0;
  std::uint64_t own_weight = 0;
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
    // With the sign for which the variate's own feature is positive, as in the population.
    hits.idle_weight += holds(view.weights_low(1, 0), view.weights_high(1, 0), 0);
    hits.idle_loading += holds(view.loadings_low(2, 0), view.loadings_high(2, 0), 0);
    hits.own_weight += holds(view.weights_low(0, 0), view.weights_high(0, 0), kWhole);
  }
  return hits;
}

TEST(VariateIntervals, HaveTheirNominalCoverage) {
  const std::uint64_t trials = draws(800);
  const Hits hits = covered(1, trials);
  expectNominalCoverage({hits.idle_weight, hits.idle_loading, hits.own_weight}, trials);
}

TEST(VariateIntervals, ShrunkByAFifthDoNotHaveIt) {
  if (kSlowBuild) return;  // too few trials there
  const std::uint64_t trials = draws(800);
  const Hits hits = covered(0.8, trials);
  expectTooFewCovered({hits.idle_weight, hits.idle_loading, hits.own_weight}, trials);
}

TEST(VariateIntervals, OfOneFeatureAreThoseOfItsStandardDeviation) {
  // 1 / s has the standard deviation 1 / (sigma sqrt(2 n)), and the loading is 1.
  const int rows = 400;
  const ViewIntervals view = viewOf(exactSums(plant(1, 0.5), 0, rows), 1, {0.95, 4000, 1});
  const double reach = 1.96 * kWhole / std::sqrt(2.0 * rows);
  EXPECT_NEAR(view.weights_low(0, 0), kWhole - reach, 0.1 * reach);
  EXPECT_NEAR(view.weights_high(0, 0), kWhole + reach, 0.1 * reach);
  EXPECT_EQ(view.loadings_low(0, 0), view.loadings_high(0, 0));
  EXPECT_NEAR(view.loadings_low(0, 0), 1, 1e-12);
}

TEST(VariateIntervals, IncludeTheirEstimates) {
  Drbg random(unsafeTestSeed(82));
  for (const double noise : {0.0, 0.005, 0.02, 0.1}) {
    const MomentSums sums = released(plant(3, 0.6), noise, random);
    const Bootstrap bootstrap = Bootstrap::create(sums, {0.5, 50, 1}).value();
    CcaInput input = inputOf(3, 3);
    const SharedIntervals found = ccaIntervals(bootstrap, input).value();
    input.covariance = bootstrap.moments().scaled_covariance;
    input.noise = bootstrap.moments().covariance_noise;
    const Cca analysed = cca(input).value();
    const std::vector<CanonicalView> views = {analysed.x, analysed.y};
    for (std::size_t v = 0; v < 2; ++v) {
      const ViewIntervals& own = found.views[v];
      EXPECT_TRUE((own.weights_low.array() <= views[v].weights.array()).all());
      EXPECT_TRUE((own.weights_high.array() >= views[v].weights.array()).all());
      EXPECT_TRUE((own.loadings_low.array() <= views[v].loadings.array()).all());
      EXPECT_TRUE((own.loadings_high.array() >= views[v].loadings.array()).all());
      EXPECT_LE(own.loadings_high.maxCoeff(), 1);
      EXPECT_GE(own.loadings_low.minCoeff(), -1);
    }
  }
}

/// How far widths of weights are from those of the views exchanged, as a share of them, at most in
/// 30 releases of a covariance, and in how many of these two correlations are 1.
struct Exchanged {
  double farthest = 0;
  int with_two_ones = 0;

  Exchanged(const Eigen::MatrixXd& covariance, double noise, int y_size, std::uint64_t seed) {
    Drbg random(unsafeTestSeed(seed));
    for (int t = 0; t < 30; ++t) {
      const MomentSums sums = released(covariance, noise, random);
      const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 50, 1}).value();
      CcaInput input = inputOf(4, y_size);
      input.x = {0, 1, 2, 3};
      input.y = {4, 5, 6, 7};
      input.y.resize(static_cast<std::size_t>(y_size));
      CcaInput other = input;
      std::swap(other.x, other.y);
      const SharedIntervals found = ccaIntervals(bootstrap, input).value();
      const SharedIntervals exchanged = ccaIntervals(bootstrap, other).value();
      input.covariance = bootstrap.moments().scaled_covariance;
      input.noise = bootstrap.moments().covariance_noise;
      const CanonicalCorrelation second = cca(input).value().correlations[1];
      with_two_ones += second.value > 1 - 1e-9 && !second.below_noise_floor ? 1 : 0;
      for (std::size_t v = 0; v < 2; ++v) {
        const ViewIntervals& a = found.views[v];
        const ViewIntervals& b = exchanged.views[1 - v];
        const Eigen::ArrayXXd width = (a.weights_high - a.weights_low).array();
        const Eigen::ArrayXXd same = (b.weights_high - b.weights_low).array();
        farthest = std::max(farthest, ((width - same).abs() / width).maxCoeff());
      }
    }
  }
};

TEST(VariateIntervals, AreThoseOfTheViewsExchanged) {
  // One view has more directions than the other, and the sign of the value of those without a
  // partner, which is 0, is a matter of rounding.
  Eigen::MatrixXd covariance = plant(4, 0.99);
  for (const int narrow : {2, 3, 6, 7}) covariance(narrow, narrow) = 0.003;
  EXPECT_LT(Exchanged(covariance, 0.01, 2, 84).farthest, 1e-6);
}

TEST(VariateIntervals, AreThoseOfTheViewsExchangedWhereSeveralCorrelationsAreOne) {
  // In the population itself, any rotation of these pairs is as good, and rounding chose one.
  Eigen::MatrixXd covariance = plant(4, 0.99);
  for (int i = 0; i < 3; ++i) covariance(i, i + 4) = covariance(i + 4, i) = 0.99 * covariance(i, i);
  const Exchanged exchanged(covariance, 0.02, 4, 85);
  EXPECT_GE(exchanged.with_two_ones, 5);
  EXPECT_LT(exchanged.farthest, 1e-6);
}

TEST(VariateIntervals, AreNarrowAlthoughDrawsHaveEitherSign) {
  // A variate that is the sum of its features: the largest loading differs between draws, so it
  // must not determine the sign of a draw.
  Eigen::MatrixXd covariance = 0.3 * Eigen::MatrixXd::Identity(4, 4);
  covariance(0, 2) = covariance(2, 0) = covariance(1, 3) = covariance(3, 1) = 0.12;
  covariance(0, 3) = covariance(3, 0) = covariance(1, 2) = covariance(2, 1) = -0.12;
  const ViewIntervals view = viewOf(exactSums(covariance, 0.005), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::abs(view.weights_low(i, 0) + view.weights_high(i, 0)) / 2,
                kWhole / std::sqrt(2), 0.05);
    EXPECT_LT(view.weights_high(i, 0) - view.weights_low(i, 0), 0.5);
  }
  EXPECT_LT(view.weights_low(0, 0) * view.weights_low(1, 0), 0);
}

TEST(VariateIntervals, AreWideIfTwoCorrelationsAreHardToDistinguish) {
  const auto width_of = [](double second) {
    Eigen::MatrixXd covariance = plant(2, 0.6);
    covariance(1, 3) = covariance(3, 1) = 0.3 * second;
    const ViewIntervals view = viewOf(exactSums(covariance, 0.005), 2);
    return view.weights_high(1, 0) - view.weights_low(1, 0);
  };
  EXPECT_LT(width_of(0.1), 0.4 * kWhole);
  EXPECT_GT(width_of(0.59), 2 * kWhole);
}

TEST(VariateIntervals, BelowTheFloorCoverAllPossibleValues) {
  const SharedIntervals found = intervalsOf(exactSums(plant(3, 0.05), 0.02), 3, {});
  ASSERT_TRUE(found.values[0].below_noise_floor);
  for (const ViewIntervals& view : found.views) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(view.weights_low(i, 0), -kWhole, 1e-9);
      EXPECT_NEAR(view.weights_high(i, 0), kWhole, 1e-9);
      EXPECT_EQ(view.loadings_low(i, 0), -1);
      EXPECT_EQ(view.loadings_high(i, 0), 1);
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
    EXPECT_EQ(view.weights_low(1, 0), 0);
    EXPECT_EQ(view.weights_high(1, 0), 0);
    EXPECT_EQ(view.loadings_low(1, 0), 0);
    EXPECT_EQ(view.loadings_high(1, 0), 0);
  }
  EXPECT_GT(below.weights_high(0, 0), 0);
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
  EXPECT_TRUE(original.weights_low.isApprox(units.asDiagonal().inverse() * scaled.weights_low));
  EXPECT_TRUE(original.weights_high.isApprox(units.asDiagonal().inverse() * scaled.weights_high));
  EXPECT_EQ(original.loadings_low, scaled.loadings_low);
  EXPECT_EQ(original.loadings_high, scaled.loadings_high);
}

TEST(VariateIntervals, DoNotDependOnTheNumberOfThreads) {
  Drbg random(unsafeTestSeed(84));
  const MomentSums sums = released(plant(3, 0.6), 0.01, random);
  const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 101, 3}).value();
  const CcaInput input = inputOf(3, 2);
  const SharedIntervals whole = ccaIntervals(bootstrap, input).value();
  for (const int of : {1, 2, 3, 7}) {
    std::vector<Eigen::MatrixXd> parts;
    for (int i = 0; i < of; ++i) parts.push_back(ccaDraws(bootstrap, input, {i, of}).value());
    // Two correlations, and the weights and loadings of six features in the pair above its floor.
    EXPECT_EQ(parts[0].rows(), 2 + 2 * 6);
    const SharedIntervals joined = ccaIntervals(bootstrap, input, parts).value();
    for (std::size_t v = 0; v < 2; ++v) {
      EXPECT_EQ(joined.views[v].weights_low, whole.views[v].weights_low);
      EXPECT_EQ(joined.views[v].weights_high, whole.views[v].weights_high);
      EXPECT_EQ(joined.views[v].loadings_low, whole.views[v].loadings_low);
      EXPECT_EQ(joined.views[v].loadings_high, whole.views[v].loadings_high);
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
    EXPECT_TRUE(many.views[v].weights_low.isApprox(two.views[v].weights_low, 0.01));
    EXPECT_TRUE(many.views[v].weights_high.isApprox(two.views[v].weights_high, 0.01));
    EXPECT_TRUE(many.views[v].loadings_high.isApprox(two.views[v].loadings_high, 0.01));
  }
}

TEST(VariateIntervals, OfThreeViewsHaveTheirNominalCoverage) {
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
    idle += view.weights_low(1, 0) <= 0 && 0 <= view.weights_high(1, 0);
    own += view.weights_low(0, 0) <= kWhole && kWhole <= view.weights_high(0, 0);
  }
  EXPECT_GT(binomialTail(idle, trials, 0.95), kAlarm / 2);
  EXPECT_GT(binomialTail(own, trials, 0.95), kAlarm / 2);
}

}  // namespace variate_intervals_test
}  // namespace pm
