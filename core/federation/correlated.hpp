#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/federation/masked.hpp"

namespace pm {

/// A secret key that two sites share. Both draw the same Gaussian mask from it; one adds it and the
/// other subtracts it. A key must be used for one session only.
struct PairKey {
  std::array<std::uint8_t, 32> bytes;
  bool subtract = false;
};

/// Adds or subtracts the mask of a pair modulo 2^64: discrete Gaussian noise of the plan's pair
/// widths in every noisy entry, from a Drbg seeded with the key. All arithmetic is on integers, so
/// the mask is the same on every machine, and the two masks of a pair add up to exactly zero.
void addPairMask(const Plan& plan, const PairKey& key, std::span<std::uint64_t> words);

/// The only message of a site in mode correlated: total + own noise + the masks it shares with each
/// other site. `keys` has one entry per other site. Otherwise like releaseMasked. Errors:
/// kInvalidFederation for a plan without Gaussian masks, for fewer or more keys than other sites,
/// and for keys that are equal or all zeros; then those of releaseBehind.
Result<Masked> releaseCorrelated(const Plan& plan, Intake& intake, std::span<const PairKey> keys,
                                 EntropySource source = systemEntropy());

}  // namespace pm
