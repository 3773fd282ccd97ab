#include "core/random/discrete_laplace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/random/bernoulli.hpp"
#include "core/random/block_table.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace discrete_laplace_test {

using namespace testing_support;

// P(v) proportional to exp(-|v|/t): P(0) = tanh(1/2t), P(v) = P(0) e^{-|v|/t}.
struct Law {
  double t;
  double mass(double v) const { return std::tanh(0.5 / t) * std::exp(-std::fabs(v) / t); }
  // P(|V| >= x), x >= 1.
  double tail(double x) const { return 2 * std::exp(-x / t) / (1 + std::exp(-1 / t)); }
  // P(a <= V <= b) for 0 < a <= b.
  double between(double a, double b) const {
    return std::exp(-a / t) * -std::expm1(-(b - a + 1) / t) / (1 + std::exp(-1 / t));
  }
  double variance() const { return 0.5 / std::pow(std::sinh(0.5 / t), 2); }
  double meanSize() const { return 1 / std::sinh(1 / t); }
};

TEST(DiscreteLaplaceLaw, HasTheReferenceProbabilities) {
  const auto vectors = readVectors("laplace.json")["pmf"];
  ASSERT_EQ(vectors.size(), 4u);
  for (const auto& vector : vectors) {
    const Law law{vector["scale"].get<double>()};
    for (const auto& [v, mass] : vector["pmf"].items()) {
      EXPECT_NEAR(law.mass(std::stod(v)) / realOf(mass), 1, 1e-13) << v;
    }
    EXPECT_NEAR(law.variance() / realOf(vector["variance"]), 1, 1e-12);
    double size = 0, beyond = 0;
    for (double v = 40 * law.t + 40; v >= 1; --v) {
      size += 2 * v * law.mass(v);
      if (v >= 3) beyond += 2 * law.mass(v);
    }
    EXPECT_NEAR(size / law.meanSize(), 1, 1e-12);
    EXPECT_NEAR(beyond / law.tail(3), 1, 1e-12);
    EXPECT_NEAR((law.tail(3) - law.tail(6)) / 2 / law.between(3, 5), 1, 1e-12);
  }
}

struct Verdict {
  std::string test;
  double p;
};

// Histogram of signed quarters of blocks, low bits of |v|, mean, mean size, mean square,
// correlation of neighbours, two tails: eight p-values.
constexpr int kTests = 8;
std::vector<Verdict> testLaw(const std::vector<Int128>& samples, std::uint64_t w) {
  const Law law{16 * double(w)};
  const double n = double(samples.size());
  std::vector<Verdict> verdicts;

  // Cell i > 0 holds the sizes from edge(i - 1) to edge(i) - 1 of one sign; the last everything
  // beyond; cell 0 is zero alone.
  const std::uint64_t width = std::max<std::uint64_t>(1, w / 4);
  constexpr std::uint64_t kEachSide = 800;
  std::vector<std::uint64_t> counts(2 * kEachSide + 1), low(16);
  std::vector<double> expected(counts.size()), low_expected(16);
  double sum = 0, sizes = 0, squares = 0, lagged = 0, previous = 0;
  std::uint64_t beyond5 = 0, beyond9 = 0;
  for (const Int128 v : samples) {
    const Uint128 size = Uint128(v < 0 ? -v : v);
    std::uint64_t cell = 0;
    if (size > 0) cell = 1 + std::uint64_t(std::min<Uint128>((size - 1) / width, kEachSide - 1));
    ++counts[v < 0 ? kEachSide + cell : cell];
    ++low[std::size_t(size & 15)];
    const double z = double(v) / law.t;
    sum += z, sizes += std::fabs(z), squares += z * z, lagged += z * previous;
    previous = z;
    beyond5 += size >= Uint128(5) * 16 * w;
    beyond9 += size >= Uint128(9) * 16 * w;
  }
  expected[0] = n * law.mass(0);
  for (std::uint64_t i = 1; i <= kEachSide; ++i) {
    const double from = double(i - 1) * double(width) + 1;
    const double to = i < kEachSide ? double(i) * double(width) : from + 100 * law.t;
    expected[i] = expected[kEachSide + i] = n * law.between(from, to);
  }
  verdicts.push_back({"histogram", goodnessOfFit(counts, expected)});
  for (int r = 0; r < 16; ++r) {  // P(|V| = r mod 16): a geometric series, but zero counts once
    const double both = 2 * std::exp(-r / law.t) / -std::expm1(-16 / law.t) - (r == 0 ? 1 : 0);
    low_expected[std::size_t(r)] = n * law.mass(0) * both;
  }
  verdicts.push_back({"low bits", goodnessOfFit(low, low_expected)});
  // Standard errors from the continuous law, at most 1 % off for t >= 16.
  const double variance = law.variance() / (law.t * law.t), size = law.meanSize() / law.t;
  verdicts.push_back({"mean", normalTail(sum / std::sqrt(n * variance))});
  verdicts.push_back({"size", normalTail((sizes - n * size) / std::sqrt(n))});
  verdicts.push_back({"square", normalTail((squares - n * variance) / std::sqrt(20 * n))});
  verdicts.push_back({"neighbours", normalTail(lagged / (variance * std::sqrt(n)))});
  verdicts.push_back({"beyond 5", binomialTail(beyond5, samples.size(), law.tail(5 * law.t))});
  verdicts.push_back({"beyond 9", binomialTail(beyond9, samples.size(), law.tail(9 * law.t))});
  return verdicts;
}

double smallestOf(const std::vector<Verdict>& verdicts) {
  double p = 1;
  for (const Verdict& verdict : verdicts) p = std::min(p, verdict.p);
  return std::min(1.0, p * kTests);
}

TEST(Block16Laplace, HasTheDiscreteLaplaceLawAtEveryWidth) {
  const std::uint64_t widths[] = {
      1, 2, 3, 7, 100, 62500, std::uint64_t{1} << 40, kLaplaceWidthLimit - 1};
  for (const std::uint64_t w : widths) {
    Drbg random(unsafeTestSeed(900 + w));
    std::vector<Int128> samples(draws(1'000'000));
    fillDiscreteLaplace(w, samples.data(), samples.size(), random);
    for (const Verdict& verdict : testLaw(samples, w)) {
      EXPECT_GT(verdict.p, kAlarm / (kTests * std::size(widths)))
          << "w = " << w << ", " << verdict.test;
    }
  }
}

TEST(Block16Laplace, ContinuesBeyondTheLastBlockOfItsTable) {
  // Beyond 16 scales (one draw in 9 million) the words are scripted: a first word above all
  // entries, a second above all entries, then block 0, offset 0, accepted. The sign is the first
  // word's.
  const Seed seed = unsafeTestSeed(95);
  const auto& last = geometricTable().entry[255];
  for (const std::uint64_t sign : {0u, 1u}) {
    Drbg random(seed);
    random.next64();
    unsafeScriptNextWords(random, seed, 1,
                          {~std::uint64_t{1} | sign, ~std::uint64_t{0}, 0, 0, ~std::uint64_t{0}});
    Int128 sample = 0;
    fillDiscreteLaplace(1, &sample, 1, random);
    EXPECT_EQ(std::int64_t(sample), sign ? -512 : 512);
  }
  // A tie with the last entry: below it in the last bit, block 255; equal, beyond the table.
  for (const std::uint64_t above : {0u, 1u}) {
    Drbg random(seed);
    random.next64();
    unsafeScriptNextWords(random, seed, 1,
                          {last[0] << 1, last[1], last[2] - 1 + above, 0, ~std::uint64_t{0},
                           ~std::uint64_t{0}, 0, 0});
    Int128 sample = 0;
    fillDiscreteLaplace(1, &sample, 1, random);
    if (above == 0) {
      EXPECT_EQ(std::int64_t(sample), 255);
    } else {
      EXPECT_GE(std::int64_t(sample), 256);
    }
  }
}

TEST(Block16Laplace, DrawsValuesOfMoreThan64Bits) {
  const std::uint64_t w = kLaplaceWidthLimit - 1;
  Drbg random(unsafeTestSeed(96));
  std::vector<Int128> samples(5'000);
  fillDiscreteLaplace(w, samples.data(), samples.size(), random);
  const auto wide = std::count_if(samples.begin(), samples.end(), [](Int128 v) {
    return v > Int128(1) << 64 || v < -(Int128(1) << 64);
  });
  // P(|v| > 2^64) = e^-2: 677 of 5000, standard deviation 24.
  EXPECT_NEAR(double(wide), 677, 6 * 24);
}

enum class Fault {
  kNone,
  kScaleTooLarge,         // 5 %
  kScaleTooSmall,         // 5 %
  kNegativeZeroAccepted,  // zero twice as likely
  kZeroNeverDrawn,        // zero rejected with either sign
  kExponentInverted,      // the offset within a block always accepted
  kSignCorrelated,        // the sign determined by the absolute value
  kTableShifted,          // the block after the correct one
  kHalfBlocks,            // the table of e^{-k/8}
};

// The same method in floating point, with one fault at a time.
std::vector<Int128> drawFaulty(Fault fault, std::uint64_t w, std::uint64_t count) {
  UnsafeTestRandom random(1000 + std::uint64_t(fault));
  if (fault == Fault::kScaleTooLarge) w += w / 20;
  if (fault == Fault::kScaleTooSmall) w -= w / 20;
  const double rate = fault == Fault::kHalfBlocks ? 8 : 16;
  std::vector<Int128> samples;
  while (samples.size() < count) {
    const double u = random.uniform();
    std::int64_t k = std::int64_t(-rate * std::log1p(-u));
    if (fault == Fault::kTableShifted) ++k;
    const std::int64_t j = std::int64_t(uniformBelow(w, random));
    const double accept = std::exp(-double(j) / (16 * double(w)));
    if (fault != Fault::kExponentInverted && random.uniform() >= accept) continue;
    const Int128 v = Int128(k) * Int128(w) + j;
    const bool negative = fault == Fault::kSignCorrelated ? u < 0.5 : (random.next64() & 1) != 0;
    if (negative && v == 0 && fault != Fault::kNegativeZeroAccepted) continue;
    if (v == 0 && fault == Fault::kZeroNeverDrawn) continue;
    samples.push_back(negative ? -v : v);
  }
  return samples;
}

// Detecting the mutants takes the full number of draws, also in a slow build. The weakest is the
// block that is flat inside: its quarters are 2.3 % off at most, which adds some 300 to a
// chi-square of 400 degrees of freedom, ten standard deviations.
double judge(Fault fault, std::uint64_t w, std::uint64_t count = 400'000) {
  return smallestOf(testLaw(drawFaulty(fault, w, count), w));
}

TEST(LaplaceLawTest, AcceptsTheFloatingPointSamplerWithoutAFault) {
  EXPECT_GT(judge(Fault::kNone, 1), kAlarm);
  EXPECT_GT(judge(Fault::kNone, 100), kAlarm);
}

TEST(LaplaceLawTest, RejectsAScaleFivePerCentOff) {
  EXPECT_LT(judge(Fault::kScaleTooLarge, 100), kAlarm);
  EXPECT_LT(judge(Fault::kScaleTooSmall, 100), kAlarm);
}

TEST(LaplaceLawTest, RejectsAZeroWithTwoSignsAndOneWithNone) {
  EXPECT_LT(judge(Fault::kNegativeZeroAccepted, 1), kAlarm);
  EXPECT_LT(judge(Fault::kNegativeZeroAccepted, 3), kAlarm);
  EXPECT_LT(judge(Fault::kZeroNeverDrawn, 3), kAlarm);
}

TEST(LaplaceLawTest, RejectsABlockThatIsFlatInside) {
  EXPECT_LT(judge(Fault::kExponentInverted, 100, 1'000'000), kAlarm);
}

TEST(LaplaceLawTest, RejectsASignThatDependsOnTheSize) {
  EXPECT_LT(judge(Fault::kSignCorrelated, 100), kAlarm);
}

TEST(LaplaceLawTest, RejectsATableThatIsOffByOneOrDecaysTwiceAsFast) {
  EXPECT_LT(judge(Fault::kTableShifted, 100), kAlarm);
  EXPECT_LT(judge(Fault::kHalfBlocks, 100), kAlarm);
}

}  // namespace discrete_laplace_test
}  // namespace pm
