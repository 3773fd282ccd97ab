#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pm {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 (FIPS 180-4) of bytes that come in pieces. Its time depends on their number alone, and
/// its memory is wiped when it goes.
class Sha256 {
 public:
  Sha256() = default;
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::span<const std::uint8_t> bytes);
  /// Can be called once.
  Digest digest();

 private:
  static constexpr std::size_t kBlock = 64;
  void compress(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, kBlock> block_{};
  std::uint64_t bytes_ = 0;
};

/// A key of the length of a block, which HMAC takes as it is.
using HmacKey = std::array<std::uint8_t, 64>;

/// HMAC with SHA-256 (RFC 2104) of pieces that are joined.
Digest hmacSha256(const HmacKey& key, std::span<const std::span<const std::uint8_t>> pieces);

}  // namespace pm
