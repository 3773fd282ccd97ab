#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/matrix/spectrum.hpp"
#include "core/matrix/tridiagonal.hpp"

namespace pm {

/// The eigenvalues of a tridiagonal form T above `floor`, largest first, and their vectors (of T,
/// not Q T Q^T): by bisection on Sturm counts until each is alone, and Rayleigh quotient iteration
/// (Golub & Van Loan 2013, 8.2 and 8.4), which cost little where they are few. None where there are
/// more than `most`, or where one is not found to a residual of 1e-11 for entries of order one.
std::optional<Spectrum> leadingPairs(const Tridiagonal& form, double floor, Eigen::Index most);

/// The columns of `vectors` become their products with Q.
void multiplyOrthogonalBy(const Tridiagonal& form, Eigen::MatrixXd& vectors);

}  // namespace pm
