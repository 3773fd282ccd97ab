#include "core/random/drbg.hpp"

#include <algorithm>
#include <bit>

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

Status seedDrbg(EntropySource source, std::optional<Drbg>& random) {
  Seed seed;
  const EntropyStatus status = drawSeed(source, seed);
  if (status != EntropyStatus::kOk) return entropyError(status);
  random.emplace(seed);
  wipe(seed.data(), seed.size());
  return {};
}

}  // namespace pm
