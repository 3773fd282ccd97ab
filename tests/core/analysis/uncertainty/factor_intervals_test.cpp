// Intervals of loadings, correlations and uniquenesses of factors.
#include "core/analysis/uncertainty/factor_intervals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/core/analysis/planted.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace factor_intervals_test {

using namespace testing_support;
using namespace fixtures;

/// Two correlated factors, each of three features.
Eigen::MatrixXd skills() {
  Eigen::MatrixXd pattern = Eigen::MatrixXd::Zero(6, 2);
  pattern.col(0).head(3) << 0.9, 0.8, 0.7;
  pattern.col(1).tail(3) << 0.8, 0.7, 0.6;
  Eigen::MatrixXd phi = Eigen::MatrixXd::Identity(2, 2);
  phi(0, 1) = phi(1, 0) = 0.3;
  Eigen::MatrixXd result = pattern * phi * pattern.transpose();
  result.diagonal().setOnes();
  return 0.3 * result;
}

FactorInput factorInputOf(const MomentSums& sums, int factors, Rotation rotation) {
  const AssembledMoments moments = assembleMoments(sums).value();
  FactorInput input;
  input.covariance = moments.scaled_covariance;
  input.noise = moments.covariance_noise;
  input.mean_noise = moments.mean_noise;
  input.trace_bound = static_cast<double>(sums.dimension);
  input.half = sums.half;
  input.rows = moments.rows;
  input.factors = factors;
  input.rotation = rotation;
  return input;
}

FactorIntervals factorIntervalsOf(const MomentSums& sums, const FactorInput& input,
                                  const BootstrapOptions& options) {
  return factorIntervals(Bootstrap::create(sums, options).value(), input).value();
}

/// How often the intervals, shrunk by the factor `part`, cover the population's values.
struct FactorHits {
  std::uint64_t loading = 0;
  std::uint64_t phi = 0;
  std::uint64_t uniqueness = 0;
};

FactorHits covered(double part, std::uint64_t trials) {
  const FactorAnalysis truth =
      factorAnalysis(factorInputOf(exactSums(skills(), 0), 2, Rotation::kPromax)).value();
  Drbg random(unsafeTestSeed(321));
  FactorHits hits;
  for (std::uint64_t t = 0; t < trials; ++t) {
    const MomentSums sums = released(skills(), 0.004, random);
    const FactorIntervals found =
        factorIntervalsOf(sums, factorInputOf(sums, 2, Rotation::kPromax), {0.95, 100, t});
    const auto holds = [&](double low, double high, double is) {
      return std::abs(is - (low + high) / 2) <= part * (high - low) / 2;
    };
    hits.loading +=
        holds(found.structure_low(1, 0), found.structure_high(1, 0), truth.structure(1, 0));
    hits.phi += holds(found.phi_low(0, 1), found.phi_high(0, 1), truth.phi(0, 1));
    hits.uniqueness +=
        holds(found.uniquenesses[2].low, found.uniquenesses[2].high, truth.uniquenesses[2]);
  }
  return hits;
}

TEST(FactorIntervals, HaveTheirNominalCoverage) {
  const std::uint64_t trials = draws(250);
  const FactorHits hits = covered(1, trials);
  expectNominalCoverage({hits.loading, hits.phi, hits.uniqueness}, trials);
}

TEST(FactorIntervals, ShrunkByHalfDoNotHaveIt) {
  if (kSlowBuild) return;  // too few trials there
  const std::uint64_t trials = draws(250);
  const FactorHits hits = covered(0.5, trials);
  expectTooFewCovered({hits.loading, hits.phi, hits.uniqueness}, trials);
}

TEST(FactorIntervals, IncludeTheirEstimatesAndStayWithinWhatIsPossible) {
  Drbg random(unsafeTestSeed(322));
  for (const double noise : {0.0, 0.005, 0.05}) {
    const MomentSums sums = released(skills(), noise, random);
    const FactorInput input = factorInputOf(sums, 3, Rotation::kPromax);
    const FactorAnalysis analysed = factorAnalysis(input).value();
    const FactorIntervals found = factorIntervalsOf(sums, input, {0.5, 50, 1});
    EXPECT_TRUE((found.weights_low.array() <= analysed.weights.array()).all());
    EXPECT_TRUE((found.weights_high.array() >= analysed.weights.array()).all());
    EXPECT_TRUE((found.pattern_low.array() <= analysed.pattern.array()).all());
    EXPECT_TRUE((found.pattern_high.array() >= analysed.pattern.array()).all());
    EXPECT_TRUE((found.structure_low.array() <= analysed.structure.array()).all());
    EXPECT_TRUE((found.structure_high.array() >= analysed.structure.array()).all());
    EXPECT_LE(found.structure_high.maxCoeff(), 1);
    EXPECT_GE(found.structure_low.minCoeff(), -1);
    for (std::size_t i = 0; i < 6; ++i) {
      const double own = analysed.uniquenesses[static_cast<Eigen::Index>(i)];
      EXPECT_LE(found.uniquenesses[i].low, own);
      EXPECT_GE(found.uniquenesses[i].high, own);
      EXPECT_GE(found.uniquenesses[i].low, 0);
      EXPECT_LE(found.uniquenesses[i].high, 1);
      EXPECT_GE(found.communalities[i].low, 0);
    }
    for (Eigen::Index j = analysed.rotated; j < 3; ++j) {
      EXPECT_LE(found.pattern_low.col(j).maxCoeff(), -1);
      EXPECT_GE(found.pattern_high.col(j).minCoeff(), 1);
    }
  }
}

TEST(FactorIntervals, AreTheSameFromParts) {
  Drbg random(unsafeTestSeed(323));
  const MomentSums sums = released(skills(), 0.01, random);
  const FactorInput input = factorInputOf(sums, 2, Rotation::kVarimax);
  const Bootstrap bootstrap = Bootstrap::create(sums, {0.9, 60, 7}).value();
  std::vector<Eigen::MatrixXd> parts;
  for (int index = 0; index < 3; ++index) {
    parts.push_back(factorDraws(bootstrap, input, {index, 3}).value());
    EXPECT_EQ(parts.back().rows(), factorDrawRows(6, 2));
  }
  const FactorIntervals whole = factorIntervals(bootstrap, input).value();
  const FactorIntervals found = factorIntervals(bootstrap, input, parts).value();
  EXPECT_EQ(found.pattern_low, whole.pattern_low);
  EXPECT_EQ(found.phi_high, whole.phi_high);
  EXPECT_EQ(found.uniquenesses[3].high, whole.uniquenesses[3].high);
  parts.pop_back();
  EXPECT_FALSE(factorIntervals(bootstrap, input, parts).ok());
}

}  // namespace factor_intervals_test
}  // namespace pm
