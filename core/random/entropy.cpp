#include "core/random/entropy.hpp"

#include <algorithm>

#include "core/random/sha256.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// Catches stubs of the platform's generator that return zeros or a constant.
bool healthy(const Seed& seed) {
  const auto half = seed.begin() + kSeedBytes / 2;
  const bool zero = std::all_of(seed.begin(), seed.end(), [](std::uint8_t b) { return b == 0; });
  return !zero && !std::equal(seed.begin(), half, half);
}

constexpr std::array<std::uint8_t, 20> kDomain = {'p', 'r', 'i', 'v', 'a', 't', 'e', '-', 'm', 'o',
                                                  'm', 'e', 'n', 't', 's', ' ', 's', 'e', 'e', 'd'};

}  // namespace

EntropyStatus drawSeed(EntropySource source, Seed& seed) {
  EntropyStatus status = EntropyStatus(source.bytes(seed.data(), seed.size()));
  if (status == EntropyStatus::kOk && !healthy(seed)) status = EntropyStatus::kUnhealthy;
  if (status != EntropyStatus::kOk) {
    wipe(seed.data(), seed.size());
    return status;
  }
  std::array<std::uint8_t, kMomentBytes> moment{};
  if (source.moment != nullptr) source.moment(moment.data());
  const std::array<std::span<const std::uint8_t>, 3> pieces = {kDomain, moment, source.context};
  Digest mixed = hmacSha256(seed, pieces);
  wipe(seed.data(), seed.size());
  std::copy(mixed.begin(), mixed.end(), seed.begin());
  wipe(mixed.data(), mixed.size());
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
