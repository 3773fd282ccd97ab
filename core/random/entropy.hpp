#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/result.hpp"

namespace pm {

/// The result of an entropy source. Anything except kOk is final: no other source is tried.
enum class EntropyStatus {
  kOk = 0,
  kNoSource = 1,   ///< the platform has no cryptographic source
  kFailed = 2,     ///< the source exists but failed
  kUnhealthy = 3,  ///< the bytes it returned are not random (all zero, or equal halves)
};

/// The operating system's random bytes of this build: getrandom(2) natively,
/// crypto.getRandomValues in a browser. Returns EntropyStatus 0, 1 or 2; the health test is up to
/// the caller.
extern "C" int pmSystemEntropy(std::uint8_t* out, std::size_t bytes);

constexpr std::size_t kMomentBytes = 32;

/// Writes what distinguishes this moment of this process from others, kMomentBytes of it: two
/// clocks, a count of the calls, and the process.
extern "C" void pmSystemMoment(std::uint8_t* out);

/// What a seed is made of. Random bytes alone make it random; the others keep seeds apart where the
/// operating system gives the same bytes twice, as in a virtual machine that is restored.
struct EntropySource {
  using Bytes = int (*)(std::uint8_t* out, std::size_t bytes);
  using Moment = void (*)(std::uint8_t* out);

  // NOLINTNEXTLINE(google-explicit-constructor): a function that gives bytes is a source
  EntropySource(Bytes random_bytes, Moment moment_of = nullptr,
                std::span<const std::uint8_t> use = {})
      : bytes(random_bytes), moment(moment_of), context(use) {}

  Bytes bytes;    ///< like pmSystemEntropy
  Moment moment;  ///< like pmSystemMoment; none if null
  /// What the seed is for, such as the study and the entry of a ledger: any bytes, which must
  /// outlive the call.
  std::span<const std::uint8_t> context;
};

/// The source of this build.
inline EntropySource systemEntropy(std::span<const std::uint8_t> context = {}) {
  return {pmSystemEntropy, pmSystemMoment, context};
}

constexpr std::size_t kSeedBytes = 64;
using Seed = std::array<std::uint8_t, kSeedBytes>;

/// Draws one seed: in its first half HMAC-SHA256 with the random bytes, 64 of them, as the key, of
/// the moment and the context; then zeros. On kNoSource, kFailed and kUnhealthy the seed is all
/// zero and must not be used.
EntropyStatus drawSeed(EntropySource source, Seed& seed);

/// The error for a status other than kOk (code "no-entropy", field names the status).
Error entropyError(EntropyStatus status);

}  // namespace pm
