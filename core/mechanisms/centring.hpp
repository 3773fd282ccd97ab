#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/mechanisms/plan.hpp"
#include "core/moments/encoding.hpp"
#include "core/moments/intake.hpp"
#include "core/random/entropy.hpp"
#include "core/result.hpp"

namespace pm {

/// Private centring: one release in three steps, for unit row. Noise grows with the square of the
/// clip radius, and rows are often much farther from the middle of their public bounds than from
/// each other. So
///   1. sums and squares of all columns are released (core/moments/survey.hpp); they determine a
///      centre and a scale for each feature, and a ladder of radii;
///   2. the rows are read again in these coordinates; how many of them lie between two radii of the
///      ladder is released; these counts determine the radius;
///   3. the second moments of the rows, clipped to that radius, are released.
/// Every choice is a public function of what is released. Proof: docs/mechanisms/centring.md.

/// How the budget is shared: of mu^2, which adds up over Gaussian releases, or of a pure epsilon.
/// Second moments get the rest.
struct CentringShares {
  double survey;
  double counts;
};
constexpr CentringShares kGaussianShares = {0.08, 0.04};
constexpr CentringShares kPureShares = {0.15, 0.06};

struct CentringPlan {
  Plan moments;  ///< of the third step; its guarantee is that of the whole release
  int numbers = 0;
  int categories = 0;
  bool pure = false;               ///< Laplace noise in the first two steps, otherwise Gaussian
  std::uint64_t survey_width = 0;  ///< w of the noise in the sums, scale or deviation 16 w steps
  std::uint64_t count_width = 0;   ///< w of the noise in the counts
  std::uint64_t max_rows = 0;
};

/// Plans a release by `gaussian` if delta > 0, otherwise by `two-sided-wishart`.
/// @param params  unit row; row_norm and adaptive are not used
/// @param columns of D features in all
/// Errors: those of the mechanism's plan; kInvalidUnit, kInvalidDimension.
Result<CentringPlan> planCentring(const MechanismParams& params, std::span<const Column> columns);

/// Coordinates z_j = (x_j - centre_j) / scale_j of the scaled features, and the radii to clip to.
struct Coordinates {
  std::vector<double> centre;  ///< D, multiples of 2^-16 in [-1, 1]
  std::vector<double> scale;   ///< D, powers of two, at most 1
  double radius = 0;           ///< of the longest rung
  ClipLadder ladder;
};

/// The coordinates that a survey suggests. The centre is the mean, shrunk towards the middle of the
/// bounds as far as it may be noise; the scale is the spread about it, or the noise of the spread
/// where that is larger, rounded to a power of two. The ladder leads from a radius that no row
/// exceeds, if eighteen rungs suffice, to about half the typical length of a row, in steps of sqrt
/// 2 and near that length of 2^(1/4).
/// @param survey released: count, sums, squares (survey.hpp), in steps of 2^-16
/// @param rows   the public number of rows; absent under add-remove
Coordinates chooseCoordinates(const CentringPlan& plan, std::span<const Column> columns,
                              std::span<const double> survey, std::optional<std::uint64_t> rows);

/// The terms of the second reading.
IntakeTerms centredTerms(const CentringPlan& plan, std::vector<Column> columns,
                         const Coordinates& coordinates, MissingRule missing);

/// The rung whose radius has the smallest expected error: (trace lost by clipping)^2 plus the
/// expected squared Frobenius norm of the noise over `sites` releases. The number of rows beyond
/// each radius is taken two standard deviations of its noise below its estimate, so that noise does
/// not pass for long rows.
/// @param counts released: rows between the first radius and the second, the second and the third,
///               .., in multiples of 2^-kClipCountBits rows
int chooseRung(const CentringPlan& plan, const ClipLadder& ladder, std::span<const double> counts);

/// The first step: the survey with its noise, each an integer exact in a double; under replace-one
/// the count, which is public, is exact.
/// @param sums of Survey::take
std::vector<double> releaseSurvey(const CentringPlan& plan, std::span<const std::int64_t> sums,
                                  Drbg& random);

/// The second step: the counts with their noise.
std::vector<double> releaseRungCounts(const CentringPlan& plan, const ClipLadder& ladder,
                                      const IntakeCounts& counts, Drbg& random);

/// A release with everything that its choices were made from.
struct CentredRelease {
  std::vector<double> survey;
  Coordinates coordinates;
  std::vector<double> counts;
  int rung = 0;
  std::vector<double> values;         ///< second moments, see Released
  std::optional<std::uint64_t> rows;  ///< if public

  double radius() const { return coordinates.radius * coordinates.ladder.ratio(rung); }
};

/// Hands all rows, in pieces of whole rows, to a function; returns its first error.
using RowSource =
    std::function<Status(const std::function<Status(std::span<const double> cells)>&)>;

/// Makes the only release of the rows, which are read twice. On an error nothing may leave, and the
/// budget counts as spent once rows have been read.
/// Errors: kNoEntropy (nothing was read), those of Survey and Intake, kIntegrity if the two
/// readings differ in their number of rows.
Result<CentredRelease> releaseCentred(const CentringPlan& plan, const std::vector<Column>& columns,
                                      MissingRule missing, const RowSource& rows,
                                      EntropySource source = pmSystemEntropy);

}  // namespace pm
