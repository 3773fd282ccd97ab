// Random numbers that repeat exactly.
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace experiments
