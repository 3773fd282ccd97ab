#pragma once

#include <Eigen/Core>

#include "core/result.hpp"

namespace pm {

/// Euclidean projection of `values` onto {w >= 0, sum w <= cap}: max(values, 0) where that sum is
/// within the cap, otherwise max(values - theta, 0) with theta such that the sum is the cap (Held,
/// Wolfe & Crowder 1974). Order is kept: a larger value never ends below a smaller one.
/// @param values finite, any order
/// @param cap    not negative
Eigen::VectorXd projectOntoCappedSimplex(const Eigen::VectorXd& values, double cap);

/// The eigenvalues a covariance can have given noisy ones: `projectOntoCappedSimplex` with the cap
/// min(bound, max(0, sum values)). The trace has far less relative noise than any eigenvalue, so
/// the sum of positive eigenvalues beyond it is noise.
Eigen::VectorXd projectEigenvalues(const Eigen::VectorXd& values, double bound);

/// Trace projection: the symmetric positive semidefinite matrix of trace at most
/// min(bound, max(0, tr M)) that is nearest to M in Frobenius norm. Same eigenvectors, eigenvalues
/// by `projectEigenvalues`. Post-processing: it cannot weaken a guarantee.
/// @param matrix D x D symmetric, any unit
/// @param bound  public bound on the trace of the noise-free matrix, same unit (rows of scaled norm
///               at most R: R^2 for a covariance)
/// @returns D x D; kInvalidDimension, kWrongLength, kNotFinite, kInvalidRowNorm
Result<Eigen::MatrixXd> projectTrace(const Eigen::MatrixXd& matrix, double bound);

}  // namespace pm
