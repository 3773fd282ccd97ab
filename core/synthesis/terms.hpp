#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/moments/encoding.hpp"
#include "core/privacy/guarantee.hpp"
#include "core/synthesis/noise.hpp"

namespace pm {

/// What synthetic rows are for.
enum class SynthesisTask {
  kClassification,  ///< a Gaussian for each class of a category column, the label
  kRegression,      ///< one Gaussian, a number column, the label, beside the projected features
  kDensity,         ///< one Gaussian of the features; no label
  kSpectrum,        ///< variances along directions that are not told; no label
};

/// Where the projection P of the features comes from.
enum class ProjectionSource {
  kNone,     ///< all features as they are
  kPublic,   ///< leading directions of public rows
  kRandom,   ///< orthonormal at random, by a public seed: of no rows, and free
  kPrivate,  ///< of the study's rows, with noise, for a share of the budget
  kSplit,    ///< of some of the study's rows, with noise; they are in nothing else
};

struct ProjectionTerms {
  ProjectionSource source = ProjectionSource::kNone;
  double share = 0.3;     ///< kPrivate: of epsilon (or, all being Gaussian, of mu^2), in (0, 1)
  double fraction = 0.3;  ///< kSplit: of the rows, in (0, 1)
  std::optional<SynthesisNoise> noise;  ///< absent: the default, as of the other steps
  std::uint64_t seed = 0;               ///< kRandom: any number, public
};

/// A mixture's covariances.
enum class CovarianceChoice {
  kPerClass,  ///< of each class
  kShared,    ///< one for all classes
  kChosen,    ///< what fits better, decided privately for a tenth of the budget
};

/// How the sums that make a Gaussian are asked for.
enum class SumsForm {
  kStepwise,  ///< counts, then sums, then scatter about the released means: each has a noise
  kJoint,     ///< all at once, about the public centre: one noise, with the whole budget behind it
};

/// The public terms on which rows become a model of synthetic rows.
struct SynthesisTerms {
  std::vector<Column> columns;  ///< of the study, the label included
  int label = -1;               ///< its index; -1 without one
  SynthesisTask task = SynthesisTask::kDensity;
  int components = 0;  ///< p, 1 .. features without the label's; 0 for all of them
  ProjectionTerms projection;
  std::optional<SynthesisNoise> noise;  ///< absent: Gaussian for delta > 0, else of least variance
  CovarianceChoice covariance = CovarianceChoice::kPerClass;
  /// Spectrum: variances about the rows' mean, released for 0.3 of the budget, instead of about the
  /// public centre.
  bool about_mean = false;
  SumsForm sums = SumsForm::kStepwise;
  /// R > 0: residuals longer are shortened to it, in units of the unit ball; of joint sums the rows
  /// themselves after projection. At most 4. Random directions make rows sqrt(p / features) as
  /// long, so for them R is that much less, but where a number label counts in.
  double radius = 0.8;
  /// Weaker neighbours: the replacing row has the same label, and class sizes are given away.
  bool labels_public = false;
  double epsilon = 0;   ///< > 0, finite
  double delta = 0;     ///< in [0, 1); above 0 for Gaussian noise
  double row_norm = 0;  ///< > 0, finite: rows without the label are shortened to it, scaled units
  MissingRule missing = MissingRule::kCentre;
  Neighbours neighbours = Neighbours::kReplaceOne;  ///< no other relation will do
  Unit unit = Unit::kRow;                           ///< likewise
};

}  // namespace pm
