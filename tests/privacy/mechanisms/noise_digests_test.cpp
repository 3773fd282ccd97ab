// Exact mechanisms release the same integers for the same random bits in every build: natively,
// under the sanitizers, and as WebAssembly with and without SIMD.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/mechanisms/exact_wishart.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/sha256.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace noise_digests_test {

using namespace testing_support;

struct Digest {
  const char* mechanism;
  double epsilon;
  const char* sha256;  ///< of the releases of kFeatures columns, one after another
};

constexpr int kFeatures[] = {1, 2, 13, 100};

constexpr Digest kDigests[] = {
    {"two-sided-wishart", 0.001,
     "33b3888c2a0d66d795677816fec56cf4622d5dbabdadf309cd1c42a004ee31b7"},
    {"two-sided-wishart", 1, "5f797a5bae3d9860b06ae064ff12b074465a40adc2d05025428389e358f357b9"},
    {"two-sided-wishart", 20, "fd1b193882330b3a14726dd01402006b7951769a549cec062cb343a97fefc166"},
    // At an epsilon as small as the others' it needs too many random numbers.
    {"wishart", 0.1, "892ec861289474f711067b3dafdbc5a7bbf3f10937891bf08678b2ec0fbb8888"},
    {"wishart", 1, "bcab92c517671b5ac43683a14fc48e389bf60decf1ebb3c38757eabc06458f47"},
    {"wishart", 20, "4a4df23741d3205175f18651cdd4970fce6955e92883ff8e669f903ec6380d7c"},
    {"frobenius", 0.001, "f1202cdd3d2b81f25a6ed97e88a1165bd70694c15ce6e81bc4134317989e3b36"},
    {"frobenius", 1, "215e646c8546626d5066e58a6d467640591b33984ee73e79f79fb08b7f30ff44"},
    {"frobenius", 20, "2e45e3604044b8bc8dc86c09abfa36524282d18a8fc5cdbf46ea323f780ac0a9"},
    {"gaussian", 0.001, "c5f504af95ed326037a9eea24cdffd0a9b5cc273d6c100cc4a2b7ccb8d1aa9a3"},
    {"gaussian", 1, "c7674f6b0129d3183cb30e7bb818b68b1aee3d24eb0cff3960c3da5d286b1389"},
    {"gaussian", 20, "0d16dc588a69812a8326c941117fee7a0e9cd5c2b517ae3a126b8d2331c555c1"},
    {"laplace", 0.001, "c6ac34293fb98df15472261859501b48156259b36b6e4ba715d9cdc7b18e615b"},
    {"laplace", 1, "5107ae21418abd14bef6e7ef8a434a29b3474ff4925e0cadcb2d78a5b5524306"},
    {"laplace", 20, "3cb05dd17bd5e0fb14bd1155dc32d9a9d5f314ebfc7d514cb655e4312233a04a"},
    {"eigenvector-sampling", 0.001,
     "37db7530ab612270e8e0f7221751fac997b69b291cbc1d464ddcf184c99ed823"},
    {"eigenvector-sampling", 1, "d407cc2b8de155c1e6e2b8e2ad65e9f203707dc0be241bb1a07f60ab9fbc506d"},
    {"eigenvector-sampling", 20,
     "35e053089459cd61aab9b50f24802ac585a1106f64c493d5178c5b30b867b25f"},
    {"ppca", 0.001, "d1d5b594f4f1a6ad8f410603f8102db3556bb77620422140d7035f20e2d26260"},
    {"ppca", 1, "7bca19f5b481f78a54e3601d93eb915c82c12c6f01d0123a3f90cbdee4b0e9df"},
    {"ppca", 20, "0c7d22d069cb1e713da7d97adcf7c201674004de03c7d1eedb999e8eaa45e1ff"},
};

/// One direction, for mechanisms that release directions.
Plan planOf(const char* mechanism, int features, double epsilon) {
  MechanismParams params = gaussianParams(features, Neighbours::kAddRemove, Unit::kRow, epsilon);
  params.components = 1;
  Plan plan = findMechanism(mechanism)->plan(params).value();
  // Every bit of the noise is to be seen, not only those of the public grid.
  if (plan.content == Content::kMoments) plan.release_shift = 0;
  // The calibration uses the C library's exponentials, whose last bits are its own.
  if (auto* noise = plan.own_parameters.find<GaussianNoise>()) {
    for (std::uint64_t* w : {&noise->w_diagonal, &noise->w_off_diagonal}) *w = *w >> 16 << 16;
  }
  return plan;
}

Seed seedOf(const Plan& plan) {
  return unsafeTestSeed(6100 + std::uint64_t(unsigned(plan.params.dimension)));
}

std::vector<Int128> totalsOf(const Plan& plan) {
  UnsafeTestRandom random(6101);
  std::vector<double> cells(20 * std::size_t(unsigned(plan.params.dimension)));
  for (double& cell : cells) cell = random.symmetric();
  return exactTotals(plan, cells);
}

/// What the plan's release function makes of the totals, always from the same random bits.
std::vector<Int128> released(const Plan& plan, const std::vector<Int128>& totals) {
  Drbg random(seedOf(plan));
  std::vector<double> out(plan.length);
  plan.release(plan, totals, random, out);
  return {out.begin(), out.end()};
}

/// The same beyond the 53 bits of a double: what is left of a sum less its first 53 bits is short.
std::vector<Int128> releasedInFull(const Plan& plan, std::vector<Int128> totals) {
  std::vector<Int128> values = released(plan, totals);
  if (plan.content != Content::kMoments) return values;
  for (std::size_t i = 0; i < values.size(); ++i) totals[i] -= values[i];
  const std::vector<Int128> rest = released(plan, totals);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += rest[i];
  return values;
}

/// 16 bytes a number, in two's complement, least significant first.
std::string bytesOf(const std::vector<Int128>& values) {
  std::string bytes;
  for (const Int128 value : values) {
    for (int shift = 0; shift < 128; shift += 8) bytes.push_back(char(Uint128(value) >> shift));
  }
  return bytes;
}

TEST(NoiseDigests, AreTheSameInEveryBuild) {
  for (const auto& [mechanism, epsilon, expected] : kDigests) {
    std::string bytes;
    const auto& directions = findMechanism(mechanism)->directions;
    for (const int features : kFeatures) {
      if (directions && directions->fewer_than_features && features == 1) continue;
      const Plan plan = planOf(mechanism, features, epsilon);
      bytes += bytesOf(releasedInFull(plan, totalsOf(plan)));
    }
    EXPECT_EQ(sha256(bytes), expected) << mechanism << " at epsilon " << epsilon;
  }
}

TEST(NoiseDigests, ChangeWithOneEntryByOneStepOfTheGrid) {
  const Plan plan = planOf("two-sided-wishart", 13, 0.001);
  std::vector<Int128> totals = totalsOf(plan);
  const std::string digest = sha256(bytesOf(releasedInFull(plan, totals)));
  totals[17] += 1;
  EXPECT_NE(sha256(bytesOf(releasedInFull(plan, totals))), digest);
}

TEST(NoiseDigests, AreOfEntriesThatFirstWordsExactProductsAndFurtherWordsDecide) {
  std::size_t entries = 0, by_first_words = 0, by_more_words = 0;
  for (const auto& [mechanism, epsilon, expected] : kDigests) {
    if (std::string(mechanism) != "two-sided-wishart") continue;
    for (const int features : kFeatures) {
      const Plan plan = planOf(mechanism, features, epsilon);
      Drbg random(seedOf(plan));
      const std::size_t n = std::size_t(unsigned(features)) + 1;
      const std::size_t freedom = std::size_t(unsigned(plan.freedom));
      DrawnPanels z(n, freedom, random), y(n, freedom, random);
      std::vector<Int128> packed(plan.length);
      const WishartDigits digits =
          exactWishart(z, &y, plan.own<TwoSidedWishartNoise>().scale, packed);
      entries += packed.size();
      by_first_words += digits.by_first_words;
      by_more_words += digits.by_more_words;
    }
  }
  EXPECT_GT(entries - by_first_words, 1000u);
  EXPECT_GT(by_first_words - by_more_words, 500u);
  EXPECT_GT(by_more_words, 30u);
}

}  // namespace noise_digests_test
}  // namespace pm
