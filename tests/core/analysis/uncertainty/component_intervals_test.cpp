// Intervals of the weights, loadings and structure correlations of principal components.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "core/analysis/uncertainty/intervals.hpp"
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
  input.trace_bound = static_cast<double>(d);
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

/// A population with these variances along directions that differ from all features.
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

/// How often the intervals, shrunk by the factor `part`, cover the population's values with the
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
      const auto middle = (found.loadings_low + found.loadings_high).col(j);
      const double sign = middle.dot(truth.loadings.col(j)) < 0 ? -1 : 1;
      return std::abs(sign * is - (low + high) / 2) <= part * (high - low) / 2;
    };
    hits.first +=
        holds(found.loadings_low(0, 0), found.loadings_high(0, 0), truth.loadings(0, 0), 0);
    hits.second +=
        holds(found.loadings_low(1, 1), found.loadings_high(1, 1), truth.loadings(1, 1), 1);
    hits.correlation += holds(found.correlations_low(2, 0), found.correlations_high(2, 0),
                              truth.correlations(2, 0), 0);
  }
  return hits;
}

TEST(ComponentIntervals, HaveTheirNominalCoverage) {
  const std::uint64_t trials = draws(800);
  const Hits hits = covered(1, trials);
  expectNominalCoverage({hits.first, hits.second, hits.correlation}, trials);
}

TEST(ComponentIntervals, ShrunkByAFifthDoNotHaveIt) {
  if (kSlowBuild) return;  // too few trials there
  const std::uint64_t trials = draws(800);
  const Hits hits = covered(0.8, trials);
  expectTooFewCovered({hits.first, hits.second, hits.correlation}, trials);
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
      EXPECT_NEAR((found.loadings_high(i, j) - found.loadings_low(i, j)) / 2, reach, 0.06 * reach);
    }
  }
}

TEST(ComponentIntervals, IncludeTheirEstimates) {
  Drbg random(unsafeTestSeed(92));
  for (const double noise : {0.0, 0.005, 0.02, 0.1}) {
    const MomentSums sums = released(plant(3, 0.6), noise, random);
    const Bootstrap bootstrap = Bootstrap::create(sums, {0.5, 50, 1}).value();
    PcaInput input = pcaInputOf(6, 6);
    const PcaIntervals found = pcaIntervals(bootstrap, input).value();
    input.covariance = bootstrap.moments().scaled_covariance;
    input.noise = bootstrap.moments().covariance_noise;
    const Pca analysed = pca(input).value();
    EXPECT_TRUE((found.weights_low.array() <= analysed.weights.array()).all());
    EXPECT_TRUE((found.weights_high.array() >= analysed.weights.array()).all());
    EXPECT_TRUE((found.loadings_low.array() <= analysed.loadings.array()).all());
    EXPECT_TRUE((found.loadings_high.array() >= analysed.loadings.array()).all());
    EXPECT_TRUE((found.correlations_low.array() <= analysed.correlations.array()).all());
    EXPECT_TRUE((found.correlations_high.array() >= analysed.correlations.array()).all());
    for (const Eigen::MatrixXd& high : {found.loadings_high, found.correlations_high}) {
      EXPECT_LE(high.maxCoeff(), 1);
    }
    for (const Eigen::MatrixXd& low : {found.loadings_low, found.correlations_low}) {
      EXPECT_GE(low.minCoeff(), -1);
    }
  }
}

TEST(ComponentIntervals, AreNarrowAlthoughDrawsHaveEitherSign) {
  // Two loadings of opposite sign and equal size: either may be the larger one in a draw, so it
  // must not determine the sign of the draw.
  Eigen::MatrixXd covariance = 0.3 * Eigen::MatrixXd::Identity(3, 3);
  covariance(0, 1) = covariance(1, 0) = -0.15;
  const PcaIntervals found = componentsOf(exactSums(covariance, 0.005), 1);
  for (int i = 0; i < 2; ++i) {
    const double middle = (found.loadings_low(i, 0) + found.loadings_high(i, 0)) / 2;
    EXPECT_NEAR(std::abs(middle), 1 / std::sqrt(2), 0.02);
    EXPECT_LT(found.loadings_high(i, 0) - found.loadings_low(i, 0), 0.2);
    EXPECT_LT(found.correlations_high(i, 0) - found.correlations_low(i, 0), 0.2);
  }
  EXPECT_LT(found.loadings_low(0, 0) * found.loadings_low(1, 0), 0);
}

TEST(ComponentIntervals, AreWideIfTwoVariancesAreHardToDistinguish) {
  const auto width_of = [](double second) {
    const Eigen::MatrixXd covariance = Eigen::Vector3d(0.4, second, 0.1).asDiagonal();
    const PcaIntervals found = componentsOf(exactSums(covariance, 0.005), 1);
    return found.loadings_high(1, 0) - found.loadings_low(1, 0);
  };
  EXPECT_LT(width_of(0.2), 0.3);
  EXPECT_GT(width_of(0.395), 1.8);
}

TEST(ComponentIntervals, BelowTheFloorCoverAllPossibleValues) {
  const MomentSums sums = exactSums(plant(3, 0.05), 0.2);
  const Bootstrap bootstrap = Bootstrap::create(sums, {}).value();
  PcaInput input = pcaInputOf(6, 2);
  input.half << 1, 2, 0.5, 1, 1, 10;
  const PcaIntervals found = pcaIntervals(bootstrap, input).value();
  ASSERT_TRUE(found.values[0].below_noise_floor);
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(found.loadings_low(i, j), -1);
      EXPECT_EQ(found.loadings_high(i, j), 1);
      EXPECT_EQ(found.correlations_low(i, j), -1);
      EXPECT_EQ(found.correlations_high(i, j), 1);
      EXPECT_EQ(found.weights_low(i, j), -1 / input.half[i]);
      EXPECT_EQ(found.weights_high(i, j), 1 / input.half[i]);
    }
  }
}

/// Sums in a frame of rows of that population, with noise in the frame's coordinates.
MomentSums releasedIn(const Frame& frame, const Eigen::MatrixXd& covariance, double noise,
                      Drbg& random) {
  MomentSums sums = inFrame(released(covariance, 0, random), frame);
  sums.noise = exactSums(covariance, noise).noise;
  const std::vector<double> drawn = NoiseDraw(sums.noise, sums.dimension).drawPacked(random);
  for (std::size_t i = 0; i < drawn.size(); ++i) sums.packed[i] += drawn[i];
  sums.packed[0] = *sums.rows * sums.constant * sums.constant;
  return sums;
}

TEST(ComponentIntervals, OfReleasesInAFrameHaveTheirNominalCoverageInScaledUnits) {
  const std::uint64_t trials = draws(300);
  const Eigen::MatrixXd covariance = turned(Eigen::Vector4d(0.5, 0.3, 0.1, 0.1));
  const Pca truth = truthOf(covariance, 1);
  Frame frame = someFrame(4, 0, 94);
  frame.units << 1, 0.5, 0.25, 0.7;
  Drbg random(unsafeTestSeed(95));
  Hits hits;
  for (std::uint64_t t = 0; t < trials; ++t) {
    const MomentSums sums = releasedIn(frame, covariance, 0.02, random);
    PcaInput input = pcaInputOf(4, 1);
    input.half = sums.half;
    input.trace_bound = 4 / std::pow(frame.units.minCoeff(), 2);
    const PcaIntervals found =
        pcaIntervals(Bootstrap::create(sums, {0.95, 100, t}).value(), input).value();
    hits.first += found.values[0].low <= 0.5 && 0.5 <= found.values[0].high;
    const Eigen::VectorXd middle = found.loadings_low + found.loadings_high;
    const double sign = middle.dot(truth.loadings.col(0)) < 0 ? -1 : 1;
    const double loading = sign * truth.loadings(0, 0);
    hits.second += found.loadings_low(0, 0) <= loading && loading <= found.loadings_high(0, 0);
    const double correlation = sign * truth.correlations(2, 0);
    hits.correlation +=
        found.correlations_low(2, 0) <= correlation && correlation <= found.correlations_high(2, 0);
  }
  expectNominalCoverage({hits.first, hits.second, hits.correlation}, trials);
}

TEST(ComponentIntervals, AreTheSameInAFrameOfEqualUnits) {
  // Units of a power of two change no rounding, and the same seed draws the same numbers.
  Drbg random(unsafeTestSeed(96));
  const MomentSums sums = released(turned(Eigen::Vector4d(0.5, 0.3, 0.1, 0.1)), 0.02, random);
  const double unit = 0.25;
  MomentSums moved = inFrame(sums, {Eigen::VectorXd::Zero(4), Eigen::VectorXd::Constant(4, unit)});
  moved.noise = SumNoise::everywhere(rotationInvariant(sums.noise.off_diagonal / (unit * unit)));
  moved.noise.linear = sums.noise.linear / unit;
  PcaInput input = pcaInputOf(4, 2);
  const PcaIntervals plain = pcaIntervals(Bootstrap::create(sums, {}).value(), input).value();
  input.half = moved.half;
  input.trace_bound /= unit * unit;
  const PcaIntervals found = pcaIntervals(Bootstrap::create(moved, {}).value(), input).value();
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(found.values[j].low, plain.values[j].low, 1e-9);
    EXPECT_NEAR(found.values[j].high, plain.values[j].high, 1e-9);
    EXPECT_NEAR(found.shares[j].high, plain.shares[j].high, 1e-9);
  }
  EXPECT_LT((found.weights_low - plain.weights_low).norm(), 1e-9);
  EXPECT_LT((found.loadings_high - plain.loadings_high).norm(), 1e-9);
  EXPECT_LT((found.correlations_low - plain.correlations_low).norm(), 1e-9);
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
  EXPECT_EQ(scaled.weights_low, scaled.loadings_low);
  EXPECT_EQ(scaled.weights_high, scaled.loadings_high);
  EXPECT_TRUE(original.weights_low.isApprox(units.asDiagonal() * scaled.weights_low));
  EXPECT_TRUE(original.weights_high.isApprox(units.asDiagonal() * scaled.weights_high));
  EXPECT_EQ(original.loadings_low, scaled.loadings_low);
  EXPECT_EQ(original.correlations_high, scaled.correlations_high);
}

/// Two groups of three features; the factors behind them correlate.
Eigen::MatrixXd twoGroups() {
  Eigen::MatrixXd loadings = Eigen::MatrixXd::Zero(6, 2);
  loadings.col(0) << 0.6, 0.5, 0.55, 0.1, 0, 0;
  loadings.col(1) << 0, 0.1, 0, 0.45, 0.5, 0.4;
  Eigen::Matrix2d phi;
  phi << 1, 0.4, 0.4, 1;
  return loadings * phi * loadings.transpose() + 0.08 * Eigen::MatrixXd::Identity(6, 6);
}

PcaInput rotatedInput(Rotation rotation) {
  PcaInput input = pcaInputOf(6, 2);
  input.rotation = rotation;
  return input;
}

/// How often intervals of rotated figures, shrunk by the factor `part`, cover the population's: two
/// structure correlations, and the components' correlation.
Hits coveredRotated(double part, std::uint64_t trials) {
  const Eigen::MatrixXd covariance = twoGroups();
  PcaInput exact = rotatedInput(Rotation::kPromax);
  exact.covariance = covariance;
  const RotatedComponents truth = *pca(exact).value().rotated;
  Drbg random(unsafeTestSeed(95));
  Hits hits;
  for (std::uint64_t t = 0; t < trials; ++t) {
    const MomentSums sums = released(covariance, 0.01, random);
    const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 100, t}).value();
    const RotationIntervals found =
        *pcaIntervals(bootstrap, rotatedInput(Rotation::kPromax)).value().rotated;
    const auto holds = [&](double low, double high, double is) {
      return std::abs(is - (low + high) / 2) <= part * (high - low) / 2;
    };
    hits.first +=
        holds(found.structure_low(3, 0), found.structure_high(3, 0), truth.structure(3, 0));
    hits.second +=
        holds(found.structure_low(0, 1), found.structure_high(0, 1), truth.structure(0, 1));
    hits.correlation += holds(found.phi_low(0, 1), found.phi_high(0, 1), truth.phi(0, 1));
  }
  return hits;
}

TEST(RotatedIntervals, HaveTheirNominalCoverage) {
  const std::uint64_t trials = draws(800);
  const Hits hits = coveredRotated(1, trials);
  expectNominalCoverage({hits.first, hits.second, hits.correlation}, trials);
}

TEST(RotatedIntervals, ShrunkByAFifthDoNotHaveIt) {
  if (kSlowBuild) return;  // too few trials there
  const std::uint64_t trials = draws(800);
  const Hits hits = coveredRotated(0.8, trials);
  expectTooFewCovered({hits.first, hits.second, hits.correlation}, trials);
}

TEST(RotatedIntervals, DoNotDependOnTheNumberOfThreadsOrChangeOthers) {
  Drbg random(unsafeTestSeed(96));
  const MomentSums sums = released(twoGroups(), 0.01, random);
  const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 101, 3}).value();
  const PcaInput input = rotatedInput(Rotation::kVarimax);
  const PcaIntervals whole = pcaIntervals(bootstrap, input).value();
  const PcaIntervals plain = pcaIntervals(bootstrap, pcaInputOf(6, 2)).value();
  EXPECT_EQ(whole.correlations_low, plain.correlations_low);
  EXPECT_FALSE(plain.rotated.has_value());
  std::vector<Eigen::MatrixXd> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(pcaDraws(bootstrap, input, {i, 3}).value());
  const PcaIntervals joined = pcaIntervals(bootstrap, input, parts).value();
  EXPECT_EQ(joined.rotated->weights_low, whole.rotated->weights_low);
  EXPECT_EQ(joined.rotated->structure_high, whole.rotated->structure_high);
  EXPECT_EQ(joined.rotated->pattern_low, whole.rotated->structure_low);
  EXPECT_EQ(joined.rotated->shares[1].high, whole.rotated->shares[1].high);
}

TEST(ComponentIntervals, DoNotDependOnTheNumberOfThreads) {
  Drbg random(unsafeTestSeed(94));
  const MomentSums sums = released(plant(3, 0.6), 0.01, random);
  const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 101, 3}).value();
  const PcaInput input = pcaInputOf(6, 2);
  const PcaIntervals whole = pcaIntervals(bootstrap, input).value();
  for (const int of : {1, 2, 3, 7}) {
    std::vector<Eigen::MatrixXd> parts;
    for (int i = 0; i < of; ++i) parts.push_back(pcaDraws(bootstrap, input, {i, of}).value());
    EXPECT_EQ(parts[0].rows(), pcaDrawRows(input));
    const PcaIntervals joined = pcaIntervals(bootstrap, input, parts).value();
    EXPECT_EQ(joined.values[0].low, whole.values[0].low);
    EXPECT_EQ(joined.shares[1].high, whole.shares[1].high);
    EXPECT_EQ(joined.weights_low, whole.weights_low);
    EXPECT_EQ(joined.loadings_high, whole.loadings_high);
    EXPECT_EQ(joined.correlations_low, whole.correlations_low);
    EXPECT_EQ(joined.correlations_high, whole.correlations_high);
  }
}

}  // namespace component_intervals_test
}  // namespace pm
