#pragma once

#include <cstddef>
#include <span>

#include "core/int128.hpp"
#include "core/mechanisms/plan.hpp"

// What mechanisms make their releases of.
namespace pm {

/// `count` rounded up to whole blocks of 4096. Samplers draw whole blocks, so that their running
/// time reveals less about the noise.
constexpr std::size_t wholeNoiseBlocks(std::size_t count) { return (count + 4095) / 4096 * 4096; }

/// (total + noise) rounded to the released grid.
double releasedInteger(const Plan& plan, Int128 total, Int128 noise);

/// Adds a symmetric noise matrix to the totals and rounds the sum to the released grid. `noise` is
/// the packed upper triangle, in grid units, and is overwritten. Under replace-one entry (0, 0) is
/// public and gets no noise unless `keep_count_noise`.
void releaseWithNoise(const Plan& plan, std::span<const Int128> totals, std::span<Int128> noise,
                      std::span<double> out, bool keep_count_noise = false);

/// Orthonormalises columns of `dimension` numbers from column `first` on, each against all before
/// it (Gram-Schmidt). Not finite where a column depends on those before it.
void orthonormalise(std::span<double> columns, std::size_t dimension, std::size_t first);

/// Writes a unit vector as released integers, the nearest multiples of 2^-kDirectionBits.
void releaseDirection(std::span<const double> direction, std::span<double> out);

}  // namespace pm
