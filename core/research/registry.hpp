#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string_view>

#include "core/privacy/guarantee.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// What a published mechanism is run with. Real arithmetic, one matrix, no release: for
/// reproductions and comparisons only.
struct PublishedParams {
  double epsilon;  ///< > 0
  double delta;    ///< in [0, 1)
  Neighbours neighbours;
  double rows;         ///< n
  int components = 1;  ///< k, where the mechanism has one
  int rounds = 1;      ///< L, likewise
  double penalty = 1;  ///< alpha of ridge regression, likewise
};

/// What a published mechanism outputs.
enum class Output {
  kMatrix,      ///< an estimate of C, d x d
  kDirections,  ///< d x k
  kWeights,     ///< d-1 x 1, the last column of the rows being the target
};

/// "matrix", "directions" or "weights".
const char* name(Output output);

/// A mechanism as its paper published it, or a paper's baseline.
struct Published {
  std::string_view name;
  std::string_view source;
  std::string_view claim;  ///< what the paper says it guarantees
  std::string_view truth;  ///< what holds, and why where that is not the claim
  Output output;
  /// The guarantee that does hold, computed; none where there is none.
  std::optional<Guarantee> (*guarantee)(const PublishedParams&);
  /// `scatter` is C = sum x x^T over rows of length at most 1 (d x d, symmetric). Returns `output`.
  Eigen::MatrixXd (*run)(const Eigen::MatrixXd& scatter, const PublishedParams&, Drbg&);
};

/// For mechanisms without any guarantee.
std::optional<Guarantee> noGuarantee(const PublishedParams&);

/// All of them. None can be named in a study.
std::span<const Published> published();

/// Whether parameters and matrix are such that every mechanism here can run.
/// Errors: kInvalidEpsilon, kInvalidDelta, kNoRows, kInvalidComponents, kInvalidMechanism (rounds
/// or penalty), kInvalidDimension, kNotFinite.
Status checkPublished(const PublishedParams& params, const Eigen::MatrixXd& scatter);

const Published* findPublished(std::string_view name);

}  // namespace pm
