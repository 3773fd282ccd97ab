#include "core/ingest/cell_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ingest/number.hpp"
#include "core/pair.hpp"

namespace pm {
namespace {

// Cells of a block: 16 KB, which stay in the first-level cache.
constexpr std::size_t kBlockCells = 2048;

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
}

void CellChecks::reset() { found_.assign(columns_.size(), {}); }

void CellChecks::check(std::span<double> rows, std::uint64_t first) {
  const std::size_t width = columns_.size();
  for (std::size_t count = 0; rows.size() >= width;
       rows = rows.subspan(count * width), first += count) {
    count = std::min(rows.size() / width, std::max<std::size_t>(1, kBlockCells / width));
    const std::span<double> block = rows.first(count * width);
    if (!missing_.empty()) removeMissing(block);
    if (isWithin(block)) continue;
    for (std::size_t r = 0; r < count; ++r) {
      checkCells(block.data() + r * width, first + r);
    }
  }
}

void CellChecks::addUnreadable(std::size_t column, std::uint64_t row) {
  CellsToCheck& found = found_[column];
  ++found.unreadable;
  if (found.rows.size() < kShownRows) found.rows.push_back(row);
}

void CellChecks::removeMissing(std::span<double> rows) const {
  for (double* cell = rows.data(); cell != rows.data() + rows.size();) {
    for (const Column& column : columns_) {
      if (column.numbers && contains(missing_, *cell)) *cell = kMissing;
      ++cell;
    }
  }
}

// Whether there is nothing to check in these rows, as in nearly all. Two columns at a time, so that
// their bounds stay in registers.
bool CellChecks::isWithin(std::span<const double> rows) const {
  const std::size_t width = columns_.size();
  const double* const end = rows.data() + rows.size();
  PairMask outside{};
  std::size_t c = 0;
  for (; c + 1 < width; c += 2) {
    const Pair min{columns_[c].min, columns_[c + 1].min};
    const Pair max{columns_[c].max, columns_[c + 1].max};
    for (const double* cells = rows.data() + c; cells < end; cells += width) {
      outside |= (loadPair(cells) < min) | (loadPair(cells) > max);
    }
  }
  if (c < width) {
    const Pair min = broadcast(columns_[c].min), max = broadcast(columns_[c].max);
    for (const double* cell = rows.data() + c; cell < end; cell += width) {
      outside |= (broadcast(*cell) < min) | (broadcast(*cell) > max);
    }
  }
  return (outside[0] | outside[1]) == 0;
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
