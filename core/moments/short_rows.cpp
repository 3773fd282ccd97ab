#include "core/moments/short_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/moments/gram_kernel.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// A product at most this far from an integer is rounded to the same integer as the quotient.
constexpr double kClear = 0.5 - 0x1p-20;

// Cells of a block: 32 KB, which stay in the first-level cache while the pairs of columns are read.
constexpr std::size_t kBlockCells = 4096;

// With coordinates a product is off by less than 2^-50 of at most twice this many steps, which is
// less than a quarter of the 2^-20 above.
constexpr double kMostSteps = 0x1p27;

// Between these limits nothing in the product overflows, or underflows enough to matter.
bool isOrdinary(double x) { return x > 0x1p-400 && x < 0x1p400; }

// Whether clamping (x - mid)/half to [-1, 1] corrects rounding errors only. The quotient is
// monotone in x, so checking the bounds is enough. If the midpoint was rounded, they can be far
// off.
bool staysWithinUnit(double min, double max, double mid, double half) {
  constexpr double kMost = 1 + 0x1p-50;
  return (min - mid) / half >= -kMost && (max - mid) / half <= kMost;
}

// Columns that are quantised together from the i-th of a run on: those of a row of a tile, if it is
// full, or of a pair.
std::size_t countAt(const RowEncoder::Run& run, std::size_t i) {
  const std::size_t feature = run.feature + i, left = run.columns - i;
  for (const std::size_t count : {kTile, kTile / 2}) {
    if (feature % count == 0 && left >= count) return count;
  }
  return 1;
}

}  // namespace

ShortRows::ShortRows(const RowEncoder& encoder, const Grid& grid)
    : width_(std::size_t(encoder.columns())),
      moved_(!grid.scale.empty()),
      marks_(std::size_t(encoder.marks())),
      features_(std::size_t(encoder.features())),
      // Below this limit no cell exceeds the norm, every sum of squares is exact in a double, and
      // no row is too long by rounding alone.
      limit_(grid.any_length ? std::numeric_limits<double>::infinity()
                             : grid.steps * grid.steps * 63 / 64) {
  const auto centre = [&](std::size_t j) { return moved_ ? grid.centre[j] : 0; };
  const auto scale = [&](std::size_t j) { return moved_ ? grid.scale[j] : 1; };
  const double unit = grid.steps / grid.row_norm;
  bool promised = isOrdinary(grid.row_norm);
  for (const RowEncoder::Run& run : encoder.runs()) {
    if (!run.numbers) {
      Levels& levels = levels_.emplace_back();
      levels.column = run.column;
      levels.feature = run.feature;
      for (std::size_t j = run.feature; j < run.feature + run.levels; ++j) {
        const Pair z = (Pair{0, 1} - broadcast(centre(j))) / broadcast(scale(j));
        const Pair q = roundTiesToEven(z / broadcast(grid.row_norm) * broadcast(grid.steps));
        levels.absent.push_back(moved_ ? q[0] : 0);
        levels.present.push_back(q[1]);
        levels.squares += levels.absent.back() * levels.absent.back();
        promised = promised && unit / scale(j) <= kMostSteps;
      }
      promised = promised && levels.squares < 0x1p52;
      continue;
    }
    for (std::size_t i = 0; i < run.columns; i += columns_.back().count) {
      columns_.push_back({run.column + i, run.feature + i, countAt(run, i), {}});
      Columns& group = columns_.back();
      for (std::size_t c = 0; c < group.count; ++c) {
        const std::size_t j = group.feature + c;
        const RowEncoder::Bounds bounds = encoder.bounds(group.column + c);
        Terms& terms = group.terms[c / 2];
        terms.min[c % 2] = bounds.min;
        terms.max[c % 2] = bounds.max;
        terms.mid[c % 2] = bounds.mid;
        terms.scale[c % 2] = unit / bounds.half / scale(j);
        terms.shift[c % 2] = centre(j) * unit / scale(j);
        promised = promised && isOrdinary(bounds.half) &&
                   staysWithinUnit(bounds.min, bounds.max, bounds.mid, bounds.half);
        if (moved_) promised = promised && unit / scale(j) <= kMostSteps;
      }
    }
  }
  if (!promised) limit_ = 0;
}

void ShortRows::quantise(const double* cells, std::size_t rows, double* panel,
                         double* lengths) const {
  Pair squares[kPanelRows];
  const std::size_t step = std::max<std::size_t>(4, kBlockCells / width_);
  for (std::size_t first = 0; first < rows; first += step) {
    const Block block{cells + first * width_, std::min(step, rows - first),
                      panel + panelIndex(0, first), squares};
    std::fill_n(squares, block.rows, Pair{});
    moved_ ? quantise<true>(block) : quantise<false>(block);
    for (const Levels& levels : levels_) quantise(levels, block);
    for (std::size_t j = marks_; j < features_; ++j) {
      for (std::size_t r = 0; r < block.rows; ++r) block.panel[panelIndex(j, r)] = 0;
    }
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double length = squares[r][0] + squares[r][1];
      lengths[first + r] = length < limit_ ? length : -1;
    }
  }
  wipe(squares, sizeof squares);
}

template <bool kMoved>
void ShortRows::quantise(const Block& block) const {
  for (const Columns& columns : columns_) {
    switch (columns.count) {
      case kTile: quantise<kTile, kMoved>(columns, block); break;
      case 2: quantise<2, kMoved>(columns, block); break;
      default: quantise<1, kMoved>(columns, block);
    }
  }
}

template <std::size_t kCount, bool kMoved>
void ShortRows::quantise(const Columns& columns, const Block& block) const {
  const Terms first = columns.terms[0], second = columns.terms[1];
  const double* x = block.cells + columns.column;
  double* q = block.panel + panelIndex(columns.feature, 0);
  Pair* squares = block.squares;
  const auto quantised = [](Pair cells, const Terms& terms, PairMask& bad) {
    Pair product = (cells - terms.mid) * terms.scale;
    if (kMoved) product -= terms.shift;
    const Pair nearest = roundTiesToEven(product);
    bad |= (cells < terms.min) | (cells > terms.max) |
           (magnitude(product - nearest) >= broadcast(kClear));
    return nearest;
  };
  for (std::size_t r = 0; r < block.rows; ++r, x += width_, q += kTile) {
    PairMask bad{};
    Pair square;
    if constexpr (kCount == 1) {
      const Pair nearest = quantised(Pair{*x, first.mid[1]}, first, bad);
      *q = nearest[0];
      square = nearest * nearest;
    } else {
      const Pair nearest = quantised(loadPair(x), first, bad);
      storePair(q, nearest);
      square = nearest * nearest;
    }
    if constexpr (kCount == kTile) {
      const Pair nearest = quantised(loadPair(x + 2), second, bad);
      storePair(q + 2, nearest);
      square += nearest * nearest;
    }
    // All bits set are NaN, which a missing cell makes by itself.
    squares[r] += reinterpret_cast<Pair>(bitsOf(square) | bad);
  }
}

void ShortRows::quantise(const Levels& levels, const Block& block) const {
  const std::size_t count = levels.absent.size();
  for (std::size_t j = 0; j < count; ++j) {
    double* const q = block.panel + panelIndex(levels.feature + j, 0);
    for (std::size_t r = 0; r < block.rows; ++r) q[r * kTile] = levels.absent[j];
  }
  for (std::size_t r = 0; r < block.rows; ++r) {
    const double x = block.cells[r * width_ + levels.column];
    if (!(x >= 0 && x < double(count)) || x != std::floor(x)) {
      block.squares[r][0] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const std::size_t level = std::size_t(x);
    const double absent = levels.absent[level], present = levels.present[level];
    block.panel[panelIndex(levels.feature + level, r)] = present;
    block.squares[r][0] += levels.squares + present * present - absent * absent;
  }
}

}  // namespace pm
