#pragma once

#include <Eigen/Core>
#include <limits>

namespace pm {

/// The symmetric positive semidefinite matrix of trace at most `trace` that is nearest to
/// (M + M^T)/2 in Frobenius norm: same eigenvectors, eigenvalues by `projectOntoCappedSimplex`. The
/// result is at least as close as M to every matrix in that set. Post-processing.
/// @param matrix square, finite
/// @param trace  >= 0; infinite for no cap: negative eigenvalues become 0
Eigen::MatrixXd nearestCovariance(const Eigen::MatrixXd& matrix,
                                  double trace = std::numeric_limits<double>::infinity());

/// The same for the noisy covariance of rows of length at most `radius`: the trace becomes at most
/// radius^2 and at most that of the matrix, which has far less noise than the sum of its positive
/// eigenvalues (`projectEigenvalues`).
Eigen::MatrixXd repairCovariance(const Eigen::MatrixXd& matrix, double radius);

/// The vector scaled to at most that length.
Eigen::VectorXd shortened(const Eigen::VectorXd& vector, double length);

}  // namespace pm
