#pragma once

#include <cstddef>
#include <cstdint>

#include "core/random/drbg.hpp"

namespace pm {

/// The largest w of the block16 sampler: sigma = 16 w <= 2^58.
constexpr std::uint64_t kMaxGaussianWidth = std::uint64_t{1} << 54;

/// log2 of a bound on the total-variation distance of one block16 sample from N_Z(0, (16 w)^2). It
/// is the mass at 224 w and beyond, that is 14 sigma, at most 2^-144.93 (w = 1; for large w
/// 2^-145.52), plus the rounding of the table, below 2^-183. Every other step is exact.
constexpr int kGaussianSamplerDistanceLog2 = -144;

/// Fills `out` with `count` independent samples of the discrete Gaussian N_Z(0, (16 w)^2),
/// P(v) proportional to exp(-v^2 / (2 (16 w)^2)), by the block16 method: |v| = k w + j with
/// k from a fixed table of e^{-k^2/512}, j uniform below w, accepted with probability
/// exp(-j (2 k w + j) / (512 w^2)), which is decided exactly.
/// Precondition: 1 <= w <= kMaxGaussianWidth.
/// Derivation and error bound: docs/noise.md.
void fillDiscreteGaussian(std::uint64_t w, std::int64_t* out, std::size_t count, Drbg& random);

}  // namespace pm
