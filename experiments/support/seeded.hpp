// Random numbers that repeat exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/random/drbg.hpp"

namespace experiments {

/// The generator of a run: `stream` says of what, for example of which method.
inline pm::Drbg seeded(std::uint64_t run, std::uint64_t stream = 0) {
  pm::Seed seed{};
  for (std::size_t i = 0; i < 8; ++i) {
    seed[i] = std::uint8_t(run >> (8 * i));
    seed[8 + i] = std::uint8_t(stream >> (8 * i));
  }
  return pm::Drbg(seed);
}

/// The generator that stands for the operating system's, so that releases repeat exactly.
inline std::unique_ptr<pm::Drbg> entropy_generator{new pm::Drbg(seeded(2026))};

/// The same entropy from here on whenever the seed is the same.
inline void repeatEntropy(std::uint64_t seed) {
  entropy_generator.reset(new pm::Drbg(seeded(seed)));
}

/// Fills `out` as the operating system would; returns 0.
inline int repeatableEntropy(std::uint8_t* out, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out[i] = std::uint8_t(entropy_generator->next64());
  return 0;
}

}  // namespace experiments
