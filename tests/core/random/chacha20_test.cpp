#include "core/random/chacha20.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/vectors.hpp"

namespace pm {
namespace chacha20_test {

using namespace testing_support;

template <class Array>
Array arrayOf(const nlohmann::json& hex) {
  Array array{};
  const std::vector<std::uint8_t> bytes = bytesOf(hex);
  std::copy(bytes.begin(), bytes.end(), array.begin());
  return array;
}

TEST(ChaCha20, GivesTheKeystreamsOfRfc8439) {
  const auto vectors = readVectors("noise.json")["chacha20"];
  ASSERT_EQ(vectors.size(), 3u);
  for (const auto& vector : vectors) {
    std::vector<std::uint8_t> stream(4 * 64);
    chacha20Keystream(arrayOf<ChaChaKey>(vector["key"]), arrayOf<ChaChaNonce>(vector["nonce"]),
                      vector["counter"].get<std::uint32_t>(), 4, stream.data());
    stream.resize(64);
    EXPECT_EQ(stream, bytesOf(vector["keystream"]));
  }
}

TEST(ChaCha20, CountsBlocksTheSameWayAcrossCallsAndPastTheEndOfTheCounter) {
  ChaChaKey key{};
  key[5] = 7;
  const ChaChaNonce nonce{1, 2, 3};
  // Eight blocks side by side, where the processor has the registers, then four; the counter wraps
  // to 0 within the eight.
  const std::uint32_t start = 0xfffffffau;
  std::vector<std::uint8_t> at_once(12 * 64), by_block(4 * 64);
  chacha20Keystream(key, nonce, start, 12, at_once.data());
  for (std::uint32_t block = 0; block < 12; ++block) {
    chacha20Keystream(key, nonce, start + block, 4, by_block.data());
    EXPECT_TRUE(std::equal(by_block.begin(), by_block.begin() + 64, at_once.begin() + 64 * block))
        << "block " << block;
  }
}

}  // namespace chacha20_test
}  // namespace pm
