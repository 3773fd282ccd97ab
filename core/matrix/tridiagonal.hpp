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
/// matrix takes off one reflector's update and multiplies by the next, so that its lower half is
/// read and written once a step.
/// @param matrix symmetric, entries of order one; only its lower half is read
Tridiagonal tridiagonalise(Eigen::MatrixXd matrix);

/// Q, n x n: the reflectors 32 at a time, as products (compact WY; Schreiber & Van Loan 1989).
Eigen::MatrixXd orthogonalOf(const Tridiagonal& reduced);

/// `matrix`, of n columns, becomes its product with Q, which is not made: cheaper where that is all
/// that Q is for.
void multiplyByOrthogonal(const Tridiagonal& reduced, Eigen::MatrixXd& matrix);

/// Rotation of columns k and k + 1 of a matrix: (x, y) becomes (cosine x - sine y, sine x + cosine
/// y).
struct Rotation {
  double cosine;
  double sine;
};

/// Rotations of columns first, first + 1, .., one after the other.
struct Sweep {
  Eigen::Index first;
  std::vector<Rotation> rotations;
};

/// Brings T to diagonal form by implicit QR steps with Wilkinson's shift (Golub & Van Loan 2013,
/// 8.3.5): `diagonal` becomes the eigenvalues, in no order. `vectors` is multiplied by the
/// rotations from the right: n columns, any number of rows.
void diagonalise(Eigen::VectorXd& diagonal, Eigen::VectorXd& subdiagonal, Eigen::MatrixXd& vectors);

/// The values alone, by the same steps without square roots (Pal, Walker & Kahan; Parlett 1998,
/// 8.15), whose divisions do not wait for each other: three times as fast.
void diagonalise(Eigen::VectorXd& diagonal, Eigen::VectorXd& subdiagonal);

/// Applies sweeps to the columns of `matrix`: eight rows at a time, which stay in the first-level
/// cache while all sweeps pass over them.
void rotateColumns(const std::vector<Sweep>& sweeps, Eigen::MatrixXd& matrix);

}  // namespace pm
