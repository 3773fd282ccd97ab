#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/mechanisms/plan.hpp"
#include "core/moments/intake.hpp"
#include "core/random/entropy.hpp"
#include "core/result.hpp"

namespace pm {

/// What leaves one participant.
struct Released {
  /// Integers in released units, laid out as plan.content says.
  std::vector<double> values;
  /// Units of privacy in the data where that number is public (replace-one): rows, or 1 for unit
  /// participant. Absent under add-remove.
  std::optional<std::uint64_t> rows;
  /// Adaptive clipping: the noisy counts of longer rows (clipping.hpp), and the level they chose;
  /// else empty, and 0.
  std::vector<double> clip_counts;
  int clip_level = 0;
};

/// Turns an intake into its one release: a fresh generator is seeded first, so that a machine
/// without entropy gives up before the totals are read; then the totals are taken and checked,
/// noise added, and everything private wiped. The intake gives nothing more after that.
/// Under add-remove no rows are a data set like any other: the release is noise alone, or one that
/// holds a row would show that it does.
/// Errors: kInvalidFederation for a plan behind masks and kNoEntropy (nothing was read; the intake
/// is still whole), kNoRows (replace-one only), kAlreadyReleased, kIntegrity.
Result<Released> release(const Plan& plan, Intake& intake, EntropySource source = pmSystemEntropy);

}  // namespace pm
