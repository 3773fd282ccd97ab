#pragma once

#include <Eigen/Core>

#include "core/random/continuous.hpp"

namespace pm {

/// Independent standard normals, drawn column by column.
inline Eigen::MatrixXd normals(Eigen::Index rows, Eigen::Index columns, Drbg& random) {
  Eigen::MatrixXd drawn(rows, columns);
  for (double& entry : drawn.reshaped()) entry = standardNormal(random);
  return drawn;
}

/// `matrix` plus draws of `noise()` in the upper triangle, row by row, mirrored.
template <class Noise>
Eigen::MatrixXd plusSymmetric(Eigen::MatrixXd matrix, Noise noise) {
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = i; j < matrix.cols(); ++j) {
      matrix(i, j) += noise();
      matrix(j, i) = matrix(i, j);
    }
  }
  return matrix;
}

/// Independent Laplace noise of scale `scale` in the upper triangle, mirrored.
inline Eigen::MatrixXd plusSymmetricLaplace(Eigen::MatrixXd matrix, double scale, Drbg& random) {
  return plusSymmetric(std::move(matrix), [&] { return scale * standardLaplace(random); });
}

/// Independent Laplace noise in every entry, without preserving symmetry.
inline Eigen::MatrixXd plusLaplace(Eigen::MatrixXd matrix, double scale, Drbg& random) {
  for (double& entry : matrix.reshaped()) entry += scale * standardLaplace(random);
  return matrix;
}

}  // namespace pm
