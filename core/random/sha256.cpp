#include "core/random/sha256.hpp"

#include <algorithm>
#include <bit>

#include "core/wipe.hpp"

namespace pm {
namespace {

constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t loadBig(const std::uint8_t* p) {
  return std::uint32_t(p[0]) << 24 | std::uint32_t(p[1]) << 16 | std::uint32_t(p[2]) << 8 |
         std::uint32_t(p[3]);
}

template <class Word>
void storeBig(std::uint8_t* p, Word x) {
  for (std::size_t i = sizeof x; i-- > 0; x >>= 8) p[i] = std::uint8_t(x);
}

}  // namespace

Sha256::~Sha256() {
  wipe(state_.data(), sizeof state_);
  wipe(block_.data(), block_.size());
}

void Sha256::compress(const std::uint8_t* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = loadBig(block + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const std::array<std::uint32_t, 8> sum = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += sum[i];
  wipe(w.data(), sizeof w);
}

void Sha256::add(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::size_t filled = bytes_ % kBlock;
    const std::size_t step = std::min(kBlock - filled, bytes.size());
    if (step == kBlock) {
      compress(bytes.data());
    } else {
      std::copy_n(bytes.begin(), step, block_.begin() + std::ptrdiff_t(filled));
      if (filled + step == kBlock) compress(block_.data());
    }
    bytes_ += step;
    bytes = bytes.subspan(step);
  }
}

Digest Sha256::digest() {
  const std::uint64_t bits = 8 * bytes_;
  std::array<std::uint8_t, kBlock + 8> end{0x80};
  const std::size_t zeros = (2 * kBlock - 9 - bytes_ % kBlock) % kBlock;
  storeBig(end.data() + 1 + zeros, bits);
  add({end.data(), 1 + zeros + 8});
  Digest digest;
  for (std::size_t i = 0; i < 8; ++i) storeBig(digest.data() + 4 * i, state_[i]);
  return digest;
}

Digest hmacSha256(const HmacKey& key, std::span<const std::span<const std::uint8_t>> pieces) {
  HmacKey inner_key = key, outer_key = key;
  for (std::uint8_t& byte : inner_key) byte ^= 0x36;
  for (std::uint8_t& byte : outer_key) byte ^= 0x5c;
  Sha256 inner, outer;
  inner.add(inner_key);
  for (const std::span<const std::uint8_t> piece : pieces) inner.add(piece);
  Digest within = inner.digest();
  outer.add(outer_key);
  outer.add(within);
  wipe(inner_key.data(), inner_key.size());
  wipe(outer_key.data(), outer_key.size());
  wipe(within.data(), within.size());
  return outer.digest();
}

}  // namespace pm
