#include <gtest/gtest.h>

#include <vector>

#include "core/random/discrete_gaussian.hpp"
#include "tests/support/cks_sampler.hpp"
#include "tests/support/discrete_gaussian_law.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace cks_oracle_test {

using namespace testing_support;

std::vector<std::int64_t> drawOracle(std::uint64_t sigma, std::size_t count, std::uint64_t seed) {
  UnsafeTestRandom random(seed);
  CksSampler sampler(random);
  std::vector<std::int64_t> samples(count);
  for (std::int64_t& x : samples) x = sampler.gaussian(sigma);
  return samples;
}

std::vector<std::int64_t> drawBlock16(std::uint64_t w, std::size_t count, std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  std::vector<std::int64_t> samples(count);
  fillDiscreteGaussian(w, samples.data(), count, random);
  return samples;
}

TEST(CksOracle, ReproducesTheReferenceStreamsAndUsesAsManyWords) {
  const auto streams = readVectors("noise.json")["streams"];
  int checked = 0;
  for (const auto& vector : streams["vectors"]) {
    if (vector["sampler"] != "cks_gauss_integer_sigma") continue;
    UnsafeTestRandom random(unsafeTestSeedOfHex(streams["seed"].get<std::string>()));
    CksSampler sampler(random);
    const std::uint64_t sigma = integerOf(vector["param"]);
    for (const auto& expected : vector["first16"]) {
      ASSERT_EQ(sampler.gaussian(sigma), signedOf(expected));
    }
    if (kSlowBuild && checked++ > 0) continue;  // one whole stream is enough in a slow build
    StreamDigest digest;
    for (const auto& x : vector["first16"]) digest.add(std::uint64_t(signedOf(x)));
    for (int i = 16; i < 3'000'000; ++i) digest.add(std::uint64_t(sampler.gaussian(sigma)));
    EXPECT_EQ(digest.value(), integerOf(vector["fnv64_of_3e6"])) << sigma;
    EXPECT_EQ(random.words(), vector["words_used"].get<std::uint64_t>()) << sigma;
  }
}

TEST(Block16, HasTheSameLawAsAnIndependentlyWrittenSampler) {
  // Two-sample chi-square over cells a quarter of a block wide, and of the four low bits: six
  // p-values, false alarm below 1e-6 in all.
  const std::size_t count = std::size_t(repetitions(1'000'000, 250'000));
  for (const std::uint64_t w : {std::uint64_t{1}, std::uint64_t{100}, std::uint64_t{1} << 40}) {
    const auto ours = drawBlock16(w, count, 71 + w), theirs = drawOracle(16 * w, count, 72 + w);
    EXPECT_GT(homogeneity(countCells(ours, w).counts, countCells(theirs, w).counts), kAlarm / 6)
        << "w = " << w;
    std::vector<std::uint64_t> our_bits(16), their_bits(16);
    for (const std::int64_t x : ours) ++our_bits[std::uint64_t(x < 0 ? -x : x) & 15];
    for (const std::int64_t x : theirs) ++their_bits[std::uint64_t(x < 0 ? -x : x) & 15];
    EXPECT_GT(homogeneity(our_bits, their_bits), kAlarm / 6) << "w = " << w;
  }
}

TEST(Block16, DiffersFromTheOracleIfItsScaleIsFivePerCentOff) {
  // 100 against 105: the variances differ by 10 %, 70 standard errors of this comparison.
  const std::size_t count = std::size_t(repetitions(1'000'000, 250'000));
  EXPECT_LT(homogeneity(countCells(drawBlock16(105, count, 73), 100).counts,
                        countCells(drawOracle(1600, count, 74), 100).counts),
            kAlarm / 6);
}

}  // namespace cks_oracle_test
}  // namespace pm
