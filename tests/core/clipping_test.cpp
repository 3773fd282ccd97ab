#include "core/mechanisms/clipping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/release.hpp"
#include "core/privacy/gaussian.hpp"
#include "tests/support/release_fixtures.hpp"

namespace pm {
namespace {

MechanismParams adaptive(int dimension, Neighbours neighbours = Neighbours::kReplaceOne,
                         double epsilon = 1) {
  MechanismParams params{};
  params.epsilon = epsilon;
  params.delta = 1e-6;
  params.neighbours = neighbours;
  params.unit = Unit::kRow;
  params.dimension = dimension;
  params.adaptive = true;
  return params;
}

Plan planned(const MechanismParams& params) { return planGaussian(params).value(); }

/// Counts as a release holds them: rows longer than each radius below the first.
std::vector<double> counted(const std::vector<double>& rows) {
  std::vector<double> counts;
  for (const double count : rows) counts.push_back(std::ldexp(count, kClipCountBits));
  return counts;
}

TEST(ClipLadder, HalvesTheSquaredRadiusAtEveryLevel) {
  for (int level = 0; level < kClipLevels; ++level) {
    EXPECT_NEAR(std::pow(clipRadius(3, level), 2), 9 * std::pow(0.5, level), 1e-14);
  }
}

TEST(AdaptiveClipping, SpendsASixteenthOfTheBudgetOnCountsAndAllOfItTogether) {
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    for (const double epsilon : {0.1, 1.0, 10.0}) {
      const Plan plan = planned(adaptive(6, neighbours, epsilon));
      const Guarantee& g = plan.guarantee;
      ASSERT_EQ(g.parts.size(), 2u);
      EXPECT_NEAR(std::pow(g.parts[0].gdp / g.gdp, 2), kClipShare, 1e-4);
      EXPECT_NEAR(std::hypot(g.parts[0].gdp, g.parts[1].gdp), g.gdp, 1e-12 * g.gdp);
      EXPECT_NEAR(g.parts[0].zcdp + g.parts[1].zcdp, g.zcdp, 1e-12 * g.zcdp);
      EXPECT_EQ(g.epsilon, epsilon);
      EXPECT_EQ(g.delta, 1e-6);
      EXPECT_LE(logDeltaOfGdp(epsilon, g.gdp), std::log(1e-6));
      EXPECT_NEAR(g.gdp, gdpOfEpsilonDelta(epsilon, 1e-6), 1e-4 * g.gdp);
      EXPECT_LT(g.parts[0].epsilon + g.parts[1].epsilon, 2 * epsilon);
      EXPECT_EQ(g.numerics, Numerics::kExact);
    }
  }
}

TEST(AdaptiveClipping, CostsTheMomentsThreePercentOfNoise) {
  MechanismParams params = adaptive(6);
  const double with = planned(params).sd_off_diagonal;
  params.adaptive = false;
  EXPECT_NEAR(with / planned(params).sd_off_diagonal, std::sqrt(16.0 / 15), 1e-6);
  EXPECT_EQ(planned(params).clip_width, 0u);
}

TEST(AdaptiveClipping, CalibratesItsCountsToOneRowInEveryCount) {
  // Six radii, and under add-remove the number of rows.
  const double mu = gdpOfEpsilonDelta(1, 1e-6) / 4;
  EXPECT_NEAR(clipCountSd(planned(adaptive(6))), std::sqrt(6) / mu, 1e-3);
  EXPECT_NEAR(clipCountSd(planned(adaptive(6, Neighbours::kAddRemove))), std::sqrt(7) / mu, 1e-3);
}

TEST(AdaptiveClipping, IsForRowsOnly) {
  MechanismParams params = adaptive(3);
  params.unit = Unit::kParticipant;
  EXPECT_EQ(planGaussian(params).error().code, Code::kInvalidUnit);
}

TEST(ChooseClipLevel, TakesTheRadiusThatBalancesNoiseAndShortening) {
  const Plan plan = planned(adaptive(6));
  // 1200 rows of which 1, 8, 40 and 90 % are longer than R/2, R/sqrt 8, R/4, R/sqrt 32.
  EXPECT_EQ(chooseClipLevel(plan, counted({0, 12, 96, 480, 1080, 1200}), 1200), 3);
  // The same shape in a thousand times the rows: the noise no longer matters as much.
  EXPECT_LT(chooseClipLevel(plan, counted({0, 12e3, 96e3, 480e3, 1080e3, 1200e3}), 1200000), 3);
}

TEST(ChooseClipLevel, KeepsTheWholeRadiusWhereManyRowsAreLong) {
  const Plan plan = planned(adaptive(6));
  EXPECT_EQ(chooseClipLevel(plan, counted({1200, 1200, 1200, 1200, 1200, 1200}), 1200), 0);
}

TEST(ChooseClipLevel, KeepsTheWholeRadiusWhereTheCountsAreNoise) {
  // Two standard deviations, 83 rows, of doubt are more than a quarter of 300 rows.
  const Plan plan = planned(adaptive(6));
  EXPECT_EQ(chooseClipLevel(plan, counted({0, 0, 0, 0, 0, 0}), 300), 0);
  EXPECT_EQ(chooseClipLevel(plan, counted({0, 0, 0, 0, 0, 0}), 400), 6);
  EXPECT_EQ(chooseClipLevel(plan, counted({-900, -900, -900, -900, -900, -900}), 7), 0);
}

TEST(ChooseClipLevel, ShortensLessWhereManySitesAverageTheNoise) {
  MechanismParams params = adaptive(6);
  const std::vector<double> counts = counted({0, 12, 96, 480, 1080, 1200});
  const int alone = chooseClipLevel(planned(params), counts, 1200);
  params.sites = 400;
  EXPECT_LT(chooseClipLevel(planned(params), counts, 1200), alone);
}

TEST(ChooseClipLevel, ReadsThePrivateNumberOfRowsFromTheLastCount) {
  const Plan plan = planned(adaptive(6, Neighbours::kAddRemove));
  EXPECT_EQ(chooseClipLevel(plan, counted({0, 0, 0, 0, 0, 0, 2000}), {}), 6);
  EXPECT_EQ(chooseClipLevel(plan, counted({0, 0, 0, 0, 0, 0, 100}), {}), 0);
}

TEST(Intake, KeepsSumsForEveryRadiusUntilOneIsChosen) {
  const Plan plan = planned(adaptive(2));
  const double sixth = 1.0 / 6;
  // Norms 0.5, 0.25 and 1 of a bound of 2: below R, R/sqrt 2; the last is longer than R/sqrt 8.
  const std::vector<double> rows = {0.3, 0.4, sixth, sixth, 0.6, 0.8};
  for (int level = 0; level < kClipLevels; ++level) {
    Intake all = testing_support::unitIntake(plan, 2);
    Intake fixed = testing_support::unitIntake(
        [&] {
          Plan p = plan;
          p.clip_width = 0;
          return p;
        }(),
        clipRadius(2, level));
    ASSERT_FALSE(all.add(rows));
    ASSERT_FALSE(fixed.add(rows));
    EXPECT_TRUE(all.take(Unit::kRow, level).value() == fixed.take(Unit::kRow).value()) << level;
    EXPECT_EQ(all.counts().shortened(), fixed.counts().shortened()) << level;
  }
}

TEST(Release, StatesTheCountsAndTheRadiusTheyChose) {
  const Plan plan = planned(adaptive(1));
  Intake intake = testing_support::unitIntake(plan, 1);
  ASSERT_FALSE(intake.add(std::vector<double>(5000, 0.2)));
  const Released released = release(plan, intake).value();
  ASSERT_EQ(released.clip_counts.size(), 6u);
  // 0.2 is longer than 1/sqrt 32 = 0.177 and 1/8, and shorter than 1/4. Noise sd 41 rows.
  for (std::size_t i = 0; i < 6; ++i) {
    const double rows = std::ldexp(released.clip_counts[i], -kClipCountBits);
    EXPECT_NEAR(rows, i < 4 ? 0 : 5000, 6 * 42) << i;
    EXPECT_EQ(released.clip_counts[i], std::floor(released.clip_counts[i]));
  }
  EXPECT_LE(released.clip_level, 4);
  EXPECT_EQ(released.clip_level, chooseClipLevel(plan, released.clip_counts, 5000));
  EXPECT_EQ(intake.counts().shortened(), 0u);
  // One feature at 0.2, in units of the squared radius.
  const double unit = std::ldexp(1.0, plan.release_shift - 2 * plan.bits);
  const double sd = plan.sd_diagonal * std::ldexp(1.0, -2 * plan.bits);
  EXPECT_NEAR(released.values[2] * unit,
              5000 * 0.04 / std::pow(clipRadius(1, released.clip_level), 2), 6 * sd);
}

}  // namespace
}  // namespace pm
