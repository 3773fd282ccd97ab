#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/matrix/tridiagonal.hpp"

namespace pm {

/// Unit eigenvectors of a tridiagonal form T (of T, not Q T Q^T) for its `count` largest
/// eigenvalues, from twisted factorisations of T - l I (Dhillon & Parlett 2004): a few operations
/// an entry, where QR steps take some hundred. Vectors of close eigenvalues are made orthogonal, so
/// they may be turned within their plane. Returns nothing if a vector is not accurate, which equal
/// eigenvalues cause.
/// @param form   entries of order one
/// @param values all eigenvalues of T, largest first, up to rounding
std::optional<Eigen::MatrixXd> twistedVectors(const Tridiagonal& form,
                                              const Eigen::VectorXd& values, Eigen::Index count);

}  // namespace pm
