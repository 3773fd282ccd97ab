#pragma once

#include <Eigen/Core>

#include "bindings/object.hpp"

// Matrices are passed as row-major Float64Arrays.
namespace pm::js {

val matrixOut(const Eigen::MatrixXd& matrix);

template <>
struct Value<Eigen::MatrixXd> {
  static val of(const Eigen::MatrixXd& matrix) { return matrixOut(matrix); }
};

template <>
struct Value<Eigen::VectorXd> {
  static val of(const Eigen::VectorXd& vector) { return matrixOut(vector); }
};

Eigen::VectorXd vectorIn(const val& array);

/// A dimension x dimension matrix; empty if the array has another length, so that the core rejects
/// its shape.
Eigen::MatrixXd squareIn(const val& array, int dimension);

/// A symmetric dimension x dimension matrix from its packed upper triangle, row by row; empty if
/// the array has another length.
Eigen::MatrixXd packedIn(const val& array, int dimension);

/// A matrix with this number of rows; empty if `rows` does not divide the array's length.
Eigen::MatrixXd matrixIn(const val& array, Eigen::Index rows);

}  // namespace pm::js
