#pragma once

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

/// What clipping took from the sum of the rows' squared lengths, in units of the squared longest
/// radius: an estimate from the noisy counts alone. A row longer than R_i lost R_(i-1)^2 - R_i^2
/// there, or half of that if it is not longer than R_(i-1). Each number of rows is taken one
/// standard deviation of its noise below its count, which few rows beyond a long radius would
/// otherwise exceed by far, and at least that beyond longer radii.
double clipLoss(const Plan& plan, const ClipLadder& ladder, const ClipTally& tally);

}  // namespace pm
