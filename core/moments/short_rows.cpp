#include "core/moments/short_rows.hpp"

#include <algorithm>
#include <cmath>

namespace pm {
namespace {

// From an integer, the farthest that a product may lie and still be rounded as the quotient is.
constexpr double kClear = 0.5 - 0x1p-20;

// Between these nothing on the way to the product overflows, or underflows to where it counts.
bool isOrdinary(double x) { return x > 0x1p-400 && x < 0x1p400; }

// Whether moving (x - mid)/half into [-1, 1] changes nothing but rounding: the quotient grows with
// x, so it is enough to look at the bounds. Bounds whose middle was rounded can be far off.
bool staysWithinUnit(double min, double max, double mid, double half) {
  constexpr double kMost = 1 + 0x1p-50;
  return (min - mid) / half >= -kMost && (max - mid) / half <= kMost;
}

}  // namespace

ShortRows::ShortRows(const RowEncoder& encoder, double row_norm, double steps)
    : runs_(encoder.runs()),
      one_(roundTiesToEven(both(1 / row_norm * steps))[0]),
      // Within this no cell is longer than the norm, every sum of squares is exact in a double, and
      // a row that only rounding makes too long stays far away.
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
                          .scale = both(steps / row_norm) / Pair{a.half, b.half}});
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
    farthest = greater(magnitude(product - nearest), farthest);
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
      const double nearest = rounded(both(from[whole]))[0];
      to[whole] = nearest;
      others += nearest * nearest;
    }
  }
  const double length = squares[0] + squares[1] + others;
  const bool clear = farthest[0] < kClear && farthest[1] < kClear;
  return (within[0] & within[1]) != 0 && clear && length < limit_ ? length : -1;
}

}  // namespace pm
