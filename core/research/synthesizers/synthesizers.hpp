#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/privacy/guarantee.hpp"
#include "core/random/drbg.hpp"
#include "core/research/synthesizers/psd_repair.hpp"
#include "core/result.hpp"

namespace pm {

/// The type of a row's label.
enum class LabelKind {
  kNone,
  kNumber,  ///< in [-1, 1]
  kClass,   ///< 0 .. classes - 1
};

/// The centre that the published forms of PCA-Gauss and MODIPS subtract from the rows.
enum class Centre {
  kData,    ///< their mean, as published, as if it cost no privacy
  kPublic,  ///< zero, as rows are scaled by public bounds
};

/// The source of a projection.
enum class BasisSource {
  kPublicRows,   ///< principal directions of public rows
  kLaplace,      ///< directions of the private rows, with Laplace noise for a share of the budget
  kLaplaceCode,  ///< the same as in the authors' code; published forms only
};

/// The parameters of a published synthesizer. Neighbours differ by replacing one row including its
/// label; the number of rows, the classes and all parameters are public.
struct SynthesisParams {
  double epsilon;    ///< 2^-20 or more
  double delta = 0;  ///< in [0, 1)
  LabelKind label = LabelKind::kNone;
  int classes = 0;     ///< K >= 2 for class labels
  int components = 1;  ///< p, 1 .. columns, if the synthesizer projects
  Centre centre = Centre::kData;
  BasisSource basis = BasisSource::kPublicRows;
  double basis_share = 0.3;    ///< share of epsilon for a basis of private rows, in (0, 1)
  double label_share = 0.5;    ///< share of epsilon for class labels of identity queries, in (0, 1)
  bool labels_public = false;  ///< identity queries: labels are released unchanged
  Repair repair = Repair::kPolar;  ///< for published forms
  bool posterior = false;          ///< MODIPS: draw mean and covariance from their posterior
  int sketch_rows = 200;           ///< r of the Johnson-Lindenstrauss sketches, 1 .. 10 000
  int candidates = 200;            ///< length of Blum, Ligett and Roth's list, 2 .. 100 000
  int candidate_rows = 100;        ///< rows of each of its data sets, 1 .. 100 000
  int drawn = 1000;                ///< rows drawn from a model, 1 .. 10 000 000
  std::uint64_t public_seed = 0;   ///< for random public projections and lists
};

/// Rows (n x m) with n labels, or none.
struct LabelledRows {
  Eigen::MatrixXd rows;
  Eigen::VectorXd labels;
};

/// Columns scaled to [-1, 1] by public bounds.
struct SynthesisData {
  LabelledRows secret;
  LabelledRows open;  ///< public rows; may be empty
};

struct PublishedSynthesis {
  LabelledRows drawn;
  /// m x q: synthetic rows are in the coordinates x^T projection. Empty if the directions are not
  /// protected and must not be released.
  Eigen::MatrixXd projection;
};

/// How the columns are projected.
enum class BasisUse {
  kNone,
  kOwn,           ///< onto the private rows' own directions
  kPublished,     ///< with any of the three sources
  kCorrected,     ///< with directions of public rows or with the required noise
  kDiscriminant,  ///< onto one direction, from public rows of two classes
  kRandom,        ///< at random, from `public_seed`
};

/// A method for synthetic rows, in its published form or, where the publication is not specific, in
/// a form that satisfies the claim. Real arithmetic, rows in memory, no release: for reproductions
/// and comparisons only.
struct PublishedSynthesizer {
  std::string_view name;
  std::string_view source;
  std::string_view claim;  ///< the guarantee that the paper claims
  std::string_view truth;  ///< the guarantee that holds, and why if it is not the claim
  std::span<const LabelKind> labels;
  BasisUse basis;
  bool needs_delta;
  /// The guarantee that holds for a run with these parameters on n x m rows, computed; nothing if
  /// there is none.
  std::optional<Guarantee> (*guarantee)(const SynthesisParams&, Eigen::Index n, Eigen::Index m);
  PublishedSynthesis (*run)(const SynthesisData&, const SynthesisParams&, Drbg&);
};

/// All published synthesizers. Studies cannot use them.
std::span<const PublishedSynthesizer> publishedSynthesizers();

const PublishedSynthesizer* findSynthesizer(std::string_view name);

/// Checks that this synthesizer can run with these parameters and data.
/// Errors: kInvalidEpsilon, kInvalidDelta, kNoRows, kInvalidDimension, kNotFinite, kInvalidBounds
/// (a number outside [-1, 1]), kWrongLength, kInvalidLevels, kInvalidLevel, kInvalidComponents,
/// kInvalidMechanism (any other parameter, or unsuitable labels).
Status checkSynthesis(const PublishedSynthesizer& synthesizer, const SynthesisParams& params,
                      const SynthesisData& data);

/// Pure epsilon for replacing one row, the sum of these steps.
Guarantee pureSynthesis(std::span<const std::pair<std::string_view, double>> steps,
                        Numerics numerics = Numerics::kIdealized);

/// Add the assumption that rows or labels are public to a guarantee.
void assumePublicRows(Guarantee& guarantee);
void assumePublicLabels(Guarantee& guarantee);

}  // namespace pm
