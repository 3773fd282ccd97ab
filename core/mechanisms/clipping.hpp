#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/mechanisms/plan.hpp"
#include "core/moments/intake.hpp"

namespace pm {

/// Adaptive clipping. Noise grows with the square of the clip radius, and public bounds that no row
/// may exceed are much longer than most rows. So a small part of the budget goes into noisy counts
/// of the rows longer than 5R/7, R/2, .. R/8, and what they say decides the radius at which
/// rows are shortened before the second moments are released with the rest. Proof and rule:
/// docs/mechanisms/adaptive-clipping.md. After Huang, Liang & Yi 2021 and Andrew, Thakkar,
/// McMahan & Ramaswamy 2021, who choose a radius by a private quantile.

/// The counts' share of mu^2, as Gaussian releases compose by the squares: the moments' noise is
/// 1/sqrt(15/16) = 1.033 times what it would be alone.
constexpr double kClipShare = 1.0 / 16;

/// Counts are released in multiples of 2^-kClipCountBits rows.
constexpr int kClipCountBits = 16;

/// Counts and noise stay within +-2^53 multiples.
constexpr std::uint64_t kMaxClipRows = std::uint64_t{1} << 36;
constexpr std::uint64_t kMaxClipWidth = std::uint64_t{1} << 44;

/// How many counts a release holds: one for each radius below R and, under add-remove, where the
/// number of rows is private, one of all rows. 0 where the radius is fixed.
std::size_t clipCounts(const Plan& plan);

/// Square of the Euclidean sensitivity of the counts, in squared multiples: one row moves every
/// count by at most one, up or down.
Uint128 clipSensitivitySquared(Neighbours neighbours);

/// Standard deviation of a count's noise, in rows.
double clipCountSd(const Plan& plan);

struct ClipCost {
  double gdp;
  double zcdp;
};

/// What the counts cost by themselves. Precondition: plan.clip_width > 0.
ClipCost clipCost(const Plan& plan);

/// The counts with their noise: clipCounts(plan) integers, multiples of 2^-kClipCountBits rows,
/// each exact in a double.
std::vector<double> releaseClipCounts(const Plan& plan, const IntakeCounts& counts, Drbg& random);

/// The level whose radius R_l promises the smallest error: (trace lost by shortening)^2 plus the
/// expected squared Frobenius norm of the noise over `sites` releases, among the levels that, with
/// two standard deviations of doubt, shorten at most a quarter of the rows; level 0 where no other
/// does. The loss is estimated from the counts less one standard deviation, with tails that fall
/// exponentially between two radii. A function of what is released only.
/// @param counts of releaseClipCounts
/// @param rows   the public number of rows, none under add-remove
int chooseClipLevel(const Plan& plan, std::span<const double> counts,
                    std::optional<std::uint64_t> rows);

}  // namespace pm
