#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/moments/encoding.hpp"
#include "core/privacy/guarantee.hpp"
#include "core/synthesis/plan/noise.hpp"

namespace pm {

/// The purpose of synthetic rows.
enum class SynthesisTask {
  kClassification,  ///< a Gaussian for each class of a category column, the label
  kRegression,      ///< one Gaussian of the projected features and a number column, the label
  kDensity,         ///< one Gaussian of the features; no label
  kSpectrum,        ///< variances along directions that are not released; no label
};

/// The source of the projection P of the features.
enum class ProjectionSource {
  kNone,     ///< no projection
  kPublic,   ///< leading directions of public rows
  kRandom,   ///< random orthonormal directions from a public seed; cost no privacy
  kPrivate,  ///< from the study's rows, with noise, for a share of the budget
  kSplit,    ///< from some of the study's rows, with noise; these are not used otherwise
};

struct ProjectionTerms {
  ProjectionSource source = ProjectionSource::kNone;
  double share = 0.3;  ///< kPrivate: share of epsilon (of mu^2 if all noise is Gaussian), in (0, 1)
  double fraction = 0.3;                ///< kSplit: share of the rows, in (0, 1)
  std::optional<SynthesisNoise> noise;  ///< absent: the default, as for other steps
  std::uint64_t seed = 0;               ///< kRandom: any number; public
};

/// The covariances of a mixture.
enum class CovarianceChoice {
  kPerClass,  ///< one for each class
  kShared,    ///< one for all classes
  kChosen,    ///< the better of the two, chosen privately for a tenth of the budget
};

/// How the sums for a Gaussian are released.
enum class SumsForm {
  kStepwise,  ///< counts, then sums, then scatter about the released means, each with noise
  kJoint,     ///< all at once, about the public centre, with the whole budget for one noise
};

/// The public terms for a model of synthetic rows.
struct SynthesisTerms {
  std::vector<Column> columns;  ///< all of the study, including the label
  int label = -1;               ///< its index; -1 without one
  SynthesisTask task = SynthesisTask::kDensity;
  int components = 0;  ///< p, 1 .. number of features without the label's; 0 for all
  ProjectionTerms projection;
  std::optional<SynthesisNoise>
      noise;  ///< absent: Gaussian if delta > 0, else the kind of least variance
  CovarianceChoice covariance = CovarianceChoice::kPerClass;
  /// Spectrum: variances about the rows' mean, released for 0.3 of the budget, instead of about the
  /// public centre.
  bool about_mean = false;
  SumsForm sums = SumsForm::kStepwise;
  /// R, in (0, 4], in units of the unit ball: longer residuals are clipped to it; with joint sums,
  /// longer rows after projection. Random directions shrink rows by sqrt(p / features), so R is
  /// scaled alike, except if it includes a number label.
  double radius = 0.8;
  /// Weaker neighbours: the replacing row has the same label, and class sizes are revealed.
  bool labels_public = false;
  double epsilon = 0;   ///< > 0, finite
  double delta = 0;     ///< in [0, 1); above 0 for Gaussian noise
  double row_norm = 0;  ///< > 0, finite: limit for rows without the label, scaled units
  MissingRule missing = MissingRule::kCentre;
  Neighbours neighbours = Neighbours::kReplaceOne;  ///< the only valid value
  Unit unit = Unit::kRow;                           ///< the only valid value
};

}  // namespace pm
