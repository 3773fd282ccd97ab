#pragma once

#include <cstdint>

#include "core/random/drbg.hpp"

namespace pm {

/// Cumulative distribution of the block k of a block16 sampler, in 191-bit fixed point, most
/// significant word first (63, 64 and 64 bits): a uniform 191-bit number u belongs to the first k <
/// `size` with u < entry[k], if there is one. Computed at first use in integer arithmetic with 288
/// fractional bits; docs/noise.md.
struct BlockTable {
  int size;
  std::uint64_t entry[256][3];
  std::uint8_t guide[256];  ///< where the search may start, by the upper eight bits of u
};

/// floor(2^191 sum_{i<=k} e^{-i^2/512} / sum_{i<=223} e^{-i^2/512}), k = 0 .. 223.
const BlockTable& halfNormalTable();

/// floor(2^191 (1 - e^{-(k+1)/16})), k = 0 .. 255.
const BlockTable& geometricTable();

/// The block of the 191-bit uniform number with the upper 63 bits `top`; table.size if it lies
/// above every entry. The lower 128 bits are drawn only if the upper ones tie, so one word decides
/// in all but 2^-55 of the draws.
inline int blockOf(const BlockTable& table, std::uint64_t top, Drbg& random) {
  std::uint64_t lower[2] = {0, 0};
  bool drawn = false;
  int k = table.guide[top >> 55];
  for (; k < table.size; ++k) {
    const std::uint64_t(&entry)[3] = table.entry[k];
    if (top != entry[0]) {
      if (top < entry[0]) break;
      continue;
    }
    if (!drawn) {
      lower[0] = random.next64();
      lower[1] = random.next64();
      drawn = true;
    }
    if (lower[0] != entry[1] ? lower[0] < entry[1] : lower[1] < entry[2]) break;
  }
  return k;
}

}  // namespace pm
