#pragma once

#include <Eigen/Core>
#include <optional>

namespace pm {

/// The lower triangular L of S - floor I = L L^T; nothing if S has an eigenvalue at or below
/// `floor`, up to rounding. n^3 / 3 operations, a thirtieth of those of eigenvectors.
/// @param matrix S, n x n, symmetric, finite; only its lower half is read
std::optional<Eigen::MatrixXd> choleskyAbove(const Eigen::MatrixXd& matrix, double floor);

/// The lower triangular root C C^T = S with nonnegative diagonal, for S positive semidefinite up to
/// rounding (negative eigenvalues count as 0): Cholesky's or, if S is singular, the triangle of the
/// symmetric root by Gram-Schmidt.
/// @param matrix S, n x n, symmetric, finite
Eigen::MatrixXd lowerRoot(const Eigen::MatrixXd& matrix);

/// A root C C^T = S with as many columns as S has rank, for S positive semidefinite up to rounding:
/// Cholesky's with pivots, without those below 1e-12 of the trace.
/// @param matrix S, n x n, symmetric, finite
Eigen::MatrixXd thinRoot(const Eigen::MatrixXd& matrix);

/// Replaces M by M L^-T.
/// @param lower L, n x n, from `choleskyAbove`
/// @param matrix M, n columns
void divideByTransposed(const Eigen::MatrixXd& lower, Eigen::MatrixXd& matrix);

}  // namespace pm
