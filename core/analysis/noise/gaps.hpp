#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/result.hpp"

namespace pm {

/// Sums over rows that mark their gaps (`marksGaps`): features of a missing cell are 0, and one
/// more feature for each of C columns is 1 there and otherwise 0.
struct GapSums {
  /// Those of the D features, of which `packed` has C more, in the order of the columns:
  /// (D+C+1)(D+C+2)/2 numbers. In a frame a missing cell is at its centre, z = 0.
  MomentSums sums;
  std::vector<int> columns;  ///< D, the column of each feature, 0 .. C - 1, ascending
  double trace_bound = 0;    ///< R^2, positive
};

/// What was missing, as estimated from the noisy sums.
struct Gaps {
  Eigen::VectorXd cells;  ///< C, rows without a value in each column, 0 .. rows
  double cells_sd = 0;    ///< standard deviation of the noise in each
  /// The two columns with the fewest rows that have both, their number and the sd of its noise;
  /// a study of one column has it twice.
  int first = 0;
  int second = 0;
  double fewest = 0;
  double fewest_sd = 0;
  double rows = 0;  ///< of the study; an estimate if their number is private
};

struct WithoutGaps {
  MomentSums sums;         ///< as if of complete rows, in a frame of their own
  double trace_bound = 0;  ///< for that frame
  double inflation = 1;    ///< factor on what clipping took from the trace
  Gaps gaps;
};

/// Sums of fewer complete rows with the same information, for all analyses. docs/missing.md.
///
/// With o = 1 - m for each column, counts and sums of the rows that have both i and j are linear in
/// the released sums,
///   N_ij = n - M_i - M_j + M_ij,   S_i^(j) = S_i - sum z_i m_j,   S_ij = sum z_i z_j,
/// features of one column having a mark in common, so that there N_ij = n - M_i and S_i^(j) = S_i.
/// Means are S_i / N_ii, and the covariance, of all rows that have the pair (pairwise-complete),
///   C_ij = S_ij / N_ij - (S_i^(j) / N_ij)(S_j^(i) / N_ij).
///
/// Noise: an entry of C has that of S_ij divided by N_ij, those of the means and the counts to
/// first order. In z / u with u_i u_j = n / N_ij, as far as one u_i for each feature allows (least
/// squares of logarithms), they are nearly equal, so these are the units of the result; what is
/// left of the differences is in its law as root mean squares. Counts below four standard
/// deviations of their noise are taken to be that large: the entry is then closer to 0.
///
/// The result has as many rows as the harmonic mean of N_ij; `MomentSums::gaps` is a fit of how
/// N_ij differ from it.
/// @returns errors of `assembleMoments`; kWrongLength (columns), kInvalidRowNorm (bound)
Result<WithoutGaps> withoutGaps(const GapSums& data);

}  // namespace pm
