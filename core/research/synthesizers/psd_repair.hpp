#pragma once

#include <Eigen/Core>

namespace pm {

/// How a noisy matrix of a published form is turned into a covariance. Post-processing, so
/// guarantees are unaffected.
enum class Repair {
  kPolar,  ///< (A^T A)^(1/2), as a well-known sampler of normal vectors silently does with any
           ///< matrix: negative eigenvalues due to noise become variance
  kShift,  ///< (A + A^T)/2 plus the smallest multiple of I that leaves no negative eigenvalue
  kClip,   ///< (A + A^T)/2 with negative eigenvalues set to 0: the nearest in Frobenius norm
};

/// @param matrix A, square, finite, not necessarily symmetric
Eigen::MatrixXd repaired(const Eigen::MatrixXd& matrix, Repair repair);

}  // namespace pm
