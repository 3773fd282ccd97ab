#include "core/random/block_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "tests/support/sha256.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace block_table_test {

using namespace testing_support;

std::string hexOf(const BlockTable& table, std::size_t k) {
  char digits[49];
  const std::uint64_t(&entry)[3] = table.entry[k];
  std::snprintf(
      digits, sizeof digits, "%016llx%016llx%016llx", static_cast<unsigned long long>(entry[0]),
      static_cast<unsigned long long>(entry[1]), static_cast<unsigned long long>(entry[2]));
  return digits;
}

std::string digestOf(const BlockTable& table) {
  std::string lines;
  for (int k = 0; k < table.size; ++k) lines += hexOf(table, std::size_t(k)) + "\n";
  return sha256(lines);
}

TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(BlockTables, EqualTheReferenceTablesBitForBit) {
  const auto half_normal = readVectors("noise.json")["half_normal_table"];
  EXPECT_EQ(digestOf(halfNormalTable()),
            half_normal["sha256_of_48_hex_digit_lines"].get<std::string>());
  for (const auto& [k, entry] : half_normal["F"].items()) {
    EXPECT_EQ("0x" + hexOf(halfNormalTable(), std::stoul(k)), entry.get<std::string>()) << k;
  }
  const auto geometric = readVectors("laplace.json")["table"];
  EXPECT_EQ(digestOf(geometricTable()),
            geometric["sha256_of_48_hex_digit_lines"].get<std::string>());
  for (const auto& [k, entry] : geometric["F"].items()) {
    EXPECT_EQ("0x" + hexOf(geometricTable(), std::stoul(k)), entry.get<std::string>()) << k;
  }
}

TEST(BlockTables, EqualThoseOfASecondProgramWithMoreDigits) {
  const auto tables = readVectors("block_tables.json");
  const auto check = [](const BlockTable& table, const nlohmann::json& expected) {
    EXPECT_EQ(table.size, expected["size"].get<int>());
    EXPECT_EQ(digestOf(table), expected["sha256"].get<std::string>());
    for (const auto& [k, entry] : expected["entries"].items()) {
      EXPECT_EQ(hexOf(table, std::stoul(k)), entry.get<std::string>()) << k;
    }
  };
  check(halfNormalTable(), tables["gaussian"]);
  check(geometricTable(), tables["laplace"]);
}

TEST(BlockTables, AreTheCumulativeSumsOfTheirLaws) {
  const auto check = [](const BlockTable& table, const std::function<double(int)>& mass,
                        double total) {
    double sum = 0;
    for (int k = 0; k < table.size; ++k) {
      sum += mass(k);
      EXPECT_NEAR(double(table.entry[k][0]) * 0x1p-63, sum / total, 1e-14) << k;
    }
  };
  double total = 0;
  for (int k = 0; k < 224; ++k) total += std::exp(-k * k / 512.0);
  check(
      halfNormalTable(), [](int k) { return std::exp(-k * k / 512.0); }, total);
  check(
      geometricTable(), [](int k) { return std::exp(-k / 16.0); }, 1 / -std::expm1(-1 / 16.0));
}

TEST(BlockTables, NeverStartTheirSearchPastTheRightEntry) {
  for (const BlockTable* table : {&halfNormalTable(), &geometricTable()}) {
    for (std::uint64_t slot = 0; slot < 256; ++slot) {
      const std::uint64_t smallest = slot << 55;  // of the 63-bit numbers that use this slot
      const int start = table->guide[slot];
      ASSERT_LT(start, table->size);
      // Every entry before it is below the smallest number, whatever its lower bits.
      if (start > 0) {
        EXPECT_LT(table->entry[start - 1][0], smallest) << slot;
      }
      EXPECT_GE(table->entry[start][0], smallest) << slot;
    }
  }
}

}  // namespace block_table_test
}  // namespace pm
