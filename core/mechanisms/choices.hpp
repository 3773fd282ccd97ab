#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/moments/centred_assembly.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// What releases choose by their noisy counts where only assumptions about their rows are known:
/// the rules themselves, applied to the numbers that releases of such rows would have. Noise is
/// drawn as in releases, so equal generators give equal choices on every machine.

/// Adaptive clipping: the level that each of `draws` releases chooses.
/// @param rows    in one release
/// @param longer  the share of the rows that are longer than each radius but the first
std::vector<int> expectedLevels(const Plan& plan, double rows, std::span<const double> longer,
                                int draws, Drbg& random);

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
  double typical = 0;   ///< root mean square length of the stated rows in these coordinates
  ClippedRows clipped;  ///< by the noisy counts

  double radius() const { return coordinates.radius * coordinates.ladder.ratio(rung); }
};

/// What releases with private centring choose where survey and counts are those of the stated rows,
/// plus noise.
/// @param draws how many releases, each with noise of its own
/// Errors: those of `longer`.
Result<std::vector<CentringChoice>> expectedChoices(const Plan& plan,
                                                    std::span<const Column> columns,
                                                    const StatedRows& stated,
                                                    const LongerRows& longer, int draws,
                                                    Drbg& random);

/// The choices of a study of `sites` such releases. A few releases may choose a much longer radius
/// than all others, and their noise is then most of any average; so of several studies, made of
/// choices at random, this is the one with the middle noise.
/// @param choices at least one
/// @returns as many choices as there are sites, but not more than there are in `choices`
std::vector<CentringChoice> middleStudy(std::span<const CentringChoice> choices, double sites,
                                        Drbg& random);

/// How the integers of a release with these choices map to scaled units. Refers to `coordinates`.
CentredScale centredScale(const Plan& plan, const Coordinates& coordinates, int rung);

/// The common coordinates of releases with these choices and the noise in the sum of `sites` of
/// them, as CentredAssembly has them; the sums themselves are those of no rows. The choices count
/// as equally likely, so the noise has the variance of the average release, times `sites`.
/// @param rows of one release
/// Errors: those of CentredAssembly.
Result<CentredSums> expectedNoise(const Plan& plan, std::span<const CentringChoice> choices,
                                  double rows, double sites);

}  // namespace pm
