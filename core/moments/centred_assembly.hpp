#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/moments/assembly.hpp"
#include "core/moments/centred_summands.hpp"
#include "core/result.hpp"

namespace pm {

/// The sum of releases in common coordinates z_j = (x_j - centre_j) / units_j, with the constant
/// coordinate 1. `centre` is the mean of the releases' centres, weighted by their rows. `units` are
/// such that the noise of every z_j z_j has the same variance. The standard deviations of the other
/// entries are root mean squares: with one release all are equal, and with several they differ as
/// far as the releases' scales do in shape.
struct CentredSums : AssembledSums {
  std::vector<double> centre;  ///< D, scaled units
  std::vector<double> units;   ///< D, scaled units
  ClippedRows clipped;         ///< of all releases together
  /// Packed upper triangle of the mean of (1, d_s)(1, d_s)^T over the releases, d_s the centre of
  /// release s in z, weighted by the variance of the noise in its linear sums.
  std::vector<double> noise_centres;
  /// Packed D x D, or empty for one release: what clipping may add to the covariance. Clipped rows
  /// move towards the centre of their own release, all of them together. With n_s the rows of
  /// release s and p_s the share of them that may have been clipped, means move by at most about
  /// p_s of the distance from d_s: sum_s (n_s / n) p_s^2 d_s d_s^T.
  std::vector<double> centre_spread;
};

/// Sums releases with private centring, each in coordinates of its own. The maps between them are
/// public. What is summed are whole numbers, so that the sum does not depend on the order of the
/// releases, nor on where they were added up.
class CentredAssembly {
 public:
  /// @param sd standard deviation of the noise in a sum z_i z_j of the study at its whole radius
  /// Error: kInvalidDimension.
  static Result<CentredAssembly> create(int dimension, double sd);

  std::uint64_t releases() const { return releases_; }
  const CentredSummands& summands() const { return summands_; }

  /// Adds one release. On an error nothing is added. Errors: those of `CentredSummands::add`.
  Status add(std::span<const double> values, const CentredScale& scale,
             std::optional<std::uint64_t> rows, const ClippedRows& clipped = {});

  /// Adds a sum computed elsewhere: the numbers of the summands of `releases` releases, the
  /// greatest of each of their reaches, and their public total number of rows, absent if private.
  /// On an error nothing is added. Errors: those of `CentredSummands::add`; kNoRows if `releases`
  /// is 0 or `rows` is not the number in the summands.
  Status addSum(std::span<const Int128> numbers, std::span<const std::int64_t> reach,
                std::uint64_t releases, std::optional<std::uint64_t> rows);

  /// With several releases x_j - centre_j of release s is z_j scale_j + (centre_sj - centre_j), so
  /// the noise of its linear sums enters the products, times the distance of the centres: its
  /// variance counts there. Error: kNoRows if nothing was added.
  Result<CentredSums> sum() const;

 private:
  CentredAssembly(std::size_t dimension, double sd);

  std::size_t dimension_;
  CentredSummands summands_;
  std::uint64_t releases_ = 0;
  bool rows_are_public_ = true;
  std::uint64_t rows_ = 0;  // if they are public
};

}  // namespace pm
