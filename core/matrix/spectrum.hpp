#pragma once

#include <Eigen/Core>
#include <functional>

namespace pm {

/// Eigenvalues, largest first, and the matching unit eigenvectors as columns.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// The singular values of a matrix, largest first, with unit singular vectors as columns of `left`
/// and `right`. A singular value that is zero up to rounding has no pair: its columns are zero.
struct SingularPairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd left;
  Eigen::MatrixXd right;
};

/// Eigen-decomposition of (M + M^T)/2: tridiagonal form, then implicit QR (tridiagonal.hpp).
/// @param matrix square, finite; may be empty
Spectrum spectrum(const Eigen::MatrixXd& matrix);

/// The eigenvalues of a symmetric matrix alone, in about a fifth of the time.
/// @param matrix square, finite; only its lower half is read; may be empty
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& matrix);

/// Multiplies `matrix`, of n columns, from the right by the symmetric root of f(S)^-1, where f
/// raises eigenvalues to `floor`, using only the eigenvalues above it. If these are more than an
/// eighth, returns false and does nothing: `multiplyByEigenvectors` is then cheaper.
/// @param symmetric S, n x n, finite, n >= 1; only its lower half is read
/// @param floor positive
bool multiplyByInverseRoot(const Eigen::MatrixXd& symmetric, double floor, Eigen::MatrixXd& matrix);

/// Returns the eigenvalues in no particular order, and multiplies `matrix`, of n columns, from the
/// right by the eigenvectors without forming them.
/// @param symmetric n x n, finite, n >= 1; only its lower half is read
Eigen::VectorXd multiplyByEigenvectors(const Eigen::MatrixXd& symmetric, Eigen::MatrixXd& matrix);

/// f(S) = sum_i f_i v_i v_i^T, where `f` takes the eigenvalues of S, largest first, and gives the
/// f_i, which are not negative. With eigenvalues apart, in a third of the time of `spectrum` and
/// `compose`.
/// @param symmetric S, n x n, finite; only its lower half is read; may be empty
Eigen::MatrixXd recomposed(const Eigen::MatrixXd& symmetric,
                           const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f);

/// sum_i values_i vectors_i vectors_i^T.
Eigen::MatrixXd compose(const Spectrum& spectrum);

/// The min(rows, columns) singular values and pairs of `matrix`, from the eigenvectors p of the
/// smaller Gram matrix (K K^T or K^T K). The values are |K^T p|, which, unlike square roots of
/// eigenvalues, leave a zero among ordinary values zero to about 1e-12 instead of 1e-8.
/// @param matrix finite, may be empty; entries of order one (a value below 1e-10 counts as zero)
SingularPairs singularPairs(const Eigen::MatrixXd& matrix);

/// The same for the `count` largest singular values alone, or all of them if they are fewer.
SingularPairs singularPairs(const Eigen::MatrixXd& matrix, Eigen::Index count);

}  // namespace pm
