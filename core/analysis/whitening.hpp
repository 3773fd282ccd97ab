#pragma once

#include <Eigen/Core>

namespace pm {

/// Variances in scaled units below this are rounding: the square of the fixed-point grid's step.
constexpr double kNoVariance = 1e-14;

/// Whiteners of a symmetric block C (d x d, finite, may be indefinite): W = V f(L)^(-1/2), V and L
/// its eigenvectors and eigenvalues, one column for each direction that has variance. W^T C W is
/// the identity where f is. Left out are directions with f(l) <= kNoVariance or below 1e-12 of the
/// block's largest variance: linear dependences, of which only rounding is left.

/// f(l) = l above `edge`, otherwise 2 `edge`. At the edge itself, directions that hold nothing but
/// noise would show correlations of nearly one with each other; twice the edge halves them.
/// @param edge at least 0; 0 gives the plain inverse root
Eigen::MatrixXd flooredWhitener(const Eigen::MatrixXd& block, double edge);

/// f(l) = l + `ridge`.
/// @param block positive semidefinite
/// @param ridge at least 0
Eigen::MatrixXd ridgedWhitener(const Eigen::MatrixXd& block, double ridge);

}  // namespace pm
