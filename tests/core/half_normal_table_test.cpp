#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "tests/support/sha256.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace {

using namespace testing_support;

#include "core/random/half_normal_table.inc"

constexpr std::size_t kEntries = sizeof kHalfNormal / sizeof kHalfNormal[0];

std::string hexOf(std::size_t k) {
  char digits[49];
  std::snprintf(digits, sizeof digits, "%016llx%016llx%016llx",
                static_cast<unsigned long long>(kHalfNormal[k][0]),
                static_cast<unsigned long long>(kHalfNormal[k][1]),
                static_cast<unsigned long long>(kHalfNormal[k][2]));
  return digits;
}

TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(HalfNormalTable, IsTheReferenceTableToTheLastBit) {
  const auto reference = readVectors("noise.json")["half_normal_table"];
  ASSERT_EQ(kEntries, 224u);
  std::string lines;
  for (std::size_t k = 0; k < kEntries; ++k) lines += hexOf(k) + "\n";
  EXPECT_EQ(sha256(lines), reference["sha256_of_48_hex_digit_lines"].get<std::string>());
  for (const auto& [k, entry] : reference["F"].items()) {
    EXPECT_EQ("0x" + hexOf(std::stoul(k)), entry.get<std::string>()) << k;
  }
}

TEST(HalfNormalTable, IsTheCumulativeSumOfItsLaw) {
  double total = 0;
  for (int k = 0; k < 224; ++k) total += std::exp(-k * k / 512.0);
  double sum = 0;
  for (int k = 0; k < 224; ++k) {
    sum += std::exp(-k * k / 512.0);
    EXPECT_NEAR(double(kHalfNormal[k][0]) * 0x1p-63, sum / total, 1e-14) << k;
  }
}

TEST(HalfNormalTable, StartsItsSearchNeverPastTheEntryItLooksFor) {
  for (std::uint64_t slot = 0; slot < 256; ++slot) {
    const std::uint64_t smallest = slot << 55;  // of the 63-bit numbers that use this slot
    const std::size_t start = kGuide[slot];
    ASSERT_LT(start, kEntries);
    // Every entry before it is at or below the smallest number, whatever its lower bits.
    if (start > 0) {
      EXPECT_LT(kHalfNormal[start - 1][0], smallest) << slot;
    }
    EXPECT_GE(kHalfNormal[start][0], smallest) << slot;
  }
}

}  // namespace
}  // namespace pm
