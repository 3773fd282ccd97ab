// Whole numbers of many words, compared with 128-bit arithmetic and with squares.
#include "core/random/words.hpp"

#include <gtest/gtest.h>

#include "tests/support/effort.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace words_test {

using namespace testing_support;

Words wordsOf(Int128 x, std::size_t size) {
  Words words(size, x < 0 ? ~std::uint64_t{0} : 0);
  words[0] = std::uint64_t(Uint128(x));
  words[1] = std::uint64_t(Uint128(x) >> 64);
  return words;
}

/// A number of random length.
Int128 randomNumber(Drbg& random, int bits) {
  const Uint128 word = Uint128(random.next64()) << 64 | random.next64();
  const auto size = Int128(word >> (128 - bits) >> random.next64() % unsigned(bits));
  return random.next64() % 2 == 0 ? size : -size;
}

TEST(Words, AreRoundedAsWholeNumbersAre) {
  Drbg random(unsafeTestSeed(4101));
  for (std::uint64_t run = 0; run < repetitions(20'000, 500); ++run) {
    const Int128 x = randomNumber(random, 90);
    const std::uint64_t m = random.next64() >> 30;
    const int shift = 1 + int(random.next64() % 120);
    const Int128 expected = (x * Int128(m) + (Int128(1) << (shift - 1))) >> shift;
    for (const std::size_t size : {2, 3, 5}) {
      ASSERT_TRUE(nearestOfProduct(wordsOf(x, size), m, shift) == expected);
    }
  }
}

TEST(Words, RoundHalvesUp) {
  EXPECT_TRUE(nearestOfProduct({3, 0}, 1, 1) == 2);
  EXPECT_TRUE(nearestOfProduct(wordsOf(-3, 2), 1, 1) == -1);
  EXPECT_TRUE(nearestOfProduct({0, 1, 0}, 3, 65) == 2);
}

TEST(Words, AddAndSubtractAcrossWords) {
  Words x{~std::uint64_t{0}, ~std::uint64_t{0}, 0};
  addWord(x, 0, 1);
  EXPECT_EQ(x, (Words{0, 0, 1}));
  subtract(x, Words{1, 0, 0});
  EXPECT_EQ(x, (Words{~std::uint64_t{0}, ~std::uint64_t{0}, 0}));
  add(x, {1, 0, 7});
  EXPECT_EQ(x, (Words{0, 0, 8}));
  negate(x);
  EXPECT_TRUE(isNegative(x));
  add(x, {0, 0, 8});
  EXPECT_EQ(x, (Words{0, 0, 0}));
}

TEST(FloorSqrt, LiesBetweenItsSquareAndTheNext) {
  Drbg random(unsafeTestSeed(4102));
  for (std::uint64_t run = 0; run < repetitions(2'000, 100); ++run) {
    const std::size_t size = 1 + random.next64() % 4;
    Words x(size);
    for (std::uint64_t& word : x) word = random.next64() >> random.next64() % 64;
    Words root = floorSqrt(x);
    ASSERT_EQ(root.size(), size);
    Words square(2 * size, 0);
    addProduct(square, root, root);
    Words rest = x;
    rest.resize(2 * size);
    subtract(rest, square);
    ASSERT_FALSE(isNegative(rest));
    addWord(root, 0, 1);
    Words next(2 * size, 0);
    addProduct(next, root, root);
    Words above = x;
    above.resize(2 * size);
    subtract(above, next);
    ASSERT_TRUE(isNegative(above));
  }
}

}  // namespace words_test
}  // namespace pm
