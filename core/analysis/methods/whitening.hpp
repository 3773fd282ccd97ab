#pragma once

#include <Eigen/Core>
#include <algorithm>

namespace pm {

/// Variances in scaled units below this count as rounding: the squared step of the fixed-point
/// grid.
constexpr double kNoVariance = 1e-14;

/// Without noise, directions with at most this variance count as linear dependences, and their
/// variance as rounding: 1e-12 of the block's largest variance, at least kNoVariance.
inline double leastVariance(double largest) { return std::max(kNoVariance, 1e-12 * largest); }

/// Whiteners of a symmetric block C (d x d, finite, may be indefinite): W = V f(L)^(-1/2), V and L
/// its eigenvectors and eigenvalues, one column for each direction that has variance. W^T C W is
/// the identity if f is. Directions with f(l) at or below `leastVariance` are left out.
/// f(l) = max(l, floor).
/// @param floor at least 0; 0 gives the plain inverse root
Eigen::MatrixXd flooredWhitener(const Eigen::MatrixXd& block, double floor);

/// Multiplies `matrix`, of d columns, from the right by such a whitener in an arbitrary basis:
/// singular values of cross blocks do not depend on it, and most bases are cheaper than
/// eigenvectors. A direction that `flooredWhitener` leaves out is a column of zeros.
/// @param block d x d, d >= 1
void multiplyByFlooredWhitener(const Eigen::MatrixXd& block, double floor, Eigen::MatrixXd& matrix);

/// f(l) = l + `ridge`; W may be multiplied by an orthogonal matrix from the right, which changes no
/// variate: if no direction is left out, it is the inverse of Cholesky's triangle.
/// @param block positive semidefinite
/// @param ridge at least 0
Eigen::MatrixXd ridgedWhitener(const Eigen::MatrixXd& block, double ridge);

}  // namespace pm
