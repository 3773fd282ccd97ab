#pragma once

#include <Eigen/Core>
#include <cstddef>

#include "core/result.hpp"
#include "core/synthesis/noise.hpp"
#include "core/synthesis/plan.hpp"
#include "core/synthesis/table.hpp"

namespace pm {

/// `components` orthonormal directions, uniformly at random by a seed that may be known, rounded.
/// @returns features x components
Eigen::MatrixXd randomDirections(int features, int components, std::uint64_t seed);

/// Unit eigenvectors of the `components` algebraically largest eigenvalues of a symmetric matrix as
/// columns, the entry that is largest in absolute value positive, rounded to multiples of
/// 2^-kDirectionBits.
Eigen::MatrixXd leadingDirections(const Eigen::MatrixXd& symmetric, int components);

/// Whether the projection is made of the row at this place, where it has rows of its own: a share
/// `fraction` of the places, evenly.
bool isApart(std::size_t place, double fraction);

/// The rows for which `isApart` does not hold; all of them for `apart` 0.
IntegerRows remaining(IntegerRows rows, double apart);

/// P^T q of the rows' first P.rows() entries, rounded to the grid and, where a rounding made it
/// longer than 2^kRowBits, shortened to it; further entries stay. Each product is exact: P has
/// multiples of 2^-16 and q integers. Of the `remaining` rows only.
IntegerRows projected(const Eigen::MatrixXd& projection, const IntegerRows& rows, double apart);

/// The projection of the plan made of its rows, with noise: about the public centre, so that no
/// mean is needed. Error kIntegrity.
Result<Eigen::MatrixXd> privateDirections(const SynthesisPlan& plan, const IntegerRows& rows,
                                          NoiseSource& noise);

}  // namespace pm
