#include "core/random/entropy.hpp"

#include <algorithm>

#include "core/wipe.hpp"

namespace pm {
namespace {

// Catches stubs of the platform's generator that return zeros or a constant.
bool healthy(const Seed& seed) {
  const auto half = seed.begin() + kSeedBytes / 2;
  const bool zero = std::all_of(seed.begin(), seed.end(), [](std::uint8_t b) { return b == 0; });
  return !zero && !std::equal(seed.begin(), half, half);
}

}  // namespace

EntropyStatus drawSeed(EntropySource source, Seed& seed) {
  EntropyStatus status = EntropyStatus(source(seed.data(), seed.size()));
  if (status == EntropyStatus::kOk && !healthy(seed)) status = EntropyStatus::kUnhealthy;
  if (status != EntropyStatus::kOk) wipe(seed.data(), seed.size());
  return status;
}

Error entropyError(EntropyStatus status) {
  switch (status) {
    case EntropyStatus::kNoSource:
      return {Code::kNoEntropy,
              "this machine has no cryptographic random generator; use a current browser or Node",
              "no-source"};
    case EntropyStatus::kFailed:
      return {
          Code::kNoEntropy,
          "the machine's cryptographic random generator failed; nothing was released, try again",
          "failed"};
    default:
      return {Code::kNoEntropy,
              "the machine's random generator returned bytes that are not random; do not use it",
              "unhealthy"};
  }
}

}  // namespace pm
