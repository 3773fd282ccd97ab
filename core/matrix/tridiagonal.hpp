#pragma once

#include <Eigen/Core>
#include <vector>

namespace pm {

/// A symmetric n x n matrix as Q T Q^T, T tridiagonal: n >= 1.
struct Tridiagonal {
  Eigen::VectorXd diagonal;     ///< n
  Eigen::VectorXd subdiagonal;  ///< n - 1
  /// n x n; column k below row k holds the reflector v_k, 1 in its first row, of Q = H_0 H_1 ..,
  /// H_k = I - scale_k v_k v_k^T.
  Eigen::MatrixXd reflectors;
  Eigen::VectorXd scales;  ///< n - 1
};

/// Householder's reduction (Golub & Van Loan 2013, 8.3.1), 4/3 n^3 operations. Each pass over the
/// matrix subtracts one reflector's update and multiplies by the next, so that its lower half is
/// read and written once per step.
/// @param matrix symmetric, entries of order one; only its lower half is read
Tridiagonal tridiagonalise(Eigen::MatrixXd matrix);

/// Q, n x n, from products of 32 reflectors at a time (compact WY; Schreiber & Van Loan 1989).
Eigen::MatrixXd orthogonalOf(const Tridiagonal& reduced);

/// Multiplies `matrix`, of n columns, from the right by Q without forming it.
void multiplyByOrthogonal(const Tridiagonal& reduced, Eigen::MatrixXd& matrix);

/// Replaces `vectors`, of n rows, by Q `vectors`.
void multiplyOrthogonalBy(const Tridiagonal& reduced, Eigen::MatrixXd& vectors);

/// Rotation of columns k and k + 1 of a matrix: (x, y) becomes (cosine x - sine y, sine x + cosine
/// y).
struct ColumnRotation {
  double cosine;
  double sine;
};

/// Consecutive rotations of columns first, first + 1, ..
struct Sweep {
  Eigen::Index first;
  std::vector<ColumnRotation> rotations;
};

/// Diagonalises T by implicit QR steps with Wilkinson's shift (Golub & Van Loan 2013, 8.3.5):
/// `diagonal` becomes the eigenvalues, in no particular order. `vectors`, of n columns and any
/// number of rows, is multiplied by the rotations from the right.
void diagonalise(Eigen::VectorXd& diagonal, Eigen::VectorXd& subdiagonal, Eigen::MatrixXd& vectors);

/// The eigenvalues alone, by the same steps without square roots (Pal, Walker & Kahan; Parlett
/// 1998, 8.15), whose divisions are independent: three times as fast.
void diagonalise(Eigen::VectorXd& diagonal, Eigen::VectorXd& subdiagonal);

/// Applies sweeps to the columns of `matrix`, eight rows at a time, which stay in the first-level
/// cache during all sweeps.
void rotateColumns(const std::vector<Sweep>& sweeps, Eigen::MatrixXd& matrix);

}  // namespace pm
