#pragma once

#include <Eigen/Core>

#include "bindings/object.hpp"

// Matrices cross as row-major Float64Arrays.
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

/// An empty matrix where the array is not dimension^2 long; the core refuses it by its shape.
Eigen::MatrixXd squareIn(const val& array, int dimension);

/// The same where `rows` does not divide the length.
Eigen::MatrixXd matrixIn(const val& array, Eigen::Index rows);

}  // namespace pm::js
