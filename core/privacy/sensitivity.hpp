#pragma once

#include <cstdint>

#include "core/int128.hpp"
#include "core/privacy/guarantee.hpp"

namespace pm {

/// How far one neighbour step can move the second-moment matrix sum x x^T of d-vectors, in
/// several norms. Unless said otherwise a value is tight. Proofs: docs/sensitivity.md.
struct Sensitivity {
  double upper_l2;   ///< Euclidean norm of the upper triangle
  double frobenius;  ///< Frobenius norm, equally the Euclidean norm of svec (off-diagonal x sqrt 2)
  double nuclear;    ///< sum of absolute eigenvalues
  double
      upper_l1;    ///< sum of absolute values of the upper triangle; an upper bound for replace-one
  double full_l1;  ///< sum of absolute values of the full matrix; an upper bound for replace-one
};

/// For rows in the unit Euclidean ball of dimension d >= 1.
Sensitivity unitBallSensitivity(int d, Neighbours neighbours);

/// For rows (a, x) with x in the unit ball and a > 0 public and the same in every row: the
/// Frobenius and nuclear norms (the two that the additive mechanisms use).
struct AugmentedSensitivity {
  double frobenius;
  double nuclear;
};
AugmentedSensitivity augmentedSensitivity(double a, Neighbours neighbours);

/// Square of an integer bound on the Frobenius norm by which one neighbour step moves the integer
/// second-moment matrix, where no row has a squared length above `row_norm_squared` =: T.
///
///   row          add-remove   T^2                        |q q^T|_F = |q|^2
///   row          replace-one  2 T^2                      |q q^T - p p^T|_F^2 <= |q|^4 + |p|^4
///   participant  add-remove   T^2                        the average of q q^T, truncated to zero
///   participant  replace-one  (ceil(sqrt 2 T) + 2 dimension)^2
///
/// In the last line the averages are positive semidefinite with trace at most T, so at most
/// sqrt 2 T apart, and truncation moves each of the dimension^2 entries by less than one.
/// The Euclidean norm of the upper triangle is never larger, so the bound serves both shapes.
/// Precondition: T < 2^60, 1 <= dimension <= 2^16.
Uint128 frobeniusSensitivitySquared(std::uint64_t row_norm_squared, int dimension,
                                    Neighbours neighbours, Unit unit);

}  // namespace pm
