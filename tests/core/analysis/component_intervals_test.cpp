// Intervals of the weights, loadings and structure correlations of principal components.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "core/analysis/intervals.hpp"
#include "core/matrix/spectrum.hpp"
#include "tests/core/analysis/planted.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace component_intervals_test {

using namespace testing_support;
using namespace fixtures;

PcaInput pcaInputOf(Eigen::Index d, int components) {
  PcaInput input;
  input.traceBound = static_cast<double>(d);
  input.half = Eigen::VectorXd::Ones(d);
  input.components = components;
  return input;
}

PcaIntervals componentsOf(const MomentSums& sums, int components,
                          const BootstrapOptions& options = {}) {
  return pcaIntervals(Bootstrap::create(sums, options).value(),
                      pcaInputOf(sums.dimension, components))
      .value();
}

/// A population with these variances along directions that no feature is.
Eigen::MatrixXd turned(const Eigen::VectorXd& variances) {
  Deterministic random(51);
  const Eigen::MatrixXd directions = random.orthogonal(static_cast<int>(variances.size()));
  return directions * variances.asDiagonal() * directions.transpose();
}

Pca truthOf(const Eigen::MatrixXd& covariance, int components) {
  PcaInput input = pcaInputOf(covariance.rows(), components);
  input.covariance = covariance;
  return pca(input).value();
}

/// How often the intervals, shortened to `part` of themselves, hold what the population has in the
/// sign of the release: two loadings and a correlation.
struct Hits {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t correlation = 0;
};

Hits covered(double part, std::uint64_t trials) {
  const Eigen::MatrixXd covariance = turned(Eigen::Vector4d(0.5, 0.35, 0.2, 0.2));
  const Pca truth = truthOf(covariance, 2);
  Drbg random(unsafeTestSeed(91));
  Hits hits;
  for (std::uint64_t t = 0; t < trials; ++t) {
    const MomentSums sums = released(covariance, 0.01, random);
    const PcaIntervals found = componentsOf(sums, 2, {0.95, 100, t});
    const auto holds = [&](double low, double high, double is, Eigen::Index j) {
      const auto middle = (found.loadingsLow + found.loadingsHigh).col(j);
      const double sign = middle.dot(truth.loadings.col(j)) < 0 ? -1 : 1;
      return std::abs(sign * is - (low + high) / 2) <= part * (high - low) / 2;
    };
    hits.first += holds(found.loadingsLow(0, 0), found.loadingsHigh(0, 0), truth.loadings(0, 0), 0);
    hits.second +=
        holds(found.loadingsLow(1, 1), found.loadingsHigh(1, 1), truth.loadings(1, 1), 1);
    hits.correlation += holds(found.correlationsLow(2, 0), found.correlationsHigh(2, 0),
                              truth.correlations(2, 0), 0);
  }
  return hits;
}

TEST(ComponentIntervals, CoverTheTruthAsOftenAsTheySay) {
  const std::uint64_t trials = draws(800);
  const Hits hits = covered(1, trials);
  for (const std::uint64_t each : {hits.first, hits.second, hits.correlation}) {
    std::cout << "covered " << 100.0 * double(each) / double(trials) << " %\n";
    EXPECT_GT(binomialTail(each, trials, 0.95), kAlarm / 3);
  }
}

TEST(ComponentIntervals, AFifthShorterDoNot) {
  if (kSlowBuild) return;  // too few trials there
  const std::uint64_t trials = draws(800);
  const Hits hits = covered(0.8, trials);
  for (const std::uint64_t each : {hits.first, hits.second, hits.correlation}) {
    EXPECT_LT(binomialTail(each, trials, 0.95), kAlarm);
  }
}

TEST(ComponentIntervals, OfManyRowsWithoutNoiseAreThoseOfTheKnownStandardErrors) {
  // Anderson (1963): loading i of component j has the variance
  // l_j / n sum over m != j of l_m / (l_j - l_m)^2 v_im^2.
  constexpr int kMany = 100000;
  const Eigen::MatrixXd covariance = turned(Eigen::Vector4d(0.5, 0.35, 0.2, 0.1));
  const Spectrum own = spectrum(covariance);
  const PcaIntervals found = componentsOf(exactSums(covariance, 0, kMany), 3, {0.95, 4000, 1});
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 4; ++i) {
      double variance = 0;
      for (int m = 0; m < 4; ++m) {
        if (m == j) continue;
        variance +=
            own.values[m] * std::pow(own.vectors(i, m) / (own.values[j] - own.values[m]), 2);
      }
      const double reach = 1.96 * std::sqrt(variance * own.values[j] / kMany);
      // The root of a mean of 4000 squares is within 1.1 % (one sd); 6 % are more than five.
      EXPECT_NEAR((found.loadingsHigh(i, j) - found.loadingsLow(i, j)) / 2, reach, 0.06 * reach);
    }
  }
}

TEST(ComponentIntervals, HoldTheirEstimates) {
  Drbg random(unsafeTestSeed(92));
  for (const double noise : {0.0, 0.005, 0.02, 0.1}) {
    const MomentSums sums = released(plant(3, 0.6), noise, random);
    const Bootstrap bootstrap = Bootstrap::create(sums, {0.5, 50, 1}).value();
    PcaInput input = pcaInputOf(6, 6);
    const PcaIntervals found = pcaIntervals(bootstrap, input).value();
    input.covariance = bootstrap.moments().scaledCovariance;
    input.noise = bootstrap.moments().covarianceNoise;
    const Pca analysed = pca(input).value();
    EXPECT_TRUE((found.weightsLow.array() <= analysed.weights.array()).all());
    EXPECT_TRUE((found.weightsHigh.array() >= analysed.weights.array()).all());
    EXPECT_TRUE((found.loadingsLow.array() <= analysed.loadings.array()).all());
    EXPECT_TRUE((found.loadingsHigh.array() >= analysed.loadings.array()).all());
    EXPECT_TRUE((found.correlationsLow.array() <= analysed.correlations.array()).all());
    EXPECT_TRUE((found.correlationsHigh.array() >= analysed.correlations.array()).all());
    for (const Eigen::MatrixXd& high : {found.loadingsHigh, found.correlationsHigh}) {
      EXPECT_LE(high.maxCoeff(), 1);
    }
    for (const Eigen::MatrixXd& low : {found.loadingsLow, found.correlationsLow}) {
      EXPECT_GE(low.minCoeff(), -1);
    }
  }
}

TEST(ComponentIntervals, AreNarrowThoughDrawsComeInEitherSign) {
  // Two loadings of opposite signs and one size: the larger of a draw is either, and the sign with
  // it if draws were turned by that.
  Eigen::MatrixXd covariance = 0.3 * Eigen::MatrixXd::Identity(3, 3);
  covariance(0, 1) = covariance(1, 0) = -0.15;
  const PcaIntervals found = componentsOf(exactSums(covariance, 0.005), 1);
  for (int i = 0; i < 2; ++i) {
    const double middle = (found.loadingsLow(i, 0) + found.loadingsHigh(i, 0)) / 2;
    EXPECT_NEAR(std::abs(middle), 1 / std::sqrt(2), 0.02);
    EXPECT_LT(found.loadingsHigh(i, 0) - found.loadingsLow(i, 0), 0.2);
    EXPECT_LT(found.correlationsHigh(i, 0) - found.correlationsLow(i, 0), 0.2);
  }
  EXPECT_LT(found.loadingsLow(0, 0) * found.loadingsLow(1, 0), 0);
}

TEST(ComponentIntervals, AreWideWhereTwoVariancesAreHardToTellApart) {
  const auto widthOf = [](double second) {
    const Eigen::MatrixXd covariance = Eigen::Vector3d(0.4, second, 0.1).asDiagonal();
    const PcaIntervals found = componentsOf(exactSums(covariance, 0.005), 1);
    return found.loadingsHigh(1, 0) - found.loadingsLow(1, 0);
  };
  EXPECT_LT(widthOf(0.2), 0.3);
  EXPECT_GT(widthOf(0.395), 1.8);
}

TEST(ComponentIntervals, BelowTheFloorAreAllThatIsPossible) {
  const MomentSums sums = exactSums(plant(3, 0.05), 0.2);
  const Bootstrap bootstrap = Bootstrap::create(sums, {}).value();
  PcaInput input = pcaInputOf(6, 2);
  input.half << 1, 2, 0.5, 1, 1, 10;
  const PcaIntervals found = pcaIntervals(bootstrap, input).value();
  ASSERT_TRUE(found.values[0].belowNoiseFloor);
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(found.loadingsLow(i, j), -1);
      EXPECT_EQ(found.loadingsHigh(i, j), 1);
      EXPECT_EQ(found.correlationsLow(i, j), -1);
      EXPECT_EQ(found.correlationsHigh(i, j), 1);
      EXPECT_EQ(found.weightsLow(i, j), -1 / input.half[i]);
      EXPECT_EQ(found.weightsHigh(i, j), 1 / input.half[i]);
    }
  }
}

TEST(ComponentIntervals, FollowTheUnitsOfTheirFeatures) {
  Drbg random(unsafeTestSeed(93));
  const MomentSums sums = released(plant(2, 0.6), 0.01, random);
  const Bootstrap bootstrap = Bootstrap::create(sums, {}).value();
  PcaInput input = pcaInputOf(4, 2);
  const PcaIntervals scaled = pcaIntervals(bootstrap, input).value();
  input.half << 1, 4, 0.5, 100;
  const PcaIntervals original = pcaIntervals(bootstrap, input).value();
  const Eigen::VectorXd units = input.half.cwiseInverse();
  EXPECT_EQ(scaled.weightsLow, scaled.loadingsLow);
  EXPECT_EQ(scaled.weightsHigh, scaled.loadingsHigh);
  EXPECT_TRUE(original.weightsLow.isApprox(units.asDiagonal() * scaled.weightsLow));
  EXPECT_TRUE(original.weightsHigh.isApprox(units.asDiagonal() * scaled.weightsHigh));
  EXPECT_EQ(original.loadingsLow, scaled.loadingsLow);
  EXPECT_EQ(original.correlationsHigh, scaled.correlationsHigh);
}

TEST(ComponentIntervals, AreTheSameHoweverManyMakeTheDraws) {
  Drbg random(unsafeTestSeed(94));
  const MomentSums sums = released(plant(3, 0.6), 0.01, random);
  const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 101, 3}).value();
  const PcaInput input = pcaInputOf(6, 2);
  const PcaIntervals whole = pcaIntervals(bootstrap, input).value();
  for (const int of : {1, 2, 3, 7}) {
    std::vector<Eigen::MatrixXd> parts;
    for (int i = 0; i < of; ++i) parts.push_back(pcaDraws(bootstrap, input, {i, of}).value());
    EXPECT_EQ(parts[0].rows(), pcaDrawRows(2, 6));
    const PcaIntervals joined = pcaIntervals(bootstrap, input, parts).value();
    EXPECT_EQ(joined.values[0].low, whole.values[0].low);
    EXPECT_EQ(joined.shares[1].high, whole.shares[1].high);
    EXPECT_EQ(joined.weightsLow, whole.weightsLow);
    EXPECT_EQ(joined.loadingsHigh, whole.loadingsHigh);
    EXPECT_EQ(joined.correlationsLow, whole.correlationsLow);
    EXPECT_EQ(joined.correlationsHigh, whole.correlationsHigh);
  }
}

}  // namespace component_intervals_test
}  // namespace pm
