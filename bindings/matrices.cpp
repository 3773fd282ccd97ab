#include "bindings/matrices.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "core/matrix/packed.hpp"

namespace pm::js {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

val matrixOut(const Eigen::MatrixXd& matrix) {
  const RowMajor copy = matrix;
  return float64Array(copy.data(), std::size_t(copy.size()));
}

Eigen::VectorXd vectorIn(const val& array) {
  const std::vector<double> values = numbers(array);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), Eigen::Index(values.size()));
}

Eigen::MatrixXd squareIn(const val& array, int dimension) {
  const std::vector<double> values = numbers(array);
  if (dimension < 1 || values.size() != std::size_t(dimension) * std::size_t(dimension)) return {};
  return Eigen::Map<const RowMajor>(values.data(), dimension, dimension);
}

Eigen::MatrixXd packedIn(const val& array, int dimension) {
  const std::vector<double> values = numbers(array);
  const auto size = static_cast<std::size_t>(std::max(dimension, 0));
  if (size == 0 || values.size() != size * (size + 1) / 2) return {};
  return unpacked(std::span<const double>(values), dimension);
}

Eigen::MatrixXd matrixIn(const val& array, Eigen::Index rows) {
  const std::vector<double> values = numbers(array);
  const auto size = static_cast<Eigen::Index>(values.size());
  if (rows < 1 || size % rows != 0) return {};
  return Eigen::Map<const RowMajor>(values.data(), rows, size / rows);
}

}  // namespace pm::js
