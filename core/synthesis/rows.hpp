#pragma once

#include <cstdint>
#include <vector>

#include "core/moments/encoding.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"
#include "core/synthesis/model.hpp"

namespace pm {

struct SyntheticRows {
  /// rows x columns, row by row, original units; a category's cell is its level's index.
  std::vector<double> cells;
  /// Number columns whose variance is larger in the model than the bounds allow with their mean, in
  /// ascending order: rows have the largest there is.
  std::vector<int> narrowed;
};

/// Rows and columns that one call draws: 320 MB.
constexpr std::int64_t kMostCells = 40'000'000;

/// How many of `rows` each component gets: its part to the nearest whole number, and if these do
/// not add up, one more or fewer of those whose part was rounded the farthest; at least `least`
/// where there are as many, from those that have most.
/// @param weights not negative, with a positive sum
std::vector<std::int64_t> allocateRows(const std::vector<double>& weights, std::int64_t rows,
                                       std::int64_t least);

/// Draws rows of the study's columns from a model, in random order: numbers within their bounds,
/// categories with one of their levels, and means, variances and covariances the model's as far as
/// such rows can have them (`RowLaw`). The model is public, so rows cost no privacy, and `random`
/// protects nobody. The same generator gives the same rows; on another platform a number may differ
/// in its last bits, as its mathematical functions do.
/// @param columns of the study, all of them
/// @param label   position of the class label where the model's components have levels, else -1:
///                its indicators are then not among the features
/// @returns kInvalidBounds, kInvalidLevels (columns); kInvalidDimension, kNotFinite, kInvalidLevel
///          (model); kNoRows, kTooManyRows (rows < 1, or more than kMostCells)
Result<SyntheticRows> drawRows(const RowModel& model, const std::vector<Column>& columns, int label,
                               std::int64_t rows, Drbg& random);

}  // namespace pm
