#include "core/random/sha256.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace pm {
namespace sha256_test {

std::span<const std::uint8_t> bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string hex(const Digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) {
    for (const int digit : {byte >> 4, byte & 15}) text += "0123456789abcdef"[digit];
  }
  return text;
}

std::string hashOf(std::string_view text, std::size_t piece) {
  Sha256 hash;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    hash.add(bytesOf(text.substr(at, piece)));
  }
  return hex(hash.digest());
}

TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(hashOf("", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hashOf("abc", 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hashOf(std::string(1'000'000, 'a'), 999),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  for (const std::size_t length : {55u, 56u, 63u, 64u, 65u, 119u, 120u, 128u}) {
    const std::string text(length, 'x');
    const std::string whole = hashOf(text, length);
    for (std::size_t piece = 1; piece < length; piece += 7) EXPECT_EQ(hashOf(text, piece), whole);
  }
}

std::string macOf(std::string_view key, std::span<const std::span<const std::uint8_t>> pieces) {
  HmacKey padded{};
  std::copy(key.begin(), key.end(), padded.begin());
  return hex(hmacSha256(padded, pieces));
}

// RFC 4231, test cases 1 and 2.
TEST(HmacSha256, GivesTheReferenceValuesForPiecesThatAreJoined) {
  EXPECT_EQ(macOf(std::string(20, '\x0b'), std::array{bytesOf("Hi There")}),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(macOf("Jefe", std::array{bytesOf("what do ya "), bytesOf("want for nothing?")}),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

}  // namespace sha256_test
}  // namespace pm
