#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/result.hpp"

namespace pm {

/// The result of an entropy source. Anything except kOk is final: no other source is tried.
enum class EntropyStatus {
  kOk = 0,
  kNoSource = 1,   ///< the platform has no cryptographic source
  kFailed = 2,     ///< the source exists but failed
  kUnhealthy = 3,  ///< the bytes it returned are not random (all zero, or equal halves)
};

/// Fills `out` with `bytes` random bytes from the operating system; returns EntropyStatus 0, 1 or
/// 2. The health test is up to the caller.
using EntropySource = int (*)(std::uint8_t* out, std::size_t bytes);

/// The source of this build: getrandom(2) natively, crypto.getRandomValues in a browser.
extern "C" int pmSystemEntropy(std::uint8_t* out, std::size_t bytes);

constexpr std::size_t kSeedBytes = 64;
using Seed = std::array<std::uint8_t, kSeedBytes>;

/// Draws one seed. On kNoSource, kFailed and kUnhealthy the seed is all zero and must not be used.
EntropyStatus drawSeed(EntropySource source, Seed& seed);

/// The error for a status other than kOk (code "no-entropy", field names the status).
Error entropyError(EntropyStatus status);

}  // namespace pm
