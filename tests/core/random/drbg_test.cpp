#include "core/random/drbg.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <vector>

#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace drbg_test {

using namespace testing_support;

constexpr int kWordsPerRefill = 124;

// Number of occurrences of these bytes, a word or a key, in the generator's memory.
int copies(const Drbg& random, const void* bytes, std::size_t count) {
  const auto* memory = reinterpret_cast<const unsigned char*>(&random);
  int found = 0;
  for (std::size_t at = 0; at + count <= sizeof(Drbg); ++at) {
    found += std::memcmp(memory + at, bytes, count) == 0;
  }
  return found;
}

bool holds(const Drbg& random, const void* bytes, std::size_t count) {
  return copies(random, bytes, count) > 0;
}

TEST(Drbg, ReturnsTheReferenceWordsBeforeAndAfterAKeyChange) {
  const auto reference = readVectors("noise.json")["drbg"];
  Drbg random(unsafeTestSeedOfHex(reference["seed"].get<std::string>()));
  std::vector<std::uint64_t> words;
  for (int i = 0; i < kWordsPerRefill + 3; ++i) words.push_back(random.next64());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(words[i], integerOf(reference["first4"][i]));
  EXPECT_EQ(words[123], integerOf(reference["word_123_last_of_buffer"]));
  EXPECT_EQ(words[124], integerOf(reference["word_124_first_after_rekey"]));
  EXPECT_EQ(words[126], integerOf(reference["word_126"]));
}

TEST(Drbg, UsesTheFirstHalfOfTheSeedAsItsKey) {
  Seed one = unsafeTestSeed(5), other = one;
  other[32] = 99;
  Drbg first(one), second(other);
  EXPECT_EQ(first.next64(), second.next64());
  other[31] = 99;
  Drbg third(other);
  EXPECT_NE(Drbg(one).next64(), third.next64());
}

TEST(Drbg, ErasesEveryWordItHasReturned) {
  Drbg random(unsafeTestSeed(1));
  std::vector<std::uint64_t> served;
  for (int i = 0; i < 2 * kWordsPerRefill + 60; ++i) {
    served.push_back(random.next64());
    EXPECT_FALSE(holds(random, &served.back(), 8)) << "word " << i;
  }
  for (const std::uint64_t word : served) EXPECT_FALSE(holds(random, &word, 8));
}

TEST(Drbg, HoldsTheNextWordUntilItIsReturned) {
  Drbg random(unsafeTestSeed(1)), ahead(unsafeTestSeed(1));
  random.next64(), ahead.next64();
  const std::uint64_t next = ahead.next64();
  EXPECT_TRUE(holds(random, &next, 8)) << "otherwise the test above would be vacuous";
}

TEST(Drbg, ErasesItsKeyWithEveryRefillSoThatEarlierWordsCannotBeRecomputed) {
  Seed seed = unsafeTestSeed(0x1122334455667788u);
  for (std::size_t i = 8; i < 32; ++i) seed[i] = std::uint8_t(i * 7);
  Drbg random(seed);
  EXPECT_TRUE(holds(random, seed.data(), 32));
  random.next64();
  EXPECT_FALSE(holds(random, seed.data(), 8));

  // The next key is the start of the keystream; the second refill erases it.
  ChaChaKey key{};
  std::memcpy(key.data(), seed.data(), key.size());
  std::vector<std::uint8_t> stream(4 * 64);
  chacha20Keystream(key, ChaChaNonce{}, 0, 4, stream.data());
  EXPECT_EQ(copies(random, stream.data(), 32), 1) << "as the key, and no longer in the buffer";
  for (int i = 1; i <= kWordsPerRefill; ++i) random.next64();
  EXPECT_FALSE(holds(random, stream.data(), 8));
}

TEST(Drbg, PartsWithItsTwinWhereTheirNumbersDiffer) {
  const std::vector<std::int64_t> numbers = {1, -2, 3}, others = {1, -2, 4};
  const auto next = [](const std::vector<std::int64_t>& stirred) {
    Drbg random(unsafeTestSeed(1));
    random.next64();
    random.stir<std::int64_t>(stirred);
    return random.next64();
  };
  EXPECT_EQ(next(numbers), next(numbers));
  EXPECT_NE(next(numbers), next(others));
  EXPECT_NE(next({}), next(numbers));
}

TEST(Drbg, HoldsNoEarlierWordOnceItIsStirred) {
  Drbg random(unsafeTestSeed(1)), ahead(unsafeTestSeed(1));
  random.next64(), ahead.next64();
  random.stir<std::uint8_t>({});
  for (int i = 0; i < kWordsPerRefill; ++i) {
    const std::uint64_t word = ahead.next64();
    EXPECT_FALSE(holds(random, &word, 8)) << i;
  }
}

TEST(Drbg, LeavesNoFutureWordInMemoryWhenDestroyed) {
  alignas(Drbg) unsigned char memory[sizeof(Drbg)];
  Drbg* random = new (memory) Drbg(unsafeTestSeed(3));
  random->next64();
  Drbg ahead(unsafeTestSeed(3));
  ahead.next64();
  const std::uint64_t next = ahead.next64();
  ASSERT_TRUE(holds(*random, &next, 8));
  random->~Drbg();
  const volatile unsigned char* left = memory;
  int secrets = 0;
  for (std::size_t at = 0; at + 8 <= sizeof(Drbg); ++at) {
    unsigned char window[8];
    for (std::size_t i = 0; i < 8; ++i) window[i] = left[at + i];
    secrets += std::memcmp(window, &next, 8) == 0;
  }
  EXPECT_EQ(secrets, 0);
}

}  // namespace drbg_test
}  // namespace pm
