#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/moments/clip_ladder.hpp"
#include "core/result.hpp"

namespace pm {

/// What the released integers of one clip radius stand for, all in scaled units; public.
struct ReleaseScale {
  double radius = 0;       ///< R_l, positive
  double unit = 0;         ///< value of one released integer, positive
  double constant = 0;     ///< the constant coordinate, positive
  double mean = 0;         ///< what the noise adds to every diagonal entry on average
  double diagonal = 0;     ///< standard deviation of the noise in a diagonal entry
  double offDiagonal = 0;  ///< in another entry
};

/// The sum of all releases in scaled units, brought to one constant coordinate, the noise's mean
/// taken off. Independent noises add by their variances.
struct AssembledSums {
  std::vector<double> packed;         ///< upper triangle, row by row, constant first
  double diagonal = 0;                ///< standard deviations of the noise: in a sum z_i z_i,
  double offDiagonal = 0;             ///< in a sum z_i z_j, i != j,
  double linear = 0;                  ///< in a sum constant z_i,
  double count = 0;                   ///< in entry (0, 0); 0 where the number of rows is public
  std::optional<std::uint64_t> rows;  ///< where public
  /// A bound on the mean squared row norm: R_l^2 averaged over the rows, or the largest where their
  /// numbers are private.
  double meanSquaredRadius = 0;
};

/// The sum of releases, entry by entry and exact for each clip radius, so that it does not depend
/// on their order.
class Assembly {
 public:
  /// For packed upper triangles of (dimension + 1)^2 matrices. Errors: kInvalidDimension.
  static Result<Assembly> create(int dimension);

  std::uint64_t releases() const { return releases_; }

  /// Adds one release's packed integers, made at a level of the clip ladder (0 where the radius is
  /// fixed) from a public number of rows, or none. On an error nothing was added.
  /// Errors: kWrongLength; kNotFinite for an entry that is not an integer within +-2^53;
  /// kInvalidRowNorm for a level there is not.
  Status add(std::span<const double> values, int level = 0, std::optional<std::uint64_t> rows = {});

  /// Adds what others have summed: the totals of `releases` releases, made at a level from a public
  /// number of rows in all, or none. On an error nothing was added.
  /// Errors: kWrongLength; kNoRows where it is the sum of none; kInvalidRowNorm for a level there
  /// is not; kNotFinite for totals beyond +-2^100, which so many releases cannot have.
  Status addSum(std::span<const Int128> totals, int level, std::uint64_t releases,
                std::optional<std::uint64_t> rows);

  /// The sums, given the scale of every level that occurs (by index), with `constant` as the
  /// constant coordinate. A public count is put in exactly.
  /// Errors: kNoRows when nothing was added; kNotFinite for a scale that is missing or not
  /// positive.
  Result<AssembledSums> sum(std::span<const ReleaseScale> scales, double constant) const;

 private:
  explicit Assembly(std::size_t dimension);

  Status checkPlace(std::size_t length, int level) const;

  struct Group {
    /// Sums of the releases since the last `flush`: at most kPending of them stay within 64 bits.
    std::vector<std::int64_t> pending;
    std::uint64_t in_pending = 0;
    std::vector<Int128> totals;
    std::uint64_t releases = 0;
    std::uint64_t rows = 0;
  };
  static constexpr std::uint64_t kPending = 1023;
  void flush(Group& group) const;

  std::size_t dimension_;
  std::array<Group, kClipLevels> groups_;  ///< by level
  std::uint64_t releases_ = 0;
  bool rows_are_public_ = true;
};

}  // namespace pm
