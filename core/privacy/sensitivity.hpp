#pragma once

#include <cstdint>

#include "core/int128.hpp"
#include "core/privacy/guarantee.hpp"

namespace pm {

/// The smallest r with r^2 >= x. Precondition: x <= 2^124.
std::uint64_t ceilSqrt(Uint128 x);

/// How far one neighbour step can move the second-moment matrix sum x x^T of d-vectors, in several
/// norms. Values are tight unless stated otherwise. Proofs: docs/sensitivity.md.
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

/// For rows with |x_i| <= 1 for each of d >= 1 features. All tight, also for replace-one.
Sensitivity unitBoxSensitivity(int d, Neighbours neighbours);

/// Square of an integer bound on how far, in Frobenius norm, one neighbour step moves the integer
/// second-moment matrix if no row has a squared length above T = `row_norm_squared`.
///
///   row          add-remove   T^2                        |q q^T|_F = |q|^2
///   row          replace-one  2 T^2                      |q q^T - p p^T|_F^2 <= |q|^4 + |p|^4
///   participant  add-remove   T^2                        the average of q q^T, truncated to zero
///   participant  replace-one  (ceil(sqrt 2 T) + 2 dimension)^2
///
/// In the last line, the averages are positive semidefinite with trace at most T and so at most
/// sqrt 2 T apart, and truncation moves each of the dimension^2 entries by less than one.
/// The Euclidean norm of the upper triangle is never larger, so the bound serves both shapes.
/// Precondition: T < 2^60, 1 <= dimension <= 2^16.
Uint128 frobeniusSensitivitySquared(std::uint64_t row_norm_squared, int dimension,
                                    Neighbours neighbours, Unit unit);

/// An integer bound on the nuclear norm (sum of absolute eigenvalues) of the same change.
///
///   row          add-remove   T                          |q q^T|_* = |q|^2
///   row          replace-one  2 T
///   participant  add-remove   T + ceil(dimension^1.5)
///   participant  replace-one  twice that
///
/// Truncation moves each entry by less than one, an average by less than `dimension` in Frobenius
/// norm, and so by less than dimension^1.5 in nuclear norm; truncation towards zero cannot increase
/// the Frobenius norm, but it can increase the nuclear norm. Preconditions as above.
std::uint64_t nuclearSensitivity(std::uint64_t row_norm_squared, int dimension,
                                 Neighbours neighbours, Unit unit);

/// Public bounds on every integer row (A, q).
struct RowBounds {
  std::uint64_t constant;  ///< A
  std::uint64_t length;    ///< |q| <= length
  std::uint64_t feature;   ///< |q_i| <= feature, 1 .. length
  int features;            ///< entries of q
};

/// An integer bound on the sum of absolute changes that one neighbour step makes to the packed
/// upper triangle of the integer second-moment matrix. Under replace-one entry (0, 0) is public and
/// does not change. With D features, l = length, h = feature, A = constant:
///
///   add-remove   A^2 + A s + (s^2 + min(l^2, D h^2)) / 2,  s = min(sqrt(D) l, D h)
///   replace-one  the smaller of
///     D ((D + 1) h + A)^2 / (2 (D + 1)), or 2 A h D where A > (D + 1) h
///     max over t of 2 A sqrt(D) l sin(t/2) + sqrt(D (D + 3) / 2) l^2 sin t
/// participant as row; under replace-one plus one per entry (averages are truncated to integers)
///
/// Rounded up; exact except for the last maximum, which has a margin of 2^-40. Proofs:
/// docs/sensitivity.md. Precondition: constant and length below 2^25, features <= 2^10.
std::uint64_t upperL1Sensitivity(const RowBounds& rows, Neighbours neighbours, Unit unit);

/// How far one neighbour step moves the sums of a survey (core/moments/survey.hpp): H n for n rows,
/// the sum of q of each feature and of r of each number column. Squared Euclidean norm. With
/// H = 2^bits:
///
///                  add-remove   replace-one
///   number of rows H^2          0             public under replace-one
///   number column  5 H^2 / 4    4 H^2
///   category       H^2          2 H^2
///
/// All are reached, except for a category of a single level under replace-one. Where the survey
/// counts gaps, H times the missing cells of each column is part of that column's line and leaves
/// it as it is. Proofs: docs/sensitivity.md. Preconditions: numbers and categories, the number of
/// columns of each kind, are in 0 .. 2^16; 2 <= bits <= 24.
Uint128 surveySensitivitySquared(int numbers, int categories, int bits, Neighbours neighbours);

/// The same for the sum of absolute changes.
///
///                  add-remove   replace-one
///   number of rows H            0
///   number column  3 H / 2      9 H / 4, or 5 H / 2 if gaps are counted
///   category       H            2 H
///
/// Preconditions as above.
std::uint64_t surveySensitivityL1(int numbers, int categories, int bits, Neighbours neighbours,
                                  bool counts_gaps = false);

}  // namespace pm
