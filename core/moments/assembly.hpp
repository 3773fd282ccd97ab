#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/result.hpp"

namespace pm {

/// The sum of releases, entry by entry and exact, so that it does not depend on their order.
class Assembly {
 public:
  /// For packed upper triangles of (dimension + 1)^2 matrices. Errors: kInvalidDimension.
  static Result<Assembly> create(int dimension);

  std::uint64_t releases() const { return releases_; }

  /// Adds one release's packed integers. On an error nothing was added.
  /// Errors: kWrongLength; kNotFinite for an entry that is not an integer within +-2^53.
  Status add(std::span<const double> values);

  /// The sums times `unit`, the value of one released integer in squared scaled units.
  /// Errors: kNoRows when nothing was added; kNotFinite for a unit that is not finite or not > 0.
  Result<std::vector<double>> sum(double unit) const;

 private:
  explicit Assembly(std::size_t entries) : totals_(entries) {}
  std::vector<Int128> totals_;
  std::uint64_t releases_ = 0;
};

}  // namespace pm
