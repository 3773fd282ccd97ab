#include "core/random/bernoulli.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace bernoulli_test {

using namespace testing_support;

// Returns the same word forever and counts calls.
struct OneWord {
  std::uint64_t word;
  int asked = 0;
  std::uint64_t next64() {
    ++asked;
    return word;
  }
};

TEST(LazyComparison, DecidesTheReferenceCasesFromTheFirstWordOrDrawsAnother) {
  const auto vectors = readVectors("noise.json")["lazy_compare"];
  ASSERT_EQ(vectors.size(), 63u);
  for (const auto& vector : vectors) {
    const Uint128 a = wideOf(vector["a"]), b = wideOf(vector["b"]);
    const std::uint32_t n = vector["n"].get<std::uint32_t>();
    const std::uint64_t word = integerOf(vector["u0"]);
    const auto& expected = vector["U_lt"];
    // The next word decides: zeros are below the remainder, ones are not.
    OneWord zeros{0}, ones{~std::uint64_t{0}};
    const bool with_zeros = lessRatio(a, n, b, word, zeros);
    const bool with_ones = lessRatio(a, n, b, word, ones);
    if (expected == "needs next word") {
      EXPECT_TRUE(with_zeros) << vector;
      EXPECT_FALSE(with_ones) << vector;
      EXPECT_GE(zeros.asked, 1) << vector;
      EXPECT_GE(ones.asked, 1) << vector;
    } else {
      const bool below = expected == true;
      EXPECT_EQ(with_zeros, below) << vector;
      EXPECT_EQ(with_ones, below) << vector;
      EXPECT_EQ(zeros.asked + ones.asked, 0) << vector;
    }
  }
}

TEST(LazyComparison, IsTrueForAFractionOfOneAndFalseForZero) {
  for (const std::uint64_t word : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    OneWord random{word};
    EXPECT_TRUE(lessRatio(7, 1, 7, word, random));
    EXPECT_FALSE(lessRatio(0, 1, 7, word, random));
  }
}

// A fraction a/(n b) within a few 2^-64 of word/2^64: a is the product word n b, shifted down.
struct Hard {
  Uint128 a, b;
  std::uint32_t n;
  std::uint64_t word;
};

Hard hardCase(UnsafeTestRandom& random) {
  Hard c{};
  const int bits = 1 + int(random.below(118));
  c.b = (Uint128(random.next64()) << 64 | random.next64()) >> (128 - bits);
  if (c.b == 0) c.b = 1;
  c.n = 1 + std::uint32_t(random.below(random.below(2) ? 4 : 511));
  const Uint128 q = c.b * c.n;
  c.word = random.next64() / c.n;
  if (random.below(8) == 0) c.word >>= random.below(64);  // small fractions as well
  c.a = Uint128(c.word) * std::uint64_t(q >> 64) + ((Uint128(c.word) * std::uint64_t(q)) >> 64);
  // Changed by a few units in the last place of the fraction or of the word.
  const Uint128 nudge = random.below(5);
  if (random.below(2)) {
    c.a += nudge;
  } else {
    c.a -= std::min(c.a, nudge);
  }
  c.word += random.below(7) - 3;
  c.a = std::min(c.a, c.b);
  return c;
}

TEST(LazyComparison, DecidesFastOnlyWhatTheExactComparisonDecidesAlike) {
  UnsafeTestRandom random(20);
  const std::uint64_t cases = repetitions(12'000'000, 1'000'000);
  std::uint64_t wrong = 0, below = 0, asked = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Hard c = hardCase(random);
    OneWord for_fast{random.next64()}, for_exact{for_fast.word};
    const bool fast = lessRatio(c.a, c.n, c.b, c.word, for_fast);
    const bool exact = lessExact(c.a, c.b * c.n, c.word, for_exact);
    wrong += fast != exact;
    below += exact;
    asked += for_exact.asked > 0;
  }
  EXPECT_EQ(wrong, 0u);
  // Check that the cases are hard: both results, and many near the edge.
  EXPECT_GT(below, cases / 5);
  EXPECT_LT(below, cases / 5 * 4);
  EXPECT_GT(asked, cases / 50);
}

TEST(ExactComparison, AgreesWithLongDivisionOfSmallFractions) {
  // The first 64 binary digits of a/q are floor(a 2^64 / q) where q is below 2^63.
  UnsafeTestRandom random(21);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t q = 1 + (random.next64() >> (1 + random.below(63)));
    const std::uint64_t a = random.next64() % q;
    const Uint128 scaled = Uint128(a) << 64;
    const std::uint64_t digits = std::uint64_t(scaled / q), word = digits + random.below(5) - 2;
    const bool remainder = scaled % q != 0;
    OneWord zeros{0};
    const bool expected = word < digits || (word == digits && remainder);
    ASSERT_EQ(lessExact(a, q, word, zeros), expected) << "case " << i;
  }
}

TEST(BernoulliExp, IsTrueWithTheProbabilityOfTheExponential) {
  // Six two-sided binomial tests of 400 000 draws; false alarm below 1e-6 in all.
  const struct {
    std::uint64_t a, b;
  } cases[] = {{0, 1}, {1, 1}, {1, 2}, {1, 1000}, {999, 1000}, {7, 8}};
  const std::uint64_t draws = repetitions(400'000, 100'000);
  UnsafeTestRandom random(22);
  for (const auto& [a, b] : cases) {
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < draws; ++i) hits += bernoulliExp(a, b, random);
    const double chance = std::exp(-double(a) / double(b));
    if (a == 0) {
      EXPECT_EQ(hits, draws);
    } else {
      EXPECT_GT(binomialTail(hits, draws, chance), kAlarm / 6) << a << "/" << b;
    }
  }
}

TEST(UniformBelow, GivesEveryResultTheSameProbability) {
  // A chi-square test for each of five n; false alarm below 1e-6 in all.
  UnsafeTestRandom random(23);
  const std::uint64_t draws = repetitions(300'000, 60'000);
  for (const std::uint64_t n : {2u, 3u, 7u, 16u, 100u}) {
    std::vector<std::uint64_t> counts(n);
    for (std::uint64_t i = 0; i < draws; ++i) {
      const std::uint64_t x = uniformBelow(n, random);
      ASSERT_LT(x, n);
      ++counts[x];
    }
    const std::vector<double> expected(n, double(draws) / double(n));
    EXPECT_GT(goodnessOfFit(counts, expected), kAlarm / 5) << n;
  }
}

TEST(UniformBelow, RejectsExactlyTheWordsThatWouldMakeAResultLikelier) {
  // n = 3: 2^64 mod 3 = 1, so one word of 2^64 is rejected: the one whose product has low half 0.
  struct {
    std::uint64_t next64() { return asked++ == 0 ? 0 : ~std::uint64_t{0}; }
    int asked = 0;
  } refused;
  EXPECT_EQ(uniformBelow(3, refused), 2u);
  EXPECT_EQ(refused.asked, 2);
  OneWord taken{0};
  EXPECT_EQ(uniformBelow(std::uint64_t{1} << 40, taken), 0u);
  EXPECT_EQ(taken.asked, 1);
}

}  // namespace bernoulli_test
}  // namespace pm
