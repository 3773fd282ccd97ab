#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random/bernoulli.hpp"
#include "core/random/block_table.hpp"
#include "core/random/discrete_gaussian.hpp"
#include "tests/support/discrete_gaussian_law.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace block16_law_test {

using namespace testing_support;

const std::uint64_t kSamples = repetitions(2'000'000, 400'000);

double rationalOf(const nlohmann::json& text) {
  const std::string s = text.get<std::string>();
  const std::size_t slash = s.find('/');
  if (slash == std::string::npos) return std::stod(s);
  return std::stod(s.substr(0, slash)) / std::stod(s.substr(slash + 1));
}

TEST(DiscreteGaussianLaw, HasTheReferenceProbabilities) {
  const auto vectors = readVectors("noise.json")["discrete_gaussian_pmf"];
  ASSERT_EQ(vectors.size(), 7u);
  for (const auto& vector : vectors) {
    const DiscreteGaussianLaw law(rationalOf(vector["sigma2"]));
    EXPECT_NEAR(law.normaliser() / realOf(vector["Z"]), 1, 1e-13);
    for (const auto& [x, mass] : vector["pmf"].items()) {
      EXPECT_NEAR(law.mass(std::stod(x)) / realOf(mass), 1, 1e-13) << vector["sigma2"] << " " << x;
    }
    if (vector.contains("tail_ge")) {
      for (const auto& [x, mass] : vector["tail_ge"].items()) {
        EXPECT_NEAR(law.tail(std::stoll(x)) / realOf(mass), 1, 1e-10) << x;
      }
    }
  }
}

TEST(DiscreteGaussianLaw, HasTheSameCellsBySummationAndByIntegration) {
  // Just below and just above the switch between them.
  const DiscreteGaussianLaw sum(1999.0 * 1999.0), integral(2001.0 * 2001.0);
  for (const double z : {-5.0, -1.0, 0.0, 0.5, 3.0}) {
    const double by_sum = sum.between(std::round(z * 1999), std::round((z + 0.5) * 1999) - 1);
    const double by_integral =
        integral.between(std::round(z * 2001), std::round((z + 0.5) * 2001) - 1);
    EXPECT_NEAR(by_sum / by_integral, 1, 2e-3);
    double direct = 0;
    for (double x = std::round(z * 2001); x < std::round((z + 0.5) * 2001); ++x) {
      direct += integral.mass(x);
    }
    EXPECT_NEAR(direct / by_integral, 1, 1e-6);
  }
}

TEST(Block16, HasTheDiscreteGaussianLawAtEveryWidth) {
  // Nine p-values for each of nine widths; false alarm below 1e-6 in all 81. The power of the same
  // tests is shown by the mutants below.
  const std::uint64_t widths[] = {1,
                                  2,
                                  3,
                                  7,
                                  100,
                                  62500,
                                  std::uint64_t{1} << 40,
                                  (std::uint64_t{1} << 54) - 3,
                                  std::uint64_t{1} << 54};
  for (const std::uint64_t w : widths) {
    Drbg random(unsafeTestSeed(80 + w));
    std::vector<std::int64_t> samples(kSamples);
    fillDiscreteGaussian(w, samples.data(), samples.size(), random);
    for (const Verdict& verdict : testLaw(samples, w)) {
      EXPECT_GT(verdict.p, kAlarm / (kLawTests * 9)) << "w = " << w << ", " << verdict.test;
    }
  }
}

TEST(Block16, HasTheTailsOfItsLaw) {
  // 2e7 samples: 5 sigma and more has probability 5.7e-7 (w = 62500), so 11 are expected natively.
  const std::uint64_t w = 62500, count = repetitions(20'000'000, 2'000'000);
  const DiscreteGaussianLaw law(1e12);
  Drbg random(unsafeTestSeed(90));
  std::vector<std::int64_t> samples(100'000);
  std::uint64_t beyond = 0, sum_of_sizes = 0;
  for (std::uint64_t done = 0; done < count; done += samples.size()) {
    fillDiscreteGaussian(w, samples.data(), samples.size(), random);
    for (const std::int64_t x : samples) {
      const std::uint64_t size = std::uint64_t(x < 0 ? -x : x);
      beyond += size >= 5'000'000;
      sum_of_sizes += size;
    }
  }
  EXPECT_GT(binomialTail(beyond, count, 2 * law.between(5e6, 15e6)), kAlarm / 2);
  // Mean size sqrt(2/pi) sigma, variance (1 - 2/pi) sigma^2.
  const double n = double(count), pi = std::numbers::pi;
  const double z =
      (double(sum_of_sizes) / 1e6 - n * std::sqrt(2 / pi)) / std::sqrt(n * (1 - 2 / pi));
  EXPECT_GT(normalTail(z), kAlarm / 2);
}

// The first entry above a 191-bit number.
std::int64_t blockAbove(std::uint64_t top, std::uint64_t middle, std::uint64_t low) {
  std::int64_t k = 0;
  const auto above = [&](const std::uint64_t(&entry)[3]) {
    return std::tie(top, middle, low) < std::tie(entry[0], entry[1], entry[2]);
  };
  while (!above(halfNormalTable().entry[k])) ++k;
  return k;
}

TEST(Block16, ComparesTiesWithItsTableInAllBits) {
  // One in 2^55 draws needs the lower 128 bits of the table, so the words are scripted: a tie in
  // the upper bits, the lower two words, then the offset within a block of one and its acceptance.
  // The upper bits of the last entries are all equal.
  const Seed seed = unsafeTestSeed(95);
  for (const std::size_t k : {0, 3, 40, 128, 180, 222}) {
    const std::uint64_t(&entry)[3] = halfNormalTable().entry[k];
    const std::pair<std::uint64_t, std::uint64_t> lower[] = {{entry[1] - 1, ~std::uint64_t{0}},
                                                             {entry[1], entry[2] - 1},
                                                             {entry[1], entry[2]},
                                                             {entry[1] + 1, 0}};
    for (const auto& [middle, low] : lower) {
      const std::int64_t block = blockAbove(entry[0], middle, low);
      Drbg random(seed);
      random.next64();
      unsafeScriptNextWords(random, seed, 1, {entry[0] << 1, middle, low, 0, ~std::uint64_t{0}});
      std::int64_t sample = -1;
      fillDiscreteGaussian(1, &sample, 1, random);
      EXPECT_EQ(sample, block) << "tie with entry " << k;
    }
    EXPECT_EQ(blockAbove(entry[0], entry[1], entry[2]), std::int64_t(k) + 1);
  }
}

// The block16 method in floating point, with one fault at a time.
enum class Fault {
  kNone,
  kExponentInverted,      // accepts with probability exp(+...), that is, always
  kComplementAccepted,    // accepts where it should reject
  kScaleTooLarge,         // sigma 5 % too large
  kScaleTooSmall,         // sigma 5 % too small
  kNegativeZeroAccepted,  // zero twice as likely
  kTableShiftedUp,        // the block after the correct one
  kTableShiftedDown,      // the block before it, if there is one
  kOneTableEntryLost,     // block 17 can never be drawn
  kSignCorrelated,        // the sign bit comes from the block's own random word
  kOffsetNeverZero,       // the offset within a block starts at 1
};

std::vector<std::int64_t> drawFaulty(Fault fault, std::uint64_t w, std::uint64_t count,
                                     std::uint64_t seed) {
  UnsafeTestRandom random(seed);
  if (fault == Fault::kScaleTooLarge) w += w / 20;
  if (fault == Fault::kScaleTooSmall) w -= w / 20;
  std::vector<double> cumulative;
  double total = 0;
  for (int k = 0; k < 224; ++k) cumulative.push_back(total += std::exp(-k * k / 512.0));
  std::vector<std::int64_t> samples;
  while (samples.size() < count) {
    const double u = random.uniform();
    const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), u * total);
    std::int64_t k = std::min<std::int64_t>(found - cumulative.begin(), 223);
    if (fault == Fault::kTableShiftedUp) ++k;
    if (fault == Fault::kTableShiftedDown && k > 0) --k;
    if (fault == Fault::kOneTableEntryLost && k == 17) k = 18;
    std::int64_t j = std::int64_t(uniformBelow(w, random));
    if (fault == Fault::kOffsetNeverZero && w > 1) j = 1 + j % std::int64_t(w - 1);
    const double kj = double(k), jj = double(j), ww = double(w);
    double accept = std::exp(-jj * (2 * kj * ww + jj) / (512 * ww * ww));
    if (fault == Fault::kExponentInverted) accept = 1;
    if (fault == Fault::kComplementAccepted) accept = 1 - accept;
    if (random.uniform() >= accept) continue;
    const std::int64_t v = k * std::int64_t(w) + j;
    const bool negative = fault == Fault::kSignCorrelated ? u < 0.5 : (random.next64() & 1) != 0;
    if (negative && v == 0 && fault != Fault::kNegativeZeroAccepted) continue;
    samples.push_back(negative ? -v : v);
  }
  return samples;
}

Verdict judge(Fault fault, std::uint64_t w, std::uint64_t count = 400'000) {
  return worst(testLaw(drawFaulty(fault, w, count, 100 + std::uint64_t(fault)), w));
}

TEST(LawTest, AcceptsTheFloatingPointSamplerWithoutAFault) {
  for (const std::uint64_t w : {1u, 100u}) {
    const Verdict verdict = judge(Fault::kNone, w);
    EXPECT_GT(verdict.p, kAlarm) << "w = " << w << ", " << verdict.test;
  }
}

// Power with 400 000 samples: the weakest fault, the inverted exponent, leaves all blocks right and
// only flattens the law within each. This changes the variance by 11.5 standard errors; the alarm
// is at 5.3, so it is missed with probability below 1e-9. Every other fault shifts its test by more
// than 15.
TEST(LawTest, RejectsAnInvertedExponentInTheAcceptance) {
  EXPECT_LT(judge(Fault::kExponentInverted, 100).p, kAlarm);
  EXPECT_LT(judge(Fault::kComplementAccepted, 100, 50'000).p, kAlarm);  // accepts 1 in 40
}

TEST(LawTest, RejectsAScaleFivePerCentOff) {
  EXPECT_LT(judge(Fault::kScaleTooLarge, 100).p, kAlarm);
  EXPECT_LT(judge(Fault::kScaleTooSmall, 100).p, kAlarm);
}

TEST(LawTest, RejectsNegativeZeroCountedAsZero) {
  EXPECT_LT(judge(Fault::kNegativeZeroAccepted, 1).p, kAlarm);
  EXPECT_LT(judge(Fault::kNegativeZeroAccepted, 3).p, kAlarm);
}

TEST(LawTest, RejectsATableThatIsOffByOne) {
  EXPECT_LT(judge(Fault::kTableShiftedUp, 100).p, kAlarm);
  EXPECT_LT(judge(Fault::kTableShiftedDown, 100).p, kAlarm);
  EXPECT_LT(judge(Fault::kOneTableEntryLost, 100).p, kAlarm);
}

TEST(LawTest, RejectsASignThatDependsOnTheSize) {
  EXPECT_LT(judge(Fault::kSignCorrelated, 100).p, kAlarm);
}

TEST(LawTest, RejectsAnOffsetThatSkipsAValue) {
  EXPECT_LT(judge(Fault::kOffsetNeverZero, 3).p, kAlarm);
}

}  // namespace block16_law_test
}  // namespace pm
