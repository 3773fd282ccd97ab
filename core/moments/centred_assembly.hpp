#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/moments/assembly.hpp"
#include "core/moments/precise_sum.hpp"
#include "core/moments/weighted_centres.hpp"
#include "core/result.hpp"

namespace pm {

/// How the released integers of one release with private centring map to scaled units; public.
/// `radius`, `unit`, `constant` and the noise of `scale` are in the units of its coordinates,
/// z_j = (x_j - centre_j) / scale_j.
struct CentredScale : ReleaseScale {
  std::span<const double> centre;  ///< D, multiples of 2^-kCentreBits in [-1, 1]
  std::span<const double> scale;   ///< D, above 0 and at most 1
};

/// Centres are multiples of 2^-kCentreBits.
constexpr int kCentreBits = 16;

/// What clipping did to the rows of one release, as estimated from its noisy counts.
struct ClippedRows {
  double rows = 0;  ///< how many were clipped, an estimate from above
  /// What that took from the sum of their squared lengths, in the units of the release's
  /// coordinates.
  double lost = 0;
};

/// The sum of releases in common coordinates z_j = (x_j - centre_j) / units_j, with the constant
/// coordinate 1. `centre` is the mean of the releases' centres, weighted by their rows. `units` are
/// such that the noise of every z_j z_j has the same variance. The standard deviations of the other
/// entries are root mean squares: with one release all are equal, and with several they differ as
/// far as the releases' scales do in shape.
struct CentredSums : AssembledSums {
  std::vector<double> centre;  ///< D, scaled units
  std::vector<double> units;   ///< D, scaled units
  /// Packed upper triangle of the mean of (1, d_s)(1, d_s)^T over the releases, d_s the centre of
  /// release s in z, weighted by the variance of the noise in its linear sums.
  std::vector<double> noise_centres;
  /// Packed D x D, or empty for one release: what clipping may add to the covariance. Clipped rows
  /// move towards the centre of their own release, all of them together. With n_s the rows of
  /// release s and p_s the share of them that was clipped, means move by at most about p_s of the
  /// distance from d_s: sum_s (n_s / n) p_s^2 d_s d_s^T.
  std::vector<double> centre_spread;
  /// What clipping took from the trace of the covariance, an estimate, scaled units.
  double trace_lost = 0;
};

/// Sums releases with private centring, each in coordinates of its own. The maps between them are
/// public. Sums are kept in twice the precision of a double, so that in practice they do not depend
/// on the order of the releases.
class CentredAssembly {
 public:
  /// Error: kInvalidDimension.
  static Result<CentredAssembly> create(int dimension);

  std::uint64_t releases() const { return releases_; }

  /// Adds one release. On an error nothing is added. Errors: kWrongLength; kNotFinite for an entry
  /// that is not an integer within +-2^53, or a scale that is not positive.
  Status add(std::span<const double> values, const CentredScale& scale,
             std::optional<std::uint64_t> rows, const ClippedRows& clipped = {});

  /// With several releases x_j - centre_j of release s is z_j scale_j + (centre_sj - centre_j), so
  /// the noise of its linear sums enters the products, times the distance of the centres: its
  /// variance counts there. Error: kNoRows if nothing was added.
  Result<CentredSums> sum() const;

 private:
  explicit CentredAssembly(std::size_t dimension);

  std::size_t dimension_;
  std::uint64_t releases_ = 0;
  bool rows_are_public_ = true;
  std::uint64_t rows_ = 0;  // if they are public

  // With n the rows of a release, in multiples of 2^-kRowBits, C its centre in multiples of
  // 2^-kCentreBits, y = scale z its rows about that centre and l_j^2 the variance of sum y_j:
  Int128 counts_ = 0;                      // sum n
  std::vector<Int128> centres_;            // sum n C_i
  std::vector<Int128> centre_products_;    // sum n C_i C_j, packed
  std::vector<PreciseSum> linear_;         // sum y_j
  std::vector<PreciseSum> mixed_;          // sum C_i y_j, D x D, row-major
  std::vector<PreciseSum> products_;       // sum y_i y_j, packed
  std::vector<PreciseSum> noise_;          // variances of these, packed
  std::vector<PreciseSum> linear_noise_;   // sum l_j^2
  std::vector<PreciseSum> mixed_noise_;    // sum C_i l_j^2
  std::vector<PreciseSum> squared_noise_;  // sum C_i^2 l_j^2
  PreciseSum count_noise_;                 // variance of sum n
  PreciseSum diagonal_noise_;              // variance of a z_j z_j
  WeightedCentres noisy_;                  // by the mean of l_j^2
  WeightedCentres clipped_;                // by n_s p_s^2
  PreciseSum lost_;                        // of the sum of squared y
  std::vector<double> reach_;              // largest radius times scale_j
};

}  // namespace pm
