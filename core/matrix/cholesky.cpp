#include "core/matrix/cholesky.hpp"

#include <cmath>

#include "core/pair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// out -= factor * from
void subtract(double* out, const double* from, double factor, Index size) {
  const Pair factors = both(factor);
  Index i = 0;
  for (; i + 2 <= size; i += 2) {
    storePair(out + i, loadPair(out + i) - factors * loadPair(from + i));
  }
  if (i < size) out[i] -= factor * from[i];
}

}  // namespace

std::optional<MatrixXd> choleskyAbove(const MatrixXd& matrix, double floor) {
  const Index n = matrix.rows();
  MatrixXd lower = MatrixXd::Zero(n, n);
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

void divideByTransposed(const MatrixXd& lower, MatrixXd& matrix) {
  const Index rows = matrix.rows();
  for (Index j = 0; j < matrix.cols(); ++j) {
    double* column = matrix.data() + j * rows;
    for (Index k = 0; k < j; ++k) subtract(column, matrix.data() + k * rows, lower(j, k), rows);
    for (Index i = 0; i < rows; ++i) column[i] /= lower(j, j);
  }
}

}  // namespace pm
