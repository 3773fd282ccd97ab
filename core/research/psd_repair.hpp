#pragma once

#include <Eigen/Core>

namespace pm {

/// How a noisy matrix of a published form becomes a covariance. Post-processing: none of them
/// touches a guarantee.
enum class Repair {
  kPolar,  ///< (A^T A)^(1/2), what a well-known sampler of normal vectors makes of any matrix
           ///< without a word: negative eigenvalues of noise become variance
  kShift,  ///< (A + A^T)/2 plus the multiple of I that leaves no eigenvalue below 0
  kClip,   ///< (A + A^T)/2 with eigenvalues below 0 made 0: the nearest in Frobenius norm
};

/// @param matrix A, square, finite, not necessarily symmetric
Eigen::MatrixXd repaired(const Eigen::MatrixXd& matrix, Repair repair);

}  // namespace pm
