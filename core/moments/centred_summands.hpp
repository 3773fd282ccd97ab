#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/moments/assembly.hpp"
#include "core/moments/limits.hpp"
#include "core/result.hpp"

namespace pm {

/// How the released integers of one release with private centring map to scaled units; public.
/// `radius`, `unit`, `constant` and the noise of `scale` are in the units of its coordinates,
/// z_j = (x_j - centre_j) / scale_j.
struct CentredScale : ReleaseScale {
  std::span<const double> centre;  ///< D, multiples of 2^-kCentreBits in [-1, 1]
  std::span<const double> scale;   ///< D, above 0 and at most 1
  /// D, at least kLeastPresent and at most 1, or empty for all 1: of each feature the share of the
  /// rows that have it, the others being at z = 0. Sums are divided by it, products by that of both
  /// features, which is once for features of one column.
  std::span<const double> present = {};
  std::span<const int> columns = {};  ///< D, the column of each feature; empty with `present`
};

constexpr double kLeastPresent = 1.0 / 16;

/// Centres are multiples of 2^-kCentreBits.
constexpr int kCentreBits = 16;

/// What clipping did to the rows of one release, by its noisy counts.
struct ClippedRows {
  double shortened = 0;     ///< rows shortened, a multiple of 2^-16, negative by noise
  std::int64_t counts = 0;  ///< number of noisy counts in `shortened`
  /// What that took from the sum of their squared lengths, not negative: in the release's own
  /// coordinates, or, of a sum of releases, in scaled units.
  double lost = 0;
  double count_sd = 0;  ///< standard deviation of one noisy count; of a release alone
};

/// Whole numbers of one release with private centring, or their sums over several, from which
/// `CentredAssembly` has everything. They simply add up, exactly and in any order, wherever that is
/// done: what a release has in coordinates of its own is moved to the middle of the bounds first.
///
/// With n the rows of a release, C its centre in multiples of 2^-kCentreBits, y = scale z its rows
/// about that centre, l_j^2 the variance of sum y_j and v the mean of l_j^2, and in this order: n;
/// rows shortened, the counts in that and what was lost; w = n (share of rows that may have been
/// shortened)^2; the variances of the count and of a sum z_j z_j; v; for each feature n C_j, n
/// C_j^2, sum x_j, l_j^2, w C_j, v C_j; for each pair i <= j, row by row, sum x_i x_j, the variance
/// of its noise (of sum y_i y_j, C_i y_j and C_j y_i), w C_i C_j, v C_i C_j; and D x D, row by row,
/// C_i l_j^2.
class CentredSummands {
 public:
  /// @param dimension D, 1 to kMaxFeatures
  /// @param sd standard deviation of the noise in a sum z_i z_j at the study's whole radius; its
  /// power of two is the unit of standard deviations. 0 for releases without noise.
  explicit CentredSummands(std::size_t dimension, double sd);

  /// How many numbers there are: 3 D^2 + 8 D + 8.
  static constexpr std::size_t length(std::size_t d) {
    return 8 + 6 * d + 4 * packedSize(d) + d * d;
  }

  /// Adds one release. On an error nothing is added. Errors: kWrongLength; kNotFinite for an entry
  /// that is not an integer within +-2^53, for a scale that is not positive, and for what is beyond
  /// the limits of these numbers.
  Status add(std::span<const double> values, const CentredScale& scale,
             std::optional<std::uint64_t> rows, const ClippedRows& clipped);

  /// Adds the numbers of other releases. On an error nothing is added. Errors: kWrongLength;
  /// kNotFinite beyond the limits, or for variances that no releases have.
  Status add(std::span<const Int128> numbers, std::span<const std::int64_t> reach);

  const std::vector<Int128>& numbers() const { return numbers_; }

  /// D: the largest radius times scale_j of any release, rounded up to a multiple of 2^-kReachBits.
  /// Of these the greatest counts, not the sum.
  const std::vector<std::int64_t>& reach() const { return reach_; }

  // In the units of each.
  double rows() const;
  Int128 exactRows() const { return numbers_[kRows]; }  ///< multiples of 2^-kRowBits
  ClippedRows clipped() const;
  double countVariance() const { return variance(numbers_[kCount], kVarianceBits); }
  double diagonalVariance() const { return variance(numbers_[kDiagonal], kVarianceBits); }
  double reach(std::size_t j) const;

  /// The mean of the releases' centres, weighted by rows, in multiples of 2^-kCentreBits.
  std::vector<std::int64_t> meanCentre() const;

  // About the common centre c, in multiples of 2^-kCentreBits; scaled units.
  double linear(std::size_t j, std::int64_t c) const;
  double linearVariance(std::size_t j) const;
  double product(std::size_t i, std::size_t j, std::span<const std::int64_t> c) const;
  double productVariance(std::size_t i, std::size_t j, std::span<const std::int64_t> c) const;
  double centreSquares(std::size_t j, std::int64_t c) const;  ///< sum n (C_j - c_j)^2
  double clippedSpread(std::size_t i, std::size_t j, std::span<const std::int64_t> c) const;
  /// Means over the releases, weighted by v, of (C_j - c_j) and (C_i - c_i)(C_j - c_j).
  double noisyCentre(std::size_t j, std::int64_t c) const;
  double noisyCentres(std::size_t i, std::size_t j, std::span<const std::int64_t> c) const;

  static constexpr int kRowBits = 10;
  static constexpr int kReachBits = 44;

 private:
  static constexpr int kLinearBits = 48;
  static constexpr int kProductBits = kLinearBits + kCentreBits;
  static constexpr int kLostBits = 32;
  static constexpr int kLinearVarianceBits = 44;
  static constexpr int kVarianceBits = kLinearVarianceBits + 2 * kCentreBits;
  /// n C C in multiples of the unit of products.
  static constexpr int kCentreShift = kProductBits - kRowBits - 2 * kCentreBits;

  enum Head : std::uint8_t {
    kRows,
    kShortened,
    kCounts,
    kLost,
    kWeight,
    kCount,
    kDiagonal,
    kNoise,
    kHead
  };
  enum OfFeature : std::uint8_t {
    kCentre,
    kCentreSquare,
    kLinear,
    kLinearVariance,
    kWeighted,
    kNoisy
  };
  enum OfPair : std::uint8_t { kProduct, kVariance, kWeightedProduct, kNoisyProduct };

  std::size_t at(OfFeature which, std::size_t j) const { return kHead + which * d_ + j; }
  /// @param pair the place of (i, j), i <= j, in a packed triangle
  std::size_t at(OfPair which, std::size_t pair) const {
    return kHead + 6 * d_ + which * packedSize(d_) + pair;
  }
  std::size_t pair(std::size_t i, std::size_t j) const { return i * d_ - packedSize(i) + j; }
  std::size_t mixed(std::size_t i, std::size_t j) const {
    return kHead + 6 * d_ + 4 * packedSize(d_) + i * d_ + j;
  }
  double variance(Int128 number, int bits) const;
  bool withinLimits(std::span<const Int128> numbers) const;

  std::size_t d_;
  int exponent_;  ///< of the unit of variances
  std::vector<Int128> numbers_;
  std::vector<std::int64_t> reach_;
};

}  // namespace pm
