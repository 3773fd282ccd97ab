#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/federation/masked.hpp"

namespace pm {

/// A key that two sites share and nobody else knows. Both draw the same Gaussian mask from it, the
/// one adds it and the other takes it off. A key is for one session.
struct PairKey {
  std::array<std::uint8_t, 32> bytes;
  bool subtract = false;
};

/// Adds the mask of a pair, or takes it off, modulo 2^64: discrete Gaussian noise of the plan's
/// pair widths in every entry that has noise, from a Drbg keyed by the key. Integers decide
/// everything, so the mask is the same on every machine, and the masks of a pair add up to zero
/// exactly.
void addPairMask(const Plan& plan, const PairKey& key, std::span<std::uint64_t> words);

/// The one message of a site in mode correlated: total + own noise + the masks it shares with each
/// of the other sites. `keys` has one entry for each of them. Otherwise as releaseMasked.
/// Errors: kInvalidFederation for a plan without such masks, for fewer or more keys than other
/// sites, and for a key that is there twice or all zeros; then those of releaseBehind.
Result<Masked> releaseCorrelated(const Plan& plan, Intake& intake, std::span<const PairKey> keys,
                                 EntropySource source = pmSystemEntropy);

}  // namespace pm
