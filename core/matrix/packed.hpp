#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace pm {

/// The symmetric n x n matrix whose upper triangle is packed row by row, times `unit`.
/// @param packed n (n + 1) / 2 numbers
template <class Number>
Eigen::MatrixXd unpacked(std::span<const Number> packed, Eigen::Index n, double unit = 1) {
  Eigen::MatrixXd matrix(n, n);
  auto next = packed.begin();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = i; j < n; ++j) {
      matrix(i, j) = matrix(j, i) = static_cast<double>(*next++) * unit;
    }
  }
  return matrix;
}

/// The upper triangle of a square matrix, row by row.
inline std::vector<double> packedUpper(const Eigen::MatrixXd& matrix) {
  std::vector<double> packed;
  packed.reserve(static_cast<std::size_t>(matrix.rows() * (matrix.rows() + 1) / 2));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = i; j < matrix.cols(); ++j) packed.push_back(matrix(i, j));
  }
  return packed;
}

}  // namespace pm
