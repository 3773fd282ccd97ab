#include "core/matrix/cholesky.hpp"

#include <gtest/gtest.h>

namespace pm::cholesky_test {

using Eigen::MatrixXd;

/// n x rank, fixed.
MatrixXd factorOf(Eigen::Index n, Eigen::Index rank) {
  MatrixXd factor(n, rank);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < rank; ++j) factor(i, j) = double((i * 7 + j * j * 3) % 11) - 4.5;
  }
  return factor;
}

TEST(ThinRoot, HasAsManyColumnsAsTheMatrixHasRank) {
  for (const Eigen::Index rank : {0, 1, 3, 6}) {
    const MatrixXd factor = factorOf(6, rank);
    const MatrixXd matrix = factor * factor.transpose();
    const MatrixXd root = thinRoot(matrix);
    EXPECT_EQ(root.cols(), rank);
    EXPECT_EQ(root.rows(), 6);
    EXPECT_LT((root * root.transpose() - matrix).norm(), 1e-9);
  }
}

TEST(ThinRoot, LeavesOutWhatRoundingMayHaveAdded) {
  MatrixXd matrix = factorOf(6, 2) * factorOf(6, 2).transpose();
  matrix += 1e-13 * MatrixXd::Identity(6, 6);
  EXPECT_EQ(thinRoot(matrix).cols(), 2);
}

}  // namespace pm::cholesky_test
