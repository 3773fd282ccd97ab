#include "core/ingest/cell_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ingest/number.hpp"

namespace pm {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

bool contains(const std::vector<double>& numbers, double number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

CellChecks::CellChecks(std::span<const CsvColumn> columns, std::vector<double> missing)
    : missing_(std::move(missing)), found_(columns.size()) {
  for (const CsvColumn& column : columns) {
    const bool numbers = column.levels.empty();
    const bool bounded = numbers && !column.codes.empty();
    columns_.push_back({numbers,
                        bounded   ? column.min
                        : numbers ? -kLargest
                                  : 0,
                        bounded ? column.max : kLargest, column.codes});
  }
  for (std::size_t c = 0; c < columns_.size(); c += 2) {
    const std::size_t next = std::min(c + 1, columns_.size() - 1);
    min_.push_back(Pair{columns_[c].min, columns_[next].min});
    max_.push_back(Pair{columns_[c].max, columns_[next].max});
  }
}

void CellChecks::reset() { found_.assign(columns_.size(), {}); }

void CellChecks::check(std::span<double> rows, std::uint64_t first) {
  const std::size_t width = columns_.size();
  for (; rows.size() >= width; rows = rows.subspan(width), ++first) {
    double* const row = rows.data();
    if (!missing_.empty()) removeMissing(row);
    if (!isWithin(row)) checkCells(row, first);
  }
}

void CellChecks::addUnreadable(std::size_t column, std::uint64_t row) {
  CellsToCheck& found = found_[column];
  ++found.unreadable;
  if (found.rows.size() < kShownRows) found.rows.push_back(row);
}

void CellChecks::removeMissing(double* row) const {
  for (const Column& column : columns_) {
    if (column.numbers && contains(missing_, *row)) *row = kMissing;
    ++row;
  }
}

bool CellChecks::isWithin(const double* row) const {
  const std::size_t whole = columns_.size() / 2;
  PairMask within = ~PairMask{};
  for (std::size_t i = 0; i < whole; ++i) {
    const Pair cells = loadPair(row + 2 * i);
    within &= (cells >= min_[i]) & (cells <= max_[i]);
  }
  const bool last = columns_.size() % 2 == 0 ||
                    (row[2 * whole] >= min_[whole][0] && row[2 * whole] <= max_[whole][0]);
  return (within[0] & within[1]) != 0 && last;
}

void CellChecks::checkCells(const double* row, std::uint64_t number) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const double cell = row[c];
    // A missing cell is neither below nor above them.
    if (!(cell < column.min || cell > column.max)) continue;
    if (std::isinf(cell)) {
      addUnreadable(c, number);
    } else if (contains(column.codes, cell) && !contains(found_[c].codes, cell)) {
      found_[c].codes.push_back(cell);
    }
  }
}

}  // namespace pm
