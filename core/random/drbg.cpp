#include "core/random/drbg.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/random/sha256.hpp"
#include "core/wipe.hpp"

namespace pm {

// next64 copies words in native byte order.
static_assert(std::endian::native == std::endian::little);

Drbg::Drbg(const Seed& seed) { std::copy_n(seed.begin(), key_.size(), key_.begin()); }

Drbg::~Drbg() {
  wipe(key_.data(), key_.size());
  wipe(buffer_, sizeof buffer_);
}

void Drbg::refill() {
  chacha20Keystream(key_, ChaChaNonce{}, 0, kBlocks, buffer_);
  std::copy_n(buffer_, key_.size(), key_.begin());
  wipe(buffer_, key_.size());
  position_ = key_.size();
}

void Drbg::stirBytes(std::span<const std::uint8_t> bytes) {
  HmacKey key;
  for (std::size_t at = 0; at < key.size(); at += 8) {
    const std::uint64_t word = next64();
    std::memcpy(key.data() + at, &word, sizeof word);
  }
  key_ = hmacSha256(key, std::array{bytes});
  wipe(key.data(), key.size());
  wipe(buffer_, sizeof buffer_);
  position_ = kBufferBytes;
}

Status seedDrbg(EntropySource source, std::optional<Drbg>& random) {
  Seed seed;
  const EntropyStatus status = drawSeed(source, seed);
  if (status != EntropyStatus::kOk) return entropyError(status);
  random.emplace(seed);
  wipe(seed.data(), seed.size());
  return {};
}

}  // namespace pm
