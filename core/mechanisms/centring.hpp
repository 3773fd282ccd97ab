#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/record.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/centred_summands.hpp"
#include "core/moments/encoding.hpp"
#include "core/moments/intake.hpp"
#include "core/moments/survey.hpp"
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
constexpr CentringShares kGaussianShares = {0.12, 0.05};
constexpr CentringShares kPureShares = {0.25, 0.08};

/// Plans a release by a mechanism that has centring: the noise of all three steps and the guarantee
/// of the whole. Units are those of a clip radius of 1.
/// @param params unit row; `numbers`, `categories` and `dimension` those of the study's columns
/// Errors: those of the mechanism's plan; kInvalidClipping, kInvalidUnit, kInvalidDimension.
Result<Plan> planCentring(const Mechanism& mechanism, const MechanismParams& params);

/// Number of sums in a survey: the count, one of each feature, one of each column where gaps are
/// counted, one of squares of each number.
std::size_t surveySize(const MechanismParams& params);

/// Coordinates z_j = (x_j - centre_j) / scale_j of the scaled features, and the radii to clip to.
struct Coordinates {
  std::vector<double> centre;  ///< D, multiples of 2^-16 in [-1, 1]
  std::vector<double> scale;   ///< D, of four significant bits, above 0 and at most 1
  double radius = 0;           ///< of the longest rung
  ClipLadder ladder;
};

/// The ladder of this many rungs, up to kMostClipLevels: its last is always the same in typical
/// lengths of a row, and more rungs make its first longer.
ClipLadder centringLadder(int levels);

/// How many cells of each column are missing, as a survey says (MissingRule::kMean).
struct SurveyedGaps {
  std::vector<double> cells;  ///< C, rows without the column's cell; noisy, so maybe negative
  double sd = 0;              ///< standard deviation of the noise in each
};

/// Errors: kWrongLength if the plan does not count gaps, or for another number of sums.
Result<SurveyedGaps> surveyedGaps(const Plan& plan, std::span<const double> survey);

/// The coordinates that a survey suggests. The centre is the mean, shrunk towards the middle of the
/// bounds as far as it may be noise; the scale is the spread about it, whose square is shrunk
/// towards the mean over all features as far as their differences may be noise. The ladder leads
/// from a radius that no row exceeds, but at most 40 times the typical length of a row, to about a
/// sixteenth of that length, in steps of sqrt 2 and near it of 2^(1/4). Only exactly rounded
/// operations are used, so the result does not depend on the machine.
/// @param survey released: count, sums, squares (survey.hpp), in steps of 2^-16. Where it counts
/// gaps,
///               means and spreads are those of the cells that are not missing, which are taken to
///               be at least four standard deviations of the noise in their number.
/// @param rows   the public number of rows; absent under add-remove
Coordinates chooseCoordinates(const Plan& plan, std::span<const Column> columns,
                              std::span<const double> survey, std::optional<std::uint64_t> rows);

/// The terms of the first reading and of the second.
SurveyTerms surveyTerms(const Plan& plan, std::vector<Column> columns, MissingRule missing);
IntakeTerms centredTerms(const Plan& plan, std::vector<Column> columns, MissingRule missing,
                         const Coordinates& coordinates);

/// The rung whose radius has the smallest expected error: what is lost by clipping, squared, plus
/// the expected squared Frobenius norm of the noise over `sites` releases. A lost trace t has the
/// Frobenius norm t if all of it lies in one direction, and t / sqrt(D) if it is spread over all.
/// Where few rows are clipped the rule takes the geometric mean, t^2 / sqrt(D); the larger the
/// share of the whole trace that is lost, the more it takes t^2 / D. The number of rows beyond each
/// radius is taken 1.25 standard deviations of its noise below its estimate.
/// @param counts released: rows between the first radius and the second, the second and the third,
///               .., in multiples of 2^-kClipCountBits
int chooseRung(const Plan& plan, const ClipLadder& ladder, std::span<const double> counts);

/// What these counts say of the rows of one release that are clipped to the radius of `rung`.
ClippedRows clippedRows(const Plan& plan, const Coordinates& coordinates,
                        std::span<const double> counts, int rung);

/// The sums of Survey::take with their noise, each an integer exact in a double; under replace-one
/// the count, which is public, is exact.
std::vector<double> noisySurvey(const Plan& plan, std::span<const std::int64_t> sums, Drbg& random);

/// The counts of the second step with their noise.
std::vector<double> noisyRungCounts(const Plan& plan, const ClipLadder& ladder,
                                    const IntakeCounts& counts, Drbg& random);

/// The first step: what is released, and what follows from it.
struct ReleasedSurvey {
  std::vector<double> sums;
  std::optional<std::uint64_t> rows;  ///< if public
  Coordinates coordinates;
};

/// Turns a survey into its only release; it is then closed. The steps after it are `release`.
/// Errors: kNoEntropy (nothing was read and the survey can still be used), kNoRows (replace-one
/// only), kAlreadyReleased, kWrongLength if the survey has other sums than the plan has noise for.
Result<ReleasedSurvey> releaseSurvey(const Plan& plan, std::span<const Column> columns,
                                     Survey& survey, EntropySource source = systemEntropy());

/// Whether the second reading used as many rows as the first. Error: kIntegrity.
Status checkSameRows(std::uint64_t surveyed, const Intake& intake);

/// A release with everything that its choices were made from.
struct CentredRelease {
  ReleasedSurvey survey;
  Released moments;  ///< of the rows in the survey's coordinates

  double radius() const {
    return survey.coordinates.radius * survey.coordinates.ladder.ratio(moments.clip_level);
  }
};

/// Hands all rows, in pieces of whole rows, to a function; returns its first error.
using RowSource =
    std::function<Status(const std::function<Status(std::span<const double> cells)>&)>;

/// Makes the only release of the rows, which are read twice. On an error nothing may leave, and the
/// budget counts as spent once rows have been read.
/// Errors: kNoEntropy, those of Survey and Intake, kIntegrity if the two readings differ in their
/// number of rows.
Result<CentredRelease> releaseCentred(const Plan& plan, const std::vector<Column>& columns,
                                      MissingRule missing, const RowSource& rows,
                                      EntropySource source = systemEntropy());

}  // namespace pm
