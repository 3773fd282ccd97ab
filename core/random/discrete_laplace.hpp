#pragma once

#include <cstddef>
#include <cstdint>

#include "core/int128.hpp"
#include "core/random/drbg.hpp"

namespace pm {

/// Exclusive limit on the width of the block16 Laplace sampler: scale 16 w < 2^63.
constexpr std::uint64_t kLaplaceWidthLimit = std::uint64_t{1} << 59;

/// Fills `out` with `count` independent samples of the discrete Laplace law of scale t = 16 w, P(v)
/// proportional to exp(-|v| / (16 w)), by the block16 method: |v| = k w + j with k from a fixed
/// table of e^{-k/16}, or beyond its 256 blocks from the table again (the law is memoryless, so
/// nothing is truncated), j uniform below w, accepted with probability exp(-j / (16 w)), which is
/// decided exactly. The probability of a value differs from the ideal one by a factor within
/// 1 +- 2^-162 below 16 scales, and by 2^-167 more for each further 16: docs/noise.md.
/// Precondition: 1 <= w < kLaplaceWidthLimit.
void fillDiscreteLaplace(std::uint64_t w, Int128* out, std::size_t count, Drbg& random);

}  // namespace pm
