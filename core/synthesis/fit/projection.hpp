#pragma once

#include <Eigen/Core>
#include <cstddef>

#include "core/result.hpp"
#include "core/synthesis/plan/noise.hpp"
#include "core/synthesis/plan/plan.hpp"
#include "core/synthesis/plan/table.hpp"

namespace pm {

/// `components` orthonormal directions, uniformly at random from a seed that may be public,
/// rounded.
/// @returns features x components
Eigen::MatrixXd randomDirections(int features, int components, std::uint64_t seed);

/// Unit eigenvectors of the `components` algebraically largest eigenvalues of a symmetric matrix as
/// columns, signed so that the entry of largest absolute value is positive, and rounded to
/// multiples of 2^-kDirectionBits.
Eigen::MatrixXd leadingDirections(const Eigen::MatrixXd& symmetric, int components);

/// Whether the row at this position is held out for the projection: a share `fraction` of the
/// positions, evenly spaced.
bool isHeldOut(std::size_t place, double fraction);

/// The rows for which `isHeldOut` is false; all of them if `held_out` is 0.
IntegerRows remaining(IntegerRows rows, double held_out);

/// P^T q for the first P.rows() entries q of each of the `remaining` rows, rounded to the grid and,
/// if rounding made it longer than 2^kRowBits, scaled to that length. Further entries are copied.
/// Each product is exact, as P has multiples of 2^-16 and q integers.
IntegerRows projected(const Eigen::MatrixXd& projection, const IntegerRows& rows, double held_out);

/// The projection of the plan computed from its rows, with noise. Moments are about the public
/// centre, so no mean is needed. Error kIntegrity.
Result<Eigen::MatrixXd> privateDirections(const SynthesisPlan& plan, const IntegerRows& rows,
                                          NoiseSource& noise);

}  // namespace pm
