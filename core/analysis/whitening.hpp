#pragma once

#include <Eigen/Core>
#include <algorithm>

namespace pm {

/// Variances in scaled units below this are rounding: the square of the fixed-point grid's step.
constexpr double kNoVariance = 1e-14;

/// Without noise, directions with no more variance than this are linear dependences, of which only
/// rounding is left: 1e-12 of the block's largest variance, at least kNoVariance.
inline double leastVariance(double largest) { return std::max(kNoVariance, 1e-12 * largest); }

/// Whiteners of a symmetric block C (d x d, finite, may be indefinite): W = V f(L)^(-1/2), V and L
/// its eigenvectors and eigenvalues, one column for each direction that has variance. W^T C W is
/// the identity where f is. Left out are directions with f(l) at or below `leastVariance`.

/// f(l) = max(l, floor).
/// @param floor at least 0; 0 gives the plain inverse root
Eigen::MatrixXd flooredWhitener(const Eigen::MatrixXd& block, double floor);

/// `matrix`, of d columns, becomes its product with a whitener of that law in some basis: singular
/// values of cross blocks are the same in each, and most bases are cheaper than eigenvectors.
/// A direction that `flooredWhitener` leaves out is a column of zeros.
/// @param block d x d, d >= 1
void multiplyByFlooredWhitener(const Eigen::MatrixXd& block, double floor, Eigen::MatrixXd& matrix);

/// f(l) = l + `ridge`.
/// @param block positive semidefinite
/// @param ridge at least 0
Eigen::MatrixXd ridgedWhitener(const Eigen::MatrixXd& block, double ridge);

}  // namespace pm
