#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/mechanisms/plan.hpp"
#include "core/moments/assembly.hpp"
#include "core/moments/intake.hpp"
#include "core/random/entropy.hpp"
#include "core/result.hpp"

namespace pm {

/// The release of one participant.
struct Released {
  /// Integers in released units, in the layout of plan.content.
  std::vector<double> values;
  /// Number of units of privacy in the data if it is public (replace-one): rows, or 1 for unit
  /// participant. Absent under add-remove.
  std::optional<std::uint64_t> rows;
  /// Adaptive clipping: the noisy counts of longer rows (clipping.hpp) and the chosen level.
  /// Centring: the counts between two radii (centring.hpp) and the rung. Otherwise empty and 0.
  std::vector<double> clip_counts;
  int clip_level = 0;
};

/// The terms on which an intake takes rows for a plan without private centring, whose terms are
/// `centredTerms`.
IntakeTerms intakeTerms(const Plan& plan, std::vector<Column> columns, MissingRule missing);

/// How the integers of a moments release map to the units of its plan, for rows clipped to `radius`
/// of them.
ReleaseScale releaseScale(const Plan& plan, double radius);

/// Turns an intake into its only release. A new generator is seeded first, so that a machine
/// without entropy fails before the totals are read; then the totals are taken and checked, noise
/// is added, and everything private is wiped. The intake is then closed.
/// For centring the intake is on the terms of `centredTerms`, and this is the rest of the release.
/// Under add-remove an empty data set is valid and its release is noise alone: an error would
/// reveal whether there are rows.
/// Errors: kInvalidFederation for a masked plan and kNoEntropy (nothing was read and the intake can
/// still be used), kNoRows (replace-one only), kAlreadyReleased, kIntegrity.
Result<Released> release(const Plan& plan, Intake& intake, EntropySource source = systemEntropy());

}  // namespace pm
