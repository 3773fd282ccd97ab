#include "core/matrix/cholesky.hpp"

#include <cmath>

#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/pair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Smallest pivot of a nonsingular matrix, relative to its largest diagonal entry.
constexpr double kLeastPivot = 1e-12;

/// out -= factor * from
void subtract(double* out, const double* from, double factor, Index size) {
  const Pair factors = broadcast(factor);
  Index i = 0;
  for (; i + 2 <= size; i += 2) {
    storePair(out + i, loadPair(out + i) - factors * loadPair(from + i));
  }
  if (i < size) out[i] -= factor * from[i];
}

/// C of A^T A = C C^T. Columns of A that depend on earlier ones give zero columns of C.
MatrixXd lowerOfColumns(MatrixXd a) {
  const Index n = a.cols();
  const double least = kLeastPivot * a.colwise().squaredNorm().maxCoeff();
  MatrixXd lower = MatrixXd::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    const double squares = a.col(j).squaredNorm();
    if (squares <= least) continue;
    lower(j, j) = std::sqrt(squares);
    for (Index k = j + 1; k < n; ++k) {
      const double product = a.col(j).dot(a.col(k));
      lower(k, j) = product / lower(j, j);
      subtract(&a(0, k), &a(0, j), product / squares, n);
    }
  }
  return lower;
}

}  // namespace

MatrixXd thinRoot(const MatrixXd& matrix) {
  const Index n = matrix.rows();
  Eigen::VectorXd left = matrix.diagonal();
  const double least = kLeastPivot * left.sum();
  MatrixXd root = zeros(n, n);
  Index rank = 0;
  for (; rank < n; ++rank) {
    Index pivot = 0;
    const double square = left.maxCoeff(&pivot);
    if (!(square > least)) break;
    double* column = &root(0, rank);
    for (Index i = 0; i < n; ++i) column[i] = matrix(i, pivot);
    for (Index k = 0; k < rank; ++k) subtract(column, &root(0, k), root(pivot, k), n);
    const double divisor = std::sqrt(square);
    for (Index i = 0; i < n; ++i) {
      column[i] /= divisor;
      left[i] -= column[i] * column[i];
    }
  }
  return root.leftCols(rank);
}

std::optional<MatrixXd> choleskyAbove(const MatrixXd& matrix, double floor) {
  const Index n = matrix.rows();
  MatrixXd lower = zeros(n, n);
  for (Index j = 0; j < n; ++j) {
    double* column = &lower(0, j);
    for (Index i = j; i < n; ++i) column[i] = matrix(i, j);
    column[j] -= floor;
    for (Index k = 0; k < j; ++k) subtract(column + j, &lower(j, k), lower(j, k), n - j);
    if (!(column[j] > 0)) return {};
    const double root = std::sqrt(column[j]);
    for (Index i = j; i < n; ++i) column[i] /= root;
  }
  return lower;
}

MatrixXd lowerRoot(const MatrixXd& matrix) {
  const std::optional<MatrixXd> lower = choleskyAbove(matrix, 0);
  const double least = std::sqrt(kLeastPivot * matrix.diagonal().maxCoeff());
  if (lower && lower->diagonal().minCoeff() > least) return *lower;
  const Spectrum decomposed = spectrum(matrix);
  return lowerOfColumns(decomposed.values.cwiseMax(0.0).cwiseSqrt().asDiagonal() *
                        decomposed.vectors.transpose());
}

void divideByTransposed(const MatrixXd& lower, MatrixXd& matrix) {
  const Index rows = matrix.rows();
  for (Index j = 0; j < matrix.cols(); ++j) {
    double* column = matrix.data() + j * rows;
    for (Index k = 0; k < j; ++k) subtract(column, matrix.data() + k * rows, lower(j, k), rows);
    for (Index i = 0; i < rows; ++i) column[i] /= lower(j, j);
  }
}

}  // namespace pm
