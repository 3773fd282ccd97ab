#pragma once

#include <span>
#include <vector>

#include "core/analysis/noise/gaps.hpp"
#include "core/analysis/noise/moments.hpp"
#include "core/result.hpp"

namespace pm {

/// What the survey of one release says of its missing cells (MissingRule::kMean).
struct CountedGaps {
  double rows = 0;            ///< of the release; an estimate if their number is private
  std::vector<double> cells;  ///< C, rows without the column's cell; noisy
  double sd = 0;              ///< standard deviation of the noise in each
};

/// Releases whose rows have fewer cells of a column than this share of them are not used.
constexpr double kLeastShare = 1.0 / 16;

/// For each release the estimated share of its rows that have a cell of each column, at most 1: its
/// own, moved towards that of all releases together as far as their differences may be noise.
/// @returns kWrongLength for other numbers of columns; kInvalidNoise; kNoRows, with the position of
///          the release in `row` and the column, if the share is below `kLeastShare`
Result<std::vector<std::vector<double>>> presentShares(std::span<const CountedGaps> releases);

/// The sum of releases in which missing cells are at the centre, z = 0, and each product and sum is
/// divided by the shares of rows that have its columns (CentredScale::present).
struct MeanGapSums {
  MomentSums sums;
  std::vector<int> columns;  ///< D, the column of each feature, 0 .. C - 1, ascending
  std::vector<CountedGaps> releases;
  std::vector<std::vector<double>> shares;  ///< presentShares(releases)
  double trace_bound = 0;
};

/// Those sums with what the division adds to the errors, as of fewer complete rows. If gaps are
/// independent of each other and of all values, E S_ij = n r_i r_j C_ij for r_i the share of rows
/// that have column i, so S_ij / (r_i r_j) is unbiased, within a column S_ij / r_i.
///
/// Noise: r_i has the relative error d_i, of which an entry between two columns gets (d_i + d_j)
/// C_ij and one within a column d_i C_ii. How many rows have both columns is not known; they are as
/// independent gaps have it up to a variance of q_i q_j C_ij^2 / n, q_i = 1/r_i - 1. Both are in
/// the law as root mean squares. Noise within a column is less by the factor r_i.
///
/// The result has as many rows as the harmonic mean of n r_i r_j, and `MomentSums::gaps` the q_i.
/// `Gaps::fewest` is n r_i r_j. docs/missing.md.
/// @returns errors of `assembleMoments`; kWrongLength (columns, releases)
Result<WithoutGaps> withMeans(const MeanGapSums& data);

}  // namespace pm
