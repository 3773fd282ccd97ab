#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "core/matrix/alignment.hpp"
#include "core/result.hpp"

namespace pm {

/// Principal directions in the form that analysts expect.
struct Components {
  Eigen::MatrixXd loadings;  ///< D x k, orthonormal columns, largest entry positive
  Eigen::VectorXd values;    ///< k second moments along them, largest first; empty if unknown
};

/// Combines releases that consist of directions (and values along them).
///
/// A single release is returned with its rounded directions orthonormalised (in the order released)
/// and sorted by value. Several are summed as sum_s sum_i v_i t_i t_i^T, an estimate of the summed
/// second moments from the leading part at each participant, or, without values, as sum_s w_s sum_i
/// t_i t_i^T, an average of the projections; the leading k eigenvectors are the result. Unlike a
/// sum of moments, this is not equivalent to a release of the pooled rows: everything outside each
/// participant's own k directions is lost. Post-processing: it cannot weaken a guarantee.
class ComponentSum {
 public:
  /// Errors: kInvalidDimension, kInvalidComponents (outside 1 .. dimension).
  static Result<ComponentSum> create(int dimension, int components, bool has_values);

  /// Adds one release: for each component its value (if there are values) and D entries in any
  /// unit. `unit` is that of the values; `weight` >= 0 is used only without values. Errors:
  /// kWrongLength, kNotFinite (also for directions that do not span k dimensions). On an error
  /// nothing is added.
  Status add(std::span<const double> released, double unit, double weight);

  std::uint64_t releases() const { return releases_; }

  /// Error: kNoRows if nothing was added.
  Result<Components> result() const;

 private:
  ComponentSum(int dimension, int components, bool has_values);

  int components_;
  bool has_values_;
  std::uint64_t releases_ = 0;
  Components first_;
  Eigen::MatrixXd sum_;
};

}  // namespace pm
