#pragma once

// Seeded randomness for tests. Noise from a known seed protects nobody, so nothing outside the
// tests may include this file: production code can be seeded only from the operating system.
#ifndef PM_UNSAFE_TEST_RNG
#error "unsafe_test_noise.hpp is for test targets, which define PM_UNSAFE_TEST_RNG"
#endif

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/random/drbg.hpp"
#include "core/random/entropy.hpp"

namespace pm::testing_support {

/// Two hexadecimal digits per byte, into the front of a seed; the rest is zero.
inline Seed unsafeTestSeedOfHex(const std::string& hex) {
  Seed seed{};
  for (std::size_t i = 0; 2 * i + 1 < hex.size() && i < seed.size(); ++i) {
    seed[i] = std::uint8_t(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
  }
  return seed;
}

/// A different seed for every number.
inline Seed unsafeTestSeed(std::uint64_t number) {
  Seed seed{};
  for (std::size_t i = 0; i < 8; ++i) seed[i] = std::uint8_t(number >> (8 * i));
  return seed;
}

/// A reproducible generator that counts the words it returns.
class UnsafeTestRandom {
 public:
  explicit UnsafeTestRandom(std::uint64_t number) : UnsafeTestRandom(unsafeTestSeed(number)) {}
  explicit UnsafeTestRandom(const Seed& seed) : drbg_(seed) {}

  std::uint64_t next64() {
    ++words_;
    return drbg_.next64();
  }
  std::uint64_t words() const { return words_; }

  /// Uniform on [0, 1) with 53 bits.
  double uniform() { return double(next64() >> 11) * 0x1p-53; }
  /// Uniform on [-1, 1).
  double symmetric() { return 2 * uniform() - 1; }
  /// Uniform on {0, ..., n-1} up to 2^-32 relative, for making up test data.
  std::uint64_t below(std::uint64_t n) { return (next64() >> 32) * n >> 32; }

 private:
  Drbg drbg_;
  std::uint64_t words_ = 0;
};

/// Overwrites the words that `random` will serve next by `words`, in its memory; they must not
/// reach past its buffer. For cases too rare to occur in random tests.
inline void unsafeScriptNextWords(Drbg& random, const Seed& seed, std::uint64_t served,
                                  const std::vector<std::uint64_t>& words) {
  Drbg twin(seed);
  for (std::uint64_t i = 0; i < served; ++i) twin.next64();
  const std::uint64_t next = twin.next64();
  auto* memory = reinterpret_cast<unsigned char*>(&random);
  for (std::size_t at = 0; at + 8 * words.size() <= sizeof(Drbg); ++at) {
    if (std::memcmp(memory + at, &next, 8) != 0) continue;
    std::memcpy(memory + at, words.data(), 8 * words.size());
    return;
  }
  std::abort();
}

/// An entropy source that looks healthy and is always the same.
inline int unsafeTestEntropy(std::uint8_t* out, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out[i] = std::uint8_t(3 * i + 1);
  return 0;
}

}  // namespace pm::testing_support
