#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/mechanisms/centring.hpp"
#include "core/moments/centred_assembly.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// Rows of which only moments are stated, never computed from rows: those of one release.
struct StatedRows {
  double rows = 0;                   ///< in the release, at least 1
  std::span<const double> mean;      ///< D, scaled units
  std::span<const double> variance;  ///< D, scaled units squared
};

/// The share of the rows that are longer than each of `radii`, in these coordinates.
using LongerRows = std::function<Result<std::vector<double>>(const Coordinates& coordinates,
                                                             std::span<const double> radii)>;

/// What one release chooses.
struct CentringChoice {
  Coordinates coordinates;
  int rung = 0;
  double typical = 0;  ///< root mean square length of the stated rows in these coordinates

  double radius() const { return coordinates.radius * coordinates.ladder.ratio(rung); }
};

/// What releases with private centring choose where the survey and the counts are those of the
/// stated rows plus noise: the rules of centring.hpp, applied to the numbers that a release would
/// have.
/// @param draws how many releases, each with noise of its own
/// Errors: those of `longer`.
Result<std::vector<CentringChoice>> expectedChoices(const Plan& plan,
                                                    std::span<const Column> columns,
                                                    const StatedRows& stated,
                                                    const LongerRows& longer, int draws,
                                                    Drbg& random);

/// The common coordinates of releases with these choices and the noise in the sum of `sites` of
/// them, as CentredAssembly has them; the sums themselves are those of no rows. The choices count
/// as equally likely, so the noise has the variance of the average release, times `sites`.
/// @param rows of one release
/// Errors: those of CentredAssembly.
Result<CentredSums> expectedNoise(const Plan& plan, std::span<const CentringChoice> choices,
                                  double rows, double sites);

}  // namespace pm
