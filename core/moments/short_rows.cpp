#include "core/moments/short_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pm {
namespace {

// A product at most this far from an integer is rounded to the same integer as the quotient.
constexpr double kClear = 0.5 - 0x1p-20;

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

}  // namespace

ShortRows::ShortRows(const RowEncoder& encoder, const Grid& grid)
    : runs_(encoder.runs()),
      marks_(std::size_t(encoder.marks())),
      features_(std::size_t(encoder.features())),
      // Below this limit no cell exceeds the norm, every sum of squares is exact in a double, and
      // no row is too long by rounding alone.
      limit_(grid.any_length ? std::numeric_limits<double>::infinity()
                             : grid.steps * grid.steps * 63 / 64) {
  const bool moved = !grid.scale.empty();
  const auto centre = [&](std::size_t j) { return moved ? grid.centre[j] : 0; };
  const auto scale = [&](std::size_t j) { return moved ? grid.scale[j] : 1; };
  const double unit = grid.steps / grid.row_norm;
  bool promised = isOrdinary(grid.row_norm);
  for (const RowEncoder::Run& run : runs_) {
    if (!run.numbers) {
      Levels& levels = levels_.emplace_back();
      for (std::size_t j = run.feature; j < run.feature + run.levels; ++j) {
        const Pair z = (Pair{0, 1} - broadcast(centre(j))) / broadcast(scale(j));
        const Pair q = roundTiesToEven(z / broadcast(grid.row_norm) * broadcast(grid.steps));
        levels.absent.push_back(moved ? q[0] : 0);
        levels.present.push_back(q[1]);
        levels.squares += levels.absent.back() * levels.absent.back();
        promised = promised && unit / scale(j) <= kMostSteps;
      }
      promised = promised && levels.squares < 0x1p52;
      continue;
    }
    for (std::size_t i = 0; i < run.columns; i += 2) {
      const std::size_t next = std::min(i + 1, run.columns - 1);
      const std::size_t j = run.feature + i, k = run.feature + next;
      const RowEncoder::Bounds a = encoder.bounds(run.column + i);
      const RowEncoder::Bounds b = encoder.bounds(run.column + next);
      const Pair scales{scale(j), scale(k)};
      columns_.push_back({.min = Pair{a.min, b.min},
                          .max = Pair{a.max, b.max},
                          .mid = Pair{a.mid, b.mid},
                          .scale = broadcast(unit) / Pair{a.half, b.half} / scales,
                          .shift = Pair{centre(j), centre(k)} * broadcast(unit) / scales});
      for (const RowEncoder::Bounds& c : {a, b}) {
        promised = promised && isOrdinary(c.half) && staysWithinUnit(c.min, c.max, c.mid, c.half);
      }
      if (moved) promised = promised && unit / std::min(scale(j), scale(k)) <= kMostSteps;
    }
  }
  if (!promised) limit_ = 0;
}

double ShortRows::quantise(const double* cells, double* q) const {
  const Columns* at = columns_.data();
  const Levels* category = levels_.data();
  PairMask within = ~PairMask{};
  Pair farthest{}, squares{};
  double others = 0;
  const auto rounded = [&](Pair x) {
    within &= (x >= at->min) & (x <= at->max);
    const Pair product = (x - at->mid) * at->scale - at->shift;
    const Pair nearest = roundTiesToEven(product);
    farthest = pairMax(magnitude(product - nearest), farthest);
    ++at;
    return nearest;
  };
  for (const RowEncoder::Run& run : runs_) {
    const double* const from = cells + run.column;
    double* const to = q + run.feature;
    if (!run.numbers) {
      const double x = *from;
      if (!(x >= 0 && x < run.levels) || x != std::floor(x)) return -1;
      const Levels& levels = *category++;
      const std::size_t level = std::size_t(x);
      const double absent = levels.absent[level], present = levels.present[level];
      std::copy(levels.absent.begin(), levels.absent.end(), to);
      to[level] = present;
      others += levels.squares + present * present - absent * absent;
      continue;
    }
    const std::size_t whole = run.columns & ~std::size_t{1};
    for (std::size_t i = 0; i < whole; i += 2) {
      const Pair nearest = rounded(loadPair(from + i));
      storePair(to + i, nearest);
      squares += nearest * nearest;
    }
    if (whole < run.columns) {
      const double nearest = rounded(broadcast(from[whole]))[0];
      to[whole] = nearest;
      others += nearest * nearest;
    }
  }
  std::fill(q + marks_, q + features_, 0.0);
  const double length = squares[0] + squares[1] + others;
  const bool clear = farthest[0] < kClear && farthest[1] < kClear;
  return (within[0] & within[1]) != 0 && clear && length < limit_ ? length : -1;
}

}  // namespace pm
