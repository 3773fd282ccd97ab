#pragma once

#include <Eigen/Core>

#include "bindings/convert.hpp"

// Matrices cross as row-major Float64Arrays.
namespace pm::js {

val matrixOut(const Eigen::MatrixXd& matrix);

Eigen::VectorXd vectorIn(const val& array);

/// An empty matrix where the array is not dimension^2 long; the core refuses it by its shape.
Eigen::MatrixXd squareIn(const val& array, int dimension);

/// The same where `rows` does not divide the length.
Eigen::MatrixXd matrixIn(const val& array, Eigen::Index rows);

}  // namespace pm::js
