#include "core/random/entropy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/random/sha256.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace entropy_test {

using namespace testing_support;

int noSource(std::uint8_t*, std::size_t) { return 1; }
int failing(std::uint8_t* out, std::size_t bytes) {
  std::fill_n(out, bytes / 2, std::uint8_t{0xab});  // a failing source may leave partial output
  return 2;
}
int allZero(std::uint8_t* out, std::size_t bytes) {
  std::fill_n(out, bytes, std::uint8_t{0});
  return 0;
}
int constant(std::uint8_t* out, std::size_t bytes) {
  std::fill_n(out, bytes, std::uint8_t{0x42});
  return 0;
}
int equalHalves(std::uint8_t* out, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out[i] = std::uint8_t(5 * (i % (bytes / 2)) + 1);
  return 0;
}
int onlyOneBitSet(std::uint8_t* out, std::size_t bytes) {
  std::fill_n(out, bytes, std::uint8_t{0});
  out[bytes - 1] = 1;
  return 0;
}

EntropyStatus statusOf(EntropySource source, Seed& seed) {
  seed.fill(0xee);
  return drawSeed(source, seed);
}

bool allZeroBytes(const Seed& seed) {
  return std::all_of(seed.begin(), seed.end(), [](std::uint8_t byte) { return byte == 0; });
}

void someMoment(std::uint8_t* out) {
  for (std::size_t i = 0; i < kMomentBytes; ++i) out[i] = std::uint8_t(i);
}

TEST(DrawSeed, IsTheHmacOfMomentAndContextUnderTheSystemsBytes) {
  const std::vector<std::uint8_t> context = {9, 8, 7};
  Seed seed, key;
  EXPECT_EQ(statusOf({unsafeTestEntropy, someMoment, context}, seed), EntropyStatus::kOk);
  unsafeTestEntropy(key.data(), key.size());
  const std::string_view domain = "private-moments seed";
  std::vector<std::uint8_t> message(domain.begin(), domain.end());
  message.resize(domain.size() + kMomentBytes);
  someMoment(message.data() + domain.size());
  message.insert(message.end(), context.begin(), context.end());
  const std::span<const std::uint8_t> piece = message;
  const Digest expected = hmacSha256(key, {&piece, 1});
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), seed.begin()));
  EXPECT_TRUE(std::all_of(seed.begin() + 32, seed.end(), [](std::uint8_t byte) {
    return byte == 0;
  })) << "none of the system's bytes is left";
}

TEST(DrawSeed, ReportsTheThreeKindsOfFailureAndLeavesNoSeed) {
  const struct {
    EntropySource source;
    EntropyStatus status;
  } cases[] = {
      {noSource, EntropyStatus::kNoSource},     {failing, EntropyStatus::kFailed},
      {allZero, EntropyStatus::kUnhealthy},     {constant, EntropyStatus::kUnhealthy},
      {equalHalves, EntropyStatus::kUnhealthy},
  };
  for (const auto& [source, status] : cases) {
    Seed seed;
    EXPECT_EQ(statusOf(source, seed), status);
    EXPECT_TRUE(allZeroBytes(seed));
  }
}

TEST(DrawSeed, RejectsOnlySeedsThatCannotBeRandom) {
  Seed seed;
  EXPECT_EQ(statusOf(onlyOneBitSet, seed), EntropyStatus::kOk);
}

TEST(EntropyError, HasOneCodeAndADistinctFieldForEachStatus) {
  std::set<std::string> fields, messages;
  for (const EntropyStatus status :
       {EntropyStatus::kNoSource, EntropyStatus::kFailed, EntropyStatus::kUnhealthy}) {
    const Error error = entropyError(status);
    EXPECT_EQ(error.code, Code::kNoEntropy);
    fields.insert(error.field);
    messages.insert(error.message);
  }
  EXPECT_EQ(fields, (std::set<std::string>{"no-source", "failed", "unhealthy"}));
  EXPECT_EQ(messages.size(), 3u);
}

TEST(SystemMoment, DiffersEveryTime) {
  std::array<std::uint8_t, kMomentBytes> first{}, second{};
  pmSystemMoment(first.data());
  pmSystemMoment(second.data());
  EXPECT_NE(first, second);
}

TEST(SystemEntropy, IsHealthyAndDiffersEveryTime) {
  Seed first, second;
  EXPECT_EQ(statusOf(systemEntropy(), first), EntropyStatus::kOk);
  EXPECT_EQ(statusOf(systemEntropy(), second), EntropyStatus::kOk);
  EXPECT_NE(first, second);
}

}  // namespace entropy_test
}  // namespace pm
