#pragma once

#include <cstdint>
#include <vector>

#include "core/moments/encoding.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"
#include "core/synthesis/rows/model.hpp"

namespace pm {

struct SyntheticRows {
  /// rows x columns, row by row, original units; a category's cell is its level's index.
  std::vector<double> cells;
  /// Number columns, ascending, whose variance in the model is larger than the bounds allow for
  /// their mean; the rows have the largest possible one.
  std::vector<int> narrowed;
};

/// Maximum number of cells that one call draws: 320 MB.
constexpr std::int64_t kMostCells = 40'000'000;

/// Number of `rows` for each component: its share rounded to the nearest integer; if these do not
/// add up, one more or fewer for those with the largest rounding errors. Each gets at least `least`
/// if there are enough rows, at the expense of the largest.
/// @param weights not negative, with a positive sum
std::vector<std::int64_t> allocateRows(const std::vector<double>& weights, std::int64_t rows,
                                       std::int64_t least);

/// Draws rows of the study's columns from a model, in random order: numbers are within their
/// bounds, category cells are levels, and means, variances and covariances are the model's as far
/// as such rows can have them (`RowLaw`). The model is public, so rows cost no privacy, and
/// `random` is not privacy noise. The same generator gives the same rows; on another platform
/// numbers may differ in their last bits, because mathematical functions do.
/// @param columns of the study, all of them
/// @param label   index of the class label if the model's components have levels, else -1; its
/// indicators are not among the features
/// @returns kInvalidBounds, kInvalidLevels (columns); kInvalidDimension, kNotFinite, kInvalidLevel
///          (model); kNoRows, kTooManyRows (rows < 1, or more than kMostCells)
Result<SyntheticRows> drawRows(const RowModel& model, const std::vector<Column>& columns, int label,
                               std::int64_t rows, Drbg& random);

}  // namespace pm
