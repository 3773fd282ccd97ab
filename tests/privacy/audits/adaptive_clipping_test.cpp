// A black-box audit of adaptive clipping: neighbours whose rows differ in every count and, at every
// radius that the counts may choose, in the moments; many releases of each; and the likelihood
// ratio of everything released.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace adaptive_clipping_test {

using namespace testing_support;

constexpr double kEpsilon = 0.5, kDelta = 0.05;
constexpr std::size_t kSide = 3;
constexpr std::size_t kRows = 1000;

Plan adaptivePlan(Neighbours neighbours) {
  MechanismParams params = gaussianParams(2, neighbours, Unit::kRow, kEpsilon, kDelta);
  params.clipping = Clipping::kAdaptive;
  return planGaussian(params).value();
}

/// One data set: the counts of its rows, and their exact totals at every level.
struct DataSet {
  IntakeCounts counts;
  std::array<std::vector<Int128>, kClipLevels> totals;
};

/// Rows of length 0.3, half of which are longer than the fourth radius, and one of length `last`.
DataSet dataSet(const Plan& plan, double last) {
  std::vector<double> cells;
  for (std::size_t i = 0; i + 1 < kRows; ++i) {
    cells.push_back(i % 2 == 0 ? 0.3 : 0.1);
    cells.push_back(0);
  }
  cells.push_back(0);
  cells.push_back(last);
  DataSet result;
  for (int level = 0; level < kClipLevels; ++level) {
    Intake intake = unitIntake(plan);
    EXPECT_FALSE(intake.add(cells));
    result.totals[std::size_t(level)] = intake.take(Unit::kRow, level).value();
    result.counts = intake.counts();
  }
  return result;
}

struct Audit {
  double epsilon = 0;
  int levels = 0;  ///< how many different radii were chosen
};

Audit audit(const Plan& plan, std::uint64_t releases, std::uint64_t seed) {
  const DataSet sets[2] = {dataSet(plan, 1), dataSet(plan, 0)};
  const double step = std::ldexp(1.0, plan.release_shift);
  const double count_sd = 16.0 * double(plan.clip_width);
  std::vector<double> scores[2], out(sets[0].totals[0].size());
  std::array<bool, kClipLevels> seen{};
  for (int which = 0; which < 2; ++which) {
    for (std::uint64_t r = 0; r < releases; ++r) {
      Drbg random(unsafeTestSeed(seed++));
      const DataSet& set = sets[which];
      const std::vector<double> counts = releaseClipCounts(plan, set.counts, random);
      const auto level = std::size_t(chooseClipLevel(plan, counts, kRows));
      seen[level] = true;
      releaseGaussian(plan, set.totals[level], random, out);
      double score = 0;
      for (std::size_t i = 0; i + 1 < kClipLevels; ++i) {
        const double first = std::ldexp(double(sets[0].counts.longer[i + 1]), kClipCountBits);
        const double second = std::ldexp(double(sets[1].counts.longer[i + 1]), kClipCountBits);
        score += (first - second) * (counts[i] - (first + second) / 2) / (count_sd * count_sd);
      }
      for (std::size_t i = 0, entry = 0; i < kSide; ++i) {
        for (std::size_t j = i; j < kSide; ++j, ++entry) {
          const double sigma = noiseSigma(plan, i, j);
          if (sigma == 0) continue;
          const Int128 first = sets[0].totals[level][entry], second = sets[1].totals[level][entry];
          const double centre = double(first + second) / 2;
          score += double(first - second) * (out[entry] * step - centre) / (sigma * sigma);
        }
      }
      scores[which].push_back(score);
    }
  }
  std::vector<double> thresholds;
  for (int i = 0; i < 13; ++i) thresholds.push_back(plan.guarantee.gdp * (-3 + 0.5 * i));
  Audit result;
  result.epsilon = epsilonRefuted(scores[0], scores[1], thresholds, kDelta, kAlarm / (4 * 13));
  for (const bool was : seen) result.levels += was ? 1 : 0;
  return result;
}

TEST(AdaptiveClippingAudit, NeverExceedsTheClaim) {
  const Plan plan = adaptivePlan(Neighbours::kReplaceOne);
  ASSERT_EQ(plan.guarantee.delta, kDelta);
  const Audit result = audit(plan, repetitions(6'000, 2'000), 700'000);
  EXPECT_LE(result.epsilon, kEpsilon);
  // The radius is random here; otherwise the audit would not test its choice.
  EXPECT_GT(result.levels, 1);
}

TEST(AdaptiveClippingAudit, CatchesCountsWithTooLittleNoise) {
  // The noise of the counts is 20 times too small: they alone have 5 times the mu of the whole
  // budget, and the true epsilon at this delta is above 4.
  Plan plan = adaptivePlan(Neighbours::kReplaceOne);
  plan.clip_width /= 20;
  EXPECT_GT(audit(plan, 1'000, 800'000).epsilon, 2 * kEpsilon);
}

TEST(AdaptiveClippingAudit, CatchesAnExactChoiceOfTheRadius) {
  // Counts without noise: a single row decides, which private counts prevent.
  Plan plan = adaptivePlan(Neighbours::kReplaceOne);
  plan.clip_width = 1;
  EXPECT_GT(audit(plan, 1'000, 900'000).epsilon, 2 * kEpsilon);
}

TEST(AdaptiveClipping, ChangesEveryCountByAtMostOneWhenOneRowChanges) {
  const Plan plan = adaptivePlan(Neighbours::kReplaceOne);
  const DataSet with = dataSet(plan, 1), without = dataSet(plan, 0);
  double squared = 0;
  for (std::size_t i = 1; i < kClipLevels; ++i) {
    const double moved = double(with.counts.longer[i]) - double(without.counts.longer[i]);
    EXPECT_EQ(moved, 1) << i;
    squared += moved * moved;
  }
  EXPECT_EQ(double(clipSensitivitySquared(Neighbours::kReplaceOne)),
            std::ldexp(squared, 2 * kClipCountBits));
}

}  // namespace adaptive_clipping_test
}  // namespace pm
