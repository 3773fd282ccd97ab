#include "core/federation/correlated.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/federation/sharing.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/random/discrete_gaussian.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_release_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace federation_correlated_test {

using namespace testing_support;

constexpr int kSites = 4;
const std::vector<double> kRows = {0.5, -0.25, 0.1, 0.9, -0.3, 0.2};  // three rows of two

Plan planOf(Neighbours neighbours = Neighbours::kAddRemove) {
  MechanismParams params = gaussianParams(2, neighbours);
  params.sites = kSites;
  params.sharing = {Federation::kCorrelated, 3};
  return planSharedGaussian(params).value();
}

// The key of sites s and t; the one with the smaller number adds.
PairKey keyOf(int s, int t) {
  PairKey key{};
  const Seed seed = unsafeTestSeed(std::uint64_t(100 * std::min(s, t) + std::max(s, t)));
  std::copy_n(seed.begin(), 32, key.bytes.begin());
  key.subtract = s > t;
  return key;
}

std::vector<PairKey> keysOf(int site) {
  std::vector<PairKey> keys;
  for (int other = 0; other < kSites; ++other) {
    if (other != site) keys.push_back(keyOf(site, other));
  }
  return keys;
}

TEST(PairMask, IsTheSameIntegersOnEveryMachine) {
  // Generated once, natively, with fixed widths: the last bit of a calibration may depend on the
  // mathematical library, and WebAssembly has its own.
  Plan plan = planOf();
  plan.own<GaussianNoise>().w_pair_diagonal = 1'202'829'053;
  plan.own<GaussianNoise>().w_pair_off_diagonal = 850'528'580;
  std::vector<std::uint64_t> words(plan.length);
  addPairMask(plan, keyOf(0, 1), words);
  std::vector<std::int64_t> mask;
  for (const std::uint64_t word : words) mask.push_back(std::int64_t(word));
  EXPECT_EQ(mask, (std::vector<std::int64_t>{-16741584192, -8690858649, -11406540365, -21675993972,
                                             5059623545, -27116275593}));
}

TEST(PairMask, ComesFromTheGeneratorSeededWithTheKey) {
  const Plan plan = planOf();
  std::vector<std::uint64_t> words(plan.length);
  addPairMask(plan, keyOf(0, 1), words);
  Seed seed{};
  std::copy_n(keyOf(0, 1).bytes.begin(), 32, seed.begin());
  Drbg random(seed);
  std::vector<std::int64_t> diagonal(4096), off_diagonal(4096);
  fillDiscreteGaussian(plan.own<GaussianNoise>().w_pair_diagonal, diagonal.data(), 4096, random);
  fillDiscreteGaussian(plan.own<GaussianNoise>().w_pair_off_diagonal, off_diagonal.data(), 4096,
                       random);
  const std::vector<std::int64_t> expected = {diagonal[0], off_diagonal[0], off_diagonal[1],
                                              diagonal[1], off_diagonal[2], diagonal[2]};
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(std::int64_t(words[i]), expected[i]);
}

TEST(PairMask, DoesNotChangeAPublicCount) {
  const Plan plan = planOf(Neighbours::kReplaceOne);
  std::vector<std::uint64_t> words(plan.length);
  addPairMask(plan, keyOf(0, 1), words);
  EXPECT_EQ(words[0], 0u);
  EXPECT_NE(words[1], 0u);
}

TEST(PairMasks, OfAllSitesAddUpToZeroExactly) {
  const Plan plan = planOf();
  std::vector<std::uint64_t> sum(plan.length);
  for (int site = 0; site < kSites; ++site) {
    for (const PairKey& key : keysOf(site)) addPairMask(plan, key, sum);
  }
  EXPECT_EQ(sum, std::vector<std::uint64_t>(plan.length));
}

TEST(Correlated, SumsToTheTotalsPlusTheOwnNoiseOfAllSites) {
  const Plan plan = planOf(Neighbours::kReplaceOne);
  MaskSum messages(plan.length), expected(plan.length);
  for (int site = 0; site < kSites; ++site) {
    Intake intake = unitIntake(plan);
    ASSERT_FALSE(intake.add(kRows));
    const auto masked = releaseCorrelated(plan, intake, keysOf(site), unsafeTestEntropy);
    ASSERT_TRUE(masked.ok());
    EXPECT_EQ(masked.value().rows, 3u);
    ASSERT_FALSE(messages.add(masked.value().payload));
  }
  const std::vector<Int128> totals = exactTotals(plan, kRows);
  std::optional<Drbg> random;
  seedUnsafely(plan, totals, random);
  std::vector<std::uint64_t> noise(plan.length);
  plan.add_noise(plan, *random, noise);
  for (std::size_t i = 0; i < plan.length; ++i) {
    EXPECT_EQ(messages.words()[i], kSites * (std::uint64_t(totals[i]) + noise[i]));
  }
  EXPECT_TRUE(unmask(plan, messages.words(), 12).ok());
}

TEST(Correlated, RejectsKeysThatWouldNotHideASite) {
  const Plan plan = planOf();
  const auto code = [&](std::vector<PairKey> keys) {
    Intake intake = unitIntake(plan);
    EXPECT_FALSE(intake.add(kRows));
    const auto masked = releaseCorrelated(plan, intake, keys);
    if (!masked.ok()) {
      EXPECT_TRUE(releaseCorrelated(plan, intake, keysOf(0)).ok()) << "nothing was read";
    }
    return masked.ok() ? std::string() : masked.error().field;
  };
  EXPECT_EQ(code(keysOf(0)), "");
  EXPECT_EQ(code({keyOf(0, 1), keyOf(0, 2)}), "keys") << "one site is missing";
  EXPECT_EQ(code({keyOf(0, 1), keyOf(0, 2), keyOf(0, 2)}), "keys") << "one occurs twice";
  EXPECT_EQ(code({keyOf(0, 1), keyOf(0, 2), PairKey{}}), "keys") << "one is zero";
}

TEST(Correlated, NeedsAStudyWithGaussianMasks) {
  MechanismParams params = gaussianParams(2, Neighbours::kAddRemove);
  params.sites = kSites;
  params.sharing = {Federation::kSplit, 3};
  const Plan split = planSharedGaussian(params).value(), correlated = planOf();
  Intake first = unitIntake(split), second = unitIntake(correlated);
  ASSERT_FALSE(first.add(kRows));
  ASSERT_FALSE(second.add(kRows));
  EXPECT_EQ(releaseCorrelated(split, first, keysOf(0)).error().code, Code::kInvalidFederation);
  const std::vector<std::uint8_t> mask(8 * correlated.length, 7);
  EXPECT_EQ(releaseMasked(correlated, second, mask).error().code, Code::kInvalidFederation);
}

}  // namespace federation_correlated_test
}  // namespace pm
