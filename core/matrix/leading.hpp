#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/matrix/spectrum.hpp"
#include "core/matrix/tridiagonal.hpp"

namespace pm {

/// The eigenvalues of a tridiagonal form T above `floor`, largest first, and their vectors (of T,
/// not Q T Q^T), by bisection on Sturm counts until each is isolated, then Rayleigh quotient
/// iteration (Golub & Van Loan 2013, 8.2 and 8.4), which is cheap if they are few. Returns nothing
/// if there are more than `most`, or if the residual of one stays above 1e-11, for entries of order
/// one.
std::optional<Spectrum> leadingPairs(const Tridiagonal& form, double floor, Eigen::Index most);

}  // namespace pm
