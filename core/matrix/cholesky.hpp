#pragma once

#include <Eigen/Core>
#include <optional>

namespace pm {

/// L, lower, of S - floor I = L L^T: none where S has an eigenvalue at or below `floor`, up to
/// rounding. n^3 / 3 operations, a thirtieth of what eigenvectors take.
/// @param matrix S, n x n, symmetric, finite; only its lower half is read
std::optional<Eigen::MatrixXd> choleskyAbove(const Eigen::MatrixXd& matrix, double floor);

/// The lower triangular root with no negative entry on its diagonal, C C^T = S, for S positive
/// semidefinite up to rounding, whose negative eigenvalues are taken as 0: Cholesky's, or where S
/// is singular the triangle of the symmetric root by Gram-Schmidt.
/// @param matrix S, n x n, symmetric, finite
Eigen::MatrixXd lowerRoot(const Eigen::MatrixXd& matrix);

/// M becomes M L^-T.
/// @param lower L, n x n, from `choleskyAbove`
/// @param matrix M, n columns
void divideByTransposed(const Eigen::MatrixXd& lower, Eigen::MatrixXd& matrix);

}  // namespace pm
