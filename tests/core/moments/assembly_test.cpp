#include "core/moments/assembly.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace pm {
namespace assembly_test {

/// A fixed radius: only a unit is needed.
std::vector<ReleaseScale> unitOf(double unit) { return {{1, unit, 1, 0, 0, 0}}; }

std::vector<double> valuesOf(const Assembly& assembly, double unit) {
  return assembly.sum(unitOf(unit), 1).value().packed;
}

Code codeOf(const Status& status) { return status ? status->code : Code::kIntegrity; }

TEST(Assembly, SumsReleasesEntryByEntryInAnyOrder) {
  const std::vector<std::vector<double>> releases = {
      {0x1p53, -1, 2}, {-0x1p53, 0x1p53, 3}, {1, 0x1p53, -7}};
  for (const auto& order : {std::vector{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    auto assembly = Assembly::create(1).value();
    for (const int i : order) ASSERT_FALSE(assembly.add(releases[std::size_t(i)]));
    EXPECT_EQ(assembly.releases(), 3u);
    EXPECT_EQ(valuesOf(assembly, 0.5), (std::vector<double>{0.5, 0x1p53, -1}));
  }
}

// Values up to 2^51 are summed by their bits.
TEST(Assembly, SumsIntegersAroundTheLargestSmallOneExactly) {
  for (const double edge : {0x1p51, 0x1p52, 0x1p53 - 4}) {
    for (const double v : {edge - 1, edge, edge + 1, edge + 2, edge + 3}) {
      for (const double sign : {1.0, -1.0}) {
        // In both lanes of a pair, and in the remainder.
        const double x = sign * v;
        auto assembly = Assembly::create(1).value();
        EXPECT_FALSE(assembly.add(std::vector<double>{x, x, x}));
        EXPECT_FALSE(assembly.add(std::vector<double>{7, 3, -2}));
        EXPECT_EQ(valuesOf(assembly, 1), (std::vector<double>{x + 7, x + 3, x - 2}));
      }
    }
  }
}

TEST(Assembly, SumsMoreReleasesThanSixtyFourBitsHold) {
  auto assembly = Assembly::create(1).value();
  Int128 total = 0;
  for (int i = 0; i < 3000; ++i) {
    const double value = 0x1p53 - i;
    total += Int128(value);
    ASSERT_FALSE(assembly.add(std::vector<double>{1, value, -value}));
  }
  EXPECT_EQ(valuesOf(assembly, 1), (std::vector<double>{3000, double(total), double(-total)}));
}

TEST(Assembly, CountsSumsComputedElsewhereAsTheirReleases) {
  auto together = Assembly::create(1).value();
  auto parts = Assembly::create(1).value();
  std::vector<Int128> totals(3);
  for (int i = 0; i < 2000; ++i) {
    const std::vector<double> values{double(i), 0x1p53 - i, -0x1p53 + 3 * i};
    ASSERT_FALSE(together.add(values, 0, 7));
    if (i % 3 == 0) {
      ASSERT_FALSE(parts.add(values, 0, 7));
    } else {
      for (std::size_t k = 0; k < 3; ++k) totals[k] += Int128(values[k]);
    }
  }
  ASSERT_FALSE(parts.addSum(totals, 0, 1333, 7 * 1333));
  EXPECT_EQ(parts.releases(), 2000u);
  const std::vector<ReleaseScale> scales = {{1, 0.25, 1, 0.5, 3, 2}};
  const AssembledSums one = together.sum(scales, 1).value(), other = parts.sum(scales, 1).value();
  EXPECT_EQ(one.packed, other.packed);
  EXPECT_EQ(one.rows, other.rows);
  EXPECT_EQ(one.diagonal, other.diagonal);
}

TEST(Assembly, AddsNothingFromARejectedSum) {
  auto assembly = Assembly::create(1).value();
  const std::vector<Int128> fine = {1, 2, 3}, short_of = {1, 2},
                            large = {1, 2, (Int128(1) << 100) + 1};
  EXPECT_EQ(codeOf(assembly.addSum(short_of, 0, 1, {})), Code::kWrongLength);
  EXPECT_EQ(codeOf(assembly.addSum(fine, kClipLevels, 1, {})), Code::kInvalidRowNorm);
  EXPECT_EQ(codeOf(assembly.addSum(fine, 0, 0, {})), Code::kNoRows);
  EXPECT_EQ(codeOf(assembly.addSum(large, 0, 1, {})), Code::kNotFinite);
  EXPECT_EQ(assembly.releases(), 0u);
  EXPECT_EQ(assembly.sum(unitOf(1), 1).error().code, Code::kNoRows);
}

TEST(Assembly, AddsNothingFromARejectedRelease) {
  auto assembly = Assembly::create(1).value();
  ASSERT_FALSE(assembly.add(std::vector<double>{1, 2, 3}));
  EXPECT_EQ(codeOf(assembly.add(std::vector<double>{1, 2})), Code::kWrongLength);
  for (const double bad : {0.5, 0x1p54, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(codeOf(assembly.add(std::vector<double>{1, 1, bad})), Code::kNotFinite);
  }
  EXPECT_EQ(assembly.releases(), 1u);
  EXPECT_EQ(valuesOf(assembly, 1), (std::vector<double>{1, 2, 3}));
}

TEST(Assembly, HasNoSumWithoutReleasesOrWithoutAUnit) {
  auto assembly = Assembly::create(2).value();
  EXPECT_EQ(assembly.sum(unitOf(1), 1).error().code, Code::kNoRows);
  ASSERT_FALSE(assembly.add(std::vector<double>(6, 1)));
  for (const double unit : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(assembly.sum(unitOf(unit), 1).error().code, Code::kNotFinite);
  }
}

TEST(Assembly, ConvertsReleasesOfDifferentRadiiToOneConstantCoordinate) {
  // Rows (c, z): two with z = 3 released at radius 2 (constant 1), one with z = 5 at radius 4
  // (constant 2); each in units of its own.
  auto assembly = Assembly::create(1).value();
  ASSERT_FALSE(assembly.add(std::vector<double>{8, 24, 72}, 2, 2));
  ASSERT_FALSE(assembly.add(std::vector<double>{8, 20, 50}, 0, 1));
  const std::vector<ReleaseScale> scales = {{4, 0.5, 2, 0, 1, 2}, {}, {2, 0.25, 1, 0, 3, 4}};
  const AssembledSums sums = assembly.sum(scales, 2).value();
  EXPECT_EQ(sums.packed, (std::vector<double>{3 * 4, 2 * (3 + 3 + 5), 9 + 9 + 25}));
  EXPECT_EQ(sums.rows, 3u);
  EXPECT_DOUBLE_EQ(sums.mean_squared_radius, (2 * 4 + 16) / 3.0);
  EXPECT_DOUBLE_EQ(sums.diagonal, std::sqrt(1 + 9));
  EXPECT_DOUBLE_EQ(sums.off_diagonal, std::sqrt(4 + 16));
  EXPECT_DOUBLE_EQ(sums.linear, std::sqrt(4 + 4 * 16));
  EXPECT_EQ(sums.count, 0);
}

TEST(Assembly, KeepsTheNoiseOfAPrivateCountAndTakesTheLongestRadius) {
  auto assembly = Assembly::create(1).value();
  ASSERT_FALSE(assembly.add(std::vector<double>{9, 24, 72}, 2));
  const std::vector<ReleaseScale> scales = {{}, {}, {2, 0.25, 1, 0, 3, 4}};
  const AssembledSums sums = assembly.sum(scales, 2).value();
  EXPECT_DOUBLE_EQ(sums.packed[0], 9 * 0.25 * 4);
  EXPECT_DOUBLE_EQ(sums.count, 3 * 4);
  EXPECT_FALSE(sums.rows.has_value());
  EXPECT_DOUBLE_EQ(sums.mean_squared_radius, 4);
}

TEST(Assembly, SubtractsTheMeanOfTheNoiseFromTheDiagonalOncePerRelease) {
  auto assembly = Assembly::create(1).value();
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(assembly.add(std::vector<double>{10, 20, 30}));
  const std::vector<ReleaseScale> scales = {{1, 1, 1, 4, 0, 0}};
  EXPECT_EQ(assembly.sum(scales, 1).value().packed, (std::vector<double>{18, 60, 78}));
}

TEST(Assembly, RejectsARadiusOutsideTheLadder) {
  auto assembly = Assembly::create(1).value();
  for (const int level : {-1, kClipLevels}) {
    EXPECT_EQ(codeOf(assembly.add(std::vector<double>{1, 2, 3}, level)), Code::kInvalidRowNorm);
  }
}

TEST(Assembly, AcceptsOneToAThousandFeatures) {
  EXPECT_EQ(Assembly::create(0).error().code, Code::kInvalidDimension);
  EXPECT_EQ(Assembly::create(1001).error().code, Code::kInvalidDimension);
  EXPECT_TRUE(Assembly::create(1000).ok());
}

}  // namespace assembly_test
}  // namespace pm
