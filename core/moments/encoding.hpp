#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"

namespace pm {

/// A column of the study, as the encoder needs it.
struct Column {
  enum class Kind { kNumber, kCategory };
  Kind kind;
  double min = 0;  ///< public bounds of a number column, min < max, finite
  double max = 0;
  int levels = 0;  ///< number of levels of a category column, >= 1

  /// Features it is encoded as: one number, or an indicator for each level.
  int features() const { return kind == Kind::kCategory ? levels : 1; }
};

/// Index of a column's first feature among the features of all columns.
int firstFeature(std::span<const Column> columns, int column);

/// The length of the longest row of features, scaled units: a number is at most 1, and of a
/// category's indicators one is 1.
double longestRow(std::span<const Column> columns);

/// What to do with a row that has a missing cell. Each rule is a function of that row alone.
enum class MissingRule {
  kCentre,    ///< the row becomes the public centre: only its constant coordinate is not 0
  kDrop,      ///< ignore the row; only under add-remove, where the number of rows is private
  kError,     ///< reject the data on this machine
  kPairwise,  ///< the cell becomes the public centre, and the row says so (see `marksGaps`)
  kMean,      ///< the cell becomes the centre that its release chose, and is counted there
};

/// Whether a row has one more feature for each column: 1 where the cell is missing, otherwise 0.
bool marksGaps(MissingRule rule);

/// Whether a survey also counts the missing cells of each column; for private centring only.
bool countsGaps(MissingRule rule);

/// Local counts for the participant; private, never part of a release.
struct ColumnCounts {
  std::uint64_t missing = 0;  ///< cells that were NaN or infinite
  std::uint64_t outside = 0;  ///< cells moved to the nearest bound
};

/// Turns rows of the study's columns into rows of D features in scaled units: a number x becomes
/// (x - mid)/half in [-1, 1] after moving it to the nearest bound, a category becomes one 0/1
/// indicator per level. With `marks_gaps` one feature for each column follows them all: 1 if the
/// column's cell is missing, so that its own features are 0, otherwise 0. Such a column's squared
/// length is at most 1 as before. Pure IEEE operations: the same bits on every platform.
class RowEncoder {
 public:
  /// Adjacent number columns, or one category column.
  struct Run {
    bool numbers;
    std::size_t column;
    std::size_t columns;
    std::size_t feature;
    int levels;  ///< of a category, else 0
  };

  /// Errors: kInvalidBounds, kInvalidLevels (with the column), kInvalidDimension.
  static Result<RowEncoder> create(std::vector<Column> columns, bool marks_gaps = false);

  int columns() const { return int(half_.size()); }
  int features() const { return features_; }
  /// Index of the first feature that marks a gap; `features()` if no feature does.
  int marks() const { return marks_; }
  const std::vector<Run>& runs() const { return runs_; }
  /// Bounds and scaling of a number column; meaningless for a category.
  struct Bounds {
    double min, max, mid, half;
  };
  Bounds bounds(std::size_t column) const {
    return {min_[column], max_[column], mid_[column], half_[column]};
  }

  /// Encodes one row. `cells` holds one number per column; a category cell is its level's index;
  /// NaN or infinite means missing. Writes `features()` numbers.
  /// Returns the first missing column, or -1, or the error kInvalidLevel for a level that does
  /// not exist. Counts into `counts` (one per column).
  Result<int> encode(std::span<const double> cells, std::span<double> scaled,
                     std::span<ColumnCounts> counts) const;

 private:
  RowEncoder() = default;
  void markGaps(std::span<const double> cells, std::span<double> scaled) const;
  bool encodeWithin(const Run& run, const double* cells, double* scaled) const;
  int encodeNumbers(const Run& run, const double* cells, double* scaled,
                    std::span<ColumnCounts> counts) const;

  std::vector<Run> runs_;
  std::vector<double> min_, max_, mid_, half_;  ///< by column; half is half the width
  int features_ = 0;
  int marks_ = 0;
};

}  // namespace pm
