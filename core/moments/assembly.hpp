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

/// How the released integers of one clip radius map to scaled units; public.
struct ReleaseScale {
  double radius = 0;        ///< R_l, positive
  double unit = 0;          ///< value of one released integer, positive
  double constant = 0;      ///< the constant coordinate, positive
  double mean = 0;          ///< mean of the noise in a diagonal entry
  double diagonal = 0;      ///< standard deviation of the noise in a diagonal entry
  double off_diagonal = 0;  ///< standard deviation of the noise in any other entry
};

/// The sum of all releases in scaled units, converted to one constant coordinate, with the mean of
/// the noise subtracted. Variances of independent noise add up.
struct AssembledSums {
  std::vector<double> packed;         ///< upper triangle, row by row, constant first
  double diagonal = 0;                ///< standard deviations of the noise: in a sum z_i z_i,
  double off_diagonal = 0;            ///< in a sum z_i z_j, i != j,
  double linear = 0;                  ///< in a sum constant z_i,
  double count = 0;                   ///< in entry (0, 0); 0 if the number of rows is public
  std::optional<std::uint64_t> rows;  ///< present if public
  /// A bound on the mean squared row norm: R_l^2 averaged over the rows, or the largest R_l^2 if
  /// the numbers of rows are private.
  double mean_squared_radius = 0;
};

/// Sums releases entry by entry, exactly for each clip radius, so the sum does not depend on their
/// order.
class Assembly {
 public:
  /// An empty sum of packed upper triangles of (dimension + 1)^2 matrices. Errors:
  /// kInvalidDimension.
  static Result<Assembly> create(int dimension);

  std::uint64_t releases() const { return releases_; }

  /// Adds one release's packed integers, made at a level of the clip ladder (0 where the radius is
  /// fixed) from a public number of rows, absent if that number is private. On an error nothing is
  /// added. Errors: kWrongLength; kNotFinite for an entry that is not an integer within +-2^53;
  /// kInvalidRowNorm for a level outside the ladder.
  Status add(std::span<const double> values, int level = 0, std::optional<std::uint64_t> rows = {});

  /// Adds a sum computed elsewhere: the totals of `releases` releases at one level, with their
  /// public total number of rows, absent if private. On an error nothing is added. Errors:
  /// kWrongLength; kNoRows if `releases` is 0; kInvalidRowNorm for a level outside the ladder;
  /// kNotFinite for totals beyond +-2^100, which no sum of 2^47 releases can reach.
  Status addSum(std::span<const Int128> totals, int level, std::uint64_t releases,
                std::optional<std::uint64_t> rows);

  /// The sums with `constant` as the constant coordinate. `scales` has, by index, the scale of
  /// every level that occurs. A public count is inserted exactly. Errors: kNoRows if nothing was
  /// added; kNotFinite for a scale that is missing or not positive.
  Result<AssembledSums> sum(std::span<const ReleaseScale> scales, double constant) const;

 private:
  explicit Assembly(std::size_t dimension);

  Status checkPlace(std::size_t length, int level) const;

  struct Group {
    /// Sums of the releases since the last `flush`: up to kPending of them fit into 64 bits.
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
