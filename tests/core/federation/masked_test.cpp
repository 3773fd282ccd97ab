#include "core/federation/masked.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "core/federation/sharing.hpp"
#include "core/mechanisms/release.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_release_noise.hpp"

namespace pm {
namespace federation_masked_test {

using namespace testing_support;

const std::vector<double> kRows = {0.5, -0.25, 0.1, 0.9, -0.3, 0.2};  // three rows of two

Plan planOf(Neighbours neighbours, Unit unit = Unit::kRow, const char* mechanism = "gaussian") {
  MechanismParams params = gaussianParams(2, neighbours, unit);
  params.sites = 4;
  params.sharing = {Federation::kSplit, 3};
  return planFederated(*findMechanism(mechanism), params).value();
}

Intake filled(const Plan& plan) {
  Intake intake = unitIntake(plan);
  EXPECT_FALSE(intake.add(kRows));
  return intake;
}

std::vector<std::uint8_t> maskOf(std::size_t length, std::uint64_t seed) {
  UnsafeTestRandom random(seed);
  std::vector<std::uint8_t> bytes(8 * length);
  for (std::uint8_t& byte : bytes) byte = std::uint8_t(random.next64());
  return bytes;
}

std::vector<std::uint64_t> wordsOf(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint64_t> words(bytes.size() / 8);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

int failing(std::uint8_t*, std::size_t) { return 2; }

TEST(Masked, IsTotalAndNoiseAndMaskModuloTwoToThe64) {
  for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const Plan plan = planOf(neighbours, Unit::kRow, mechanism);
      Intake intake = filled(plan);
      const std::vector<std::uint8_t> mask = maskOf(plan.length, 1);
      const auto masked = releaseMasked(plan, intake, mask, unsafeTestEntropy);
      ASSERT_TRUE(masked.ok());

      const std::vector<Int128> totals = exactTotals(plan, kRows);
      std::optional<Drbg> random;
      seedUnsafely(plan, totals, random);
      std::vector<std::uint64_t> expected = wordsOf(mask);
      plan.add_noise(plan, *random, expected);
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += std::uint64_t(totals[i]);
      EXPECT_EQ(wordsOf(masked.value().payload), expected);
      if (neighbours == Neighbours::kReplaceOne) {
        EXPECT_EQ(masked.value().rows, 3u);
        EXPECT_EQ(expected[0] - wordsOf(mask)[0], std::uint64_t(totals[0])) << "a public count";
      } else {
        EXPECT_FALSE(masked.value().rows);
        EXPECT_NE(expected[0] - wordsOf(mask)[0], std::uint64_t(totals[0]));
      }
    }
  }
}

TEST(Masked, SumsToTheExactTotalsPlusTheNoiseOfAllSites) {
  const Plan plan = planOf(Neighbours::kAddRemove);
  MaskSum payloads(plan.length), masks(plan.length);
  std::vector<Int128> expected(plan.length);
  for (std::uint64_t site = 0; site < 4; ++site) {
    Intake intake = filled(plan);
    const std::vector<std::uint8_t> mask = maskOf(plan.length, 10 + site);
    ASSERT_FALSE(
        payloads.add(releaseMasked(plan, intake, mask, unsafeTestEntropy).value().payload));
    ASSERT_FALSE(masks.add(mask));
  }
  EXPECT_EQ(unmask(plan, payloads.words(), {}).error().code, Code::kSumOverflow);
  ASSERT_FALSE(payloads.add(masks.bytes(), true));

  const std::vector<Int128> totals = exactTotals(plan, kRows);
  std::optional<Drbg> random;
  seedUnsafely(plan, totals, random);
  std::vector<std::uint64_t> noise(plan.length);
  plan.add_noise(plan, *random, noise);
  const auto values = unmask(plan, payloads.words(), {});
  ASSERT_TRUE(values.ok());
  for (std::size_t i = 0; i < plan.length; ++i) {
    const Int128 sum = 4 * (totals[i] + std::int64_t(noise[i]));
    EXPECT_EQ(values.value()[i], releasedInteger(plan, sum, 0)) << i;
  }
}

TEST(Masked, ReadsNothingWithoutAMaskOrEntropy) {
  const Plan plan = planOf(Neighbours::kReplaceOne);
  const std::vector<std::uint8_t> mask = maskOf(plan.length, 2);
  Intake untouched = filled(plan);
  const auto expected = releaseMasked(plan, untouched, mask, unsafeTestEntropy);
  const struct {
    std::vector<std::uint8_t> mask;
    EntropySource source;
    Code code;
  } cases[] = {
      {{}, unsafeTestEntropy, Code::kWrongLength},
      {maskOf(plan.length - 1, 2), unsafeTestEntropy, Code::kWrongLength},
      {maskOf(plan.length + 1, 2), unsafeTestEntropy, Code::kWrongLength},
      {std::vector<std::uint8_t>(8 * plan.length), unsafeTestEntropy, Code::kNoEntropy},
      {mask, failing, Code::kNoEntropy},
  };
  for (const auto& [bytes, source, code] : cases) {
    Intake intake = filled(plan);
    const auto refused = releaseMasked(plan, intake, bytes, source);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, code);
    const auto retried = releaseMasked(plan, intake, mask, unsafeTestEntropy);
    ASSERT_TRUE(retried.ok()) << "the intake can still be used";
    EXPECT_EQ(retried.value().payload, expected.value().payload);
  }
}

TEST(Masked, CanBeMadeOncePerIntake) {
  const Plan plan = planOf(Neighbours::kAddRemove);
  Intake intake = filled(plan);
  const std::vector<std::uint8_t> mask = maskOf(plan.length, 3);
  ASSERT_TRUE(releaseMasked(plan, intake, mask).ok());
  EXPECT_EQ(releaseMasked(plan, intake, mask).error().code, Code::kAlreadyReleased);
}

TEST(Masked, IsNeverReleasedWithoutAMask) {
  const Plan plan = planOf(Neighbours::kAddRemove);
  Intake intake = filled(plan);
  const auto refused = release(plan, intake, unsafeTestEntropy);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kInvalidFederation);
  EXPECT_TRUE(releaseMasked(plan, intake, maskOf(plan.length, 4)).ok()) << "nothing was read";
}

TEST(Masked, NeedsAStudyWithUniformMasks) {
  const Plan plan = planGaussian(gaussianParams(2, Neighbours::kAddRemove)).value();
  Intake intake = filled(plan);
  EXPECT_EQ(releaseMasked(plan, intake, maskOf(plan.length, 5)).error().code,
            Code::kInvalidFederation);
  EXPECT_EQ(unmask(plan, std::vector<std::uint64_t>(plan.length), {}).error().code,
            Code::kInvalidFederation);
}

TEST(Masked, OfAParticipantIsTheirAverage) {
  const Plan plan = planOf(Neighbours::kReplaceOne, Unit::kParticipant);
  Intake intake = filled(plan);
  const std::vector<std::uint8_t> mask = maskOf(plan.length, 6);
  const auto masked = releaseMasked(plan, intake, mask, unsafeTestEntropy);
  EXPECT_EQ(masked.value().rows, 1u);
  EXPECT_EQ(wordsOf(masked.value().payload)[0] - wordsOf(mask)[0], plan.constant * plan.constant);
}

TEST(MaskSum, SubtractsWhatItAddedInAnyOrder) {
  const auto a = maskOf(7, 1), b = maskOf(7, 2), c = maskOf(7, 3);
  MaskSum sum(7), other(7);
  for (const auto& bytes : {a, b, c}) ASSERT_FALSE(sum.add(bytes));
  for (const auto& bytes : {c, a, b}) ASSERT_FALSE(other.add(bytes));
  EXPECT_EQ(sum.bytes(), other.bytes());
  for (const auto& bytes : {b, a}) ASSERT_FALSE(sum.add(bytes, true));
  EXPECT_EQ(sum.bytes(), c);
  EXPECT_EQ(sum.add(maskOf(6, 1))->code, Code::kWrongLength);
  EXPECT_EQ(sum.bytes(), c);
}

TEST(Unmask, ReadsWordsAsSignedNumbersAndRoundsThemToTheReleasedGrid) {
  const Plan plan = planOf(Neighbours::kAddRemove);
  const std::int64_t step = std::int64_t{1} << plan.release_shift;
  const std::vector<std::int64_t> sums = {0, -1, step / 2, -step, -3 * step / 2, 5 * step + 1};
  std::vector<std::uint64_t> words;
  for (const std::int64_t sum : sums) words.push_back(std::uint64_t(sum));
  const auto values = unmask(plan, words, {});
  ASSERT_TRUE(values.ok());
  EXPECT_EQ(values.value(), (std::vector<double>{0, 0, 1, -1, -1, 5}));
}

TEST(Unmask, RejectsImpossibleSums) {
  const Plan plan = planOf(Neighbours::kAddRemove);
  const std::uint64_t limit = std::uint64_t{1} << kSumBits;
  for (const std::uint64_t word : {limit + 1, ~limit, std::uint64_t{1} << 63}) {
    std::vector<std::uint64_t> words(plan.length);
    words[3] = word;
    EXPECT_EQ(unmask(plan, words, {}).error().code, Code::kSumOverflow);
  }
  std::vector<std::uint64_t> words(plan.length, limit);
  words[1] = -limit;
  EXPECT_TRUE(unmask(plan, words, {}).ok());
  EXPECT_EQ(unmask(plan, std::vector<std::uint64_t>(plan.length + 1), {}).error().code,
            Code::kWrongLength);
}

TEST(Unmask, ComparesTheCountWithThePublicNumberOfRows) {
  const Plan plan = planOf(Neighbours::kReplaceOne);
  std::vector<std::uint64_t> words(plan.length);
  words[0] = 12 * plan.constant * plan.constant;
  EXPECT_TRUE(unmask(plan, words, 12).ok());
  EXPECT_EQ(unmask(plan, words, 13).error().code, Code::kSumOverflow);
  ++words[0];
  EXPECT_EQ(unmask(plan, words, 12).error().code, Code::kSumOverflow);
  EXPECT_TRUE(unmask(plan, words, {}).ok());
}

}  // namespace federation_masked_test
}  // namespace pm
