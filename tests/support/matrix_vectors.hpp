#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "tests/support/vectors.hpp"

namespace pm::testing_support {

/// A matrix, row by row.
inline Eigen::MatrixXd matrixOf(const nlohmann::json& rows) {
  Eigen::MatrixXd matrix(rows.size(), rows[0].size());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      matrix(i, j) = rows[std::size_t(i)][std::size_t(j)].get<double>();
    }
  }
  return matrix;
}

inline Eigen::VectorXd vectorOf(const nlohmann::json& entries) {
  Eigen::VectorXd vector(entries.size());
  for (Eigen::Index i = 0; i < vector.size(); ++i) {
    vector[i] = entries[std::size_t(i)].get<double>();
  }
  return vector;
}

/// Every entry within 1e-10, the accuracy of the file.
inline void expectNear(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& expected) {
  ASSERT_EQ(matrix.rows(), expected.rows());
  ASSERT_EQ(matrix.cols(), expected.cols());
  EXPECT_LT((matrix - expected).cwiseAbs().maxCoeff(), 1e-10);
}
inline void expectNear(const Eigen::MatrixXd& matrix, const nlohmann::json& expected) {
  expectNear(matrix, matrixOf(expected));
}

}  // namespace pm::testing_support
