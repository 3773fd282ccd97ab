#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/privacy/guarantee.hpp"
#include "core/random/drbg.hpp"
#include "core/research/psd_repair.hpp"
#include "core/result.hpp"

namespace pm {

/// What a row's label is.
enum class LabelKind {
  kNone,
  kNumber,  ///< in [-1, 1]
  kClass,   ///< 0 .. classes - 1
};

/// What the published forms of PCA-Gauss and MODIPS subtract from the rows.
enum class Centre {
  kData,    ///< their mean, as published: as if it cost nothing
  kPublic,  ///< nothing: rows are scaled by public bounds
};

/// Where a projection comes from.
enum class BasisSource {
  kPublicRows,   ///< principal directions of public rows
  kLaplace,      ///< of the private rows, with Laplace noise for a share of the budget
  kLaplaceCode,  ///< the same as the authors' code does it; published forms only
};

/// What a published synthesizer is run with. Neighbours have one row, label included, replaced; the
/// number of rows, the classes and everything here are public.
struct SynthesisParams {
  double epsilon;    ///< 2^-20 or more
  double delta = 0;  ///< in [0, 1)
  LabelKind label = LabelKind::kNone;
  int classes = 0;     ///< K >= 2 for class labels
  int components = 1;  ///< p, 1 .. columns, where the synthesizer projects
  Centre centre = Centre::kData;
  BasisSource basis = BasisSource::kPublicRows;
  double basis_share = 0.3;        ///< of epsilon, for a basis of private rows; in (0, 1)
  double label_share = 0.5;        ///< of epsilon, for class labels of identity queries; in (0, 1)
  bool labels_public = false;      ///< identity queries: labels leave as they are
  Repair repair = Repair::kPolar;  ///< of published forms
  bool posterior = false;          ///< MODIPS: draws mean and covariance from their posterior
  int sketch_rows = 200;           ///< r of the Johnson-Lindenstrauss sketches, 1 .. 10 000
  int candidates = 200;            ///< length of Blum, Ligett and Roth's list, 2 .. 100 000
  int candidate_rows = 100;        ///< rows of each of its data sets, 1 .. 100 000
  int drawn = 1000;                ///< rows drawn of a model, 1 .. 10 000 000
  std::uint64_t public_seed = 0;   ///< of projections and lists that are random and public
};

/// Rows (n x m) and as many labels, or none.
struct LabelledRows {
  Eigen::MatrixXd rows;
  Eigen::VectorXd labels;
};

/// Columns scaled to [-1, 1] by public bounds.
struct SynthesisData {
  LabelledRows secret;
  LabelledRows open;  ///< rows that are public; may be empty
};

struct PublishedSynthesis {
  LabelledRows drawn;
  /// m x q: synthetic rows lie where x^T projection does. Empty where the directions are not
  /// covered by anything and do not leave.
  Eigen::MatrixXd projection;
};

/// What becomes of the columns.
enum class BasisUse {
  kNone,
  kOwn,           ///< projected onto the private rows' own directions
  kPublished,     ///< projected, on any of the three sources
  kCorrected,     ///< projected, on public rows or with the noise that is needed
  kDiscriminant,  ///< projected onto one direction, of public rows of two classes
  kRandom,        ///< projected at random, by `public_seed`
};

/// A way from rows to synthetic rows, as published or, where the publication leaves room, in the
/// form that keeps its promise. Real arithmetic, rows in memory, no release: for reproductions and
/// comparisons only.
struct PublishedSynthesizer {
  std::string_view name;
  std::string_view source;
  std::string_view claim;  ///< what the paper says it guarantees
  std::string_view truth;  ///< what holds, and why where that is not the claim
  std::span<const LabelKind> labels;
  BasisUse basis;
  bool needs_delta;
  /// The guarantee that holds for a run with these parameters on n x m rows, computed; none where
  /// there is none.
  std::optional<Guarantee> (*guarantee)(const SynthesisParams&, Eigen::Index n, Eigen::Index m);
  PublishedSynthesis (*run)(const SynthesisData&, const SynthesisParams&, Drbg&);
};

/// All of them. None can be named in a study.
std::span<const PublishedSynthesizer> publishedSynthesizers();

const PublishedSynthesizer* findSynthesizer(std::string_view name);

/// Whether this synthesizer can run with these.
/// Errors: kInvalidEpsilon, kInvalidDelta, kNoRows, kInvalidDimension, kNotFinite, kInvalidBounds
/// (a number outside [-1, 1]), kWrongLength, kInvalidLevels, kInvalidLevel, kInvalidComponents,
/// kInvalidMechanism (any other parameter, or labels it cannot take).
Status checkSynthesis(const PublishedSynthesizer& synthesizer, const SynthesisParams& params,
                      const SynthesisData& data);

/// Pure epsilon for one row replaced, spent in these steps, which add up.
Guarantee pureSynthesis(std::span<const std::pair<std::string_view, double>> steps,
                        Numerics numerics = Numerics::kIdealized);

/// The guarantee's conditions on what is called public, added to it.
void assumePublicRows(Guarantee& guarantee);
void assumePublicLabels(Guarantee& guarantee);

}  // namespace pm
