#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/noise/gaps.hpp"
#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/encoding.hpp"
#include "core/moments/intake.hpp"
#include "core/privacy/guarantee.hpp"
#include "core/random/entropy.hpp"
#include "core/result.hpp"

namespace pm {

/// What the sites of a study agree on in public.
struct StudyTerms {
  std::vector<Column> columns;
  std::string mechanism;  ///< one that releases moments, e.g. "gaussian" (mechanisms())
  double epsilon;         ///< > 0, finite
  double delta;           ///< in [0, 1); above 0 where the mechanism needs it
  Neighbours neighbours;
  Unit unit = Unit::kRow;
  MissingRule missing = MissingRule::kCentre;
  Clipping clipping = Clipping::kFixed;  ///< or kAdaptive
  double row_norm = 0;  ///< rows are clipped to this length, scaled units; 0: that of the longest
  int sites = 1;        ///< how many releases are expected
};

/// The releases of a study, summed.
struct StudyMoments : AssembledMoments {
  MomentSums sums;        ///< what they are from, for `denoiseMoments` and intervals
  NoisyCovariance input;  ///< of analyses: pca({moments.input, components})
  /// Where the study marks gaps: what was missing. `rows` are then as many complete rows as have
  /// the same information.
  std::optional<Gaps> gaps;
};

/// A study whose sites release noisy second moments, each with all of its noise: the steps from
/// rows to moments with what they have to agree on. Private centring, masks and directions need the
/// steps themselves (centring.hpp, core/federation, components.hpp).
class Study {
 public:
  /// Errors: kInvalidMechanism if the mechanism is unknown or releases directions; kInvalidClipping
  /// for private centring; those of RowEncoder::create, of the mechanism's plan and of
  /// Intake::create.
  static Result<Study> create(StudyTerms terms);

  /// Noise scales, and the guarantee of one release.
  const Plan& plan() const { return plan_; }

  /// A new intake for the rows of one site, which `pm::release(plan(), intake)` makes a release of.
  Result<Intake> intake() const;

  /// The release of one site whose rows are in memory; they are neither kept nor changed.
  /// @param rows row-major, one number per column: the index of its level for a category, NaN where
  ///             a cell is missing
  /// Errors: those of Intake::add and of pm::release.
  Result<Released> release(std::span<const double> rows,
                           EntropySource source = systemEntropy()) const;

  /// Sums releases of this study, in any order. Errors: kNoRows without releases; kWrongLength,
  /// kNotFinite, kInvalidRowNorm for one that is not of this study.
  Result<StudyMoments> assemble(std::span<const Released> releases) const;

 private:
  Study(StudyTerms terms, Plan plan, const RowEncoder& encoder);

  StudyTerms terms_;
  Plan plan_;
  Eigen::VectorXd mid_;               ///< of each feature, original units
  Eigen::VectorXd half_;              ///< likewise
  std::vector<int> feature_columns_;  ///< the column of each feature
};

}  // namespace pm
