#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pm {

/// How the cells of a wanted column become numbers: as numberIn() parses them or, if there are
/// levels, as the index of the level that equals the trimmed cell. Levels are UTF-8, trimmed and
/// distinct.
struct CsvColumn {
  std::vector<std::string> levels;
  /// Numbers outside [min, max] that may stand for a missing cell, without anybody having said so.
  std::vector<double> codes = {};
  double min = 0;
  double max = 0;
};

/// Row numbers that are kept of the cells of a column that could not be read.
inline constexpr std::size_t kShownRows = 3;

/// What the owner of the data should check in a column. Private.
struct CellsToCheck {
  /// Cells that are not empty and could not be read: no number, or none of the levels.
  std::uint64_t unreadable = 0;
  /// The first kShownRows rows that have one, from 0.
  std::vector<std::uint64_t> rows = {};
  /// Those of the column's codes that are among its cells.
  std::vector<double> codes = {};
};

/// Looks through rows of numbers on their way to their sums, for what their owner should check, and
/// makes missing what stands for a missing cell. Rows whose cells are all within their bounds,
/// which are nearly all, take two comparisons for each pair of cells.
class CellChecks {
 public:
  /// @param missing numbers that stand for a missing cell in columns without levels
  CellChecks(std::span<const CsvColumn> columns, std::vector<double> missing);

  /// Forgets what was found.
  void reset();

  /// Checks whole rows, of which the first has the number `first` in the data. An infinite cell is
  /// one that was not empty and could not be read.
  void check(std::span<double> rows, std::uint64_t first);

  /// Counts a cell that could not be read.
  void addUnreadable(std::size_t column, std::uint64_t row);

  /// For each column.
  const std::vector<CellsToCheck>& found() const { return found_; }

 private:
  struct Column {
    bool numbers;
    double min, max;  // of cells in which there is nothing to check
    std::vector<double> codes;
  };

  void removeMissing(std::span<double> rows) const;
  bool isWithin(std::span<const double> rows) const;
  void checkCells(const double* row, std::uint64_t number);

  std::vector<Column> columns_;
  std::vector<double> missing_;
  std::vector<CellsToCheck> found_;
};

}  // namespace pm
