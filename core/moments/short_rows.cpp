#include "core/moments/short_rows.hpp"

#include <algorithm>
#include <cmath>

namespace pm {
namespace {

// A product at most this far from an integer is rounded to the same integer as the quotient.
constexpr double kClear = 0.5 - 0x1p-20;

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

ShortRows::ShortRows(const RowEncoder& encoder, double row_norm, double steps)
    : runs_(encoder.runs()),
      one_(roundTiesToEven(broadcast(1 / row_norm * steps))[0]),
      // Below this limit no cell exceeds the norm, every sum of squares is exact in a double, and
      // no row is too long by rounding alone.
      limit_(steps * steps * 63 / 64) {
  bool promised = isOrdinary(row_norm);
  for (const RowEncoder::Run& run : runs_) {
    if (!run.numbers) continue;
    for (std::size_t i = 0; i < run.columns; i += 2) {
      const RowEncoder::Bounds a = encoder.bounds(run.column + i);
      const RowEncoder::Bounds b = encoder.bounds(run.column + std::min(i + 1, run.columns - 1));
      columns_.push_back({.min = Pair{a.min, b.min},
                          .max = Pair{a.max, b.max},
                          .mid = Pair{a.mid, b.mid},
                          .scale = broadcast(steps / row_norm) / Pair{a.half, b.half}});
      for (const RowEncoder::Bounds& c : {a, b}) {
        promised = promised && isOrdinary(c.half) && staysWithinUnit(c.min, c.max, c.mid, c.half);
      }
    }
  }
  if (!promised) limit_ = 0;
}

double ShortRows::quantise(const double* cells, double* q) const {
  const Columns* at = columns_.data();
  PairMask within = ~PairMask{};
  Pair farthest{}, squares{};
  double others = 0;
  const auto rounded = [&](Pair x) {
    within &= (x >= at->min) & (x <= at->max);
    const Pair product = (x - at->mid) * at->scale;
    const Pair nearest = roundTiesToEven(product);
    farthest = pairMax(magnitude(product - nearest), farthest);
    ++at;
    return nearest;
  };
  for (const RowEncoder::Run& run : runs_) {
    const double* const from = cells + run.column;
    double* const to = q + run.feature;
    if (!run.numbers) {
      std::fill_n(to, run.levels, 0.0);
      const double x = *from;
      if (!(x >= 0 && x < run.levels) || x != std::floor(x)) return -1;
      to[std::size_t(x)] = one_;
      others += one_ * one_;
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
  const double length = squares[0] + squares[1] + others;
  const bool clear = farthest[0] < kClear && farthest[1] < kClear;
  return (within[0] & within[1]) != 0 && clear && length < limit_ ? length : -1;
}

}  // namespace pm
