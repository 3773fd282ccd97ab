#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string_view>

#include "core/privacy/guarantee.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// The parameters of a published mechanism. Real arithmetic, one matrix, no release: for
/// reproductions and comparisons only.
struct PublishedParams {
  double epsilon;  ///< > 0
  double delta;    ///< in [0, 1)
  Neighbours neighbours;
  double rows;         ///< n
  int components = 1;  ///< k, if the mechanism has one
  int rounds = 1;      ///< L, if the mechanism has one
  double penalty = 1;  ///< alpha of ridge regression
};

/// The output of a published mechanism.
enum class Output {
  kMatrix,      ///< an estimate of C, d x d
  kDirections,  ///< d x k
  kWeights,     ///< d-1 x 1; the last column of the rows is the target
};

/// "matrix", "directions" or "weights".
const char* name(Output output);

/// A mechanism in its published form, or a paper's baseline.
struct Published {
  std::string_view name;
  std::string_view source;
  std::string_view claim;  ///< the guarantee that the paper claims
  std::string_view truth;  ///< the guarantee that holds, and why if it is not the claim
  Output output;
  /// The guarantee that holds, computed from the parameters; empty if none holds.
  std::optional<Guarantee> (*guarantee)(const PublishedParams&);
  /// `scatter` is C = sum x x^T over rows of length at most 1 (d x d, symmetric). Returns `output`.
  Eigen::MatrixXd (*run)(const Eigen::MatrixXd& scatter, const PublishedParams&, Drbg&);
};

/// For mechanisms without any guarantee.
std::optional<Guarantee> noGuarantee(const PublishedParams&);

/// All published mechanisms. Studies cannot use them.
std::span<const Published> published();

/// Checks that every mechanism can run with these parameters and this matrix.
/// Errors: kInvalidEpsilon, kInvalidDelta, kNoRows, kInvalidComponents, kInvalidMechanism (rounds
/// or penalty), kInvalidDimension, kNotFinite.
Status checkPublished(const PublishedParams& params, const Eigen::MatrixXd& scatter);

const Published* findPublished(std::string_view name);

}  // namespace pm
