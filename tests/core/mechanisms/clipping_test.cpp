#include "core/mechanisms/clipping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/mechanisms/clip_loss.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/gaussian.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace clipping_test {

using testing_support::UnsafeTestRandom;

MechanismParams adaptive(int dimension, Neighbours neighbours = Neighbours::kReplaceOne,
                         double epsilon = 1) {
  MechanismParams params{};
  params.epsilon = epsilon;
  params.delta = 1e-6;
  params.neighbours = neighbours;
  params.unit = Unit::kRow;
  params.dimension = dimension;
  params.clipping = Clipping::kAdaptive;
  return params;
}

Plan planned(const MechanismParams& params) { return planGaussian(params).value(); }

/// Counts as a release holds them: rows longer than each radius below the first.
std::vector<double> counted(const std::vector<double>& rows) {
  std::vector<double> counts;
  for (const double count : rows) counts.push_back(std::ldexp(count, kClipCountBits));
  return counts;
}

TEST(ClipLadder, NearlyHalvesTheSquaredRadiusAtEveryLevelWithRationalRatios) {
  const double expected[] = {1, 5.0 / 7, 1.0 / 2, 5.0 / 14, 1.0 / 4, 5.0 / 28, 1.0 / 8};
  for (int level = 0; level < kClipLevels; ++level) {
    EXPECT_NEAR(clipRadius(3, level), 3 * expected[level], 1e-15);
    EXPECT_NEAR(std::pow(expected[level], 2) / std::pow(0.5, level), 1, 0.0205);
  }
}

TEST(ClipLoss, IsWhatRowsLostIfTheyLieHalfwayBetweenTwoRadii) {
  const Plan plan = planned(adaptive(6, Neighbours::kReplaceOne, 1e4));
  const double sd = clipCountSd(plan);
  ASSERT_LT(sd, 0.1);
  // There are 100 rows longer than R / 2, and 40 of them are longer than 5R/7.
  const double radii[] = {1, 25.0 / 49, 0.25};
  const double expected = (radii[0] - radii[1]) * 40 / 2 + (radii[1] - radii[2]) * (40 + 100) / 2;
  const std::vector<double> longer = counted({40, 100, 500});
  const std::vector<double> between = counted({40, 60, 400});
  EXPECT_NEAR(clipLoss(plan, {}, {longer, 2}), expected, sd);
  EXPECT_NEAR(clipLoss(plan, {}, {between, 2, 1, true}), expected, sd);
  EXPECT_EQ(clipLoss(plan, {}, {longer, 0}), 0);
}

TEST(ClipLoss, IsNothingIfCountsMayBeNoise) {
  const Plan plan = planned(adaptive(6));
  const double sd = clipCountSd(plan);
  const std::vector<double> noise = counted({0.9 * sd, -3 * sd, 0.9 * sd});
  EXPECT_EQ(clipLoss(plan, {}, {noise, 3}), 0);
  const std::vector<double> rows = counted({3 * sd});
  EXPECT_GT(clipLoss(plan, {}, {rows, 1}), 0);
  EXPECT_EQ(clipLoss(plan, {}, {rows, 1, 16}), 0);
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
  params.clipping = Clipping::kFixed;
  EXPECT_NEAR(with / planned(params).sd_off_diagonal, std::sqrt(16.0 / 15), 1e-6);
  EXPECT_EQ(planned(params).clip_width, 0u);
}

TEST(AdaptiveClipping, CalibratesItsCountsToOneRowInEveryCount) {
  // Six radii, and under add-remove the number of rows.
  const double mu = gdpOfEpsilonDelta(1, 1e-6) / 4;
  EXPECT_NEAR(clipCountSd(planned(adaptive(6))), std::sqrt(6) / mu, 1e-3);
  EXPECT_NEAR(clipCountSd(planned(adaptive(6, Neighbours::kAddRemove))), std::sqrt(7) / mu, 1e-3);
}

TEST(AdaptiveClipping, NeedsUnitRow) {
  MechanismParams params = adaptive(3);
  params.unit = Unit::kParticipant;
  EXPECT_EQ(planGaussian(params).error().code, Code::kInvalidUnit);
}

TEST(ChooseClipLevel, TakesTheRadiusThatBalancesNoiseAndClipping) {
  const Plan plan = planned(adaptive(6));
  // 1200 rows of which 1, 8, 40 and 90 % are longer than R/2, 5R/14, R/4, 5R/28.
  EXPECT_EQ(chooseClipLevel(plan, counted({0, 12, 96, 480, 1080, 1200}), 1200), 3);
  // The same shape with a thousand times as many rows: the noise matters less.
  EXPECT_LT(chooseClipLevel(plan, counted({0, 12e3, 96e3, 480e3, 1080e3, 1200e3}), 1200000), 3);
}

TEST(ChooseClipLevel, KeepsTheFullRadiusIfManyRowsAreLong) {
  const Plan plan = planned(adaptive(6));
  EXPECT_EQ(chooseClipLevel(plan, counted({1200, 1200, 1200, 1200, 1200, 1200}), 1200), 0);
}

TEST(ChooseClipLevel, KeepsTheFullRadiusIfTheCountsAreNoise) {
  // The margin of two standard deviations, 83 rows, is more than a quarter of 300 rows.
  const Plan plan = planned(adaptive(6));
  EXPECT_EQ(chooseClipLevel(plan, counted({0, 0, 0, 0, 0, 0}), 300), 0);
  EXPECT_EQ(chooseClipLevel(plan, counted({0, 0, 0, 0, 0, 0}), 400), 6);
  EXPECT_EQ(chooseClipLevel(plan, counted({-900, -900, -900, -900, -900, -900}), 7), 0);
}

TEST(ChooseClipLevel, ClipsLessIfManySitesAverageTheNoise) {
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

// A row at one level by the plain definition of adaptive clipping: rounded to the grid of step 5R
// 2^-b, then clipped if it is too long in integers.
struct PlainRow {
  std::vector<Int128> q;
  bool shortened;
};

PlainRow plainRow(const std::vector<double>& x, double row_norm, int bits, int level) {
  const double scale = std::ldexp(1.0, bits);
  const Int128 limit = Int128(1) << (2 * bits);
  double largest = 0;
  for (const double v : x) largest = std::max(largest, std::fabs(v));
  const bool beyond = largest > row_norm;
  std::vector<Int128> p;
  Int128 squared = 0;
  for (const double v : x) {
    p.push_back(Int128(std::nearbyint(beyond ? v / largest * scale : v / row_norm * (scale / 5))));
    squared += p.back() * p.back();
  }
  const Int128 multiple = ClipLadder().multiples[std::size_t(level)];
  const bool whole = beyond ? squared <= limit : multiple * multiple * squared <= limit;
  // A row longer than R itself is scaled to the sphere from the fine grid.
  const bool fine = !beyond && squared * 25 > limit;
  if (fine) {
    squared = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      p[i] = Int128(std::nearbyint(x[i] / row_norm * scale));
      squared += p[i] * p[i];
    }
  }
  PlainRow row{{}, !whole || beyond};
  const double shrink = scale / std::sqrt(double(squared));
  for (const Int128 v : p) {
    if (whole)
      row.q.push_back(beyond ? v : multiple * v);
    else if (fine && squared <= limit)
      row.q.push_back(v);
    else
      row.q.push_back(Int128(std::trunc(double(v) * shrink)));
  }
  return row;
}

TEST(AdaptiveClipping, SumsAtEveryLevelTheRowsOfItsDefinition) {
  UnsafeTestRandom random(60);
  for (const int dimension : {1, 2, 3, 5, 8, 13}) {
    for (const int bits : {kMinBits, 18, 22, kMaxBits}) {
      const double row_norm = 0.9 * std::sqrt(double(dimension));
      const double scale = std::ldexp(1.0, bits);
      std::vector<std::vector<double>> rows;
      std::vector<double> cells;
      for (int r = 0; r < 400; ++r) {
        std::vector<double> x(static_cast<std::size_t>(dimension));
        double length = 0;
        for (double& v : x) v = random.symmetric(), length += v * v;
        length = std::sqrt(length);
        // Rows of every length, on or next to a radius, and of zeros.
        double to = row_norm * std::exp2(-5 * random.uniform());
        const int level = int(random.below(kClipLevels));
        if (r % 4 == 1) to = clipRadius(row_norm, level);
        if (r % 4 == 2) to = clipRadius(row_norm, level) * (1 + 3 * random.symmetric() / scale);
        if (r % 50 == 3) to = 0;
        for (double& v : x) v = std::clamp(v * to / length, -1.0, 1.0);
        if (r % 40 == 7) std::fill(x.begin(), x.end(), r % 80 == 7 ? 1.0 : 0.0), x[0] = -1;
        rows.push_back(x);
        cells.insert(cells.end(), x.begin(), x.end());
      }
      Plan plan = planned(adaptive(dimension));
      plan.bits = bits;
      for (int level = 0; level < kClipLevels; ++level) {
        std::vector<Int128> expected(packedSize(std::size_t(dimension) + 1));
        std::uint64_t shortened = 0;
        for (const std::vector<double>& x : rows) {
          const PlainRow row = plainRow(x, row_norm, bits, level);
          shortened += row.shortened;
          std::vector<Int128> augmented = {Int128(constantCoordinate(bits))};
          augmented.insert(augmented.end(), row.q.begin(), row.q.end());
          Int128 length = 0, entry = 0;
          for (std::size_t i = 1; i < augmented.size(); ++i) length += augmented[i] * augmented[i];
          ASSERT_TRUE(length <= Int128(1) << (2 * bits)) << "the proof needs this of every row";
          for (std::size_t i = 0; i < augmented.size(); ++i) {
            for (std::size_t j = i; j < augmented.size(); ++j, ++entry) {
              expected[std::size_t(entry)] += augmented[i] * augmented[j];
            }
          }
        }
        Intake intake = testing_support::unitIntake(plan, row_norm);
        ASSERT_FALSE(intake.add(cells));
        const auto totals = intake.take(Unit::kRow, level);
        ASSERT_TRUE(totals.ok());
        EXPECT_TRUE(totals.value() == expected)
            << dimension << " features, " << bits << " bits, level " << level;
        if (level > 0) {
          EXPECT_EQ(intake.counts().shortened(), shortened) << "level " << level;
        } else {
          EXPECT_LE(intake.counts().shortened(), shortened);
        }
      }
    }
  }
}

TEST(AdaptiveClipping, KeepsShortRowsAndTheDirectionOfLongOnes) {
  UnsafeTestRandom random(61);
  const Plan plan = planned(adaptive(1));
  const double scale = std::ldexp(1.0, plan.bits);
  for (int r = 0; r < 300; ++r) {
    const double x = std::exp2(-5 * random.uniform()) * (random.below(2) ? 1 : -1);
    for (int level = 0; level < kClipLevels; ++level) {
      const double radius = clipRadius(1, level);
      Intake intake = testing_support::unitIntake(plan, 1);
      ASSERT_FALSE(intake.add(std::vector<double>{x}));
      const auto totals = intake.take(Unit::kRow, level).value();
      const double linear = double(totals[1]) / (double(plan.constant) * scale) * radius;
      const double kept = std::clamp(x, -radius, radius);
      // Half a step of the grid, which is 5 R 2^-b.
      EXPECT_NEAR(linear, kept, 2.5 / scale + 2 * radius / scale) << x << " at level " << level;
      EXPECT_NEAR(std::sqrt(double(totals[2])) / scale * radius, std::fabs(kept), 5 / scale);
    }
  }
}

TEST(AdaptiveClipping, CountsNestedRadii) {
  const Plan plan = planned(adaptive(2));
  const double sixth = 1.0 / 6;
  // Norms 0.5, 0.24 and 1 with a bound of 2; a norm of R/4 = 0.5 does not exceed R/4.
  Intake intake = testing_support::unitIntake(plan, 2);
  ASSERT_FALSE(intake.add(std::vector<double>{0.3, 0.4, sixth, sixth, 0.6, 0.8}));
  EXPECT_EQ(intake.counts().longer,
            (std::array<std::uint64_t, kMostClipLevels>{0, 0, 0, 1, 1, 2, 2}));
}

TEST(AdaptiveClipping, CountsNoRowAsClippedUnderABoundThatNoneExceeds) {
  const Plan plan = planned(adaptive(3));
  Intake intake = testing_support::unitIntake(plan, std::sqrt(3.0));
  ASSERT_FALSE(intake.add(std::vector<double>{1, 1, 1, -1, 1, -1, 0.99, 0.99, 0.99}));
  EXPECT_EQ(intake.counts().longer[0], 0u);
  EXPECT_EQ(intake.counts().longer[1], 3u);
  EXPECT_TRUE(intake.take(Unit::kRow, 0).ok());
}

TEST(Release, StatesTheCountsAndTheChosenRadius) {
  const Plan plan = planned(adaptive(1));
  Intake intake = testing_support::unitIntake(plan, 1);
  ASSERT_FALSE(intake.add(std::vector<double>(5000, 0.2)));
  const Released released = release(plan, intake).value();
  ASSERT_EQ(released.clip_counts.size(), 6u);
  // 0.2 is longer than 5/28 = 0.179 and 1/8, and shorter than 1/4. Noise sd 41 rows.
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

}  // namespace clipping_test
}  // namespace pm
