#include "core/moments/assembly.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace pm {
namespace {

Code codeOf(const Status& status) { return status ? status->code : Code::kIntegrity; }

TEST(Assembly, SumsReleasesEntryByEntryInAnyOrder) {
  const std::vector<std::vector<double>> releases = {
      {0x1p53, -1, 2}, {-0x1p53, 0x1p53, 3}, {1, 0x1p53, -7}};
  for (const auto& order : {std::vector{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    auto assembly = Assembly::create(1).value();
    for (const int i : order) ASSERT_FALSE(assembly.add(releases[std::size_t(i)]));
    EXPECT_EQ(assembly.releases(), 3u);
    EXPECT_EQ(assembly.sum(0.5).value(), (std::vector<double>{0.5, 0x1p53, -1}));
  }
}

TEST(Assembly, AddsNothingOfAReleaseItRefuses) {
  auto assembly = Assembly::create(1).value();
  ASSERT_FALSE(assembly.add(std::vector<double>{1, 2, 3}));
  EXPECT_EQ(codeOf(assembly.add(std::vector<double>{1, 2})), Code::kWrongLength);
  for (const double bad : {0.5, 0x1p54, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(codeOf(assembly.add(std::vector<double>{1, 1, bad})), Code::kNotFinite);
  }
  EXPECT_EQ(assembly.releases(), 1u);
  EXPECT_EQ(assembly.sum(1).value(), (std::vector<double>{1, 2, 3}));
}

TEST(Assembly, HasNoSumWithoutReleasesOrWithoutAUnit) {
  auto assembly = Assembly::create(2).value();
  EXPECT_EQ(assembly.sum(1).error().code, Code::kNoRows);
  ASSERT_FALSE(assembly.add(std::vector<double>(6, 1)));
  for (const double unit : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(assembly.sum(unit).error().code, Code::kNotFinite);
  }
}

TEST(Assembly, IsForOneToAThousandFeatures) {
  EXPECT_EQ(Assembly::create(0).error().code, Code::kInvalidDimension);
  EXPECT_EQ(Assembly::create(1001).error().code, Code::kInvalidDimension);
  EXPECT_TRUE(Assembly::create(1000).ok());
}

}  // namespace
}  // namespace pm
