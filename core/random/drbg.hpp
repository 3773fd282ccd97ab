#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/random/chacha20.hpp"
#include "core/random/entropy.hpp"
#include "core/result.hpp"

namespace pm {

/// Deterministic random bit generator: ChaCha20 with fast key erasure (Bernstein, 2017).
/// A refill generates 16 blocks with counters 0..15 and a zero nonce; the first 32 bytes become the
/// next key, the other 992 are served as 124 little-endian words, each wiped once served.
/// Each release has its own generator, which is seeded, used and wiped within the release and never
/// shared. Neither a fork nor a restored snapshot repeats its noise on other data: see `stir`.
class Drbg {
 public:
  /// The key is bytes 0..31 of the seed. Production code must take the seed from drawSeed, as
  /// seedDrbg does.
  explicit Drbg(const Seed& seed);
  ~Drbg();

  /// Makes all words to come depend on `numbers`, which may be private: the next key is HMAC-SHA256
  /// of their bytes, with the next 64 bytes of the stream as its key. Whatever the numbers are,
  /// words stay as random as the generator was; and two generators that by misfortune have the same
  /// state part where their numbers differ.
  template <class Number>
  void stir(std::span<const Number> numbers) {
    stirBytes({reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()});
  }

  Drbg(const Drbg&) = delete;
  Drbg& operator=(const Drbg&) = delete;

  /// The next 64 random bits.
  std::uint64_t next64() {
    if (position_ == kBufferBytes) refill();
    std::uint64_t word;
    __builtin_memcpy(&word, buffer_ + position_, 8);
    __builtin_memset(buffer_ + position_, 0, 8);
    position_ += 8;
    return word;
  }

 private:
  static constexpr std::size_t kBlocks = 16;
  static constexpr std::size_t kBufferBytes = 64 * kBlocks;
  void refill();
  void stirBytes(std::span<const std::uint8_t> bytes);

  ChaChaKey key_;
  alignas(16) std::uint8_t buffer_[kBufferBytes];
  std::size_t position_ = kBufferBytes;
};

/// Puts a new generator, seeded from `source`, into `random`, and wipes the seed. Error:
/// kNoEntropy.
Status seedDrbg(EntropySource source, std::optional<Drbg>& random);

}  // namespace pm
