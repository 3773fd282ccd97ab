#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/mechanisms/plan.hpp"
#include "core/moments/intake.hpp"

namespace pm {

/// Adaptive clipping. Noise grows with the square of the clip radius, and a public bound that no
/// row exceeds is much longer than most rows. So a small part of the budget buys noisy counts of
/// the rows longer than 5R/7, R/2, .. R/8; these determine the radius to which rows are clipped
/// before the second moments are released with the rest of the budget. Proof and rule:
/// docs/mechanisms/adaptive-clipping.md. After Huang, Liang & Yi 2021 and Andrew, Thakkar, McMahan
/// & Ramaswamy 2021, who choose a radius by a private quantile.

/// The counts' share of mu^2, which adds up over Gaussian releases: the noise of the moments is
/// 1/sqrt(15/16) = 1.033 times what it would be without counts.
constexpr double kClipShare = 1.0 / 16;

/// Counts are released in multiples of 2^-kClipCountBits rows.
constexpr int kClipCountBits = 16;

/// Limits that keep counts with their noise within +-2^53 multiples.
constexpr std::uint64_t kMaxClipRows = std::uint64_t{1} << 36;
constexpr std::uint64_t kMaxClipWidth = std::uint64_t{1} << 44;

/// Number of counts in a release with adaptive clipping: one for each radius below R and, under
/// add-remove, where the number of rows is private, one of all rows. Otherwise 0.
std::size_t clipCounts(const Plan& plan);

/// Square of the Euclidean sensitivity of the counts, in squared multiples: one row moves every
/// count by at most one, up or down.
Uint128 clipSensitivitySquared(Neighbours neighbours);

/// Standard deviation of a count's noise, in rows, also with private centring.
double clipCountSd(const Plan& plan);

struct ClipCost {
  double gdp;
  double zcdp;
};

/// The privacy cost of the counts alone. Precondition: plan.clip_width > 0.
ClipCost clipCost(const Plan& plan);

/// The counts with their noise: clipCounts(plan) integers, multiples of 2^-kClipCountBits rows,
/// each exact in a double.
std::vector<double> releaseClipCounts(const Plan& plan, const IntakeCounts& counts, Drbg& random);

/// The level whose radius R_l has the smallest expected error: (trace lost by clipping)^2 plus the
/// expected squared Frobenius norm of the noise over `sites` releases. Only levels that clip at
/// most a quarter of the rows, with a margin of two standard deviations, are considered; if no
/// level qualifies, the result is 0. The loss is estimated from the counts minus one standard
/// deviation, with tails that fall exponentially between two radii. The result depends on released
/// figures only.
/// @param counts from releaseClipCounts
/// @param rows   the public number of rows; absent under add-remove
int chooseClipLevel(const Plan& plan, std::span<const double> counts,
                    std::optional<std::uint64_t> rows);

}  // namespace pm
