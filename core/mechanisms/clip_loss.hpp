#pragma once

#include <array>
#include <span>

#include "core/mechanisms/plan.hpp"
#include "core/moments/clip_ladder.hpp"

namespace pm {

/// The noisy counts of several releases that chose the same level, added up.
struct ClipTally {
  std::span<const double> counts;  ///< multiples of 2^-kClipCountBits rows
  int level = 0;
  double releases = 1;
  /// Whether counts are of the rows between two radii (centring.hpp); otherwise of all rows longer
  /// than a radius (clipping.hpp).
  bool between = false;
};

/// How noisy counts are read: the number of rows beyond a radius is taken this many standard
/// deviations of its noise below its count, which few rows beyond a long radius would otherwise
/// exceed by far.
struct TailDoubt {
  double deviations;
  /// Whether to take at least as many as beyond longer radii, as there are. If a radius is to be
  /// chosen, it is better not to: the largest of many noisy numbers is mostly noise.
  bool rising;
};

/// What clipping to each radius, up to the tally's level, would take from the sum of the rows'
/// squared lengths, in units of the squared longest radius: an estimate from the noisy counts
/// alone. A row longer than R_i loses R_(i-1)^2 - R_i^2 there, or half of that if it is not longer
/// than R_(i-1).
struct ClipLosses {
  std::array<double, kMostClipLevels> lost{};  ///< 0 beyond the level
  double beyond = 0;                           ///< rows longer than the radius of the level
};
ClipLosses clipLosses(const Plan& plan, const ClipLadder& ladder, const ClipTally& tally,
                      TailDoubt doubt);

/// The loss at the tally's level, one standard deviation of doubt and rising.
double clipLoss(const Plan& plan, const ClipLadder& ladder, const ClipTally& tally);

}  // namespace pm
