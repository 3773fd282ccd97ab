#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/mechanisms/gaussian.hpp"
#include "core/moments/intake.hpp"
#include "core/random/entropy.hpp"
#include "core/result.hpp"

namespace pm {

/// What leaves one participant.
struct ReleasedMoments {
  /// Packed upper triangle of the (D+1) x (D+1) matrix, constant first, in released units.
  std::vector<double> values;
  /// Units of privacy in the sums where that number is public (replace-one): rows, or 1 for unit
  /// participant. Absent under add-remove.
  std::optional<std::uint64_t> rows;
};

/// Turns an intake into its one release: a fresh generator is seeded first, so that a machine
/// without entropy gives up before the totals are read; then the totals are taken and checked,
/// noise added, and everything private wiped. The intake gives nothing more after that.
/// Errors: kNoEntropy (nothing was read; the intake is still whole), kNoRows, kAlreadyReleased,
/// kIntegrity.
Result<ReleasedMoments> release(const GaussianPlan& plan, Intake& intake,
                                EntropySource source = pmSystemEntropy);

}  // namespace pm
