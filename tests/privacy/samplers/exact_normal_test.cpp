// Exact normals against the normal law, the decisions behind them against exact probabilities, and
// the path of tables so coarse that every rare decision is a common one.
#include "core/random/exact_normal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include "core/random/below_exp.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace exact_normal_test {

using namespace testing_support;

double valueOf(const ExactNormals& normals, std::size_t i) {
  const double fraction = std::ldexp(double(normals.firstWord(i) >> 11), -53);
  const double size = (double(normals.cell(i)) + fraction) / kCellsPerUnit;
  return normals.isNegative(i) ? -size : size;
}

using Change = std::function<double(double)>;

/// p-value, times the number of tests, of values being standard normal: the distribution in 64
/// cells of equal probability, the tails beyond 3.5, the signs, and the place within the cell of
/// the sampler, of which the lower half is the likelier.
double judge(
    const NormalTable& table, std::uint64_t count, std::uint64_t seed,
    const Change& change = [](double x) { return x; }) {
  Drbg random(unsafeTestSeed(seed));
  const ExactNormals normals(count, random, table);
  constexpr std::size_t kCells = 64, kPlaces = 8;
  std::vector<std::uint64_t> cells(kCells), places(kPlaces);
  std::uint64_t tail = 0, negative = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = change(valueOf(normals, i));
    const double below = std::erfc(-x / std::sqrt(2.0)) / 2;
    ++cells[std::min(kCells - 1, std::size_t(below * kCells))];
    tail += std::fabs(x) > 3.5 ? 1 : 0;
    negative += x < 0 ? 1 : 0;
    const double at = std::fabs(x) * kCellsPerUnit;
    ++places[std::size_t((at - std::floor(at)) * kPlaces)];
  }
  const auto beyond = [](double x) { return std::erfc(x / std::sqrt(2.0)); };
  std::vector<double> within(kPlaces);
  constexpr double kWidth = 1.0 / (kPlaces * kCellsPerUnit);
  for (std::size_t i = 0; i < 12 * kPlaces * kCellsPerUnit; ++i) {
    within[i % kPlaces] +=
        double(count) * (beyond(double(i) * kWidth) - beyond(double(i + 1) * kWidth));
  }
  const std::vector<double> even(kCells, double(count) / kCells);
  return 4 * std::min({goodnessOfFit(cells, even), goodnessOfFit(places, within),
                       binomialTail(tail, count, beyond(3.5)), binomialTail(negative, count, 0.5)});
}

/// Scale 16: one index in 10 is the last of its cell, where digits of the exponential decide, and
/// one in 13 is of the tail.
const NormalTable& coarse() {
  static const NormalTable table(16, 1, 10);
  return table;
}

TEST(ExactNormals, HaveTheNormalLaw) {
  EXPECT_GT(judge(NormalTable::standard(), draws(1'000'000), 5001), kAlarm);
}

TEST(ExactNormals, HaveItFromATableThatDecidesHardlyAnything) {
  EXPECT_GT(judge(coarse(), draws(200'000), 5002), kAlarm);
}

TEST(ExactNormals, OfAnotherSpreadOrDrawnWithoutTheSecondStepAreRejected) {
  if (kSlowBuild) return;  // too few draws
  EXPECT_LT(judge(NormalTable::standard(), 1'000'000, 5003, [](double x) { return 1.05 * x; }),
            kAlarm);
  EXPECT_LT(judge(NormalTable::standard(), 1'000'000, 5003, [](double x) { return x / 1.05; }),
            kAlarm);
  // The place in the cell uniform, as without von Neumann's comparison.
  const auto uniform = [](double x) {
    const double cell = std::floor(std::fabs(x) * kCellsPerUnit);
    const double mixed = std::fmod(std::fabs(x) * 1e6, 1);
    return std::copysign((cell + mixed) / kCellsPerUnit, x);
  };
  EXPECT_LT(judge(NormalTable::standard(), 2'000'000, 5003, uniform), kAlarm);
}

TEST(ExactNormals, HaveUniformWordsAfterTheFirst) {
  Drbg random(unsafeTestSeed(5004));
  constexpr std::size_t kCount = 4096;
  const ExactNormals normals(kCount, random);
  std::vector<std::uint64_t> words(kCount), again(3);
  for (const std::size_t depth : {1, 2, 9}) {
    normals.readWords(0, depth, words);
    std::vector<std::uint64_t> counts(16);
    std::uint64_t bits = 0;
    for (const std::uint64_t word : words) {
      ++counts[word >> 60];
      bits += std::uint64_t(std::popcount(word));
    }
    EXPECT_GT(goodnessOfFit(counts, std::vector<double>(16, kCount / 16.0)), kAlarm / 6);
    EXPECT_GT(binomialTail(bits, 64 * kCount, 0.5), kAlarm / 6);
    normals.readWords(1000, depth, again);
    EXPECT_TRUE(std::equal(again.begin(), again.end(), words.begin() + 1000));
  }
}

TEST(ExactNormals, DoNotChangeWhereMoreWordsAreRead) {
  Drbg first(unsafeTestSeed(5005)), second(unsafeTestSeed(5005));
  const ExactNormals one(100, first), other(100, second);
  std::vector<std::uint64_t> words(100);
  for (std::size_t depth = 0; depth < 5; ++depth) one.readWords(0, depth, words);
  EXPECT_EQ(first.next64(), second.next64());
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(one.firstWord(i), other.firstWord(i));
    EXPECT_EQ(one.cell(i), other.cell(i));
  }
}

TEST(NormalTable, WeighsEachCellJustAboveItsDensity) {
  for (const NormalTable* table : {&NormalTable::standard(), &coarse()}) {
    for (int j = 0; j < NormalTable::kCells; ++j) {
      const double weight = double(table->below(j + 1) - table->below(j));
      const double exact = double(table->scale()) * std::exp(-double(j) * j / 2048);
      EXPECT_GE(weight, exact * (1 - 1e-13)) << j;
      EXPECT_LE(weight, exact + 1 + exact * 1e-13) << j;
      EXPECT_EQ(table->cellOf(table->below(j)), j);
      EXPECT_EQ(table->cellOf(table->below(j + 1) - 1), j);
    }
    EXPECT_EQ(table->cellOf(table->total() - 1), NormalTable::kCells);
    EXPECT_LE(table->total(), std::uint64_t{1} << table->indexBits());
    EXPECT_GE(double(table->tailHeight()), double(table->scale()) * std::exp(-32.0));
  }
}

TEST(BelowExp, HasTheProbabilityOfTheFraction) {
  struct Case {
    std::uint64_t multiple, whole, a;
    std::uint32_t b;
    int zeros;
    double chance;
  };
  Drbg random(unsafeTestSeed(5006));
  const std::uint64_t count = draws(20'000);
  for (const Case& c : {
           Case{1, 0, 1, 2, 0, std::exp(-0.5)},
           Case{1, 0, 7, 1, 3, 8 * std::exp(-7.0)},
           Case{1000, 904, 1, 10, 0, 1000 * std::exp(-0.1) - 904},
           Case{16, 15, 1, 2048, 0, 16 * std::exp(-1.0 / 2048) - 15},
           Case{std::uint64_t{1} << 46, 0, 34 * 2048, 2048, 0, std::ldexp(std::exp(-34.0), 46)},
       }) {
    std::uint64_t hits = 0;
    for (std::uint64_t r = 0; r < count; ++r) {
      hits += belowExp(c.multiple, c.whole, c.a, c.b, c.zeros, random) ? 1 : 0;
    }
    EXPECT_GT(binomialTail(hits, count, c.chance), kAlarm / 5) << c.multiple << " " << c.a;
  }
}

TEST(BelowExp, OfAWholeNumberIsCertain) {
  Drbg random(unsafeTestSeed(5007));
  for (int r = 0; r < 100; ++r) {
    EXPECT_TRUE(belowExp(5, 4, 0, 1, 0, random));
    EXPECT_FALSE(belowExp(5, 5, 1, 1, 0, random));
  }
  EXPECT_EQ(ceilOfExp(5, 0, 1), 5u);
  EXPECT_EQ(ceilOfExp(1000, 1, 1), 368u);
}

}  // namespace exact_normal_test
}  // namespace pm
